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
package org.orcagrid.medium.llpl;

import com.intel.pmem.llpl.Heap;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.orcagrid.ddp.durable.segment.CrashableFiles;
import org.orcagrid.ddp.durable.segment.SegmentFile;

/**
 * A pool whose power can be cut: it knows of each cache line all that was written to it since it
 * was written back, and puts one of these in its place. What a transaction has changed is taken to
 * be there as a whole or not at all, which is PMDK's promise and not tried out here.
 */
final class FaultyPool implements CrashableFiles {
  private static final int LINE_BYTES = 64;

  private final SplittableRandom random;
  private final Heap heap;
  private PoolDirectory directory;
  private final Map<String, Map<Integer, List<byte[]>>> unforced = new HashMap<>();
  private int operations;
  private int faultAt = Integer.MAX_VALUE;
  private Fault fault = Fault.KILL;
  private boolean gone;
  private boolean struck;

  /** An empty directory; what the pool held before takes room in it and is not found. */
  FaultyPool(Heap heap, long seed) throws IOException {
    this.random = new SplittableRandom(seed);
    this.heap = heap;
    PoolDirectory.make(heap);
    this.directory = PoolDirectory.of(heap);
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

  @Override
  public boolean hasStruck() {
    return struck;
  }

  @Override
  public void restart() {
    gone = false;
    struck = false;
    try {
      directory = PoolDirectory.of(heap);
    } catch (IOException e) {
      throw new AssertionError("The directory is lost", e);
    }
  }

  @Override
  public void restartAfterPowerCut() {
    restart();
    double written = List.of(0.0, 0.5, 1.0, random.nextDouble()).get(random.nextInt(4));
    try {
      for (Map.Entry<String, Map<Integer, List<byte[]>>> each : unforced.entrySet()) {
        PoolFile file = directory.open(each.getKey());
        each.getValue().forEach((line, versions) -> cut(file, line, versions, written));
      }
    } catch (IOException e) {
      throw new AssertionError("A block that was written is lost", e);
    }
    unforced.clear();
  }

  /** Lines are written back whole, in any order; eight bytes at a time is all that is atomic. */
  private void cut(PoolFile file, int line, List<byte[]> versions, double written) {
    int later = random.nextDouble() < written ? versions.size() - 1 : 0;
    if (versions.size() > 2 && random.nextInt(4) == 0) {
      later = random.nextInt(versions.size());
    }
    byte[] survivor = versions.get(later).clone();
    if (later > 0 && random.nextInt(4) == 0) {
      byte[] earlier = versions.get(random.nextInt(later));
      for (int at = 0; at < survivor.length; at += Long.BYTES) {
        if (random.nextBoolean()) {
          System.arraycopy(earlier, at, survivor, at, Long.BYTES);
        }
      }
    }
    file.write(ByteBuffer.wrap(survivor), line * LINE_BYTES);
  }

  private boolean begin() throws IOException {
    checkThere();
    operations++;
    if (operations != faultAt) {
      return true;
    }
    struck = true;
    gone = true;
    return false;
  }

  private void checkThere() throws IOException {
    if (gone) {
      throw new IOException("Nobody is there any more, after " + fault);
    }
  }

  @Override
  public List<String> list() throws IOException {
    checkThere();
    return directory.names();
  }

  @Override
  public SegmentFile open(String name) throws IOException {
    checkThere();
    return new FaultyFile(name, directory.open(name));
  }

  @Override
  public SegmentFile allocate(String name, int bytes) throws IOException {
    boolean done = begin();
    SegmentFile file = null;
    if (done || random.nextBoolean()) {
      file = new FaultyFile(name, directory.allocate(name, bytes));
      unforced.remove(name);
    }
    checkThere();
    return file;
  }

  @Override
  public void syncFolder() throws IOException {
    begin();
    checkThere();
  }

  @Override
  public String path(String name) {
    return "pool:" + name;
  }

  @Override
  public void close() {
    // The pool outlives whoever has opened it.
  }

  private final class FaultyFile implements SegmentFile {
    private final String name;
    private final PoolFile file;

    private FaultyFile(String name, PoolFile file) {
      this.name = name;
      this.file = file;
    }

    @Override
    public int size() throws IOException {
      checkThere();
      return file.size();
    }

    @Override
    public void read(ByteBuffer into, int position) throws IOException {
      checkThere();
      file.read(into, position);
    }

    private byte[] line(int line) {
      ByteBuffer content = ByteBuffer.allocate(LINE_BYTES);
      file.read(content, line * LINE_BYTES);
      return content.array();
    }

    @Override
    public void write(ByteBuffer from, int position) throws IOException {
      boolean done = begin();
      int bytes = done ? from.remaining() : random.nextInt(from.remaining() + 1);
      if (bytes > 0) {
        Map<Integer, List<byte[]>> lines =
            unforced.computeIfAbsent(name, unused -> new HashMap<>());
        int first = position / LINE_BYTES;
        int last = (position + bytes - 1) / LINE_BYTES;
        for (int i = first; i <= last; i++) {
          byte[] before = line(i);
          lines.computeIfAbsent(i, unused -> new ArrayList<>(List.of(before)));
        }
        file.write(from.slice(from.position(), bytes), position);
        from.position(from.position() + bytes);
        for (int i = first; i <= last; i++) {
          lines.get(i).add(line(i));
        }
      }
      checkThere();
    }

    @Override
    public void force(int position, int bytes) throws IOException {
      if (begin() || random.nextInt(3) == 0) {
        file.force(position, bytes);
        Map<Integer, List<byte[]>> lines = unforced.getOrDefault(name, new HashMap<>());
        int last = (position + bytes - 1) / LINE_BYTES;
        lines.keySet().removeIf(each -> each >= position / LINE_BYTES && each <= last);
      }
      checkThere();
    }

    @Override
    public void close() {
      file.close();
    }
  }
}
