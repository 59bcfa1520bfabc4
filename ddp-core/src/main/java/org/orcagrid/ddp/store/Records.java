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

import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.orcagrid.ddp.Invariant;

/**
 * Keys with their values and the words of an engine, outside the heap: what the stores of both
 * engines have in common. A key is a <i>record</i>, named by its address. Each record has a
 * sequence lock, so that any thread reads without a lock and allocates nothing.
 *
 * <p>Invariants: a record's sequence number is odd exactly while somebody writes to it, and is
 * never set back; a reader uses what it has read only if the number was even and the same before
 * and after.
 */
public abstract sealed class Records permits ReplicaStore, WorkerStore {
  /** The record of a key that is not there. */
  public static final long NONE = Memory.NONE;

  /** Keys have at most so many bytes. */
  public static final int KEY_BYTES_MAX = 1024;

  // A record begins with its sequence number. Eight bytes at OWN, four at OWN_INT and all from
  // OWN_MORE up to the key are the engine's.
  static final int CLOCK = 8;
  static final int OWN = 16;
  static final int OWN_INT = 24;
  static final int KEY_LENGTH = 28;
  static final int VALUE_LENGTH = 32;
  static final int VALUE_CAPACITY = 36;
  static final int VALUE = 40;
  static final int OWN_MORE = 48;

  static final int INLINE_BYTES_MIN = 32;

  /** The key length of a record that may be used again: no key has it. */
  static final int KEY_LENGTH_OF_NONE = -1;

  private static final int TAG_SHIFT = 48;
  static final long ADDRESS_MASK = (1L << TAG_SHIFT) - 1;
  private static final int SPINS_BEFORE_YIELD = 64;

  final Memory memory;
  final KeyIndex index;

  /** Where in a record its key is. */
  private final int keyAt;

  /** Records that may be used again, by the class of their size, linked by what was the clock. */
  private final long[] free = new long[Memory.SIZE_CLASSES];

  Records(Memory memory, int keyAt) {
    this.memory = memory;
    this.index = new KeyIndex(this);
    this.keyAt = keyAt;
  }

  /** The memory that records are in. */
  public Memory memory() {
    return memory;
  }

  final boolean hasKey(long record, ByteBuffer key, int offset, int length) {
    Chunk chunk = memory.chunk(record);
    int at = memory.offset(record);
    return chunk.getInt(at + KEY_LENGTH) == length
        && KeyHash.equal(chunk, at + keyAt, key, offset, length);
  }

  /** The hash of a record's key, of a record that is in use. */
  public final long hash(long record) {
    return KeyHash.hash(memory.buffer(record), memory.offset(record) + keyAt, keyLength(record));
  }

  /** Where a record's key begins, from the record's own beginning. */
  final int keyOffset() {
    return keyAt;
  }

  // --- records that may be used again ------------------------------------------------------------

  /** Whether a record of so many bytes may be used again. */
  final boolean hasFree(int block) {
    return free[Memory.sizeClass(block)] != NONE;
  }

  /** A record of so many bytes that is used again, {@link #NONE} if there is none. */
  final long takeFree(int block) {
    int sizeClass = Memory.sizeClass(block);
    long record = free[sizeClass];
    if (record != NONE) {
      free[sizeClass] = clock(record);
      memory.count(block);
    }
    return record;
  }

  /**
   * Leaves a record of so many bytes to others; while it is being written to. Its memory is used
   * for records only, so that a reader who comes too late looks at a sequence number.
   */
  final void putFree(long record, int block) {
    int sizeClass = Memory.sizeClass(block);
    memory.putInt(record + KEY_LENGTH, KEY_LENGTH_OF_NONE);
    memory.putLong(record + CLOCK, free[sizeClass]);
    free[sizeClass] = record;
    memory.count(-block);
  }

  /** Forgets what may be used again, with the memory that it is in. */
  final void forgetFree() {
    Arrays.fill(free, NONE);
  }

  /** That nothing is in use that may be used again. */
  final void checkFree() {
    for (long first : free) {
      for (long each = first; each != NONE; each = clock(each)) {
        Invariant.check(
            keyLength(each) == KEY_LENGTH_OF_NONE, "what may be used again is not in use");
      }
    }
  }

  // --- what is in a record -----------------------------------------------------------------------

  static int padded(int keyLength) {
    return (keyLength + 7) & -8;
  }

  /** Begins a record of a key that is in it already, without a value. */
  final void layOut(long record, int keyLength, int inlineBytes) {
    memory.putInt(record + KEY_LENGTH, keyLength);
    memory.putInt(record + VALUE_LENGTH, Reading.ABSENT);
    memory.putInt(record + VALUE_CAPACITY, inlineBytes);
    memory.putLong(record + VALUE, inline(record));
  }

  /** Where a record has values that need no block of their own. */
  final long inline(long record) {
    return record + keyAt + padded(keyLength(record));
  }

  /** Bytes of a record's key. */
  public final int keyLength(long record) {
    return memory.getInt(record + KEY_LENGTH);
  }

  /** Copies a record's key. */
  public final void copyKey(long record, ByteBuffer into, int at) {
    into.put(at, memory.buffer(record), memory.offset(record) + keyAt, keyLength(record));
  }

  /** The clock of a record's version; for who writes to the record, or may. */
  public final long clock(long record) {
    return memory.getLong(record + CLOCK);
  }

  final boolean copyIfSame(Chunk chunk, int offset, long sequence, int length, Bytes into) {
    long value = chunk.getLong(offset + VALUE);
    VarHandle.loadLoadFence();
    if (chunk.getLong(offset) != sequence) {
      return false;
    }
    // Length and address belong together now; only the bytes may still be torn.
    into.setWhole(memory.chunk(value), memory.offset(value), length);
    VarHandle.loadLoadFence();
    return chunk.getLong(offset) == sequence;
  }

  /** No record and no Paxos structure is shorter, and hardly one lies in one line of the cache. */
  final long touch(long address) {
    return address == NONE ? 0 : memory.getLong(address) + memory.getLong(address + Memory.LINE);
  }

  // Whoever holds the lock may be waiting for this very processor.
  @SuppressWarnings("ThreadPriorityCheck")
  static void pause(int spins) {
    if (spins < SPINS_BEFORE_YIELD) {
      Thread.onSpinWait();
    } else {
      Thread.yield();
    }
  }

  /** Gives a value a longer block; false if there is no memory for it. */
  final boolean grow(long record, int length, int kept) {
    long grown = memory.allocateReusable(length);
    if (grown == NONE) {
      return false;
    }
    long old = memory.getLong(record + VALUE);
    if (kept > 0) {
      memory.buffer(grown).put(memory.offset(grown), memory.buffer(old), memory.offset(old), kept);
    }
    releaseBlock(record);
    memory.putLong(record + VALUE, grown);
    memory.putInt(record + VALUE_CAPACITY, memory.reusableBytes(length));
    return true;
  }

  /** A value's block is not used any more, if it has one of its own. */
  final void releaseBlock(long record) {
    long value = memory.getLong(record + VALUE);
    if (value != inline(record)) {
      memory.release(value, memory.getInt(record + VALUE_CAPACITY));
    }
  }
}
