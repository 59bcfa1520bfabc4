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
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A disk that keeps what was not forced in the memory of this process, so that killing the process
 * loses it, as a power cut would: for experiments with faults on one machine, whose page cache
 * outlives a killed process.
 *
 * <p>What is not forced cannot be read back from the file either; the log reads its files only
 * where it has forced them, and ZooKeeper keeps the last 500 transactions in memory for its
 * learners.
 */
public final class UnforcedInMemory implements LogStorage {

  private final LogStorage disk;

  /** Over a disk that keeps what it is given. */
  public UnforcedInMemory(LogStorage disk) {
    this.disk = disk;
  }

  private record Extent(long position, int size) {}

  @Override
  public LogFile create(Path file) throws IOException {
    LogFile opened = disk.create(file);
    return new LogFile() {
      private Map<Extent, ByteBuffer> unforced = new LinkedHashMap<>();

      @Override
      public synchronized void write(ByteBuffer bytes, long position) {
        byte[] copy = new byte[bytes.remaining()];
        bytes.get(copy);
        // What is written again and again, and never forced, is kept once, in its latest place.
        Extent extent = new Extent(position, copy.length);
        unforced.remove(extent);
        unforced.put(extent, ByteBuffer.wrap(copy));
      }

      @Override
      public void force() throws IOException {
        writeOut();
        opened.force();
      }

      private synchronized void writeOut() throws IOException {
        Map<Extent, ByteBuffer> all = unforced;
        unforced = new LinkedHashMap<>();
        for (Map.Entry<Extent, ByteBuffer> each : all.entrySet()) {
          opened.write(each.getValue(), each.getKey().position());
        }
      }

      @Override
      public void close() throws IOException {
        writeOut();
        opened.close();
      }
    };
  }

  @Override
  public void forceFile(Path file) throws IOException {
    disk.forceFile(file);
  }

  @Override
  public void forceDirectory(Path directory) throws IOException {
    disk.forceDirectory(directory);
  }
}
