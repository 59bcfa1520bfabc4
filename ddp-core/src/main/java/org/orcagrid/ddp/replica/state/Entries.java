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
package org.orcagrid.ddp.replica.state;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.orcagrid.ddp.model.Persistency;
import org.orcagrid.ddp.store.DirectMemory;
import org.orcagrid.ddp.store.Sight;
import org.orcagrid.ddp.store.WorkerStore;

/**
 * The keys at a node, in a store outside the heap. Whoever has to go through all of them does so
 * with a {@link Cursor}, some at a time, while others come and go.
 */
public final class Entries {
  private static final int EXPECTED_MAX = 64;

  private final WorkerStore store;
  private final int words;
  private Watch watch;

  /** The records of entries that are not settled: a protocol sees to them. */
  private final Addresses unsettled = new Addresses();

  /** Null if nobody has said. */
  private ValueTime time;

  /** Whether a value that may end has come since {@link #lookAtNew}. */
  private boolean hasNew;

  /** The hashes of keys that are about to be looked at. */
  private final long[] expected = new long[EXPECTED_MAX];

  private int expecting;

  /** Keeps the compiler from leaving out what only brings records into the caches. */
  @SuppressWarnings("UnusedVariable")
  private long warmed;

  /**
   * No entries yet.
   *
   * @param persistency that of their model, which decides what is noted of a version
   * @param direct where they are, as long as there is any
   */
  Entries(Persistency persistency, DirectMemory direct) {
    this.words = Entry.words(persistency);
    this.store = new WorkerStore(words, direct);
  }

  /**
   * Goes through the entries that were there when it was made, but for those removed since; and
   * through some that have come since.
   */
  public final class Cursor {
    private final WorkerStore.Cursor records = store.cursor();
    private final ByteBuffer head =
        ByteBuffer.allocate(ValueTime.HEAD_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    private long record;

    private Cursor() {}

    /** Goes to the next entry; false if there is none. */
    public boolean advance() {
      record = records.next();
      return record != WorkerStore.NONE;
    }

    /** The entry that it has come to. */
    public Entry entry() {
      return new Entry(Entries.this, store, null, record);
    }

    /** How long the value of the entry that it has come to stays; for ever if there is none. */
    public long leftMillis(ValueTime time) {
      if (store.length(record) < 0) {
        return Long.MAX_VALUE;
      }
      head.limit(ValueTime.HEAD_BYTES).limit(store.head(record, head));
      return time.leftMillis(store.clock(record), head);
    }

    /** The next one, null behind the last. */
    public Entry next() {
      return advance() ? entry() : null;
    }
  }

  /** The entry of a key, null if there is none. */
  public Entry find(Key key) {
    long record = record(key);
    return record == WorkerStore.NONE ? null : new Entry(this, store, key, record);
  }

  /** The entry of a key; if there is none, one that is made when something is said of it. */
  Entry get(Key key) {
    return new Entry(this, store, key, record(key));
  }

  /** The clock of the version of a key, 0 if there is none. */
  public long clock(Key key) {
    long record = record(key);
    return record == WorkerStore.NONE ? 0 : store.clock(record);
  }

  /** A key is about to be looked at, with others: {@link #warm} has them at hand. */
  public void expect(Key key) {
    if (expecting < EXPECTED_MAX) {
      expected[expecting++] = key.hash();
    }
  }

  /** Has what is expected brought into the processor's caches, all at the same time. */
  public void warm() {
    if (expecting > 1) {
      warmed += store.warm(expected, expecting);
    }
    expecting = 0;
  }

  long record(Key key) {
    return store.find(key.shared(), key.hash());
  }

  long create(Key key, int valueBytes) {
    return store.create(key.shared(), key.hash(), valueBytes);
  }

  // --- any thread --------------------------------------------------------------------------------

  /** Looks at the version of a key. */
  void look(Key key, Sight found) {
    store.look(key.shared(), key.hash(), found);
  }

