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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * A folder in memory whose power can be cut. It knows of each sector what was forced and all that
 * was written since; from a power cut on each sector that was not forced is as it was at some time
 * since, or a mixture of two such times, and a file whose name was not synced may be gone.
 *
 * <p>Operations that change something are counted, and the one with a certain number goes wrong.
 */
public final class FaultyFiles implements CrashableFiles {
  private static final int SECTOR_BYTES = 512;
  private static final int LINE_BYTES = 64;

  /** In so many parts a sector or a line may be torn. */
  private static final int PARTS = 8;

  private final SplittableRandom random;

  /** What reaches the device at once: a sector of a disk, or a cache line of persistent memory. */
  private final int unitBytes;

  private final Map<String, Disk> names = new TreeMap<>();
  private final Map<String, Disk> syncedNames = new TreeMap<>();
  private int operations;
  private int faultAt = Integer.MAX_VALUE;
  private Fault fault;
  private boolean gone;
  private boolean struck;
  private Runnable duringForce = () -> {};

  /** An empty folder. */
  public FaultyFiles(long seed) {
    random = new SplittableRandom(seed);
    unitBytes = random.nextBoolean() ? SECTOR_BYTES : LINE_BYTES;
  }

  @Override
  public int operations() {
    return operations;
  }

  @Override
  public void planFault(Fault kind, int at) {
    fault = kind;
    faultAt = at;
  }

  /** Is run while a force is under way. */
  void duringForce(Runnable task) {
    duringForce = task;
  }

  @Override
  public boolean hasStruck() {
    return struck;
  }

  @Override
  public void restart() {
    gone = false;
    struck = false;
  }

  @Override
  public void restartAfterPowerCut() {
    restart();
    // Often all or nothing was written: with chance alone that would be rare.
    double written = List.of(0.0, 0.5, 1.0, random.nextDouble()).get(random.nextInt(4));
    names.entrySet().removeIf(each -> isLost(each.getKey(), written));
    names.values().forEach(each -> each.cut(written));
    syncedNames.clear();
    syncedNames.putAll(names);
  }

  private boolean isLost(String name, double written) {
    return !syncedNames.containsKey(name) && random.nextDouble() >= written;
  }

  /** Whether the operation takes place. */
  private boolean begin() throws IOException {
    checkThere();
    operations++;
    if (operations != faultAt) {
      return true;
    }
    struck = true;
    gone = fault != Fault.REFUSAL;
    return false;
  }

  private void checkThere() throws IOException {
    if (gone) {
      throw new IOException("Nobody is there any more");
    }
  }

  private static IOException refused() {
    return new IOException("Input/output error");
  }

  /** A file, for changes from outside. */
  Disk disk(String name) {
    return names.get(name);
  }

  @Override
  public List<String> list() throws IOException {
    checkThere();
    return List.copyOf(names.keySet());
  }

  @Override
  public SegmentFile open(String name) throws IOException {
    checkThere();
    return names.get(name);
  }

  @Override
  public SegmentFile allocate(String name, int bytes) throws IOException {
    boolean done = begin();
    if (done || random.nextBoolean()) {
      names.computeIfAbsent(name, unused -> new Disk()).resize(bytes);
    }
    if (!done) {
      throw refused();
    }
    return names.get(name);
  }

  @Override
  public void syncFolder() throws IOException {
    boolean done = begin();
    if (done || random.nextBoolean()) {
      syncedNames.putAll(names);
    }
    if (!done) {
      throw refused();
    }
  }

  @Override
  public String path(String name) {
    return "folder/" + name;
  }

  @Override
  public void close() {
    // What is in the folder outlives whoever has opened it.
  }

  /** A file. */
  final class Disk implements SegmentFile {
    private byte[] seen = new byte[0];
    private byte[] forced = new byte[0];

    /** What each unit was since it was forced, the oldest first. */
    private final Map<Integer, List<byte[]>> unforced = new HashMap<>();

    private void resize(int bytes) {
      seen = Arrays.copyOf(seen, bytes);
    }

    @Override
    public int size() throws IOException {
      checkThere();
      return seen.length;
    }

