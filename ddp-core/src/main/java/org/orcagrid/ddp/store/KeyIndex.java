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
import org.orcagrid.ddp.Invariant;

/**
 * Where a store's records are, by the hashes of their keys. It grows without a pause: it consists
 * of small <i>segments</i>, and a full one is split in two (extendible hashing: Fagin and others,
 * ACM TODS 4(3), 1979). The first bits of a hash select the segment, its last bits a place there.
 *
 * <p>Any thread may search, without a lock. Records that a split does not move keep their places.
 * Who has found nothing in a segment looks whether the hash still names that segment. If not, a
 * split has moved what they were looking for, and they begin again.
 *
 * <p>The segments are in the store's memory and count there. They are not given back.
 *
 * <p>Invariants:
 *
 * <ol>
 *   <li>between the place that a hash names and the place of its record no place of the segment is
 *       empty, so that a search ends at the first empty one;
 *   <li>a removed place becomes empty as soon as no record depends on it, so that searches stay
 *       short however many keys come and go;
 *   <li>a record is in the segment of its hash; in a second one only while a split moves it.
 * </ol>
 */
final class KeyIndex {
  /** A place whose record was removed: others may be behind it. */
  static final long REMOVED = 1;

  private static final int SLOT_BITS = 7;
  static final int SLOTS = 1 << SLOT_BITS;
  static final int SLOT_MASK = SLOTS - 1;

  // A segment has its places, how many records it has, and how many bits of a prefix select it.
  private static final int RECORDS = SLOTS * Long.BYTES;
  private static final int DEPTH = RECORDS + Integer.BYTES;

  /** The bytes of a segment. */
  static final int SEGMENT_BYTES = DEPTH + Integer.BYTES;

  /** A segment with so many records is split, so that probing ends soon. */
  private static final int FULL = SLOTS - SLOTS / 4;

  /** One that cannot be split takes so many. */
  private static final int RECORDS_MAX = SLOTS - SLOTS / 16;

  /** The prefix of a hash is above the bits that name a place, and below those of the tag. */
  private static final int PREFIX_SHIFT = 16;

  private static final long PREFIX_MASK = (1L << Integer.SIZE) - 1;

  /** So many bits of a prefix select a segment at most. */
  private static final int DEPTH_MAX = 22;

  /** The place behind all others. */
  static final long END = (PREFIX_MASK + 1) << SLOT_BITS;

  private static final VarHandle SEGMENT = MethodHandles.arrayElementVarHandle(long[].class);
  private static final Directory EMPTY = new Directory(new long[1], 0);

  private final Records records;
  private final Memory memory;
  private volatile Directory directory = EMPTY;

  /**
   * The addresses of the segments. Those of prefixes with the same first bits are beside each
   * other; one segment may be there many times.
   */
  private static final class Directory {
    private final long[] segments;

    /** How many bits of a prefix name one of them. */
    private final int depth;

    Directory(long[] segments, int depth) {
      this.segments = segments;
      this.depth = depth;
    }

    /** Where the segment of a prefix is. */
    int at(long prefix) {
      return (int) (prefix >>> (Integer.SIZE - depth));
    }

    long segment(long prefix) {
      return (long) SEGMENT.getAcquire(segments, at(prefix));
    }

    Directory doubled() {
      long[] twice = new long[2 * segments.length];
      for (int i = 0; i < twice.length; i++) {
        twice[i] = segments[i / 2];
      }
      return new Directory(twice, depth + 1);
    }
  }

  /** An empty index, in the memory of its records. It takes nothing while it is empty. */
  KeyIndex(Records records) {
    this.records = records;
    this.memory = records.memory;
  }

  private static long prefix(long hash) {
    return hash >>> PREFIX_SHIFT & PREFIX_MASK;
  }

  // --- any thread --------------------------------------------------------------------------------

  /** The address of the segment that a hash names, {@link Records#NONE} if there is none yet. */
  long segment(long hash) {
    return directory.segment(prefix(hash));
  }

  /**
   * Where to look on for what was not in a segment; {@link Records#NONE} if it is nowhere. A split
   * may have moved it since the hash named that segment.
   */
  long segmentAfter(long segment, long hash) {
    long present = segment(hash);
    return present == segment ? Records.NONE : present;
  }

