/*
 * Copyright 2026 The Orca Grid authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package org.orcagrid.geo.protocol;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.orcagrid.ddp.transport.MalformedPacketException;
import org.orcagrid.geo.PositionVector;
import org.orcagrid.geo.Positions;
import org.orcagrid.geo.Version;
import org.orcagrid.geo.partition.Lag;
import org.orcagrid.geo.partition.ReadAnswer;
import org.orcagrid.geo.partition.WriteAnswer;
import org.orcagrid.geo.replica.CommandCodec;
import org.orcagrid.geo.replica.Found;
import org.orcagrid.geo.replica.Outcome;
import org.orcagrid.geo.wire.Decoder;
import org.orcagrid.geo.wire.Encoder;

/** What a node answers a client. */
public sealed interface ClientAnswer {
  /**
   * Which store it is.
   *
   * @param store tells it from others
   * @param partitions how many
   * @param replicas of a partition in a datacenter
   * @param datacenters their names and the nodes' addresses, in their order
   * @param node which of all nodes answers
   * @param millis its clock
   */
  record Description(
      long store, int partitions, int replicas, List<Datacenter> datacenters, int node, long millis)
      implements ClientAnswer {}

  /** A datacenter: its name, and where its nodes listen. */
  record Datacenter(String name, List<String> nodes) {}

  /** A text for people, or why there is no other answer. */
  record Text(String text) implements ClientAnswer {}

  /** The request cannot be meant, and why. */
  record Refused(String reason) implements ClientAnswer {}

  /** Of a read. */
  record OfRead(ReadAnswer answer) implements ClientAnswer {}

  /** Of a write. */
  record OfWrite(WriteAnswer answer) implements ClientAnswer {}

  /** Writes an answer. */
  static void write(Encoder out, ClientAnswer answer) {
    if (answer instanceof Description about) {
      out.putByte(1).putNumber(about.store()).putNumber(about.partitions());
      out.putNumber(about.replicas()).putNumber(about.node()).putNumber(about.millis());
      out.putNumber(about.datacenters().size());
      for (Datacenter each : about.datacenters()) {
        putText(out, each.name());
        out.putNumber(each.nodes().size());
        each.nodes().forEach(node -> putText(out, node));
      }
    } else if (answer instanceof Text text) {
      putText(out.putByte(2), text.text());
    } else if (answer instanceof Refused refused) {
      putText(out.putByte(3), refused.reason());
    } else if (answer instanceof OfRead read) {
      writeRead(out, read.answer());
    } else if (answer instanceof OfWrite write) {
      writeWrite(out, write.answer());
    }
  }

  private static void writeRead(Encoder out, ReadAnswer answer) {
    if (answer instanceof ReadAnswer.Value value) {
      Version version = value.found().version();
      out.putByte(10).putNumber(version.time()).putByte(version.datacenter());
      out.putNumber(version.position()).putBytes(value.found().value());
      value.everywhere().write(out);
      put(out, value.lag());
    } else if (answer instanceof ReadAnswer.NotMet not) {
      put(out.putByte(11), not.lag());
    } else if (answer instanceof ReadAnswer.NotServing) {
      out.putByte(12);
    } else if (answer instanceof ReadAnswer.Overloaded) {
      out.putByte(13);
    } else if (answer instanceof ReadAnswer.Lost lost) {
      out.putByte(14).putNumber(lost.datacenter()).putNumber(lost.cut()).putNumber(lost.entries());
    } else if (answer instanceof ReadAnswer.Removed) {
      out.putByte(15);
    }
  }

  private static void writeWrite(Encoder out, WriteAnswer answer) {
    if (answer instanceof WriteAnswer.Done done) {
      done.outcome().write(out.putByte(20));
      done.everywhere().write(out);
    } else if (answer instanceof WriteAnswer.NotLeading not) {
      out.putByte(21).putNumber(not.leader() + 1L);
    } else if (answer instanceof WriteAnswer.ClockAhead ahead) {
      out.putByte(22).putNumber(ahead.millis());
    } else if (answer instanceof WriteAnswer.Overloaded) {
      out.putByte(23);
    } else if (answer instanceof WriteAnswer.NotMet not) {
      put(out.putByte(24), not.lag());
    } else if (answer instanceof WriteAnswer.Removed) {
      out.putByte(25);
    }
  }

  /**
   * Reads an answer, up to the end of the bytes.
   *
   * @throws MalformedPacketException if it is none
   */
  static ClientAnswer read(Decoder in) {
    int kind = in.getByte();
    ClientAnswer answer =
        switch (kind) {
          case 1 -> description(in);
          case 2 -> new Text(text(in));
          case 3 -> new Refused(text(in));
          case 10 -> new OfRead(value(in));
          case 11 -> new OfRead(new ReadAnswer.NotMet(lag(in)));
          case 12 -> new OfRead(new ReadAnswer.NotServing());
          case 13 -> new OfRead(new ReadAnswer.Overloaded());
          case 14 ->
              new OfRead(
                  new ReadAnswer.Lost(
                      in.getInt(Positions.DATACENTERS_MAX - 1), in.getNumber(), in.getNumber()));
          case 15 -> new OfRead(new ReadAnswer.Removed());
          case 20 -> new OfWrite(new WriteAnswer.Done(Outcome.read(in), PositionVector.read(in)));
          case 21 -> new OfWrite(new WriteAnswer.NotLeading(in.getInt(1 << 16) - 1));
          case 22 -> new OfWrite(new WriteAnswer.ClockAhead(in.getNumber()));
          case 23 -> new OfWrite(new WriteAnswer.Overloaded());
          case 24 -> new OfWrite(new WriteAnswer.NotMet(lag(in)));
          case 25 -> new OfWrite(new WriteAnswer.Removed());
          default -> throw new MalformedPacketException("There is no answer " + kind);
        };
    in.end();
    return answer;
  }

  private static Description description(Decoder in) {
    long store = in.getNumber();
    int partitions = in.getInt(Integer.MAX_VALUE - 1);
    int replicas = in.getInt(1 << 16);
    int node = in.getInt(1 << 16);
    long millis = in.getNumber();
    List<Datacenter> datacenters = new ArrayList<>();
    for (int left = in.getInt(Positions.DATACENTERS_MAX); left > 0; left--) {
      String name = text(in);
      List<String> nodes = new ArrayList<>();
      for (int more = in.getInt(1 << 16); more > 0; more--) {
        nodes.add(text(in));
      }
      datacenters.add(new Datacenter(name, nodes));
    }
    return new Description(store, partitions, replicas, datacenters, node, millis);
  }

  private static ReadAnswer value(Decoder in) {
    long time = in.getNumber();
    int datacenter = in.getInt(Positions.DATACENTERS_MAX - 1);
    Version version = new Version(time, datacenter, in.getNumber());
    byte[] value = in.getBytes(CommandCodec.VALUE_BYTES_MAX);
    return new ReadAnswer.Value(
        new Found(version, value), version.position(), PositionVector.read(in), lag(in));
  }

  private static void put(Encoder out, Lag lag) {
    out.putNumber(lag.datacenter() + 1L).putNumber(lag.entries()).putNumber(lag.ageMillis());
  }

  private static Lag lag(Decoder in) {
    return new Lag(in.getInt(Positions.DATACENTERS_MAX) - 1, in.getNumber(), in.getNumber());
  }

  private static void putText(Encoder out, String text) {
    out.putBytes(text.getBytes(StandardCharsets.UTF_8));
  }

  private static String text(Decoder in) {
    return new String(in.getPresent(1 << 20), StandardCharsets.UTF_8);
  }
}
