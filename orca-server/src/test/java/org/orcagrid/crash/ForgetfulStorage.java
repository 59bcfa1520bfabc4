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
package org.orcagrid.crash;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.orcagrid.server.log.LogStorage;

/**
 * A disk that forgets what was not forced.
 *
 * <p>It writes real files and remembers how much of each was forced, and which directory entries.
 * From the power cut on every write and force fails, so that nothing that the dying server still
 * does can count; {@link #lose} then takes from the files what a power cut may take.
 */
final class ForgetfulStorage implements LogStorage {

  private static final class Extent {
    private long written;
    private long forced;
  }

  private final LogStorage disk = LogStorage.files();
  private final Map<Path, Extent> files = new HashMap<>();
  private final Set<Path> named = new HashSet<>();
  private final boolean lies;
  private boolean dead;

  /**
   * A disk with power.
   *
   * @param lies whether it says that it has forced what it has not
   */
  ForgetfulStorage(boolean lies) {
    this.lies = lies;
  }

  /** The power is gone. */
  synchronized void powerCut() {
    dead = true;
  }

  /** Takes what was not forced, or a part of it, and switches the power on again. */
  synchronized void lose(Random random) throws IOException {
    for (Map.Entry<Path, Extent> each : files.entrySet()) {
      Path file = each.getKey();
      Extent extent = each.getValue();
      if (!Files.exists(file)) {
        continue;
      }
      if (!named.contains(file)) {
        Files.delete(file);
        continue;
      }
      long unforced = extent.written - extent.forced;
      long kept = random.nextInt(3) == 0 && unforced > 0 ? random.nextLong(unforced) : 0;
      try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
        channel.truncate(extent.forced + kept);
      }
    }
    files.clear();
    named.clear();
    dead = false;
  }

  private synchronized void checkPower() throws IOException {
    if (dead) {
      throw new IOException("No power");
    }
  }

  @Override
  public LogFile create(Path file) throws IOException {
    checkPower();
    LogFile real = disk.create(file);
    Extent extent = new Extent();
    synchronized (this) {
      files.put(file, extent);
    }
    return new LogFile() {
      @Override
      public void write(ByteBuffer bytes, long position) throws IOException {
        synchronized (ForgetfulStorage.this) {
          checkPower();
          // The padding is one byte far ahead; what counts is what follows on what was there.
          if (position == extent.written) {
            extent.written += bytes.remaining();
          }
        }
        real.write(bytes, position);
      }

      @Override
      public void force() throws IOException {
        long covered;
        synchronized (ForgetfulStorage.this) {
          checkPower();
          covered = extent.written;
        }
        if (lies) {
          return;
        }
        real.force();
        synchronized (ForgetfulStorage.this) {
          checkPower();
          extent.forced = Math.max(extent.forced, covered);
        }
      }

      @Override
      public void close() throws IOException {
        real.close();
      }
    };
  }

  @Override
  public void forceFile(Path file) throws IOException {
    checkPower();
    disk.forceFile(file);
  }

  @Override
  public void forceDirectory(Path directory) throws IOException {
    checkPower();
    disk.forceDirectory(directory);
    if (lies) {
      return;
    }
    synchronized (this) {
      checkPower();
      for (Path file : files.keySet()) {
        if (directory.equals(file.getParent())) {
          named.add(file);
        }
      }
    }
  }
}