  /** What is at a place of a segment: a tag and a record, {@link #REMOVED} or 0. */
  private long entry(long segment, int slot) {
    return memory.getLongAcquire(segment + (long) slot * Long.BYTES);
  }

  private void entry(long segment, int slot, long entry) {
    // By a fence: on JDK 25 a VarHandle refuses memory on the heap, where that of a map may be.
    memory.chunk(segment).putRelease(memory.offset(segment) + slot * Long.BYTES, entry);
  }

  private long record(long segment, int slot) {
    long entry = entry(segment, slot);
    return entry == REMOVED ? Records.NONE : entry & Records.ADDRESS_MASK;
  }

  /** The record at the place that a hash names: in most cases that of its key, if there is one. */
  long likely(long hash) {
    long segment = segment(hash);
    return segment == Records.NONE ? Records.NONE : record(segment, (int) hash & SLOT_MASK);
  }

  /**
   * The record at a place, {@link Records#NONE} if there is none. Who goes from 0 to {@link #END}
   * by {@link #nextPlace} comes to each record that was there when they began and is not removed
   * meanwhile. They may come to one twice, if a split moves it.
   */
  long recordAt(long place) {
    long segment = directory.segment(place >>> SLOT_BITS);
    return segment == Records.NONE ? Records.NONE : record(segment, (int) place & SLOT_MASK);
  }

  /** The place behind one; {@link #END} behind the last. */
  long nextPlace(long place) {
    return ((int) place & SLOT_MASK) < SLOT_MASK
        ? place + 1
        : behind(place >>> SLOT_BITS) << SLOT_BITS;
  }

  /** The first place of a part of all places. */
  long firstPlace(int part, int parts) {
    long prefix = (PREFIX_MASK + 1) * part / parts;
    boolean isWithin = prefix > 0 && prefix <= PREFIX_MASK && behind(prefix - 1) > prefix;
    return (isWithin ? behind(prefix) : prefix) << SLOT_BITS;
  }

  /** The first prefix behind those of a prefix's segment. */
  private long behind(long prefix) {
    long segment = directory.segment(prefix);
    int rest = Integer.SIZE - (segment == Records.NONE ? 0 : memory.getInt(segment + DEPTH));
    return ((prefix >>> rest) + 1) << rest;
  }

  /** How many places end no search; looks at all. */
  int takenPlaces() {
    int taken = 0;
    for (long place = 0; place != END; place = nextPlace(place)) {
      long segment = directory.segment(place >>> SLOT_BITS);
      if (segment != Records.NONE && entry(segment, (int) place & SLOT_MASK) != 0) {
        taken++;
      }
    }
    return taken;
  }

  // --- one thread at a time ----------------------------------------------------------------------

  /**
   * Goes through the records, and comes to each once. Those that come meanwhile may be left out.
   */
  final class Cursor {
    private final long[] segment = new long[SLOTS];
    private int slot = SLOTS;
    private long prefix;

    /** The next record, which may be removed by now; {@link Records#NONE} behind the last. */
    long next() {
      while (true) {
        for (; slot < SLOTS; slot++) {
          if (segment[slot] != Records.NONE) {
            return segment[slot++];
          }
        }
        if (prefix > PREFIX_MASK) {
          return Records.NONE;
        }
        copy();
      }
    }

    /** What splits do to these places from now on does not matter. */
    private void copy() {
      long from = directory.segment(prefix);
      boolean isEmpty = from == Records.NONE || memory.getInt(from + RECORDS) == 0;
      for (int i = 0; i < SLOTS && !isEmpty; i++) {
        segment[i] = record(from, i);
      }
      slot = isEmpty ? SLOTS : 0;
      prefix = behind(prefix);
    }
  }

  /** A cursor before the first record. */
  Cursor cursor() {
    return new Cursor();
  }

  /**
   * Makes room for another record, if there is none.
   *
   * @return false if there is no memory for it
   */
  boolean reserve(long hash) {
    if (segment(hash) == Records.NONE) {
      long first = memory.allocate(SEGMENT_BYTES);
      if (first == Records.NONE) {
        return false;
      }
      directory = new Directory(new long[] {first}, 0);
    }
    while (memory.getInt(segment(hash) + RECORDS) >= FULL) {
      if (!split(prefix(hash))) {
        return memory.getInt(segment(hash) + RECORDS) < RECORDS_MAX;
      }
    }
    return true;
  }

