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
import java.util.concurrent.atomic.AtomicInteger;
import org.orcagrid.ddp.Timestamp;

/**
 * All keys of Kite at a node, with their values and the metadata of the protocols, outside the
 * heap. Many workers read and write at once: each key has a sequence lock, so that reads take no
 * lock and allocate nothing (Kite, section 5.2).
 *
 * <p>A key is a <i>record</i>, named by its address. Records are made on first use and stay; a key
 * without a value has length {@link Reading#ABSENT}. All buffers that are passed in are direct and
 * little-endian. Every method may be called by any thread; those that say <i>locked</i> only
 * between {@link #lock} and {@link #unlock} of the record.
 */
public final class ReplicaStore extends Records {
  private static final VarHandle INDEX =
      MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  // The words of a record that are Kite's.
  private static final int RMW = OWN;
  private static final int EPOCH = OWN_INT;
  private static final int PAXOS = OWN_MORE;
  private static final int HEADER = OWN_MORE + Long.BYTES;

  private static final int CACHE_LINE = 64;

  private final ByteBuffer index;
  private final int indexMask;
  private final int valueBytesMax;
  private final int keysMax;
  private final AtomicInteger keys = new AtomicInteger();

  /**
   * What a store may hold.
   *
   * @param keysMax keys at most; more are refused, but for a few that come at the same moment
   * @param valueBytesMax bytes of a value at most
   * @param bytesMax bytes of all records at most
   */
  public record Limits(int keysMax, int valueBytesMax, long bytesMax) {
    private static final int KEYS_MAX = 1 << 26;

    /** Refuses limits that no store can have. */
    public Limits {
      if (keysMax < 1 || keysMax > KEYS_MAX) {
        throw new IllegalArgumentException(
            "A store has 1 to " + KEYS_MAX + " keys, not " + keysMax);
      }
      if (valueBytesMax < 1 || valueBytesMax > 1 << 20) {
        throw new IllegalArgumentException(
            "The largest value of a store has 1 to 1048576 bytes, not " + valueBytesMax);
      }
      if (bytesMax < 1) {
        throw new IllegalArgumentException("A store has at least one byte, not " + bytesMax);
      }
    }
  }

  /** An empty store. */
  public ReplicaStore(Limits limits) {
    this(limits, 22);
  }

  /**
   * An empty store whose memory comes in chunks of 2 to the power of {@code chunkBits} bytes; for
   * those who need many small stores.
   */
  public ReplicaStore(Limits limits, int chunkBits) {
    super(new Memory(chunkBits, limits.bytesMax()), HEADER);
    this.valueBytesMax = limits.valueBytesMax();
    this.keysMax = limits.keysMax();
    // At most two thirds full, so that probing ends soon.
    int slots = Integer.highestOneBit(Math.max(8, limits.keysMax() + limits.keysMax() / 2 - 1)) * 2;
    this.index =
        ByteBuffer.allocateDirect(slots * Long.BYTES + Long.BYTES)
            .alignedSlice(Long.BYTES)
            .order(ByteOrder.LITTLE_ENDIAN);
    this.indexMask = slots - 1;
  }

  /** The largest value, in bytes. */
  public int valueBytesMax() {
    return valueBytesMax;
  }

  /** Finds the record of a key; {@link #NONE} if it has none. */
  public long find(ByteBuffer key, int offset, int length, long hash) {
    return find(index, indexMask, key, offset, length, hash);
  }

  /**
   * Has the records of several keys brought into the processor's caches: one after the other they
   * would be waited for one after the other. (MICA, NSDI '14, prefetches for a batch, too.)
   *
   * @param hashes the hashes of the keys; overwritten
   * @return nothing of use; to be kept by the caller, or else the compiler leaves the work out
   */
  public long warm(long[] hashes, int count) {
    for (int i = 0; i < count; i++) {
      int slot = (int) hashes[i] & indexMask;
      hashes[i] = (long) INDEX.getAcquire(index, slot * Long.BYTES) & ADDRESS_MASK;
    }
    long sum = 0;
    for (int i = 0; i < count; i++) {
      sum += touch(hashes[i]);
    }
    for (int i = 0; i < count; i++) {
      if (hashes[i] != NONE) {
        sum += touch(memory.getLongAcquire(hashes[i] + PAXOS));
      }
    }
    return sum;
  }

