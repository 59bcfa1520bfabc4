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
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import org.apache.zookeeper.server.persistence.FileTxnLog;
import org.apache.zookeeper.server.persistence.Util;

/**
 * What a log file holds from its beginning to where no whole transaction begins.
 *
 * @param modified when the file was written last
 * @param end where that is
 * @param first null if there is none
 * @param last null if there is none
 * @param watched the transaction that ends where the caller asked about; null if none does
 * @param gaps where transactions are missing between two that stand behind each other
 * @param padded whether nothing but zeros follows
 */
record LogScan(
    Path file,
    long length,
    FileTime modified,
    long end,
    LogRecord first,
    LogRecord last,
    LogRecord watched,
    List<Gap> gaps,
    boolean padded) {

  /** Transactions that are missing before the one at {@code at}. */
  record Gap(long earlier, long later, long at) {}

  /**
   * Reads a file.
   *
   * @param watchedEnd where a transaction ends that the caller wants to see
   * @throws DamagedLogException if it does not begin as a log does
   */
  static LogScan of(Path file, long watchedEnd) throws IOException {
    FileTime modified = Files.getLastModifiedTime(file);
    try (LogFileReader reader = new LogFileReader(file)) {
      if (!reader.hasHeader()) {
        throw new DamagedLogException(
            file, 0, "it does not begin with ZKLG, as every transaction log does");
      }
      List<Gap> gaps = new ArrayList<>();
      LogRecord first = null;
      LogRecord last = null;
      LogRecord watched = null;
      long end = LogFileReader.HEADER_BYTES;
      LogRecord next = reader.recordAt(end);
      while (next != null) {
        if (first == null) {
          first = next;
        } else if (!LogRecord.follows(last.zxid(), next.zxid())) {
          gaps.add(new Gap(last.zxid(), next.zxid(), next.start()));
        }
        last = next;
        end = next.end();
        if (end == watchedEnd) {
          watched = next;
        }
        next = reader.recordAt(end);
      }
      boolean padded = reader.isZero(end, reader.length());
      return new LogScan(
          file, reader.length(), modified, end, first, last, watched, List.copyOf(gaps), padded);
    }
  }

  /** The number of the last transaction; if there is none, what comes before the file's name. */
  long lastZxid() {
    return last != null
        ? last.zxid()
        : Util.getZxidFromName(file.getFileName().toString(), FileTxnLog.LOG_FILE_PREFIX) - 1;
  }

  /** What stands where the reading ends, and what whole transactions follow. */
  Following following() throws IOException {
    try (LogFileReader reader = new LogFileReader(file)) {
      LogRecord firstFound = null;
      LogRecord found = null;
      long count = 0;
      long zxid = lastZxid();
      LogRecord next = reader.nextRecord(end + 1, zxid, end);
      while (next != null) {
        count++;
        firstFound = firstFound == null ? next : firstFound;
        found = next;
        next = reader.nextRecord(found.end(), found.zxid(), found.end());
      }
      return new Following(count, firstFound, found);
    }
  }

  /** Whole transactions behind the point where the reading ends. */
  record Following(long count, LogRecord first, LogRecord last) {
    @Override
    public String toString() {
      if (count == 0) {
        return "no whole transaction follows";
      }
      return (count == 1 ? "1 whole transaction follows" : count + " whole transactions follow")
          + ", 0x"
          + Long.toHexString(first.zxid())
          + " at byte "
          + first.start()
          + (count == 1 ? "" : " to 0x" + Long.toHexString(last.zxid()));
    }
  }
}
