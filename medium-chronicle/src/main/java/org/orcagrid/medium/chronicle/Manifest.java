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
package org.orcagrid.medium.chronicle;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/**
 * Which of the two files counts, and what is in it: all records up to a position, but for those
 * before another one. Little-endian:
 *
 * <pre>
 * 0 ORCA-MAP   8 int version   12 int CRC32C of all that follows   16 int file   20 int CRC32C of the file's head
 * 24 long bytes of the file   32 long position   40 long first position that is needed
 * 48 long entries   56 long bytes of the entries   64 long sum of their checksums
 * </pre>
 *
 * @param file 1 or 2; 0 if there is none yet
 * @param head the checksum of its first bytes, which Chronicle Map must not read damaged
 * @param fileBytes how long it is
 * @param position the last record that is in it
 * @param trimmed records before this one are not needed, and may be there
 */
record Manifest(int file, int head, long fileBytes, long position, long trimmed, Totals totals) {
  /** Before the first one. */
  static final Manifest NONE = new Manifest(0, 0, 0, 0, 0, Totals.NONE);

  static final int BYTES = 72;
  private static final int VERSION = 1;

  /** The letters ORCA-MAP as they lie in the file. */
  private static final long MAGIC = 0x5041_4d2d_4143_524fL;

  /** The file that does not count. */
  int otherFile() {
    return file == 1 ? 2 : 1;
  }

  ByteBuffer encoded() {
    ByteBuffer bytes = ByteBuffer.allocate(BYTES).order(ByteOrder.LITTLE_ENDIAN);
    bytes.putLong(0, MAGIC).putInt(8, VERSION).putInt(16, file).putInt(20, head);
    bytes.putLong(24, fileBytes).putLong(32, position).putLong(40, trimmed);
    bytes.putLong(48, totals.entries()).putLong(56, totals.bytes()).putLong(64, totals.sum());
    return bytes.putInt(12, crc(bytes));
  }

  private static int crc(ByteBuffer bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes.slice(16, BYTES - 16));
    return (int) crc.getValue();
  }

  /**
   * Reads what {@link #encoded} has given.
   *
   * @param path where it was, for the message
   */
  static Manifest decode(ByteBuffer encoded, String path) throws IOException {
    ByteBuffer bytes = encoded.duplicate().order(ByteOrder.LITTLE_ENDIAN);
    if (bytes.remaining() >= 12 && bytes.getLong(0) == MAGIC && bytes.getInt(8) != VERSION) {
      throw new IOException(
          path
              + " has version "
              + bytes.getInt(8)
              + ", and this program reads version "
              + VERSION
              + ": start the program that has written it, or use another folder");
    }
    if (bytes.remaining() != BYTES || bytes.getLong(0) != MAGIC || bytes.getInt(12) != crc(bytes)) {
      throw new IOException(path + " is damaged: restore the folder from a copy, or empty it");
    }
    Totals totals = new Totals(bytes.getLong(48), bytes.getLong(56), bytes.getLong(64));
    return new Manifest(
        bytes.getInt(16),
        bytes.getInt(20),
        bytes.getLong(24),
        bytes.getLong(32),
        bytes.getLong(40),
        totals);
  }
}
