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
package org.orcagrid.ddp.store;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Memory outside the heap in blocks that never move and are never given back to the system, so that
 * a reader who comes too late reads something, never nothing.
 *
 * <p>An address is the number of a chunk and an offset in it; 0 is no address. Chunks are made when
 * they are needed. Freed blocks are used again for blocks of their size class. Safe for use by many
 * threads: what is in a block is its owner's matter.
 *
 * <p>There are two kinds. One has a limit, and chunks of one size. The other one {@link #growing
 * grows}: its chunks are as small as what it holds, and when the JVM's direct memory ends it goes
 * on with chunks on the heap. {@link #hasRoom} says so before, to whoever can still refuse.
 */
public final class Memory {
  /** The address of nothing. */
  public static final long NONE = 0;

  private static final VarHandle LONG =
      MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  static final int ALIGNMENT = 16;

  /** A line of the processor's caches, in bytes; chunks begin with one. */
  static final int LINE = 64;

  /** Short values are read up to the next multiple of so many bytes. */
  private static final int STEP_MIN = 32;

  /** Four to each power of two. */
  static final int SIZE_CLASSES = 4 * Integer.SIZE;

  private static final int GROWING_BITS = 22;
  private static final int GROWING_CHUNKS_MAX = 1 << 24;
  private static final int FIRST_CHUNK_BYTES = 4 << 10;
  private static final int CHUNKS_AT_FIRST = 8;

  private final int chunkBits;
  private final int offsetMask;
  private final int chunksMax;

  /** Null of one that has a limit, and asks the JVM by itself. */
  private final DirectMemory direct;

  /** Grows by a longer copy; who has got an address from its writer sees the one that has it. */
  private Chunk[] chunks;

  // Guarded by this.
  private int current = -1;
  private int nextOffset;
  private int endOffset;
  private long bytes;

  /** The bytes of blocks that are in use, and of those at the ends of chunks that cannot be. */
  private long used;

  private final long[] free = new long[SIZE_CLASSES];

  /**
   * Memory of up to {@code bytesMax}.
   *
   * @param chunkBits binary logarithm of the size of a chunk; no block is larger
   */
  public Memory(int chunkBits, long bytesMax) {
    this(chunkBits, chunksMax(chunkBits, bytesMax), null);
  }

  private Memory(int chunkBits, int chunksMax, DirectMemory direct) {
    this.chunkBits = chunkBits;
    this.offsetMask = (1 << chunkBits) - 1;
    this.chunksMax = chunksMax;
    this.direct = direct;
    this.chunks = new Chunk[Math.min(chunksMax, CHUNKS_AT_FIRST)];
  }

  private static int chunksMax(int chunkBits, long bytesMax) {
    if (chunkBits < 11 || chunkBits > 30) {
      throw new IllegalArgumentException("A chunk has 2^11 to 2^30 bytes, not 2^" + chunkBits);
    }
    return Math.toIntExact(Math.max(1, (bytesMax + (1L << chunkBits) - 1) >>> chunkBits));
  }

  /** Memory without a limit of its own, which takes nothing as long as it is empty. */
  public static Memory growing(DirectMemory direct) {
    return new Memory(GROWING_BITS, GROWING_CHUNKS_MAX, direct);
  }

  private boolean grows() {
    return direct != null;
  }

  /** The largest block that there can be, in bytes. */
  public int blockBytesMax() {
    return (1 << chunkBits) - LINE;
  }

  /**
   * A new block of zeros, aligned to 16 bytes.
   *
   * @return its address, {@link #NONE} if there is no room
   */
  public synchronized long allocate(int bytes) {
    int rounded = (bytes + ALIGNMENT - 1) & -ALIGNMENT;
    if (rounded > blockBytesMax()) {
      return NONE;
    }
    if (nextOffset + rounded > endOffset && !nextChunk(rounded, grows())) {
      return NONE;
    }
    long address = (long) current << chunkBits | nextOffset;
    nextOffset += rounded;
    used += rounded;
    return address;
  }

  private boolean nextChunk(int rounded, boolean onHeapToo) {
    int next = current + 1;
    if (next == chunksMax) {
      return false;
    }
    if (next == chunks.length) {
      chunks = Arrays.copyOf(chunks, Math.min(chunksMax, 2 * next));
    }
    if (chunks[next] == null) {
      // What is behind the last block may be read with it.
      int size = chunkBytes(rounded) + STEP_MIN;
      ByteBuffer made = onHeapToo ? make(size) : makeDirect(size);
      if (made == null) {
        return false;
      }
      chunks[next] = new Chunk(made);
      bytes += chunks[next].bytes();
    }
    used += endOffset - nextOffset;
    current = next;
    nextOffset = LINE;
    endOffset = Math.min(chunks[next].bytes() - STEP_MIN, 1 << chunkBits);
    return true;
  }

  /** By an eighth of what there is, so that hardly more than that is empty. */
  private int chunkBytes(int rounded) {
    long wanted = grows() ? Math.max(FIRST_CHUNK_BYTES, bytes / 8) : Long.MAX_VALUE;
    return Math.max(rounded + LINE, (int) Math.min(wanted, 1 << chunkBits) & -ALIGNMENT);
  }

  /** A buffer of zeros; null if there is no memory, and this one does not grow onto the heap. */
  synchronized ByteBuffer make(int size) {
    ByteBuffer made = makeDirect(size);
    return made == null && grows()
        ? ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN)
        : made;
  }

  private ByteBuffer makeDirect(int size) {
    DirectMemory from = grows() ? direct : new DirectMemory(() -> {});
    return from.make(size, LINE);
  }

  /** The bytes of all chunks. */
  public synchronized long bytes() {
    return bytes;
  }

  /** Whether the JVM's direct memory is known to have ended. */
  boolean hasEnded() {
    return grows() && direct.hasEnded();
  }

  /** Whether a block for so many bytes can be had outside the heap. */
  public synchronized boolean hasRoom(int size) {
    int block = reusableBytes(size);
    boolean fits = current >= 0 && chunks[current].isDirect() && nextOffset + block <= endOffset;
    return free[sizeClass(block)] != NONE || fits || nextChunk(block, false);
  }

  /**
   * A block for a value that may be freed again; what was in it before may still be there.
   *
   * @return its address, {@link #NONE} if there is no room
   */
  public synchronized long allocateReusable(int bytes) {
    if (bytes > blockBytesMax()) {
      return NONE;
    }
    int block = reusableBytes(bytes);
    int sizeClass = sizeClass(block);
    long reused = free[sizeClass];
    if (reused != NONE) {
      free[sizeClass] = getLong(reused);
      used += block;
      return reused;
    }
    return allocate(block);
  }

  /** How many bytes a block for {@code bytes} has, if it may be freed again. */
  public int reusableBytes(int bytes) {
    int step = Math.max(ALIGNMENT, Integer.highestOneBit(Math.max(bytes, 1) - 1) >> 2);
    return Math.min((Math.max(bytes, 1) + step - 1) & -step, blockBytesMax());
  }

  /** Gives back a block that {@link #allocateReusable} has given for as many bytes. */
  public synchronized void release(long address, int bytes) {
    int block = reusableBytes(bytes);
    int sizeClass = sizeClass(block);
    putLong(address, free[sizeClass]);
    free[sizeClass] = address;
    used -= block;
  }

  /** Counts a block that its owner uses again, or with a negative number does not use for now. */
  synchronized void count(int block) {
    used += block;
  }

  /** Whether more than three quarters of what there may be is in use. */
  synchronized boolean isCrowded() {
    long bytesMax = (long) chunksMax << chunkBits;
    return used > bytesMax - bytesMax / 4;
  }

  /** The class of a block of {@link #reusableBytes}. */
  static int sizeClass(int block) {
    int log = Integer.SIZE - 1 - Integer.numberOfLeadingZeros(block - 1);
    return 4 * log + ((block - 1) >> (log - 2) & 3);
  }

  /** Forgets everything; only while nobody else uses this memory. */
  public synchronized void clear() {
    for (int chunk = 0; chunk <= current; chunk++) {
      int used = chunk == current ? nextOffset : chunks[chunk].bytes() & -Long.BYTES;
      for (int offset = 0; offset < used; offset += Long.BYTES) {
        chunks[chunk].putLong(offset, 0);
      }
    }
    Arrays.fill(free, NONE);
    current = -1;
    nextOffset = 0;
    endOffset = 0;
    used = 0;
  }

  /** The chunk that an address is in. */
  Chunk chunk(long address) {
    return chunks[(int) (address >>> chunkBits)];
  }

  /** The same as a buffer. */
  public ByteBuffer buffer(long address) {
    return chunk(address).buffer();
  }

  /** Where in its chunk an address is. */
  public int offset(long address) {
    return (int) address & offsetMask;
  }

  long getLong(long address) {
    return chunk(address).getLong(offset(address));
  }

  void putLong(long address, long value) {
    chunk(address).putLong(offset(address), value);
  }

  int getInt(long address) {
    return chunk(address).getInt(offset(address));
  }

  void putInt(long address, int value) {
    chunk(address).putInt(offset(address), value);
  }

  long getLongAcquire(long address) {
    return chunk(address).getAcquire(offset(address));
  }

  long getLongOpaque(long address) {
    return (long) LONG.getOpaque(buffer(address), offset(address));
  }

  void setLongRelease(long address, long value) {
    LONG.setRelease(buffer(address), offset(address), value);
  }

  boolean compareAndSetLong(long address, long expected, long value) {
    return LONG.compareAndSet(buffer(address), offset(address), expected, value);
  }
}
