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
package org.orcagrid.transport.tcp.remote;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.orcagrid.ddp.map.Expected;
import org.orcagrid.ddp.map.MapDefinition;
import org.orcagrid.ddp.map.Maps;
import org.orcagrid.ddp.map.Shown;
import org.orcagrid.ddp.replica.consistency.Batch;
import org.orcagrid.ddp.replica.consistency.Operation;
import org.orcagrid.ddp.replica.log.RecoveryReport;
import org.orcagrid.ddp.replica.state.Key;
import org.orcagrid.ddp.replica.state.ReplicaSettings;
import org.orcagrid.ddp.replica.state.Write;

/**
 * What a client and a node say to each other about maps. Each is a {@link ClientRecord}.
 *
 * <pre>
 * DEFINE_MAP, DEFINED: a definition as text
 * REMOVE_MAP:   the name
 * ASK_MAP, WATCH: map int
 * OPERATE:      map int, session int, the session that it was opened beside int (0 for none),
 *               kind byte, key, value, expectation byte, expected, moment long; of a batch also
 *               place int (-1 for any node), count int, and so many parts
 * MAP_STATE:    serves byte, is known byte, found long, lacked long, withdrawn long, together byte,
 *               reached long, closed byte
 * FOUND:        key, clock long, value
 * OPERATED:     aborted byte, clock of what was written long, version; of a batch also
 *               node int, held byte
 * FAILED:       kind byte, text
 * SHOWN:        flags byte, key, version before, version now
 * NODE_STATE:   text
 * LIST_MAPS, ASK_NODE, CLOSE_MAP_SESSION, UNWATCH, DONE, WATCH_ENDED: nothing more
 * a version: is there byte, clock long, value
 * a part:    key, expected clock long, writes byte, value
 * </pre>
 */
final class MapWire {
  /** The most bytes of a value, and of all that an operation writes. */
  static final int VALUE_BYTES_MAX = ReplicaSettings.Limits.DEFAULT.batchBytesMax();

  private static final int TEXT_BYTES_MAX = 900;

  private static final int EXPECTS_ANY = 0;
  private static final int EXPECTS_SAME = 1;
  private static final int EXPECTS_NOW = 2;

  private static final int WAS_THERE = 1;
  private static final int IS_OVER = 2;

  /** By their codes. */
  private static final List<Operation.Kind> KINDS =
      List.of(
          Operation.Kind.READ,
          Operation.Kind.WRITE,
          Operation.Kind.ACQUIRE,
          Operation.Kind.RELEASE,
          Operation.Kind.COMPARE_AND_SET,
          Operation.Kind.GET_AND_SET,
          Operation.Kind.SCAN,
          Operation.Kind.PERSIST,
          Operation.Kind.BEGIN,
          Operation.Kind.END,
          Operation.Kind.ABORT,
          Operation.Kind.BATCH);

  /** A part without the bytes of its key and its value. */
  private static final int PART_BYTES_MIN = 2 * Integer.BYTES + Long.BYTES + 1;

  private MapWire() {}

  // --- contents ----------------------------------------------------------------------------------

  private static void writeText(ByteBuf out, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    out.writeBytes(bytes, 0, Math.min(bytes.length, TEXT_BYTES_MAX));
  }

  static String readText(ByteBuf in) {
    return in.readCharSequence(in.readableBytes(), StandardCharsets.UTF_8).toString();
  }

  private static void writeBytes(ByteBuf out, byte[] bytes) {
    out.writeIntLE(bytes == null ? -1 : bytes.length);
    if (bytes != null) {
      out.writeBytes(bytes);
    }
  }

  private static byte[] readBytes(ByteBuf in) throws ClientRecord.MalformedException {
    int length = in.readIntLE();
    if (length < -1 || length > in.readableBytes()) {
      throw new ClientRecord.MalformedException("a content of " + length + " bytes");
    }
    if (length < 0) {
      return null;
    }
    byte[] bytes = new byte[length];
    in.readBytes(bytes);
    return bytes;
  }

  private static Key readKey(ByteBuf in) throws ClientRecord.MalformedException {
    byte[] bytes = readBytes(in);
    if (bytes == null || bytes.length > Key.BYTES_MAX) {
      throw new ClientRecord.MalformedException("a key that is none");
    }
    return Key.of(bytes);
  }

  private static void writeVersion(ByteBuf out, Write version) {
    out.writeBoolean(version != null);
    out.writeLongLE(version == null ? 0 : version.clock());
    writeBytes(out, version == null ? null : version.value());
  }

  private static Write readVersion(ByteBuf in, Key key) throws ClientRecord.MalformedException {
    boolean isThere = in.readBoolean();
    long clock = in.readLongLE();
    byte[] value = readBytes(in);
    return isThere ? new Write(key, clock, value) : null;
  }

  // --- of the client -----------------------------------------------------------------------------

  static void writeText(ByteBuf out, ClientRecord type, int request, String text) {
    int at = ClientRecord.begin(out, type, request);
    writeText(out, text);
    ClientRecord.end(out, at);
  }