  /** No record and no Paxos structure is shorter, and hardly one lies in one line of the cache. */
  private long touch(long address) {
    return address == NONE ? 0 : memory.getLong(address) + memory.getLong(address + CACHE_LINE);
  }

  /** Finds the record of a key or makes one; {@link #NONE} if the store is full. */
  public long findOrCreate(ByteBuffer key, int offset, int length, long hash) {
    long found = find(key, offset, length, hash);
    if (found != NONE) {
      return found;
    }
    if (keys.get() >= keysMax) {
      return NONE;
    }
    long made = create(key, offset, length);
    if (made == NONE) {
      return NONE;
    }
    int slot = (int) hash & indexMask;
    long tag = hash & ~ADDRESS_MASK;
    for (int probes = 0; probes <= indexMask - (indexMask >>> 2); probes++) {
      if ((boolean) INDEX.compareAndSet(index, slot * Long.BYTES, 0L, tag | made)) {
        keys.incrementAndGet();
        return made;
      }
      long entry = Memory.getAcquire(index, slot * Long.BYTES);
      if ((entry & ~ADDRESS_MASK) == tag && hasKey(entry & ADDRESS_MASK, key, offset, length)) {
        // Another worker was faster; the block that was made for nothing is lost, and rare.
        return entry & ADDRESS_MASK;
      }
      slot = (slot + 1) & indexMask;
    }
    return NONE;
  }

  /** Whether there is room for another key, as far as the number of keys decides it. */
  public boolean hasRoomForKey() {
    return keys.get() < keysMax;
  }

  /** How many keys have a record. */
  public int keys() {
    return keys.get();
  }

  /** How many places for records there are. */
  public int places() {
    return indexMask + 1;
  }

  /**
   * The record at a place, {@link #NONE} if there is none. Records stay where they are, so that who
   * looks at all places finds all that were there when they began.
   */
  public long recordAt(int place) {
    return (long) INDEX.getAcquire(index, place * Long.BYTES) & ADDRESS_MASK;
  }

  private long create(ByteBuffer key, int offset, int length) {
    long record = memory.allocate(HEADER + padded(length) + INLINE_BYTES_MIN);
    if (record != NONE) {
      memory.buffer(record).put(memory.offset(record) + HEADER, key, offset, length);
      layOut(record, length, INLINE_BYTES_MIN);
    }
    return record;
  }

  /** Reads timestamp, epoch and length, and the value too unless {@code into} is null. */
  public void read(long record, Bytes into, Reading out) {
    ByteBuffer buffer = memory.buffer(record);
    int offset = memory.offset(record);
    for (int spins = 0; ; spins++) {
      long sequence = Memory.getAcquire(buffer, offset);
      if ((sequence & 1) == 0) {
        out.clock = buffer.getLong(offset + CLOCK);
        out.rmw = buffer.getLong(offset + RMW);
        out.epoch = buffer.getInt(offset + EPOCH);
        int length = buffer.getInt(offset + VALUE_LENGTH);
        out.length = length;
        if (into == null) {
          VarHandle.loadLoadFence();
          if (buffer.getLong(offset) == sequence) {
            return;
          }
        } else if (copyIfSame(buffer, offset, sequence, length, into)) {
          return;
        }
      }
      pause(spins);
    }
  }

