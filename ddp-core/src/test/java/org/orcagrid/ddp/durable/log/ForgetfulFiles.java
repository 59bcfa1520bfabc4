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
package org.orcagrid.ddp.durable.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.orcagrid.ddp.durable.MediumKind;
import org.orcagrid.ddp.durable.segment.SegmentFile;
import org.orcagrid.ddp.durable.segment.SegmentFiles;
import org.orcagrid.ddp.durable.segment.SegmentLimits;

/**
 * Segments whose unforced bytes are in this process and not in the files: killing the process loses
 * them, as a power cut would, although the page cache outlives it. For tests with processes.
 *
 * <p>A force writes and forces its own bytes and no others. Names and lengths of files are not
 * lost. A folder that is closed has all its bytes in its files.
 */
public final class ForgetfulFiles implements SegmentFiles {
  private final SegmentFiles disk;
  private final Map<String, Unforced> unforced = new HashMap<>();

  ForgetfulFiles(SegmentFiles disk) {
    this.disk = disk;
  }

  /** Logs with these limits, in folders that ordinary logs can go on with. */
  public static MediumKind logs(SegmentLimits limits) {
    return MediumKind.of(
        "log",
        (folder, threads) ->
            LogMedium.open(new ForgetfulFiles(new ChannelFiles(folder)), limits, threads));
  }

  @Override
  public List<String> list() throws IOException {
    return disk.list();
  }

  @Override
  public SegmentFile open(String name) throws IOException {
    return new OpenFile(disk.open(name), of(name));
  }

  @Override
  public SegmentFile allocate(String name, int bytes) throws IOException {
    return new OpenFile(disk.allocate(name, bytes), of(name));
  }

  private synchronized Unforced of(String name) {
    return unforced.computeIfAbsent(name, unused -> new Unforced());
  }

  @Override
  public void syncFolder() throws IOException {
    disk.syncFolder();
  }

  @Override
  public String path(String name) {
    return disk.path(name);
  }

  @Override
  public synchronized void close() throws IOException {
    for (Map.Entry<String, Unforced> each : unforced.entrySet()) {
      if (!each.getValue().isEmpty()) {
        try (SegmentFile file = disk.open(each.getKey())) {
          each.getValue().writeOut(file, 0, Integer.MAX_VALUE);
        }
      }
    }
    unforced.clear();
    disk.close();
  }

  private record Extent(int position, ByteBuffer bytes) {
    int end() {
      return position + bytes.remaining();
    }

    /** What of it lies there. */
    ByteBuffer part(int from, int to) {
      return bytes.slice(from - position, to - from);
    }
  }

  /** What was written to a file and not forced, in the order of the writes. */
  private static final class Unforced {
    private List<Extent> extents = new ArrayList<>();

    synchronized boolean isEmpty() {
      return extents.isEmpty();
    }

    synchronized void write(ByteBuffer from, int position) {
      ByteBuffer copy = ByteBuffer.allocate(from.remaining()).put(from).flip();
      if (copy.hasRemaining()) {
        extents.add(new Extent(position, copy));
      }
    }

    /** Puts what was not forced over what was read of the file from {@code position} on. */
    synchronized void read(ByteBuffer into, int start, int position) {
      int end = position + into.position() - start;
      for (Extent each : extents) {
        int from = Math.max(position, each.position());
        int to = Math.min(end, each.end());
        if (from < to) {
          ByteBuffer part = each.part(from, to);
          into.put(start + from - position, part, 0, part.remaining());
        }
      }
    }

    synchronized void writeOut(SegmentFile file, int position, int end) throws IOException {
      List<Extent> rest = new ArrayList<>();
      for (Extent each : extents) {
        int from = Math.max(position, each.position());
        int to = Math.min(end, each.end());
        if (from >= to) {
          rest.add(each);
          continue;
        }
        file.write(each.part(from, to), from);
        if (each.position() < from) {
          rest.add(new Extent(each.position(), each.part(each.position(), from)));
        }
        if (to < each.end()) {
          rest.add(new Extent(to, each.part(to, each.end())));
        }
      }
      extents = rest;
    }
  }

  private record OpenFile(SegmentFile file, Unforced unforced) implements SegmentFile {
    @Override
    public int size() throws IOException {
      return file.size();
    }

    @Override
    public void read(ByteBuffer into, int position) throws IOException {
      int start = into.position();
      file.read(into, position);
      unforced.read(into, start, position);
    }

    @Override
    public void write(ByteBuffer from, int position) {
      unforced.write(from, position);
    }

    @Override
    public void force(int position, int bytes) throws IOException {
      unforced.writeOut(file, position, position + bytes);
      file.force(position, bytes);
    }

    @Override
    public void close() throws IOException {
      file.close();
    }
  }
}