  /** The same of a text that is longer than others, and that its maker bounds. */
  static void writeLongText(ByteBuf out, ClientRecord type, int request, String text) {
    int at = ClientRecord.begin(out, type, request);
    out.writeCharSequence(text, StandardCharsets.UTF_8);
    ClientRecord.end(out, at);
  }

  static void writeMap(ByteBuf out, ClientRecord type, int request, int map) {
    int at = ClientRecord.begin(out, type, request);
    out.writeIntLE(map);
    ClientRecord.end(out, at);
  }

  /** Where an operation belongs. */
  record Place(int map, int session, int beside) {
    static Place read(ByteBuf in) {
      return new Place(in.readIntLE(), in.readIntLE(), in.readIntLE());
    }
  }

  /**
   * Refuses what cannot be sent.
   *
   * @throws IllegalArgumentException if it is too large, or expects what cannot be told
   */
  static void requireSendable(Operation operation) {
    requireFits(operation.value());
    requireFits(expected(operation.expected()));
    if (operation.batch() != null && operation.batch().bytes() > VALUE_BYTES_MAX) {
      throw new IllegalArgumentException(
          "A batch of "
              + operation.batch().bytes()
              + " bytes of keys and values is larger than the "
              + VALUE_BYTES_MAX
              + " of a map; split it");
    }
  }

  private static void requireFits(byte[] value) {
    if (value != null && value.length > VALUE_BYTES_MAX) {
      throw new IllegalArgumentException(
          "A value of "
              + value.length
              + " bytes is longer than the "
              + VALUE_BYTES_MAX
              + " of a map; split it");
    }
  }

  private static byte[] expected(Predicate<byte[]> by) {
    if (by instanceof Expected now) {
      return now.value();
    } else if (by instanceof Operation.Same same) {
      return same.value();
    } else if (by == null) {
      return null;
    }
    throw new IllegalArgumentException(
        "A condition of the program's own cannot be tried at another process");
  }

  static void writeOperation(ByteBuf out, int request, Place place, Operation operation) {
    int at = ClientRecord.begin(out, ClientRecord.OPERATE, request);
    out.writeIntLE(place.map()).writeIntLE(place.session()).writeIntLE(place.beside());
    out.writeByte(KINDS.indexOf(operation.kind()));
    writeBytes(out, operation.key() == null ? null : operation.key().bytes());
    writeBytes(out, operation.value());
    Predicate<byte[]> by = operation.expected();
    out.writeByte(by == null ? EXPECTS_ANY : by instanceof Expected ? EXPECTS_NOW : EXPECTS_SAME);
    writeBytes(out, expected(by));
    out.writeLongLE(by instanceof Expected now ? now.nowMillis() : 0);
    if (operation.batch() != null) {
      writeBatch(out, operation.batch());
    }
    ClientRecord.end(out, at);
  }

  private static void writeBatch(ByteBuf out, Batch batch) {
    out.writeIntLE(batch.place()).writeIntLE(batch.parts().size());
    for (Batch.Part part : batch.parts()) {
      writeBytes(out, part.key().bytes());
      out.writeLongLE(part.expected()).writeBoolean(part.writes());
      writeBytes(out, part.value());
    }
  }

  private static Batch readBatch(ByteBuf in) throws ClientRecord.MalformedException {
    int place = in.readIntLE();
    int count = in.readIntLE();
    if (count < 0 || count > in.readableBytes() / PART_BYTES_MIN) {
      throw new ClientRecord.MalformedException("a batch of " + count + " parts");
    }
    try {
      List<Batch.Part> parts = new ArrayList<>(count);
      for (int i = 0; i < count; i++) {
        parts.add(new Batch.Part(readKey(in), in.readLongLE(), in.readBoolean(), readBytes(in)));
      }
      return new Batch(place, parts);
    } catch (IllegalArgumentException e) {
      throw new ClientRecord.MalformedException(e.getMessage());
    }
  }

  /**
   * Reads an operation, behind its place.
   *
   * @param found takes what a read of several keys finds
   */
  static Operation readOperation(ByteBuf in, FoundVersions found)
      throws ClientRecord.MalformedException {
    int code = in.readUnsignedByte();
    if (code >= KINDS.size()) {
      throw new ClientRecord.MalformedException("an operation of an unknown kind");
    }
    Operation.Kind kind = KINDS.get(code);
    byte[] key = readBytes(in);
    byte[] value = readBytes(in);
    int expects = in.readUnsignedByte();
    byte[] expected = readBytes(in);
    long moment = in.readLongLE();
    boolean isOfKey =
        switch (kind) {
          case READ, WRITE, ACQUIRE, RELEASE, COMPARE_AND_SET, GET_AND_SET -> true;
          case SCAN, PERSIST, BEGIN, END, ABORT, BATCH -> false;
        };
    if (isOfKey && (key == null || key.length > Key.BYTES_MAX)) {
      throw new ClientRecord.MalformedException("an operation without a key, or with a long one");
    }
    Key of = isOfKey ? Key.of(key) : null;
    return switch (kind) {
      case READ -> Operation.read(of);
      case WRITE -> Operation.write(of, value);
      case ACQUIRE -> Operation.acquire(of);
      case RELEASE -> Operation.release(of, value);
      case GET_AND_SET -> Operation.getAndSet(of, value);
      case COMPARE_AND_SET ->
          Operation.compareAndSet(
              of,
              expects == EXPECTS_NOW
                  ? new Expected(expected, moment)
                  : new Operation.Same(expected),
              value);
      case SCAN -> Operation.scan(found);
      case BATCH -> Operation.batch(readBatch(in), found);
      case PERSIST, BEGIN, END, ABORT -> Operation.of(kind);
    };
  }

