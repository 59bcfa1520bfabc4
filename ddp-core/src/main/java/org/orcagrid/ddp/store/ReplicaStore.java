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
import java.util.concurrent.atomic.AtomicInteger;
import org.orcagrid.ddp.Invariant;
import org.orcagrid.ddp.Timestamp;

/**
 * All keys of Kite at a node, with their values and the metadata of the protocols, outside the
 * heap. Many workers read and write at once: each key has a sequence lock, so that reads take no
 * lock and allocate nothing (Kite, section 5.2).
 *
 * <p>A key is a <i>record</i>, named by its address. Records are made on first use and stay until
 * they are {@linkplain #remove removed}; a key without a value has length {@link Reading#ABSENT}.
 * All buffers that are passed in are direct and little-endian. Every method may be called by any
 * thread; those that say <i>locked</i> only between {@link #lock} and {@link #unlock} of the
 * record.
 *
 * <p>A removed record is used again for another key. Whoever keeps an address while its key may be
 * removed has to name the key again: to {@link #read(long, ByteBuffer, int, int, Bytes, Reading)}
 * and {@link #readValue}, or to {@link #isOf} under the record's lock. To lock and unlock a record
 * that is not in use does no harm.
 *
 * <p>Invariant, beside those of {@link Records} and {@link KeyIndex}: records come and go under one
 * monitor. It may be taken inside a record's lock. Inside it only locks of records that are not in
 * use are taken, and who has removed one of those waits for nobody before it unlocks it.
 */
public final class ReplicaStore extends Records {
  // The words of a record that are Kite's.
  private static final int RMW = OWN;
  private static final int EPOCH = OWN_INT;
  private static final int PAXOS = OWN_MORE;
  private static final int HEADER = OWN_MORE + Long.BYTES;

  /** What {@link #readValue} says of a key without a record: no epoch is less than 0. */
  public static final int NO_EPOCH = -1;

  /** The place behind all others. */
  public static final long PLACES_END = KeyIndex.END;

  /** The monitor under which records come and go, and the index changes. */
  private final Object changes = new Object();

  private final int valueBytesMax;
  private final int keysMax;
  private final AtomicInteger keys = new AtomicInteger();

  /**
   * What a store may hold.
   *
   * @param keysMax keys at most
   * @param valueBytesMax bytes of a value at most
   * @param bytesMax bytes of all records at most
   */
  public record Limits(int keysMax, int valueBytesMax, long bytesMax) {
    private static final int KEYS_MAX = 1 << 28;

    /** Limits without one on the number of keys. */
    public Limits(int valueBytesMax, long bytesMax) {
      this(KEYS_MAX, valueBytesMax, bytesMax);
    }

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
  }

  /** The largest value, in bytes. */
  public int valueBytesMax() {
    return valueBytesMax;
  }

