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
package org.orcagrid.geo.replica;

import java.util.ArrayList;
import java.util.List;
import org.orcagrid.ddp.transport.MalformedPacketException;
import org.orcagrid.geo.PositionVector;
import org.orcagrid.geo.Positions;
import org.orcagrid.geo.Version;
import org.orcagrid.geo.wire.Decoder;
import org.orcagrid.geo.wire.Encoder;

/** The bytes of {@link Command commands} and of what is in them. */
public final class CommandCodec {
  /** The most bytes of a key. */
  public static final int KEY_BYTES_MAX = 1024;

  /** The most bytes of a value. */
  public static final int VALUE_BYTES_MAX = 512 << 10;

  private static final int LOCAL = 1;
  private static final int REPLICATED = 2;
  private static final int MERGED = 3;
  private static final int PURGE = 4;
  private static final int FENCE = 5;

  private static final int NODES_MAX = 1 << 16;
  private static final int COUNT_MAX = 1 << 20;

  private CommandCodec() {}

  /** Encodes a command. */
  public static byte[] encode(Command command) {
    Encoder out = new Encoder();
    if (command instanceof Command.Local local) {
      out.putByte(LOCAL);
      putLocal(out, local.write());
    } else if (command instanceof Command.Replicated replicated) {
      out.putByte(REPLICATED);
      putReplicated(out, replicated);
    } else if (command instanceof Command.Merged merged) {
      out.putByte(MERGED);
      putMerged(out, merged);
    } else if (command instanceof Command.Purge purge) {
      out.putByte(PURGE);
      purge.upTo().write(out);
    } else if (command instanceof Command.Fence fence) {
      out.putByte(FENCE).putNumber(fence.datacenters()).putNumber(fence.ofHowMany());
    }
    return out.toBytes();
  }

  /**
   * Decodes a command.
   *
   * @throws MalformedPacketException if it is none
   */
  public static Command decode(byte[] bytes) {
    Decoder in = new Decoder(bytes);
    int kind = in.getByte();
    Command command =
        switch (kind) {
          case LOCAL -> new Command.Local(getLocal(in));
          case REPLICATED -> getReplicated(in);
          case MERGED -> getMerged(in);
          case PURGE -> new Command.Purge(PositionVector.read(in));
          case FENCE ->
              new Command.Fence(
                  in.getInt(Positions.MASK_MAX), in.getInt(Positions.DATACENTERS_MAX));
          default -> throw new MalformedPacketException("There is no command " + kind);
        };
    in.end();
    return command;
  }

  /** Whether an entry is a client's write, without decoding all of it. */
  public static boolean isLocal(byte[] bytes) {
    return bytes[0] == LOCAL;
  }

  /** Writes a client's write. */
  public static void putLocal(Encoder out, LocalWrite write) {
    WriteId id = write.id();
    out.putLong(id.session()).putNumber(id.number()).putNumber(id.floor());
    out.putNumber(write.expires()).putNumber(write.time());
    out.putBoolean(write.condition() != null);
    if (write.condition() != null) {
      out.putNumber(write.condition().time()).putNumber(write.condition().datacenter());
    }
    out.putBytes(write.key()).putBytes(write.value());
  }

  /** Reads one. */
  public static LocalWrite getLocal(Decoder in) {
    WriteId id = new WriteId(in.getLong(), in.getNumber(), in.getNumber());
    long expires = in.getNumber();
    long time = in.getNumber();
    Condition condition =
        in.getBoolean()
            ? new Condition(in.getNumber(), in.getInt(Positions.DATACENTERS_MAX - 1))
            : null;
    return new LocalWrite(
        id, expires, time, condition, in.getPresent(KEY_BYTES_MAX), in.getBytes(VALUE_BYTES_MAX));
  }

  /** Writes writes of another datacenter. */
  public static void putReplicated(Encoder out, Command.Replicated replicated) {
    out.putNumber(replicated.origin()).putNumber(replicated.writes().size());
    for (RemoteWrite each : replicated.writes()) {
      out.putNumber(each.previous()).putNumber(each.position()).putNumber(each.time());
      out.putBytes(each.key()).putBytes(each.value());
    }
  }

  /** Reads them. */
  public static Command.Replicated getReplicated(Decoder in) {
    int origin = in.getInt(Positions.DATACENTERS_MAX - 1);
    List<RemoteWrite> writes = new ArrayList<>();
    for (int left = in.getInt(COUNT_MAX); left > 0; left--) {
      writes.add(
          new RemoteWrite(
              in.getNumber(),
              in.getNumber(),
              in.getNumber(),
              in.getBytes(KEY_BYTES_MAX),
              in.getBytes(VALUE_BYTES_MAX)));
    }
    return new Command.Replicated(origin, writes);
  }

  /** Writes a part of a state. */
  public static void putMerged(Encoder out, Command.Merged merged) {
    putStream(out, merged.stream());
    out.putNumber(merged.part()).putBoolean(merged.last());
    merged.vector().write(out);
    out.putNumber(merged.fenced()).putNumber(merged.versions().size());
    merged.versions().forEach(each -> putVersion(out, each));
  }

  /** Reads one. */
  public static Command.Merged getMerged(Decoder in) {
    MergeStream stream = getStream(in);
    int part = in.getInt(Integer.MAX_VALUE - 1);
    boolean last = in.getBoolean();
    PositionVector vector = PositionVector.read(in);
    int fenced = in.getInt(Positions.MASK_MAX);
    List<StoredVersion> versions = new ArrayList<>();
    for (int left = in.getInt(COUNT_MAX); left > 0; left--) {
      versions.add(getVersion(in));
    }
    return new Command.Merged(stream, part, last, vector, fenced, versions);
  }

  /** Writes which stream it is. */
  public static void putStream(Encoder out, MergeStream stream) {
    out.putNumber(stream.datacenter()).putNumber(stream.node()).putLong(stream.number());
  }

  /** Reads it. */
  public static MergeStream getStream(Decoder in) {
    return new MergeStream(
        in.getInt(Positions.DATACENTERS_MAX - 1), in.getInt(NODES_MAX), in.getLong());
  }

  /** Writes a key with its version. */
  public static void putVersion(Encoder out, StoredVersion stored) {
    Version version = stored.version();
    out.putNumber(version.time()).putByte(version.datacenter()).putNumber(version.position());
    out.putBytes(stored.key()).putBytes(stored.value());
  }

  /** Reads one. */
  public static StoredVersion getVersion(Decoder in) {
    long time = in.getNumber();
    int datacenter = in.getInt(Positions.DATACENTERS_MAX - 1);
    Version version = new Version(time, datacenter, in.getNumber());
    byte[] key = in.getPresent(KEY_BYTES_MAX);
    return new StoredVersion(key, in.getBytes(VALUE_BYTES_MAX), version);
  }
}
