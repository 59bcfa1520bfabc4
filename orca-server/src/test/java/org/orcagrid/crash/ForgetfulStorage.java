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
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.orcagrid.server.OrcaServerConfig;
import org.orcagrid.server.log.LogStorage;

/**
 * A disk that forgets what was not forced.
 *
 * <p>It writes real files and keeps what each sector held when it was last forced, and which
 * directory entries were. From the power cut on every write and force fails, so that nothing that
 * the dying server still does can count; {@link #lose} then does to the files what a power cut may
 * do: each sector that was not forced is as it was or as it was written last, in any combination,
 * and the file is as long as one of the two. A sector is written whole or not at all. A file in the
 * place of another one, and not forced, may be that one again.
 */
public final class ForgetfulStorage implements LogStorage {

  private static final int SECTOR_BYTES = 512;

  /** What was written between two forces: the earlier content of each sector, and the length. */
  private static final class Generation {
    private final Map<Long, byte[]> before = new HashMap<>();
    private final long lengthBefore;

    Generation(long lengthBefore) {
      this.lengthBefore = lengthBefore;
    }
  }

  private static final class OnDisk {
    /** Oldest first; the last is being written. */
    private final Deque<Generation> unforced = new ArrayDeque<>();

    private long length;

    /** What the file held whose place this one has taken, until it is forced; else null. */
    private byte[] replaced;

    OnDisk(byte[] replaced) {
      this.replaced = replaced;
      unforced.add(new Generation(0));
    }
  }

  /**
   * Puts a disk beneath each server of an ensemble, in their order. A server whose power is cut
   * does not wait for a majority's disks when it stops.
   */
  public static UnaryOperator<OrcaServerConfig> beneath(List<ForgetfulStorage> disks) {
    return config -> {
      String folder = config.dataDir().getFileName().toString();
      int number = Integer.parseInt(folder.replace("server", ""));
      return config.withStorage(disks.get(number - 1)).withLeaderStopLimit(Duration.ZERO);
    };
  }

  private final LogStorage disk;
  private final Map<Path, OnDisk> files = new HashMap<>();
  private final Set<Path> named = new HashSet<>();
  private final boolean lies;
  private boolean dead;
  private int operationsLeft = Integer.MAX_VALUE;

  /**
   * A disk with power.
   *
   * @param lies whether it says that it has forced what it has not
   */
  public ForgetfulStorage(boolean lies) {
    this(lies, LogStorage.files());
  }

  /** The same, whose files are those of {@code disk}. */
  public ForgetfulStorage(boolean lies, LogStorage disk) {
    this.lies = lies;
    this.disk = disk;
  }

  /** The power is gone. */
  public synchronized void powerCut() {
    dead = true;
  }

  /** The power will be gone after so many operations. */
  public synchronized void powerCutAfter(int operations) {
    operationsLeft = operations;
  }

  /** Takes what was not forced, or a part of it, and switches the power on again. */
  public synchronized void lose(Random random) throws IOException {
    for (Map.Entry<Path, OnDisk> each : files.entrySet()) {
      Path file = each.getKey();
      if (!Files.exists(file)) {
        continue;
      }
      if (!named.contains(file)) {
        Files.delete(file);
        continue;
      }
      lose(file, each.getValue(), random);
    }
    killed();
  }

  /** The process was killed, not the power cut: all that was written is there. */
  public synchronized void killed() {
    files.clear();
    named.clear();
    dead = false;
    operationsLeft = Integer.MAX_VALUE;
  }

  private static void lose(Path file, OnDisk content, Random random) throws IOException {
    if (content.replaced != null && random.nextBoolean()) {
      Files.write(file, content.replaced);
      return;
    }
    TreeMap<Long, byte[]> forced = new TreeMap<>();
    Iterator<Generation> newestFirst = content.unforced.descendingIterator();
    while (newestFirst.hasNext()) {
      forced.putAll(newestFirst.next().before);
    }
    long lengthForced = content.unforced.getFirst().lengthBefore;
    // All of it, all but the first so many sectors, or any of them.
    int kind = random.nextInt(3);
    int keepFirst = kind == 1 && !forced.isEmpty() ? random.nextInt(forced.size()) : 0;
    int sector = 0;
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      for (Map.Entry<Long, byte[]> each : forced.entrySet()) {
        boolean keep = kind == 2 ? random.nextBoolean() : sector < keepFirst;
        sector++;
        // What was cut off meanwhile stays so.
        if (!keep && each.getKey() * SECTOR_BYTES < channel.size()) {
          channel.write(ByteBuffer.wrap(each.getValue()), each.getKey() * SECTOR_BYTES);
        }
      }
      boolean keepLength = kind != 0 && random.nextBoolean();
      channel.truncate(keepLength ? content.length : lengthForced);
    }
  }

  private synchronized void checkPower() throws IOException {
    dead |= --operationsLeft < 0;
    if (dead) {
      throw new IOException("No power");
    }
  }

  @Override
  public LogFile create(Path file) throws IOException {
    checkPower();
    byte[] replaced = Files.exists(file) ? Files.readAllBytes(file) : null;
    LogFile real = disk.create(file);
    OnDisk content = new OnDisk(replaced);
    FileChannel reader = FileChannel.open(file, StandardOpenOption.READ);
    synchronized (this) {
      if (replaced != null && !files.containsKey(file)) {
        // Of an earlier process, which is long durable.
        named.add(file);
      }
      files.put(file, content);
    }
    return new LogFile() {
      @Override
      public void write(ByteBuffer bytes, long position) throws IOException {
        synchronized (ForgetfulStorage.this) {
          checkPower();
          keep(content, reader, position, bytes.remaining());
          real.write(bytes, position);
        }
      }

      @Override
      public void force() throws IOException {
        Generation last;
        synchronized (ForgetfulStorage.this) {
          checkPower();
          last = content.unforced.getLast();
          content.unforced.add(new Generation(content.length));
        }
        if (lies) {
          return;
        }
        real.force();
        synchronized (ForgetfulStorage.this) {
          checkPower();
          content.replaced = null;
          // Another force, which began later and ended earlier, may have covered it.
          if (content.unforced.contains(last)) {
            while (content.unforced.removeFirst() != last) {
              // Removed: what was written before is forced as well.
            }
          }
        }
      }

      @Override
      public void close() throws IOException {
        reader.close();
        real.close();
      }
    };
  }

  private static void keep(OnDisk content, FileChannel reader, long position, int length)
      throws IOException {
    Map<Long, byte[]> before = content.unforced.getLast().before;
    long end = position + length;
    for (long sector = position / SECTOR_BYTES; sector * SECTOR_BYTES < end; sector++) {
      if (!before.containsKey(sector)) {
        byte[] old = new byte[SECTOR_BYTES];
        ByteBuffer target = ByteBuffer.wrap(old);
        int read = 0;
        while (read >= 0 && target.hasRemaining()) {
          read = reader.read(target, sector * SECTOR_BYTES + target.position());
        }
        before.put(sector, old);
      }
    }
    content.length = Math.max(content.length, end);
  }

  @Override
  public void forceFile(Path file) throws IOException {
    checkPower();
    disk.forceFile(file);
    synchronized (this) {
      OnDisk content = files.get(file);
      if (content != null && !lies) {
        content.replaced = null;
        content.length = Files.size(file);
        content.unforced.clear();
        content.unforced.add(new Generation(content.length));
      }
    }
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
