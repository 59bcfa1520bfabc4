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

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The few things that the log asks of a disk, so that a test can put a disk beneath it that forgets
 * what was not forced.
 */
public interface LogStorage {

  /** A log file that is open for writing. Writes come from one thread at a time. */
  interface LogFile extends Closeable {

    /** Writes all of {@code bytes} at {@code position}. */
    void write(ByteBuffer bytes, long position) throws IOException;

    /**
     * Returns once what was written is on disk; may run while another thread writes, and while
     * others force. A failure to write is reported to every force that it concerns.
     */
    void force() throws IOException;
  }

  /** Creates an empty file, replacing one of that name. */
  LogFile create(Path file) throws IOException;

  /** Returns once what an earlier process wrote to {@code file} is on disk. */
  void forceFile(Path file) throws IOException;

  /** Returns once a file that was created in or removed from {@code directory} is so on disk. */
  void forceDirectory(Path directory) throws IOException;

  /** The file system. */
  static LogStorage files() {
    return new LogStorage() {
      @Override
      public LogFile create(Path file) throws IOException {
        return new ChannelFile(file);
      }

      @Override
      public void forceFile(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
          channel.force(true);
        }
      }

      @Override
      public void forceDirectory(Path directory) throws IOException {
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
          channel.force(true);
        }
      }
    };
  }

  /**
   * The same storage with a slower {@link LogFile#force}, for measurements on a machine whose disk
   * is faster than the one that is asked about.
   */
  static LogStorage slower(LogStorage storage, long forceDelayNanos) {
    return new LogStorage() {
      @Override
      public LogFile create(Path file) throws IOException {
        LogFile created = storage.create(file);
        return new LogFile() {
          @Override
          public void write(ByteBuffer bytes, long position) throws IOException {
            created.write(bytes, position);
          }

          @Override
          public void force() throws IOException {
            created.force();
            pause(forceDelayNanos);
          }

          @Override
          public void close() throws IOException {
            created.close();
          }
        };
      }

      @Override
      public void forceFile(Path file) throws IOException {
        storage.forceFile(file);
      }

      @Override
      public void forceDirectory(Path directory) throws IOException {
        storage.forceDirectory(directory);
      }
    };
  }

  private static void pause(long nanos) {
    long until = System.nanoTime() + nanos;
    long left = nanos;
    while (left > 0) {
      LockSupport.parkNanos(left);
      left = until - System.nanoTime();
      if (Thread.currentThread().isInterrupted() && left > TimeUnit.MILLISECONDS.toNanos(1)) {
        return;
      }
    }
  }
}