    @Override
    public void read(ByteBuffer into, int position) throws IOException {
      checkThere();
      int bytes = Math.min(into.remaining(), seen.length - position);
      if (bytes > 0) {
        into.put(seen, position, bytes);
      }
    }

    @Override
    public void write(ByteBuffer from, int position) throws IOException {
      boolean done = begin();
      int bytes = done ? from.remaining() : random.nextInt(from.remaining() + 1);
      from.get(seen, position, bytes);
      int first = position / unitBytes;
      int last = (position + bytes - 1) / unitBytes;
      for (int unit = first; bytes > 0 && unit <= last; unit++) {
        unforced.computeIfAbsent(unit, unused -> new ArrayList<>()).add(unit(seen, unit));
      }
      if (!done) {
        throw refused();
      }
    }

    @Override
    public void force(int position, int bytes) throws IOException {
      if (begin()) {
        duringForce.run();
        forceRange(position, bytes);
        return;
      }
      if (fault == Fault.REFUSAL) {
        // As after a power cut, but who reads still sees what was to be written.
        byte[] kept = seen;
        cut(random.nextBoolean() ? 0 : 0.5);
        seen = kept;
      } else if (random.nextInt(3) == 0) {
        forceRange(position, bytes);
      }
      throw refused();
    }

    /** No more than was asked for: persistent memory knows nothing of files. */
    private void forceRange(int position, int bytes) {
      forced = Arrays.copyOf(forced, seen.length);
      for (int unit = position / unitBytes; unit * unitBytes < position + bytes; unit++) {
        List<byte[]> versions = unforced.remove(unit);
        if (versions != null) {
          put(unit, versions.get(versions.size() - 1));
        }
      }
    }

    private void cut(double written) {
      if (forced.length != seen.length && random.nextDouble() < written) {
        forced = Arrays.copyOf(forced, seen.length);
      }
      unforced.forEach((unit, versions) -> put(unit, survivor(unit, versions, written)));
      unforced.clear();
      seen = forced.clone();
    }

    private byte[] survivor(int unit, List<byte[]> versions, double written) {
      versions.add(0, unit(forced, unit));
      int later = random.nextDouble() < written ? versions.size() - 1 : 0;
      if (versions.size() > 2 && random.nextInt(4) == 0) {
        later = random.nextInt(versions.size());
      }
      byte[] survivor = versions.get(later).clone();
      if (later > 0 && random.nextInt(4) == 0) {
        mix(versions.get(random.nextInt(later)), survivor);
      }
      return survivor;
    }

    /** Some parts are as they were earlier: any, or all from one on, or all before one. */
    private void mix(byte[] earlier, byte[] survivor) {
      int bytes = unitBytes / PARTS;
      boolean inOrder = random.nextBoolean();
      boolean lost = random.nextBoolean();
      int first = random.nextInt(PARTS);
      for (int part = 0; part < PARTS; part++) {
        if (inOrder ? part < first == lost : random.nextBoolean()) {
          System.arraycopy(earlier, part * bytes, survivor, part * bytes, bytes);
        }
      }
    }

    private void put(int unit, byte[] bytes) {
      int at = unit * unitBytes;
      if (at < forced.length) {
        System.arraycopy(bytes, 0, forced, at, Math.min(unitBytes, forced.length - at));
      }
    }

    private byte[] unit(byte[] all, int unit) {
      int at = Math.min(all.length, unit * unitBytes);
      byte[] bytes = Arrays.copyOfRange(all, at, Math.min(all.length, at + unitBytes));
      return Arrays.copyOf(bytes, unitBytes);
    }

    /** Changes a byte on the device. */
    void damage(int at) {
      seen[at] ^= 0x55;
      forced[at] ^= 0x55;
    }

    int length() {
      return seen.length;
    }

    byte[] copy() {
      return seen.clone();
    }

    /** Puts back what {@link #copy} has given. */
    void restore(byte[] bytes) {
      seen = bytes.clone();
      forced = bytes.clone();
      unforced.clear();
    }

    @Override
    public void close() {
      // The same for whoever opens it next.
    }
  }
}
