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
 */
public final class Memory {
  /** The address of nothing. */
  public static final long NONE = 0;

  private static final VarHandle LONG =
      MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final int ALIGNMENT = 16;
  private static final int SIZE_CLASSES = 32;

  private final int chunkBits;
  private final int offsetMask;
  private final ByteBuffer[] chunks;

  // Guarded by this.
  private int current = -1;
  private int nextOffset;
  private final long[] free = new long[SIZE_CLASSES];

  /**
   * Memory of up to {@code bytesMax}.
   *
   * @param chunkBits binary logarithm of the size of a chunk; no block is larger
   */
  public Memory(int chunkBits, long bytesMax) {
    if (chunkBits < 10 || chunkBits > 30) {
      throw new IllegalArgumentException("A chunk has 2^10 to 2^30 bytes, not 2^" + chunkBits);
    }
    this.chunkBits = chunkBits;
    this.offsetMask = (1 << chunkBits) - 1;
    long count = Math.max(1, (bytesMax + offsetMask) >>> chunkBits);
    this.chunks = new ByteBuffer[Math.toIntExact(count)];
    this.nextOffset = 1 << chunkBits;
  }

  /** The largest block that there can be, in bytes. */
  public int blockBytesMax() {
    return (1 << chunkBits) - ALIGNMENT;
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
    if (nextOffset + rounded > 1 << chunkBits) {
      if (current + 1 == chunks.length) {
        return NONE;
      }
      if (chunks[current + 1] == null && !makeChunk(current + 1)) {
        return NONE;
      }
      current++;
      nextOffset = ALIGNMENT;
    }
    long address = (long) current << chunkBits | nextOffset;
    nextOffset += rounded;
    return address;
  }

  private boolean makeChunk(int chunk) {
    try {
      chunks[chunk] =
          ByteBuffer.allocateDirect((1 << chunkBits) + ALIGNMENT)
              .alignedSlice(ALIGNMENT)
              .order(ByteOrder.LITTLE_ENDIAN);
      return true;
    } catch (OutOfMemoryError e) {
      // The JVM's limit for direct memory, which is not the heap: the store is full.
      return false;
    }
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
    int sizeClass = sizeClass(bytes);
    long reused = free[sizeClass];
    if (reused != NONE) {
      free[sizeClass] = getLong(reused);
      return reused;
    }
    return allocate(Math.min(1 << sizeClass, blockBytesMax()));
  }

  /** How many bytes a block for {@code bytes} has, if it may be freed again. */
  public int reusableBytes(int bytes) {
    return Math.min(1 << sizeClass(bytes), blockBytesMax());
  }

  /** Gives back a block that {@link #allocateReusable} has given for as many bytes. */
  public synchronized void release(long address, int bytes) {
    int sizeClass = sizeClass(bytes);
    putLong(address, free[sizeClass]);
    free[sizeClass] = address;
  }

  private static int sizeClass(int bytes) {
    return 32 - Integer.numberOfLeadingZeros(Math.max(bytes, ALIGNMENT) - 1);
  }

  /** Forgets everything; only while nobody else uses this memory. */
  public synchronized void clear() {
    for (int chunk = 0; chunk <= current; chunk++) {
      int used = chunk == current ? nextOffset : 1 << chunkBits;
      for (int offset = 0; offset < used; offset += Long.BYTES) {
        chunks[chunk].putLong(offset, 0);
      }
    }
    Arrays.fill(free, NONE);
    current = -1;
    nextOffset = 1 << chunkBits;
  }

  /** The chunk that an address is in. */
  public ByteBuffer buffer(long address) {
    return chunks[(int) (address >>> chunkBits)];
  }

  /** Where in its chunk an address is. */
  public int offset(long address) {
    return (int) address & offsetMask;
  }

  /**
   * What is at an aligned offset, before all that is read next. A fence, since the compiler makes
   * several times as much of a view's {@code getAcquire}, which also has to ask where the buffer's
   * bytes are; 64-bit JVMs read aligned 8 bytes at once either way.
   */
  static long getAcquire(ByteBuffer buffer, int offset) {
    long value = buffer.getLong(offset);
    VarHandle.acquireFence();
    return value;
  }

  long getLong(long address) {
    return buffer(address).getLong(offset(address));
  }

  void putLong(long address, long value) {
    buffer(address).putLong(offset(address), value);
  }

  int getInt(long address) {
    return buffer(address).getInt(offset(address));
  }

  void putInt(long address, int value) {
    buffer(address).putInt(offset(address), value);
  }

  long getLongAcquire(long address) {
    return getAcquire(buffer(address), offset(address));
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
