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

import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.zip.Adler32;
import org.apache.zookeeper.server.persistence.FileTxnLog;
import org.apache.zookeeper.server.persistence.Util;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes from the end of a log what a power cut has left of a write that was never forced.
 *
 * <p>The log is filled with zeros before records are written over them, and a disk writes a sector
 * whole or not at all. So a record is torn, rather than damaged, if its checksum is wrong and one
 * of its sectors holds nothing but zeros: that sector never reached the disk, the record was never
 * forced, and neither was anything behind it. A record that is wrong in another way may have been
 * forced and read; the log stays as it is and the stock reader refuses it, as it must.
 *
 * <p>Only the last file can have such an end: a file is forced before the next one is created.
 */
final class TornTail {

  private static final Logger LOG = LoggerFactory.getLogger(TornTail.class);

  private static final int SECTOR_BYTES = 512;
  private static final int HEADER_BYTES = 2 * Integer.BYTES + Long.BYTES;
  private static final int PREFIX_BYTES = Long.BYTES + Integer.BYTES;
  private static final byte END_OF_RECORD = 0x42;

  private final Path file;
  private final FileChannel channel;
  private final long length;

  private TornTail(Path file, FileChannel channel) throws IOException {
    this.file = file;
    this.channel = channel;
    this.length = channel.size();
  }

  /** Repairs the last log file in {@code logDir}, if there is one and it needs it. */
  static void remove(File logDir) throws IOException {
    File[] found = logDir.listFiles((dir, name) -> Util.isLogFileName(name));
    if (found == null || found.length == 0) {
      return;
    }
    List<File> sorted = Util.sortDataDir(found, FileTxnLog.LOG_FILE_PREFIX, false);
    Path last = sorted.get(0).toPath();
    boolean empty;
    try (FileChannel channel =
        FileChannel.open(last, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      TornTail tail = new TornTail(last, channel);
      empty = tail.holdsNothing();
      if (!empty) {
        tail.removeTornRecord();
      }
    }
    if (empty) {
      LOG.warn("{} holds nothing, as after a power cut; deleting it", last);
      Files.delete(last);
    }
  }

  private boolean holdsNothing() throws IOException {
    return length < HEADER_BYTES || isZero(0, HEADER_BYTES);
  }

  private void removeTornRecord() throws IOException {
    long position = HEADER_BYTES;
    while (position + PREFIX_BYTES <= length) {
      ByteBuffer prefix = read(position, PREFIX_BYTES);
      long checksum = prefix.getLong();
      int size = prefix.getInt();
      if (checksum == 0 && size == 0) {
        return;
      }
      long end = position + PREFIX_BYTES + size + 1;
      boolean sizePossible = size > 0 && end <= length;
      if (!sizePossible || !isWhole(position, size, checksum)) {
        // With an impossible size only the sectors of the prefix can tell.
        if (isTorn(position, sizePossible ? end : position + PREFIX_BYTES)) {
          LOG.warn(
              "{} ends at byte {} with a record that was never forced, as after a power cut;"
                  + " cutting it off",
              file,
              position);
          channel.truncate(position);
          channel.force(true);
        }
        return;
      }
      position = end;
    }
  }

  private boolean isWhole(long position, int size, long checksum) throws IOException {
    ByteBuffer record = read(position + PREFIX_BYTES, size + 1);
    if (record.get(size) != END_OF_RECORD) {
      return false;
    }
    Adler32 actual = new Adler32();
    actual.update(record.limit(size));
    return actual.getValue() == checksum;
  }

  private boolean isTorn(long from, long to) throws IOException {
    for (long at = from; at < to; ) {
      long sectorEnd = Math.min(to, (at / SECTOR_BYTES + 1) * SECTOR_BYTES);
      if (isZero(at, (int) (sectorEnd - at))) {
        return true;
      }
      at = sectorEnd;
    }
    return false;
  }

  private boolean isZero(long position, int size) throws IOException {
    ByteBuffer bytes = read(position, size);
    while (bytes.hasRemaining()) {
      if (bytes.get() != 0) {
        return false;
      }
    }
    return true;
  }

  private ByteBuffer read(long position, int size) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(size);
    while (bytes.hasRemaining()) {
      if (channel.read(bytes, position + bytes.position()) < 0) {
        throw new IOException(file + " became shorter while it was read");
      }
    }
    return bytes.flip();
  }
}
