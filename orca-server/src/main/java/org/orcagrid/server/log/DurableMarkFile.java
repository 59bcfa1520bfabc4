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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The file {@code orcaDurable} beside the log: how far the log is known to be on disk.
 *
 * <p>For the open log file two places for a {@link DurableMark} are written in turn, each only
 * after a force of the log has returned; behind them is a place for each file that has ended. They
 * are not forced themselves: a power cut may leave an older mark, or tear one, and the others
 * count. So the file never claims more than was forced, and costs a write into the page cache, at
 * most one in a millisecond. Where the log is opened, truncated and closed, it is forced.
 *
 * <p>Safe for use by many threads.
 */
final class DurableMarkFile {

  /** The file's name; stock ZooKeeper leaves files of other names alone. */
  static final String NAME = "orcaDurable";

  private static final Logger LOG = LoggerFactory.getLogger(DurableMarkFile.class);

  /** Places for the marks of the file that is being written. */
  private static final int OPEN_PLACES = 2;

  private static final long INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private final Path file;
  private final LogStorage storage;
  private final ByteBuffer buffer = ByteBuffer.allocateDirect(DurableMark.BYTES);
  private final ReentrantLock lock = new ReentrantLock();
  private LogStorage.LogFile open;

  /** What the file says of each log file, by the number in that one's name. */
  private NavigableMap<Long, DurableMark> marks = new TreeMap<>();

  private DurableMark written;
  private int ended;
  private long writtenNanos;
  private long sequence;
  private boolean failed;

  DurableMarkFile(File logDir, LogStorage storage) {
    this.file = logDir.toPath().resolve(NAME);
    this.storage = storage;
  }

  /** What the last process that wrote the log knew of each file, by the number in its name. */
  static NavigableMap<Long, DurableMark> read(Path logDir) throws IOException {
    NavigableMap<Long, DurableMark> marks = new TreeMap<>();
    Path file = logDir.resolve(NAME);
    if (!Files.exists(file)) {
      return marks;
    }
    ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file));
    for (int at = 0; at + DurableMark.BYTES <= bytes.limit(); at += DurableMark.BYTES) {
      DurableMark mark = DurableMark.read(bytes.slice(at, DurableMark.BYTES));
      if (mark != null) {
        note(marks, mark);
      }
    }
    return marks;
  }

  /** From now on the file says {@code known}, which is durable, and nothing that it said before. */
  void reset(NavigableMap<Long, DurableMark> known) throws IOException {
    lock.lock();
    try {
      closeFile();
      marks = new TreeMap<>(known);
      written = null;
      ended = 0;
      if (known.isEmpty() && !Files.exists(file)) {
        return;
      }
      open = storage.create(file);
      for (DurableMark each : known.values()) {
        writeEnded(each);
      }
      open.force();
      storage.forceDirectory(file.getParent());
    } finally {
      lock.unlock();
    }
  }

  /** Forgets, durably, all files that go beyond {@code zxid}: they will be cut. */
  void forgetBehind(long zxid) throws IOException {
    NavigableMap<Long, DurableMark> left = new TreeMap<>();
    lock.lock();
    try {
      marks.forEach(
          (log, mark) -> {
            if (mark.zxid() <= zxid) {
              left.put(log, mark);
            }
          });
      reset(left);
    } finally {
      lock.unlock();
    }
  }

  /** Makes sure that there is a file; its name is durable with the directory's next force. */
  void begin() throws IOException {
    lock.lock();
    try {
      if (open == null) {
        open = storage.create(file);
      }
    } finally {
      lock.unlock();
    }
  }

  /** A force of the log has returned that covers {@code mark}. Who comes too often is not heard. */
  void onForced(DurableMark mark) {
    if (!lock.tryLock()) {
      return;
    }
    try {
      long now = System.nanoTime();
      if (open == null || failed || !isDue(mark, now)) {
        return;
      }
      writtenNanos = now;
      write(mark);
    } catch (IOException e) {
      fail(e);
    } finally {
      lock.unlock();
    }
  }

  /** A log file has ended, all of it forced; {@code mark} is its end, and on disk from now on. */
  void onEnded(DurableMark mark) {
    lock.lock();
    try {
      if (open != null && !failed) {
        writeEnded(mark);
        open.force();
      }
    } catch (IOException e) {
      fail(e);
    } finally {
      lock.unlock();
    }
  }

  private boolean isDue(DurableMark mark, long now) {
    return written == null || (written.isBehind(mark) && now - writtenNanos >= INTERVAL_NANOS);
  }

  /** The log is closed; it was forced up to {@code mark}, if that is not null. */
  void close(DurableMark mark) throws IOException {
    lock.lock();
    try {
      if (mark != null && open != null && !failed) {
        if (written == null || written.isBehind(mark)) {
          write(mark);
        }
        open.force();
      }
    } catch (IOException e) {
      // The log itself is closed well.
      fail(e);
    } finally {
      try {
        closeFile();
      } finally {
        lock.unlock();
      }
    }
  }

  private void fail(IOException reason) {
    failed = true;
    LOG.warn(
        "{} cannot be written; after a crash damage to the end of the log may not be told from a"
            + " torn end",
        file,
        reason);
  }

  private void write(DurableMark mark) throws IOException {
    mark.write(buffer, ++sequence);
    open.write(buffer, (sequence & 1) * DurableMark.BYTES);
    written = mark;
    note(marks, mark);
  }

  private void writeEnded(DurableMark mark) throws IOException {
    mark.write(buffer, ++sequence);
    open.write(buffer, (OPEN_PLACES + ended) * (long) DurableMark.BYTES);
    ended++;
    note(marks, mark);
  }

  private static void note(NavigableMap<Long, DurableMark> marks, DurableMark mark) {
    marks.merge(mark.log(), mark, (one, other) -> one.isBehind(other) ? other : one);
  }

  private void closeFile() throws IOException {
    LogStorage.LogFile closing = open;
    open = null;
    if (closing != null) {
      closing.close();
    }
  }
}
