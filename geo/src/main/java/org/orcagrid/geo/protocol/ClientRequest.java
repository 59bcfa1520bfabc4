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

import org.orcagrid.ddp.transport.MalformedPacketException;
import org.orcagrid.geo.PositionVector;
import org.orcagrid.geo.Positions;
import org.orcagrid.geo.Requirement;
import org.orcagrid.geo.replica.CommandCodec;
import org.orcagrid.geo.replica.LocalWrite;
import org.orcagrid.geo.wire.Decoder;
import org.orcagrid.geo.wire.Encoder;

/** What a client asks a node. */
public sealed interface ClientRequest {
  /** Which partitions, datacenters and nodes there are. */
  record Describe() implements ClientRequest {}

  /**
   * What the node is at, as a text for people.
   *
   * @param digests whether with a digest of each partition, which reads all of it
   */
  record Status(boolean digests) implements ClientRequest {}

  /**
   * A datacenter is to be removed. The node tells the partitions that it leads; these tell others.
   *
   * @param store which is meant, as it describes itself: nobody removes by mistake
   * @param datacenter by its place in the list
   */
  record Remove(long store, int datacenter) implements ClientRequest {}

  /** A read. */
  final class Read implements ClientRequest {
    private final int partition;
    private final byte[] key;
    private final Requirement requirement;
    private final long waitMicros;
    private final boolean orOlder;

    /** Reads a key, which nobody changes from now on. */
    public Read(
        int partition, byte[] key, Requirement requirement, long waitMicros, boolean orOlder) {
      this.partition = partition;
      this.key = key;
      this.requirement = requirement;
      this.waitMicros = waitMicros;
      this.orOlder = orOlder;
    }

    /** Where the key is. */
    public int partition() {
      return partition;
    }

    /** The key, not to be changed. */
    public byte[] key() {
      return key;
    }

    /** What the replica must have. */
    public Requirement requirement() {
      return requirement;
    }

    /** How long it may wait for that. */
    public long waitMicros() {
      return waitMicros;
    }

    /** Whether an older version will do then. */
    public boolean orOlder() {
      return orOlder;
    }
  }

  /**
   * A write, without its time.
   *
   * @param dependency dt of the paper
   * @param requirement what the leader must have first; none where clocks are hybrid
   */
  record Write(
      int partition, LocalWrite write, long dependency, Requirement requirement, long waitMicros)
      implements ClientRequest {}

  /** The most bytes of a request. */
  int BYTES_MAX = CommandCodec.VALUE_BYTES_MAX + CommandCodec.KEY_BYTES_MAX + 1024;

  /** Writes a request. */
  static void write(Encoder out, ClientRequest request) {
    if (request instanceof Describe) {
      out.putByte(1);
    } else if (request instanceof Status status) {
      out.putByte(2).putBoolean(status.digests());
    } else if (request instanceof Read read) {
      out.putByte(3).putNumber(read.partition).putBytes(read.key);
      put(out, read.requirement);
      out.putNumber(read.waitMicros).putBoolean(read.orOlder);
    } else if (request instanceof Write write) {
      out.putByte(4).putNumber(write.partition());
      CommandCodec.putLocal(out, write.write());
      out.putNumber(write.dependency());
      put(out, write.requirement());
      out.putNumber(write.waitMicros());
    } else if (request instanceof Remove remove) {
      out.putByte(5).putLong(remove.store()).putNumber(remove.datacenter());
    }
  }

  /**
   * Reads a request, up to the end of the bytes.
   *
   * @throws MalformedPacketException if it is none
   */
  static ClientRequest read(Decoder in) {
    int kind = in.getByte();
    ClientRequest request =
        switch (kind) {
          case 1 -> new Describe();
          case 2 -> new Status(in.getBoolean());
          case 3 ->
              new Read(
                  in.getInt(Integer.MAX_VALUE - 1),
                  in.getPresent(CommandCodec.KEY_BYTES_MAX),
                  requirement(in),
                  in.getNumber(),
                  in.getBoolean());
          case 4 ->
              new Write(
                  in.getInt(Integer.MAX_VALUE - 1),
                  CommandCodec.getLocal(in),
                  in.getNumber(),
                  requirement(in),
                  in.getNumber());
          case 5 -> new Remove(in.getLong(), in.getInt(Positions.DATACENTERS_MAX - 1));
          default -> throw new MalformedPacketException("There is no request " + kind);
        };
    in.end();
    return request;
  }

  private static void put(Encoder out, Requirement requirement) {
    requirement.positions().write(out);
    out.putNumber(requirement.floor()).putNumber(requirement.told());
  }

  private static Requirement requirement(Decoder in) {
    return new Requirement(PositionVector.read(in), in.getNumber(), in.getInt(Positions.MASK_MAX));
  }
}
