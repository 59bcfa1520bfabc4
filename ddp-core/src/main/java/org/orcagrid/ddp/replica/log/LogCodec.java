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
package org.orcagrid.ddp.replica.log;

import java.nio.ByteBuffer;
import org.orcagrid.ddp.replica.state.Encoding;
import org.orcagrid.ddp.transport.MalformedPacketException;

/** What a replica puts on its medium, as bytes. The numbers never change their meaning. */
public final class LogCodec {
  private static final int VERSION = 1;
  private static final int BATCH = 2;
  private static final int BEGUN = 3;
  private static final int TENTATIVE = 4;
  private static final int ADOPTION_BEGIN = 5;
  private static final int ADOPTION_END = 6;
  private static final int LEARNED = 7;
  private static final int CHECKPOINT_BEGIN = 8;
  private static final int CHECKPOINT_END = 9;
  private static final int ORPHANS_DROPPED = 12;
  private static final int MARK = 13;

  /** In a log that maps share the number of a record's map is before it. */
  public static final int MAP_BYTES = Integer.BYTES;

  /** Stands before what is of no map, but of the log. */
  public static final int NO_MAP = 0;

  private LogCodec() {}

  /** How many bytes a record will have at most. */
  public static int bytes(LogRecord record) {
    if (record instanceof LogRecord.Version version) {
      return 1 + Encoding.bytes(version.write());
    } else if (record instanceof LogRecord.Batch batch) {
      return 1 + Encoding.bytes(batch.writes());
    } else if (record instanceof LogRecord.Tentative tentative) {
      return 1 + Long.BYTES + Encoding.bytes(tentative.write());
    } else if (record instanceof LogRecord.Learned learned) {
      return 1 + Integer.BYTES + Encoding.bytes(learned.writes());
    }
    return 1 + 2 * Long.BYTES + 1;
  }

  /** Writes a record of a log that maps share. */
  public static void encode(int map, LogRecord record, ByteBuffer out) {
    encode(record, out.putInt(map));
  }

  /** Writes a record from the position of {@code out} on, which is little-endian. */
  public static void encode(LogRecord record, ByteBuffer out) {
    if (record instanceof LogRecord.Version version) {
      Encoding.put(out.put((byte) VERSION), version.write());
    } else if (record instanceof LogRecord.Batch batch) {
      Encoding.put(out.put((byte) BATCH), batch.writes());
    } else if (record instanceof LogRecord.Begun begun) {
      out.put((byte) BEGUN).putLong(begun.tx());
    } else if (record instanceof LogRecord.Tentative tentative) {
      Encoding.put(out.put((byte) TENTATIVE).putLong(tentative.tx()), tentative.write());
    } else if (record instanceof LogRecord.AdoptionBegin begin) {
      out.put((byte) ADOPTION_BEGIN).putInt(begin.view());
    } else if (record instanceof LogRecord.AdoptionEnd end) {
      out.put((byte) ADOPTION_END).putInt(end.view()).putInt(end.transfer());
    } else if (record instanceof LogRecord.CheckpointBegin begin) {
      out.put((byte) CHECKPOINT_BEGIN).putLong(begin.clock());
    } else if (record instanceof LogRecord.CheckpointEnd end) {
      out.put((byte) CHECKPOINT_END).putLong(end.clock());
    } else if (record instanceof LogRecord.Learned learned) {
      Encoding.put(out.put((byte) LEARNED).putInt(learned.transfer()), learned.writes());
    } else if (record instanceof LogRecord.OrphansDropped dropped) {
      out.put((byte) ORPHANS_DROPPED).putInt(dropped.view());
    } else if (record instanceof LogRecord.Mark mark) {
      out.put((byte) MARK).putLong(mark.number()).putLong(mark.millis());
      out.put((byte) (mark.closed() ? 1 : 0));
    }
  }

  /**
   * Reads a record from the position of {@code in} to its limit.
   *
   * @throws MalformedPacketException if it is not one: the medium has kept something else
   */
  public static LogRecord decode(ByteBuffer in) {
    int code = Encoding.getByte(in);
    LogRecord record =
        switch (code) {
          case VERSION -> new LogRecord.Version(Encoding.getWrite(in));
          case BATCH -> new LogRecord.Batch(Encoding.getWrites(in));
          case BEGUN -> new LogRecord.Begun(Encoding.getLong(in));
          case TENTATIVE -> new LogRecord.Tentative(Encoding.getLong(in), Encoding.getWrite(in));
          case ADOPTION_BEGIN -> new LogRecord.AdoptionBegin(Encoding.getInt(in));
          case ADOPTION_END -> new LogRecord.AdoptionEnd(Encoding.getInt(in), Encoding.getInt(in));
          case CHECKPOINT_BEGIN -> new LogRecord.CheckpointBegin(Encoding.getLong(in));
          case CHECKPOINT_END -> new LogRecord.CheckpointEnd(Encoding.getLong(in));
          case LEARNED -> new LogRecord.Learned(Encoding.getInt(in), Encoding.getWrites(in));
          case MARK ->
              new LogRecord.Mark(
                  Encoding.getLong(in), Encoding.getLong(in), Encoding.getByte(in) != 0);
          case ORPHANS_DROPPED -> new LogRecord.OrphansDropped(Encoding.getInt(in));
          default -> throw new MalformedPacketException("There is no record " + code);
        };
    if (in.hasRemaining()) {
      throw new MalformedPacketException(in.remaining() + " bytes are left behind the record");
    }
    return record;
  }
}