  /** Whether what one of an entry's words says is said of the version that was found. */
  boolean isKnown(Sight found, int word) {
    return found.clock() <= store.wordNow(found, word);
  }

  /** Whether what was found still is the present version. */
  boolean isStill(Sight found) {
    return store.isStill(found);
  }

  // --- the worker --------------------------------------------------------------------------------

  /** Whether entries have one of the words. */
  boolean has(int word) {
    return word < words;
  }

  /** Removes an entry, as if its key had never been written. */
  public void remove(Entry entry) {
    // It may have a value here whose time is over at other nodes.
    watch.onVersion(entry);
    entry.remove();
  }

  /** Who is told before an entry has another version. */
  public void watch(Watch watching) {
    this.watch = watching;
  }

  /** Says how long values stay; until then any of them may end. */
  public void time(ValueTime says) {
    time = says;
  }

  /** An entry is about to have a later version. */
  void beforeVersion(Entry entry, Write later) {
    hasNew |= later.value() != null && (time == null || time.mayEnd(later.value()));
    watch.onVersion(entry);
  }

  /** Whether an entry has got a value that may end since {@link #lookAtNew}. */
  public boolean hasNew() {
    return hasNew;
  }

  /** Somebody begins to look at all. */
  public void lookAtNew() {
    hasNew = false;
  }

  /** Whether there are versions that are removals. */
  public boolean hasRemovals() {
    return store.removals() > 0;
  }

  /** Some versions that are removals, of so many bytes: each in its turn. */
  public List<Write> removals(int bytesMax) {
    List<Write> some = new ArrayList<>();
    int bytes = 0;
    for (int left = store.removals(); left > 0 && bytes < bytesMax; left--) {
      long first = store.firstRemoval();
      Write removal = new Entry(this, store, null, first).write();
      some.add(removal);
      bytes += Encoding.bytes(removal);
      store.putLast(first);
    }
    return some;
  }

  /** Removes all entries. */
  public void clear() {
    watch.onClear();
    all().forEach(Entry::remove);
  }

  /** All of them, in no order. */
  public Iterable<Entry> all() {
    return () -> new Each(store.cursor());
  }

  private final class Each implements Iterator<Entry> {
    private final WorkerStore.Cursor records;
    private long next;

    private Each(WorkerStore.Cursor records) {
      this.records = records;
      this.next = records.next();
    }

    @Override
    public boolean hasNext() {
      return next != WorkerStore.NONE;
    }

    @Override
    public Entry next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      Entry entry = new Entry(Entries.this, store, null, next);
      next = records.next();
      return entry;
    }
  }

  /** How many there are. */
  public int size() {
    return store.size();
  }

  /** How many of them are no removals. */
  public int values() {
    return store.size() - store.removals();
  }

  /** A cursor before the first entry. */
  public Cursor cursor() {
    return new Cursor();
  }

  // --- what is not settled
  // ------------------------------------------------------------------------

  /** Whether an entry is one that was {@linkplain Entry#unsettle left to be settled}. */
  public boolean isUnsettled(Entry entry) {
    return unsettled.has(entry.record());
  }

  /** All of those, in no order. */
  public List<Entry> unsettled() {
    List<Entry> all = new ArrayList<>();
    unsettled.forEach(record -> all.add(new Entry(this, store, null, record)));
    return all;
  }

  void unsettle(long record) {
    unsettled.add(record);
  }

  void settle(long record) {
    unsettled.remove(record);
  }

  // --- memory ------------------------------------------------------------------------------------

  /**
   * Whether there is memory outside the heap for a value of a key. What is taken without asking is
   * on the heap if there is none.
   */
  public boolean hasRoom(Key key, int valueBytes) {
    return store.hasRoom(key.shared(), key.hash(), valueBytes);
  }

  /** What they have taken, used or not, with their index. */
  public long bytes() {
    return store.memory().bytes();
  }

  /** Those of the store: removals are listed, and entries are found. */
  void checkInvariants() {
    store.checkInvariants();
  }
}
