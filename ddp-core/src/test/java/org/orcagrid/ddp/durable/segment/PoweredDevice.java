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
package org.orcagrid.ddp.durable.segment;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import org.orcagrid.ddp.zone.ZoneMemory;

/**
 * A device with many folders whose power can be cut: all of them lose it at once. For tests with
 * real threads; safe for use by many.
 *
 * <p>What survives is what {@link FaultyFiles} says, of each folder by itself.
 */
public final class PoweredDevice {
  private static final int FORCE_NANOS_MAX = 200_000;

  /** What a device does when it is to force. */
  public enum Honesty {
    /** It has forced when it says so. */
    HONEST,
    /** It says so at once, and does it when it is asked for the next time. */
    FORCES_LATER
  }

  private final SplittableRandom random;
  private final Honesty honesty;
  private final Map<String, FaultyFiles> folders = new HashMap<>();
  private Memory memory;
  private int operations;
  private int cutAt = Integer.MAX_VALUE;
  private boolean dead;

  /** A device that is empty; a seed says what survives, and how long a force takes. */
  public PoweredDevice(long seed, Honesty honesty) {
    this.random = new SplittableRandom(seed);
    this.honesty = honesty;
  }

  /**
   * A folder; it is made if there is none.
   *
   * @throws IOException if there is no power
   */
  public synchronized SegmentFiles folder(String name) throws IOException {
    if (dead) {
      throw new IOException("There is no power");
    }
    FaultyFiles files = folders.computeIfAbsent(name, unused -> new FaultyFiles(random.nextLong()));
    return new Folder(files);
  }

  /** The power is cut in the middle of an operation: so many that change something come before. */
  public synchronized void cutAfter(int more) {
    cutAt = operations + 1 + more;
  }

  /** Cuts the power. */
  public synchronized void cut() {
    dead = true;
    folders.values().forEach(PoweredDevice::cut);
  }

  private static void cut(FaultyFiles files) {
    files.planFault(FaultyFiles.Fault.POWER_CUT, files.operations() + 1);
  }

  /** Whether there is no power. */
  public synchronized boolean isDead() {
    return dead;
  }

  /** The power comes back; nobody uses the device at that time. */
  public synchronized void restart() {
    dead = false;
    cutAt = Integer.MAX_VALUE;
    for (FaultyFiles files : folders.values()) {
      // One that nobody has used since has not noticed yet.
      files.planFault(FaultyFiles.Fault.POWER_CUT, Integer.MAX_VALUE);
      files.restartAfterPowerCut();
    }
    if (memory != null) {
      memory.restart();
    }
  }

  /** Persistent memory for zones that loses power with the device; of so many bytes. */
  public synchronized ZoneMemory memory(int bytes) {
    if (memory == null) {
      memory = new Memory(bytes);
    }
    return memory;
  }

  /** Of what was not persisted any eight bytes survive a loss of power, or not. */
  private final class Memory implements ZoneMemory {
    private static final int LINE_BYTES = 64;

    private final ByteBuffer now;
    private final ByteBuffer durable;

    Memory(int bytes) {
      now = ByteBuffer.allocateDirect(bytes).order(ByteOrder.LITTLE_ENDIAN);
      durable = ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    @Override
    public ByteBuffer bytes() {
      return now;
    }

    @Override
    public void persist(int at, int count) {
      synchronized (PoweredDevice.this) {
        count();
        if (dead) {
          throw new IllegalStateException("There is no power");
        }
        int from = at / LINE_BYTES * LINE_BYTES;
        int to = (at + count + LINE_BYTES - 1) / LINE_BYTES * LINE_BYTES;
        durable.put(from, now, from, to - from);
      }
    }

    private void restart() {
      for (int at = 0; at < now.limit(); at += Long.BYTES) {
        if (now.getLong(at) != durable.getLong(at) && random.nextBoolean()) {
          durable.putLong(at, now.getLong(at));
        }
      }
      now.put(0, durable, 0, durable.limit());
    }
  }

  private void count() {
    operations++;
    if (operations >= cutAt && !dead) {
      cut();
    }
  }

  private final class Folder implements SegmentFiles {
    private final FaultyFiles files;

    Folder(FaultyFiles files) {
      this.files = files;
    }

    @Override
    public List<String> list() throws IOException {
      synchronized (PoweredDevice.this) {
        return files.list();
      }
    }

    @Override
    public SegmentFile open(String name) throws IOException {
      synchronized (PoweredDevice.this) {
        return new OpenFile(files.open(name));
      }
    }

    @Override
    public SegmentFile allocate(String name, int bytes) throws IOException {
      synchronized (PoweredDevice.this) {
        count();
        return new OpenFile(files.allocate(name, bytes));
      }
    }

    @Override
    public void syncFolder() throws IOException {
      synchronized (PoweredDevice.this) {
        count();
        files.syncFolder();
      }
    }

    @Override
    public String path(String name) {
      return files.path(name);
    }

    @Override
    public void close() {
      files.close();
    }
  }

  private final class OpenFile implements SegmentFile {
    private final SegmentFile file;

    /** Forces that are not done yet: where from and how much. */
    private final List<int[]> later = new ArrayList<>();

    OpenFile(SegmentFile file) {
      this.file = file;
    }

    @Override
    public int size() throws IOException {
      synchronized (PoweredDevice.this) {
        return file.size();
      }
    }

    @Override
    public void read(ByteBuffer into, int position) throws IOException {
      synchronized (PoweredDevice.this) {
        file.read(into, position);
      }
    }

    @Override
    public void write(ByteBuffer from, int position) throws IOException {
      synchronized (PoweredDevice.this) {
        count();
        file.write(from, position);
      }
    }

    @Override
    public void force(int position, int bytes) throws IOException {
      LockSupport.parkNanos(nanos());
      synchronized (PoweredDevice.this) {
        count();
        if (honesty == Honesty.HONEST) {
          file.force(position, bytes);
          return;
        }
        for (int[] each : later) {
          file.force(each[0], each[1]);
        }
        later.clear();
        later.add(new int[] {position, bytes});
      }
    }

    private long nanos() {
      synchronized (PoweredDevice.this) {
        return random.nextInt(FORCE_NANOS_MAX);
      }
    }

    @Override
    public void close() throws IOException {
      file.close();
    }
  }
}
