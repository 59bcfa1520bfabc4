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
import org.orcagrid.ddp.Invariant;

/**
 * The keys of a map at a node, outside the heap: a store with one writer, the engine's worker. It
 * grows with its keys, and takes next to nothing while it has none. The records of removed keys are
 * used again. {@link #look} and what follows it are for any thread; all else is the writer's.
 *
 * <p>Versions without a value, removals, are in a list: the next one to be forgotten is {@link
 * #firstRemoval}.
 *
 * <p>When the JVM's direct memory ends the store goes on in the heap, since who follows others
 * cannot refuse what they have begun. Who begins something asks {@link #hasRoom} before.
 *
 * <p>Invariants, beside those of {@link Records}:
 *
 * <ol>
 *   <li>every record that is in use is found by its key, and no other one is;
 *   <li>the list has the removals, each once;
 *   <li>a record that was removed is used again for a record only, so that a reader who comes too
 *       late looks at a sequence number, and sees that it or the key is another one.
 * </ol>
 */
public final class WorkerStore extends Records {
  /** The engine's first word. The others are behind all that records have in common. */
  private static final int FIRST_WORD = OWN;

  /** The bytes of a record, a multiple of 16, and in the lower bits the kind of its version. */
  private static final int BLOCK = OWN_INT;

  private static final int KIND_MASK = Memory.ALIGNMENT - 1;

  /** Longer values have a block of their own from the beginning. */
  private static final int INLINE_BYTES_MAX = 256;

  // Removals have no value, and their links in its place.
  private static final int NEXT = 0;
  private static final int PREVIOUS = Long.BYTES;

  // A version beside the present one.
  private static final int KEPT_KIND = 8;
  private static final int KEPT_LENGTH = 16;
  private static final int KEPT_VALUE = 24;

  private final int words;

  /** Records that are in use. */
  private int size;

  private long firstRemoval;
  private long lastRemoval;
  private int removals;

  /**
   * Goes through the records. It comes to each that was there when it was made, but for those
   * removed since; to some of those that have come since, too; and to none twice, unless it was
   * removed and came again.
   */
  public final class Cursor {
    private final KeyIndex.Cursor records = index.cursor();

    private Cursor() {}

    /** The next record, {@link #NONE} behind the last. */
    public long next() {
      long record = records.next();
      while (record != NONE && keyLength(record) == KEY_LENGTH_OF_NONE) {
        record = records.next();
      }
      return record;
    }
  }

  /**
   * An empty store.
   *
   * @param words of the engine in each record, one at least
   * @param direct where it is, as long as there is any
   */
  public WorkerStore(int words, DirectMemory direct) {
    super(Memory.growing(direct), OWN_MORE + (words - 1) * Long.BYTES);
    this.words = words;
  }

  // --- any thread --------------------------------------------------------------------------------

  /** Looks at the version of a key, as it is at one moment. */
  public void look(byte[] key, long hash, Sight out) {
    for (int spins = 0; ; spins++) {
      long record = find(key, hash);
      if (record == NONE) {
        out.of(NONE, 0, 0, 0, null);
        return;
      }
      Chunk chunk = memory.chunk(record);
      int at = memory.offset(record);
      long sequence = chunk.getAcquire(at);
      if ((sequence & 1) == 0) {
        long clock = chunk.getLong(at + CLOCK);
        int kind = chunk.getInt(at + BLOCK) & KIND_MASK;
        int length = chunk.getInt(at + VALUE_LENGTH);
        long value = chunk.getLong(at + VALUE);
        // Since it was found it may have become another key's.
        boolean same = hasKey(record, key);
        VarHandle.loadLoadFence();
        if (same && chunk.getLong(at) == sequence) {
          // Length and address belong together; only the bytes may still be torn.
          byte[] copy = copy(value, length);
          VarHandle.loadLoadFence();
          if (chunk.getLong(at) == sequence) {
            out.of(record, sequence, clock, kind, copy);
            return;
          }
        }
      }
      pause(spins);
    }
  }