  /**
   * Reads a value alone: what a relaxed read needs, and less than half of what {@link #read} does.
   *
   * @return the record's epoch
   */
  public int readValue(long record, Bytes into) {
    ByteBuffer buffer = memory.buffer(record);
    int offset = memory.offset(record);
    for (int spins = 0; ; spins++) {
      long sequence = Memory.getAcquire(buffer, offset);
      if ((sequence & 1) == 0) {
        int epoch = buffer.getInt(offset + EPOCH);
        if (copyIfSame(buffer, offset, sequence, buffer.getInt(offset + VALUE_LENGTH), into)) {
          return epoch;
        }
      }
      pause(spins);
    }
  }

  /** Locks a record against other writers. */
  public void lock(long record) {
    for (int spins = 0; ; spins++) {
      long sequence = memory.getLongOpaque(record);
      if ((sequence & 1) == 0 && memory.compareAndSetLong(record, sequence, sequence + 1)) {
        VarHandle.storeStoreFence();
        return;
      }
      pause(spins);
    }
  }

  /** Ends what {@link #lock} began, and shows it. */
  public void unlock(long record) {
    memory.setLongRelease(record, memory.getLong(record) + 1);
  }

  /** The read-modify-writes since a record's clock; locked. */
  public long rmw(long record) {
    return memory.getLong(record + RMW);
  }

  /** The epoch of a record; locked. */
  public int epoch(long record) {
    return memory.getInt(record + EPOCH);
  }

  /** Copies the value of a record; locked. */
  public void copyValue(long record, Bytes into) {
    long value = memory.getLong(record + VALUE);
    into.set(memory.buffer(value), memory.offset(value), memory.getInt(record + VALUE_LENGTH));
  }

  /** Raises the epoch of a record; locked. */
  public void raiseEpoch(long record, int epoch) {
    if (memory.getInt(record + EPOCH) < epoch) {
      memory.putInt(record + EPOCH, epoch);
    }
  }

  /** The address of a record's Paxos structure, {@link #NONE} if it has none yet; locked. */
  public long paxos(long record) {
    return memory.getLong(record + PAXOS);
  }

  /** Gives a record its Paxos structure (Kite, section 5.2); locked. */
  public void setPaxos(long record, long address) {
    // Whoever warms the record looks without a lock.
    memory.setLongRelease(record + PAXOS, address);
  }

  /**
   * Replaces timestamp and value; locked. The caller has made sure that the timestamp is later.
   *
   * @param length bytes of the value from {@code at}, {@link Reading#ABSENT} for none
   * @return false if there is no memory left for a value that is longer than any of the key before;
   *     nothing is changed then
   */
  public boolean set(long record, long clock, long rmw, ByteBuffer from, int at, int length) {
    if (length > memory.getInt(record + VALUE_CAPACITY) && !grow(record, length, 0)) {
      return false;
    }
    if (length > 0) {
      long value = memory.getLong(record + VALUE);
      memory.buffer(value).put(memory.offset(value), from, at, length);
    }
    memory.putInt(record + VALUE_LENGTH, length);
    memory.putLong(record + CLOCK, clock);
    memory.putLong(record + RMW, rmw);
    return true;
  }

  /**
   * Makes room for a value of that length; locked.
   *
   * @return false if there is no memory for it
   */
  public boolean reserve(long record, int length) {
    if (length <= memory.getInt(record + VALUE_CAPACITY)) {
      return true;
    }
    return grow(record, length, Math.max(0, memory.getInt(record + VALUE_LENGTH)));
  }

  /**
   * Replaces timestamp and value if the timestamp is later than the record's; locked.
   *
   * @return false if there is no memory for the value; nothing is changed then
   */
  public boolean setIfLater(
      long record, long clock, long rmw, ByteBuffer from, int at, int length) {
    return !Timestamp.isAfter(clock, rmw, clock(record), rmw(record))
        || set(record, clock, rmw, from, at, length);
  }

  /** Forgets everything; only while nobody else uses this store. */
  public void clear() {
    keys.set(0);
    for (int at = 0; at <= indexMask; at++) {
      index.putLong(at * Long.BYTES, 0);
    }
    memory.clear();
  }
}