  /** Whether there is a place for another record, or memory to make one. */
  boolean hasRoom(long hash) {
    long segment = segment(hash);
    boolean hasPlace = segment != Records.NONE && memory.getInt(segment + RECORDS) < FULL;
    return hasPlace || memory.hasRoom(SEGMENT_BYTES);
  }

  /** Adds a record for which there is {@linkplain #reserve room}. */
  void add(long record, long hash) {
    add(segment(hash), record, hash);
  }

  private void add(long segment, long record, long hash) {
    int slot = (int) hash & SLOT_MASK;
    while (record(segment, slot) != Records.NONE) {
      slot = (slot + 1) & SLOT_MASK;
    }
    entry(segment, slot, (hash & ~Records.ADDRESS_MASK) | record);
    count(segment, 1);
  }

  private void count(long segment, int change) {
    memory.putInt(segment + RECORDS, memory.getInt(segment + RECORDS) + change);
  }

  /**
   * Splits the segment of a prefix. Its records with a 1 behind the bits that they have in common
   * move into a new one.
   */
  private boolean split(long prefix) {
    Directory present = directory;
    long segment = present.segment(prefix);
    int depth = memory.getInt(segment + DEPTH);
    long made = depth == DEPTH_MAX ? Records.NONE : memory.allocate(SEGMENT_BYTES);
    if (made == Records.NONE) {
      return false;
    }
    if (depth == present.depth) {
      present = present.doubled();
      directory = present;
    }
    memory.putInt(made + DEPTH, depth + 1);
    long bit = 1L << (Integer.SIZE - 1 - depth);
    long[] moves = new long[2];
    for (int slot = 0; slot < SLOTS; slot++) {
      long record = record(segment, slot);
      if (record != Records.NONE) {
        long hash = records.hash(record);
        if ((prefix(hash) & bit) != 0) {
          add(made, record, hash);
          moves[slot / Long.SIZE] |= 1L << slot;
        }
      }
    }
    // A reader who misses a record in the old segment then sees the new segment and its bounds.
    int width = 1 << (present.depth - depth);
    int first = present.at(prefix) & -width;
    for (int at = first + width / 2; at < first + width; at++) {
      SEGMENT.setRelease(present.segments, at, made);
    }
    memory.putInt(segment + DEPTH, depth + 1);
    for (int slot = 0; slot < SLOTS; slot++) {
      if ((moves[slot / Long.SIZE] & 1L << slot) != 0) {
        leave(segment, slot);
      }
    }
    return true;
  }

  /** Takes a record out. */
  void remove(long record) {
    long hash = records.hash(record);
    long segment = segment(hash);
    int slot = (int) hash & SLOT_MASK;
    while (record(segment, slot) != record) {
      Invariant.check(entry(segment, slot) != 0, "a record is found by its key");
      slot = (slot + 1) & SLOT_MASK;
    }
    leave(segment, slot);
  }

  /**
   * Takes a record from its place. The record was in the way of others behind it: between what its
   * hash names and its own place it may leave removed places behind that nobody needs any more.
   * Unless these became empty here, keys that come and go would leave no empty place in the end.
   */
  private void leave(long segment, int slot) {
    int home = (int) records.hash(record(segment, slot)) & SLOT_MASK;
    entry(segment, slot, REMOVED);
    count(segment, -1);
    // The first place, counted from this one, that a record in this one or behind it depends on.
    int needed = Integer.MAX_VALUE;
    for (int behind = 1; behind < SLOTS; behind++) {
      int at = (slot + behind) & SLOT_MASK;
      if (entry(segment, at) == 0) {
        break;
      }
      needed = Math.min(needed, home(segment, at, behind));
    }
    for (int before = 0; before >= -((slot - home) & SLOT_MASK); before--) {
      int at = (slot + before) & SLOT_MASK;
      if (entry(segment, at) != REMOVED) {
        needed = Math.min(needed, home(segment, at, before));
      } else if (needed > before) {
        entry(segment, at, 0);
      }
    }
  }

  /** Where the search for the record in a place begins; both counted from the same place. */
  private int home(long segment, int slot, int counted) {
    long record = record(segment, slot);
    return record == Records.NONE
        ? Integer.MAX_VALUE
        : counted - ((slot - (int) records.hash(record)) & SLOT_MASK);
  }

  /** Forgets everything, with the memory that it is in. */
  void clear() {
    directory = EMPTY;
  }
}