  /** One of the engine's words of what was found, as it is now. */
  public long wordNow(Sight found, int word) {
    return memory.chunk(found.record).getAcquire(memory.offset(found.record) + at(word));
  }

  /** Whether what was found still is the present version. */
  public boolean isStill(Sight found) {
    VarHandle.loadLoadFence();
    return memory.getLong(found.record) == found.sequence;
  }

  // --- records -----------------------------------------------------------------------------------

  /** How many records there are. */
  public int size() {
    return size;
  }

  /** Finds the record of a key; {@link #NONE} if it has none. For any thread. */
  public long find(byte[] key, long hash) {
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
            && hasKey(entry & ADDRESS_MASK, key)) {
          return entry & ADDRESS_MASK;
        }
        slot = (slot + 1) & KeyIndex.SLOT_MASK;
      }
      segment = index.segmentAfter(segment, hash);
    }
    return NONE;
  }

  private boolean hasKey(long record, byte[] key) {
    Chunk chunk = memory.chunk(record);
    int at = memory.offset(record);
    return chunk.getInt(at + KEY_LENGTH) == key.length
        && KeyHash.equal(chunk, at + keyOffset(), key);
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
    return sum;
  }

  /** A cursor before the first record. */
  public Cursor cursor() {
    return new Cursor();
  }

  /**
   * Makes the record of a key that has none, without a version.
   *
   * @param valueBytes how long its value is going to be, if that is known
   */
  public long create(byte[] key, long hash, int valueBytes) {
    if (!index.reserve(hash)) {
      throw new IllegalStateException("A map has no more than " + size + " keys at a node");
    }
    int block = block(key.length, valueBytes);
    long record = takeFree(block);
    if (record == NONE) {
      record = memory.allocate(block);
    }
    beginWrite(record);
    memory.putLong(record + CLOCK, 0);
    memory.putInt(record + BLOCK, block);
    for (int word = 0; word < words; word++) {
      word(record, word, 0);
    }
    memory.chunk(record).put(memory.offset(record) + keyOffset(), key);
    layOut(record, key.length, block - keyOffset() - padded(key.length));
    endWrite(record);
    index.add(record, hash);
    size++;
    return record;
  }

  private int block(int keyLength, int valueBytes) {
    int inline = Math.max(INLINE_BYTES_MIN, Math.min(valueBytes, INLINE_BYTES_MAX));
    return memory.reusableBytes(keyOffset() + padded(keyLength) + inline);
  }

  /** Removes a record, which others of its size will use. What its words name is the engine's. */
  public void remove(long record) {
    if (isRemoval(record)) {
      unlink(record);
    }
    index.remove(record);
    beginWrite(record);
    releaseBlock(record);
    putFree(record, bytes(record));
    endWrite(record);
    size--;
  }

  private int bytes(long record) {
    return memory.getInt(record + BLOCK) & ~KIND_MASK;
  }

  private static int at(int word) {
    return word == 0 ? FIRST_WORD : OWN_MORE + (word - 1) * Long.BYTES;
  }

  private void beginWrite(long record) {
    memory.putLong(record, memory.getLong(record) + 1);
    VarHandle.storeStoreFence();
  }

  private void endWrite(long record) {
    memory.chunk(record).putRelease(memory.offset(record), memory.getLong(record) + 1);
  }

  // --- what is in a record -----------------------------------------------------------------------

  /** A copy of the key. */
  public byte[] key(long record) {
    byte[] key = new byte[keyLength(record)];
    memory.chunk(record).get(memory.offset(record) + keyOffset(), key);
    return key;
  }

  /** The kind of the version, as it was set. */
  public int kind(long record) {
    return memory.getInt(record + BLOCK) & KIND_MASK;
  }

  /** Bytes of the value, {@link Reading#ABSENT} if there is no version or it is a removal. */
  public int length(long record) {
    return memory.getInt(record + VALUE_LENGTH);
  }

  /** A copy of the value, null if there is none. */
  public byte[] value(long record) {
    return copy(memory.getLong(record + VALUE), length(record));
  }

  /** Copies the beginning of a value to that of {@code into}, up to its limit; how much that is. */
  public int head(long record, ByteBuffer into) {
    int bytes = Math.min(Math.max(0, length(record)), into.limit());
    long value = memory.getLong(record + VALUE);
    into.put(0, memory.buffer(value), memory.offset(value), bytes);
    return bytes;
  }

  private byte[] copy(long address, int length) {
    if (length < 0) {
      return null;
    }
    byte[] copy = new byte[length];
    memory.chunk(address).get(memory.offset(address), copy);
    return copy;
  }

  /** One of the engine's words. */
  public long word(long record, int word) {
    return memory.getLong(record + at(word));
  }

  /**
   * Sets one of the engine's words. A thread that sees it with {@link #wordNow} sees what the
   * writer had done before.
   */
  public void word(long record, int word, long value) {
    memory.chunk(record).putRelease(memory.offset(record) + at(word), value);
  }

  /** Whether there is a version, and it is a removal. */
  public boolean isRemoval(long record) {
    return clock(record) != 0 && length(record) == Reading.ABSENT;
  }

  /**
   * Gives a record another version.
   *
   * @param kind from 0 to 15
   * @param value null if the key is removed
   */
  public void set(long record, long clock, int kind, byte[] value) {
    if (isRemoval(record)) {
      unlink(record);
    }
    beginWrite(record);
    try {
      if (value == null) {
        releaseBlock(record);
        layOut(record, keyLength(record), bytes(record) - keyOffset() - padded(keyLength(record)));
      } else {
        put(record, value);
      }
      memory.putLong(record + CLOCK, clock);
      memory.putInt(record + BLOCK, bytes(record) | kind);
    } finally {
      endWrite(record);
    }
    if (value == null) {
      link(record);
    }
  }

  private void put(long record, byte[] value) {
    if (value.length > memory.getInt(record + VALUE_CAPACITY) && !grow(record, value.length, 0)) {
      throw tooLong(value);
    }
    long at = memory.getLong(record + VALUE);
    memory.chunk(at).put(memory.offset(at), value);
    memory.putInt(record + VALUE_LENGTH, value.length);
  }

  private IllegalStateException tooLong(byte[] value) {
    return new IllegalStateException(
        "A value has at most " + memory.blockBytesMax() + " bytes, not " + value.length);
  }

  // --- removals ----------------------------------------------------------------------------------

  /** The removal that has been in the list for longest, {@link #NONE} if there is none. */
  public long firstRemoval() {
    return firstRemoval;
  }

  /** The one behind it in the list, {@link #NONE} behind the last. */
  public long nextRemoval(long record) {
    return memory.getLong(inline(record) + NEXT);
  }

  /** How many there are. */
  public int removals() {
    return removals;
  }

  /** Puts a removal behind all others. */
  public void putLast(long removal) {
    unlink(removal);
    link(removal);
  }

  private void link(long record) {
    memory.putLong(inline(record) + NEXT, NONE);
    memory.putLong(inline(record) + PREVIOUS, lastRemoval);
    if (lastRemoval == NONE) {
      firstRemoval = record;
    } else {
      memory.putLong(inline(lastRemoval) + NEXT, record);
    }
    lastRemoval = record;
    removals++;
  }

  private void unlink(long record) {
    long next = nextRemoval(record);
    long previous = memory.getLong(inline(record) + PREVIOUS);
    if (previous == NONE) {
      firstRemoval = next;
    } else {
      memory.putLong(inline(previous) + NEXT, next);
    }
    if (next == NONE) {
      lastRemoval = previous;
    } else {
      memory.putLong(inline(next) + PREVIOUS, previous);
    }
    removals--;
  }

  // --- versions beside the present one -----------------------------------------------------------

  /**
   * Keeps a version beside the present one of a record.
   *
   * @param word of the record, which names it from now on, in the place of the one before
   * @param value null if it is a removal
   */
  public void keep(long record, int word, long clock, int kind, byte[] value) {
    int length = value == null ? Reading.ABSENT : value.length;
    long kept = memory.allocateReusable(KEPT_VALUE + Math.max(0, length));
    if (kept == NONE) {
      throw tooLong(value);
    }
    memory.putLong(kept, clock);
    memory.putInt(kept + KEPT_KIND, kind);
    memory.putInt(kept + KEPT_LENGTH, length);
    if (length > 0) {
      memory.chunk(kept).put(memory.offset(kept) + KEPT_VALUE, value);
    }
    dropKept(record, word);
    word(record, word, kept);
  }

  /** Keeps it no longer. */
  public void dropKept(long record, int word) {
    long kept = word(record, word);
    if (kept != NONE) {
      memory.release(kept, KEPT_VALUE + Math.max(0, memory.getInt(kept + KEPT_LENGTH)));
      word(record, word, NONE);
    }
  }

  /** The clock of the version that is kept, 0 if none is. */
  public long keptClock(long record, int word) {
    long kept = word(record, word);
    return kept == NONE ? 0 : memory.getLong(kept);
  }

  /** Its kind, if one is kept. */
  public int keptKind(long record, int word) {
    return memory.getInt(word(record, word) + KEPT_KIND);
  }

  /** A copy of its value, if one is kept; null if it is a removal. */
  public byte[] keptValue(long record, int word) {
    long kept = word(record, word);
    return copy(kept + KEPT_VALUE, memory.getInt(kept + KEPT_LENGTH));
  }

  // --- memory ------------------------------------------------------------------------------------

  /** Whether there is memory outside the heap for a value of a key. */
  public boolean hasRoom(byte[] key, long hash, int valueBytes) {
    long record = find(key, hash);
    if (record != NONE) {
      return valueBytes <= memory.getInt(record + VALUE_CAPACITY) || memory.hasRoom(valueBytes);
    }
    int block = block(key.length, valueBytes);
    boolean hasValue = valueBytes <= INLINE_BYTES_MAX || memory.hasRoom(valueBytes);
    boolean hasPlace = index.hasRoom(hash);
    return hasPlace && hasValue && (hasFree(block) || memory.hasRoom(block));
  }

  /** All three invariants; looks at all records. */
  public void checkInvariants() {
    int found = 0;
    int absent = 0;
    Cursor cursor = cursor();
    for (long record = cursor.next(); record != NONE; record = cursor.next()) {
      found++;
      absent += isRemoval(record) ? 1 : 0;
      Invariant.check(find(key(record), hash(record)) == record, "a record is found by its key");
      Invariant.check((memory.getLong(record) & 1) == 0, "a record that is not written is even");
    }
    Invariant.check(found == size, "all records are counted", "found", found, "size", size);
    int listed = 0;
    long before = NONE;
    for (long each = firstRemoval; each != NONE && listed <= absent; each = nextRemoval(each)) {
      Invariant.check(isRemoval(each), "what can be forgotten are the removals");
      Invariant.check(
          memory.getLong(inline(each) + PREVIOUS) == before, "the list of removals is whole");
      before = each;
      listed++;
    }
    Invariant.check(
        listed == absent && listed == removals && before == lastRemoval,
        "what can be forgotten is here",
        "removals",
        absent,
        "listed",
        listed);
    checkFree();
  }

  /** Removes all records; what their words name is the engine's. */
  public void clear() {
    Cursor cursor = cursor();
    for (long record = cursor.next(); record != NONE; record = cursor.next()) {
      remove(record);
    }
  }
}
