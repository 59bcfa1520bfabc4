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

import com.intel.pmem.llpl.AnyHeap;
import com.intel.pmem.llpl.Heap;
import com.intel.pmem.llpl.HeapException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import jdk.nio.mapmode.ExtendedMapMode;
import org.orcagrid.ddp.durable.segment.DurableFiles;
import org.orcagrid.ddp.durable.segment.FolderLock;
import org.orcagrid.ddp.durable.segment.SegmentFile;
import org.orcagrid.ddp.durable.segment.SegmentFiles;
import org.orcagrid.ddp.durable.segment.SegmentLimits;

/**
 * A folder with a pool. The file {@code unfinished} is there from before the pool is made until it
 * is whole: a pool that a crash has left half made is made anew, as nothing was ever in it.
 */
final class PoolFolder implements SegmentFiles {
  /** libpmemobj gives large blocks in chunks of so many bytes. */
  private static final long CHUNK_BYTES = 256 << 10;

  /** The pool's own records, and the entries of the segments. */
  private static final long OWN_BYTES = 4 << 20;

  private static final int PROBE_BYTES = 4096;

  private final Path folder;
  private final FolderLock lock;
  private final PoolDirectory directory;

  private PoolFolder(Path folder, FolderLock lock, PoolDirectory directory) {
    this.folder = folder;
    this.lock = lock;
    this.directory = directory;
  }

  /** A folder on a file system that is mounted with DAX; all others are refused. */
  static PoolFolder onPersistentMemory(Path folder, SegmentLimits limits) throws IOException {
    return open(folder, limits, true);
  }

  /** Any folder: what is forced there survives the end of the process and no power cut. */
  static PoolFolder anywhere(Path folder, SegmentLimits limits) throws IOException {
    return open(folder, limits, false);
  }

  private static PoolFolder open(Path folder, SegmentLimits limits, boolean onlyDax)
      throws IOException {
    FolderLock lock = FolderLock.take(folder);
    try {
      if (onlyDax) {
        checkDax(folder);
      }
      Heap heap = heap(folder.toRealPath(), bytes(limits));
      return new PoolFolder(folder, lock, PoolDirectory.of(heap));
    } catch (UnsatisfiedLinkError | NoClassDefFoundError e) {
      lock.close();
      throw new IOException(
          "The medium \"llpl\" cannot load PMDK ("
              + e.getMessage()
              + "): install libpmemobj and libpmempool (Debian: libpmemobj1, libpmempool1) on Linux"
              + " on x86, or choose another medium",
          e);
    } catch (HeapException e) {
      lock.close();
      throw new IOException(
          "Cannot open the pool in "
              + folder
              + " ("
              + e.getMessage()
              + "): it is damaged, of another kind, or still mapped by a process that has used it;"
              + " end that one, or restore the folder from a copy, or empty it",
          e);
    } catch (IOException | RuntimeException e) {
      lock.close();
      throw e;
    }
  }

  private static void checkDax(Path folder) throws IOException {
    Path file = folder.resolve("probe");
    try (FileChannel channel =
        FileChannel.open(
            file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      channel.map(ExtendedMapMode.READ_WRITE_SYNC, 0, PROBE_BYTES);
    } catch (IOException | UnsupportedOperationException e) {
      throw new IOException(
          "The folder "
              + folder
              + " is not on persistent memory: choose one on a file system that is mounted with"
              + " DAX, or the medium \"log\"",
          e);
    } finally {
      Files.deleteIfExists(file);
    }
  }

  /** Room for all segments and one more, which is there twice while its length changes. */
  private static long bytes(SegmentLimits limits) {
    long segments = limits.bytesMax() / limits.segmentBytes() + 1;
    long chunks = (limits.segmentBytes() + CHUNK_BYTES) / CHUNK_BYTES + 1;
    return Math.max(AnyHeap.MINIMUM_HEAP_SIZE, OWN_BYTES) + segments * chunks * CHUNK_BYTES;
  }

  private static Heap heap(Path folder, long bytes) throws IOException {
    Path pool = folder.resolve("pool");
    Path unfinished = folder.resolve("unfinished");
    if (Files.exists(pool) && !Files.exists(unfinished)) {
      return Heap.openHeap(pool.toString());
    }
    Files.write(unfinished, new byte[0]);
    DurableFiles.sync(folder);
    Files.deleteIfExists(pool);
    Heap heap;
    try {
      heap = Heap.createHeap(pool.toString(), bytes);
    } catch (HeapException e) {
      throw new IOException(
          "Cannot make the pool "
              + pool
              + " of "
              + bytes
              + " bytes ("
              + e.getMessage()
              + "): make room, or set a smaller bytesMax",
          e);
    }
    PoolDirectory.make(heap);
    try (FileChannel channel = FileChannel.open(pool, StandardOpenOption.WRITE)) {
      // The length and the places of the file's blocks are the file system's to keep.
      channel.force(true);
    }
    Files.delete(unfinished);
    DurableFiles.sync(folder);
    return heap;
  }

  @Override
  public List<String> list() {
    return directory.names();
  }

  @Override
  public SegmentFile open(String name) throws IOException {
    return directory.open(name);
  }

  @Override
  public SegmentFile allocate(String name, int bytes) throws IOException {
    try {
      return directory.allocate(name, bytes);
    } catch (HeapException e) {
      throw new IOException(
          "Cannot make "
              + path(name)
              + " "
              + bytes
              + " bytes long ("
              + e.getMessage()
              + "): the pool has the size of its first start; set a bytesMax that is not greater",
          e);
    }
  }

  @Override
  public void syncFolder() {
    // What the directory holds is durable when its transaction has ended.
  }

  @Override
  public String path(String name) {
    Path pool = folder.resolve("pool");
    return name.isEmpty() ? folder.toString() : pool + ":" + name;
  }

  @Override
  public void close() throws IOException {
    lock.close();
  }
}
