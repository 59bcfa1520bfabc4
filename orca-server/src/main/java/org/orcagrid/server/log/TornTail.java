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

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Tells a transaction that a power cut has torn from one that was damaged, where the disk has not
 * been told to keep it for certain.
 *
 * <p>The log is filled with zeros before transactions are written over them, from front to back; a
 * disk writes a sector whole or not at all, and those that were not forced in any order. So what a
 * power cut leaves has a sector that is as it was before: zeros from where the transaction begins,
 * or all of it, to the sector's end; or the file ends too early. Such a <em>hole</em> explains a
 * wrong transaction only
 *
 * <ul>
 *   <li>if something else than zeros can have been meant to be there. The first half of a checksum
 *       is always zero: a sector that ends within it explains nothing;
 *   <li>if it is where the length says that the transaction is, and the length can be believed: its
 *       own sectors were written, it is possible, and no whole transaction is inside.
 * </ul>
 *
 * <p>Whole transactions may follow a torn one, as a later sector can be on disk when an earlier one
 * is not. Therefore a hole explains nothing in what was forced, and {@link LogCheck} asks here only
 * about what lies above the position that is known to be durable ({@link DurableMark}).
 *
 * <p>Above that position these cannot be told from torn transactions: a transaction with a sector
 * of zeros in its data and a flipped byte elsewhere; a last transaction whose length was flipped to
 * a larger one; sectors that became zeros; an end that was cut off.
 */
final class TornTail {

  private static final int SECTOR_BYTES = 512;

  /** A checksum has 32 bits and is written with 64. */
  private static final int ALWAYS_ZERO_BYTES = Integer.BYTES;

  private final LogFileReader reader;
  private final long position;

  private TornTail(LogFileReader reader, long position) {
    this.reader = reader;
    this.position = position;
  }

  /** Whether the file can be what a power cut left of it while its first sector was written. */
  static boolean isUnwritten(LogFileReader reader) throws IOException {
    return reader.length() < LogFileReader.HEADER_BYTES || reader.isZero(0, SECTOR_BYTES);
  }

  /** Whether a power cut explains that no whole transaction begins where {@code scan} ends. */
  static boolean explains(LogScan scan, LogScan.Following following) throws IOException {
    try (LogFileReader reader = new LogFileReader(scan.file())) {
      return new TornTail(reader, scan.end()).isTorn(following);
    }
  }

  private boolean isTorn(LogScan.Following following) throws IOException {
    long prefixEnd = position + LogFileReader.PREFIX_BYTES;
    if (prefixEnd > reader.length()
        || isPrefixUnwritten(prefixEnd)
        || reader.isZero(prefixEnd, reader.length())) {
      // A stock server that is killed can leave a checksum, or that and its length, and no more.
      return true;
    }
    ByteBuffer prefix = reader.bytes(position, LogFileReader.PREFIX_BYTES);
    long checksum = prefix.getLong();
    int size = prefix.getInt();
    if (checksum >>> Integer.SIZE != 0 || size < LogFileReader.CONTENT_BYTES_MIN) {
      return false;
    }
    long end = prefixEnd + size + 1;
    if (following.count() > 0 && following.first().start() < end) {
      return false;
    }
    return end > reader.length() || hasHole(end) || lacksMarkOnly(prefixEnd, size, checksum);
  }

  private boolean isPrefixUnwritten(long prefixEnd) throws IOException {
    long sectorEnd = sectorEnd(position);
    boolean beginning = sectorEnd > position + ALWAYS_ZERO_BYTES;
    return (beginning && reader.isZero(position, sectorEnd))
        || (sectorEnd < prefixEnd && reader.isZero(sectorEnd, sectorEnd + SECTOR_BYTES));
  }

  private boolean hasHole(long end) throws IOException {
    for (long sector = sectorEnd(position); sector < end; sector += SECTOR_BYTES) {
      if (reader.isZero(sector, sector + SECTOR_BYTES)) {
        return true;
      }
    }
    return false;
  }

  /** A record larger than the log's buffer is written before its mark is. */
  private boolean lacksMarkOnly(long contentStart, int size, long checksum) throws IOException {
    long mark = contentStart + size;
    return reader.isZero(mark, sectorEnd(mark)) && reader.checksum(contentStart, size) == checksum;
  }

  private static long sectorEnd(long position) {
    return (position / SECTOR_BYTES + 1) * SECTOR_BYTES;
  }
}
