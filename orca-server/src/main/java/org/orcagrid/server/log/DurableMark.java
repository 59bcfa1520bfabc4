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
package org.orcagrid.server.log;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.zip.CRC32C;
import org.apache.zookeeper.server.persistence.Util;

/**
 * A position up to which a log file was forced: a lower bound, and a true one for ever, as long as
 * nobody cuts or replaces the file on purpose. The checksums tell whether the file is still the one
 * that was meant.
 *
 * @param log the number in the log file's name
 * @param start where the last transaction begins that was forced
 * @param end where it ends
 * @param zxid its number
 * @param checksum its checksum
 * @param firstChecksum the checksum of the file's first transaction
 */
record DurableMark(long log, long start, long end, long zxid, long checksum, long firstChecksum) {

  /** A sector: the disk writes it whole or not at all. */
  static final int BYTES = 512;

  private static final long MAGIC = 0x4f52434144555231L;
  private static final int CONTENT_BYTES = 8 * Long.BYTES;

  /** The end of what a scan has found, all of which was forced since. */
  static DurableMark of(LogScan scan, long log) {
    LogRecord last = scan.last();
    return new DurableMark(
        log, last.start(), last.end(), last.zxid(), last.checksum(), scan.first().checksum());
  }

  /** The log file. */
  Path in(Path logDir) {
    return logDir.resolve(Util.makeLogName(log));
  }

  /** Whether {@code other} says less. */
  boolean isBehind(DurableMark other) {
    return other.log > log || (other.log == log && other.end > end);
  }

  /** Whether {@code record} is the last one that was forced. */
  boolean isAt(LogRecord record) {
    return record != null && record.zxid() == zxid && record.checksum() == checksum;
  }

  /** Fills {@code target}, which has {@link #BYTES}. */
  void write(ByteBuffer target, long sequence) {
    target.clear();
    target.putLong(MAGIC).putLong(sequence).putLong(log).putLong(start).putLong(end);
    target.putLong(zxid).putLong(checksum).putLong(firstChecksum);
    target.putInt(crc(target.duplicate().flip()));
    while (target.hasRemaining()) {
      target.put((byte) 0);
    }
    target.flip();
  }

  /** What was written; null if it is not whole. */
  static DurableMark read(ByteBuffer source) {
    if (source.remaining() < CONTENT_BYTES + Integer.BYTES) {
      return null;
    }
    int crc = crc(source.duplicate().limit(source.position() + CONTENT_BYTES));
    if (source.getLong() != MAGIC) {
      return null;
    }
    // The sequence is for people who look into the file.
    source.getLong();
    DurableMark mark =
        new DurableMark(
            source.getLong(),
            source.getLong(),
            source.getLong(),
            source.getLong(),
            source.getLong(),
            source.getLong());
    return source.getInt() == crc ? mark : null;
  }

  private static int crc(ByteBuffer bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes);
    return (int) crc.getValue();
  }
}