  // --- of the node -------------------------------------------------------------------------------

  static MapDefinition readDefinition(ByteBuf in) throws ClientRecord.MalformedException {
    try {
      return MapDefinition.parse(readText(in));
    } catch (IllegalArgumentException e) {
      throw new ClientRecord.MalformedException(e.getMessage());
    }
  }

  static void writeState(ByteBuf out, int request, Maps.MapState state) {
    int at = ClientRecord.begin(out, ClientRecord.MAP_STATE, request);
    RecoveryReport known =
        state.recovery() == null ? new RecoveryReport(0, 0, 0, false, 0, false) : state.recovery();
    out.writeBoolean(state.serves()).writeBoolean(state.recovery() != null);
    out.writeLongLE(known.found()).writeLongLE(known.lacked()).writeLongLE(known.withdrawn());
    out.writeBoolean(known.together()).writeLongLE(known.reachedMillis());
    out.writeBoolean(known.closed());
    ClientRecord.end(out, at);
  }

  static Maps.MapState readState(ByteBuf in) {
    boolean serves = in.readBoolean();
    boolean isKnown = in.readBoolean();
    RecoveryReport recovery =
        new RecoveryReport(
            in.readLongLE(),
            in.readLongLE(),
            in.readLongLE(),
            in.readBoolean(),
            in.readLongLE(),
            in.readBoolean());
    return new Maps.MapState(serves, isKnown ? recovery : null);
  }

  static void writeFound(ByteBuf out, int request, Write version) {
    int at = ClientRecord.begin(out, ClientRecord.FOUND, request);
    writeBytes(out, version.key().bytes());
    out.writeLongLE(version.clock());
    writeBytes(out, version.value());
    ClientRecord.end(out, at);
  }

  static Write readFound(ByteBuf in) throws ClientRecord.MalformedException {
    Key key = readKey(in);
    return new Write(key, in.readLongLE(), readBytes(in));
  }

  static void writeEnd(ByteBuf out, int request, Operation ended) {
    int at = ClientRecord.begin(out, ClientRecord.OPERATED, request);
    out.writeBoolean(ended.status() == Operation.Status.ABORTED).writeLongLE(ended.clock());
    writeVersion(out, ended.read());
    if (ended.batch() != null) {
      out.writeIntLE(ended.batch().node()).writeBoolean(ended.batch().held());
    }
    ClientRecord.end(out, at);
  }

  /** Reads the end of an operation, and tells it. */
  static void readEnd(ByteBuf in, Operation of) throws ClientRecord.MalformedException {
    boolean aborted = in.readBoolean();
    long clock = in.readLongLE();
    Write read = readVersion(in, of.key());
    if (of.batch() != null) {
      of.batch().executed(in.readIntLE(), in.readBoolean());
    }
    of.tell(aborted ? Operation.Status.ABORTED : Operation.Status.DONE, read, clock);
  }

  static void writeFailure(ByteBuf out, int request, Throwable reason) {
    int at = ClientRecord.begin(out, ClientRecord.FAILED, request);
    out.writeByte(MapFailure.of(reason).code());
    writeText(out, String.valueOf(MapFailure.cause(reason).getMessage()));
    ClientRecord.end(out, at);
  }

  static Exception readFailure(ByteBuf in) throws ClientRecord.MalformedException {
    MapFailure kind = MapFailure.of(in.readUnsignedByte());
    return kind.exception(readText(in));
  }

  static void writeShown(ByteBuf out, int watch, Shown change) {
    int at = ClientRecord.begin(out, ClientRecord.SHOWN, watch);
    out.writeByte((change.wasThere() ? WAS_THERE : 0) | (change.isOver() ? IS_OVER : 0));
    writeBytes(out, change.key().bytes());
    writeVersion(out, change.before());
    writeVersion(out, change.now());
    ClientRecord.end(out, at);
  }

  static Shown readShown(ByteBuf in) throws ClientRecord.MalformedException {
    int flags = in.readUnsignedByte();
    Key key = readKey(in);
    Write before = readVersion(in, key);
    Write now = readVersion(in, key);
    return new Shown(key, before, now, (flags & WAS_THERE) != 0, (flags & IS_OVER) != 0);
  }
}