  /** Finds the record of a key; {@link #NONE} if it has none. */
  public long find(ByteBuffer key, int offset, int length, long hash) {
    long tag = hash & ~ADDRESS_MASK;
    long segment = index.segment(hash);
    while (segment != NONE) {
      Chunk chunk = memory.chunk(segment);
      int at = memory.offset(segment);
      int slot = (int) hash & KeyIndex.SLOT_MASK;
      for (int probes = 0; probes < KeyIndex.SLOTS; probes++) {
        long entry = chunk.getAcquire(at + slot * Long.BYTES);
        if (entry == 0) {
          break;
        }
        if ((entry & ~ADDRESS_MASK) == tag
            && entry != KeyIndex.REMOVED
            && hasKey(entry & ADDRESS_MASK, key, offset, length)) {
          return entry & ADDRESS_MASK;
        }
        slot = (slot + 1) & KeyIndex.SLOT_MASK;
      }
      segment = index.segmentAfter(segment, hash);
    }
    return NONE;
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
      hashes[i] = index.likely(hashes[i]);
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

  /** Finds the record of a key or makes one; {@link #NONE} if the store is full. */
  public long findOrCreate(ByteBuffer key, int offset, int length, long hash) {
    long found = find(key, offset, length, hash);
    if (found != NONE) {
      return found;
    }
    synchronized (changes) {
      // Another thread may have been faster.
      found = find(key, offset, length, hash);
      if (found != NONE || keys.get() >= keysMax || !index.reserve(hash)) {
        return found;
      }
      return create(key, offset, length, hash);
    }
  }

  /** Makes the record of a key that has none. The index has room for it. */
  private long create(ByteBuffer key, int offset, int length, long hash) {
    int block = block(length);
    long record = takeFree(block);
    if (record == NONE) {
      record = memory.allocate(block);
    }
    if (record == NONE) {
      return NONE;
    }
    // Somebody who was late may be reading it, or hold its lock until they have seen whose it is.
    lock(record);
    memory.putLong(record + CLOCK, 0);
    memory.putLong(record + RMW, 0);
    memory.putInt(record + EPOCH, 0);
    memory.putLong(record + PAXOS, NONE);
    memory.buffer(record).put(memory.offset(record) + HEADER, key, offset, length);
    layOut(record, length, block - HEADER - padded(length));
    unlock(record);
    index.add(record, hash);
    keys.incrementAndGet();
    return record;
  }

  /** All blocks of a size class have the same size, so that records need not note theirs. */
  private int block(int keyLength) {
    return memory.reusableBytes(HEADER + padded(keyLength) + INLINE_BYTES_MIN);
  }

  /**
   * Removes a record, which other keys will use; locked. Its Paxos structure was taken from it
   * before. Between this and {@link #unlock} the caller must not make or remove another record.
   */
  public void remove(long record) {
    Invariant.check(paxos(record) == NONE, "a record that is removed has no Paxos structure");
    int length = keyLength(record);
    Invariant.check(length != KEY_LENGTH_OF_NONE, "a record is removed once");
    synchronized (changes) {
      index.remove(record);
      releaseBlock(record);
      // A reader who was late finds no value, and no words of the key that was.
      layOut(record, KEY_LENGTH_OF_NONE, 0);
      memory.putLong(record + RMW, 0);
      memory.putInt(record + EPOCH, 0);
      putFree(record, block(length));
      keys.decrementAndGet();
    }
  }

  /** Whether a record is that of a key, and is in use; locked. */
  public boolean isOf(long record, ByteBuffer key, int offset, int length) {
    return hasKey(record, key, offset, length);
  }

  /** Whether a record is some key's, and was not removed; locked. */
  public boolean isInUse(long record) {
    return keyLength(record) != KEY_LENGTH_OF_NONE;
  }

  /** Whether there is room for another key of that length. */
  public boolean hasRoomForKey(int keyLength) {
    int block = block(keyLength);
    return keys.get() < keysMax && (hasFree(block) || memory.hasRoom(block));
  }

  /** Whether it is so full that it is time to look for keys to remove. */
  public boolean isCrowded() {
    return keys.get() >= keysMax - keysMax / 4 || memory.isCrowded();
  }

  /** How many keys have a record. */
  public int keys() {
    return keys.get();
  }

  /**
   * The record at a place, {@link #NONE} if there is none. Who goes from 0 to {@link #PLACES_END}
   * by {@link #nextPlace} comes to each record that was there when they began and is not removed
   * meanwhile. They come to some twice when keys are added meanwhile.
   */
  public long recordAt(long place) {
    return index.recordAt(place);
  }

  /** The place behind one; {@link #PLACES_END} behind the last. */
  public long nextPlace(long place) {
    return index.nextPlace(place);
  }

  /** The first place of one of so many parts of the store, and the one behind the part before. */
  public long firstPlace(int part, int parts) {
    return index.firstPlace(part, parts);
  }

  /**
   * Reads timestamp, epoch and length, and the value too unless {@code into} is null. For who knows
   * that the record is not removed meanwhile.
   */
  public void read(long record, Bytes into, Reading out) {
    Chunk chunk = memory.chunk(record);
    int offset = memory.offset(record);
    for (int spins = 0; ; spins++) {
      long sequence = chunk.getAcquire(offset);
      if ((sequence & 1) == 0) {
        out.clock = chunk.getLong(offset + CLOCK);
        out.rmw = chunk.getLong(offset + RMW);
        out.epoch = chunk.getInt(offset + EPOCH);
        int length = chunk.getInt(offset + VALUE_LENGTH);
        out.length = length;
        if (into == null) {
          VarHandle.loadLoadFence();
          if (chunk.getLong(offset) == sequence) {
            return;
          }
        } else if (copyIfSame(chunk, offset, sequence, length, into)) {
          return;
        }
      }
      pause(spins);
    }
  }

  /**
   * Reads timestamp, epoch, length and value of a key whose record was found.
   *
   * @return false if the record is not that key's any more; look for the key again
   */
  public boolean read(long record, ByteBuffer key, int at, int length, Bytes into, Reading out) {
    Chunk chunk = memory.chunk(record);
    int offset = memory.offset(record);
    for (int spins = 0; ; spins++) {
      long sequence = chunk.getAcquire(offset);
      if ((sequence & 1) == 0) {
        out.clock = chunk.getLong(offset + CLOCK);
        out.rmw = chunk.getLong(offset + RMW);
        out.epoch = chunk.getInt(offset + EPOCH);
        out.length = chunk.getInt(offset + VALUE_LENGTH);
        // A record in use keeps its key: one that differs, even in part, means that it was removed.
        if (!hasKey(record, key, at, length)) {
          return false;
        }
        if (copyIfSame(chunk, offset, sequence, out.length, into)) {
          return true;
        }
      }
      pause(spins);
    }
  }

  /**
   * Finds a key and reads its value alone: what a relaxed read needs, with one look at the key.
   *
   * @return the epoch of its record, {@link #NO_EPOCH} if it has none
   */
  public int readValue(ByteBuffer key, int at, int length, long hash, Bytes into) {
    long tag = hash & ~ADDRESS_MASK;
    long segment = index.segment(hash);
    while (segment != NONE) {
      Chunk chunk = memory.chunk(segment);
      int first = memory.offset(segment);
      int slot = (int) hash & KeyIndex.SLOT_MASK;
      for (int probes = 0; probes < KeyIndex.SLOTS; probes++) {
        long entry = chunk.getAcquire(first + slot * Long.BYTES);
        if (entry == 0) {
          break;
        }
        if ((entry & ~ADDRESS_MASK) == tag && entry != KeyIndex.REMOVED) {
          // If it was the key's until just now, the key had no record for a moment: it may go on.
          int epoch = readValue(entry & ADDRESS_MASK, key, at, length, into);
          if (epoch != NO_EPOCH) {
            return epoch;
          }
        }
        slot = (slot + 1) & KeyIndex.SLOT_MASK;
      }
      segment = index.segmentAfter(segment, hash);
    }
    into.length(Reading.ABSENT);
    return NO_EPOCH;
  }

  /** The same of a record; {@link #NO_EPOCH} if it is not that key's, or not any more. */
  int readValue(long record, ByteBuffer key, int at, int length, Bytes into) {
    Chunk chunk = memory.chunk(record);
    int offset = memory.offset(record);
    for (int spins = 0; ; spins++) {
      long sequence = chunk.getAcquire(offset);
      if ((sequence & 1) == 0) {
        int epoch = chunk.getInt(offset + EPOCH);
        int bytes = chunk.getInt(offset + VALUE_LENGTH);
        if (!hasKey(record, key, at, length)) {
          return NO_EPOCH;
        }
        if (copyIfSame(chunk, offset, sequence, bytes, into)) {
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

  /** Gives a record its Paxos structure (Kite, section 5.2), or takes it from it; locked. */
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
    index.clear();
    forgetFree();
    memory.clear();
  }
}
