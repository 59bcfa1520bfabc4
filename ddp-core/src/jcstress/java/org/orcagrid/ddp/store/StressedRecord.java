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

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A key of its own for one trial. Trials share stores of many keys, since a store for each would
 * leave the machine busy with making them; a full one is left to those who still use it.
 */
final class StressedRecord {
  private static final ReplicaStore.Limits LIMITS = new ReplicaStore.Limits(1 << 16, 4096, 1 << 26);
  private static final Bytes KEY = new Bytes(8);
  private static final Bytes VALUE = new Bytes(4096);

  private static ReplicaStore current = new ReplicaStore(LIMITS);
  private static long keys;

  final ReplicaStore store;
  final long record;

  /** A record of clock 1 whose value has so many longs, all of them 1. */
  StressedRecord(int longs) {
    synchronized (StressedRecord.class) {
      long made = create();
      if (made == ReplicaStore.NONE) {
        current = new ReplicaStore(LIMITS);
        made = create();
      }
      this.store = current;
      this.record = made;
      write(VALUE, 1, longs);
    }
  }

  /** Another record of the same store. */
  private StressedRecord(ReplicaStore store, long record) {
    this.store = store;
    this.record = record;
  }

  private static long create() {
    KEY.buffer().putLong(0, keys++);
    return current.findOrCreate(KEY.buffer(), 0, 8, KeyHash.hash(KEY.buffer(), 0, 8));
  }

  /** Two records of one store, with values of so many longs. */
  static StressedRecord[] two(int longs, int otherLongs) {
    synchronized (StressedRecord.class) {
      StressedRecord one = new StressedRecord(longs);
      long made = create();
      while (made == ReplicaStore.NONE) {
        current = new ReplicaStore(LIMITS);
        one = new StressedRecord(longs);
        made = create();
      }
      StressedRecord other = new StressedRecord(one.store, made);
      other.write(VALUE, 1, otherLongs);
      return new StressedRecord[] {one, other};
    }
  }

  /** The name of the record's key. */
  long name() {
    ByteBuffer key = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    store.copyKey(record, key, 0);
    return key.getLong(0);
  }

  /** Removes the record. */
  void remove() {
    store.lock(record);
    store.remove(record);
    store.unlock(record);
  }

  /** Makes the record of another key, which uses a removed one again. */
  StressedRecord another(Bytes key) {
    long made =
        store.findOrCreate(key.buffer(), 0, Long.BYTES, KeyHash.hash(key.buffer(), 0, Long.BYTES));
    return new StressedRecord(store, made);
  }

  /** Writes a version whose value has so many longs, all of them its clock. */
  void write(Bytes from, long clock, int longs) {
    for (int i = 0; i < longs; i++) {
      from.buffer().putLong(i * Long.BYTES, clock);
    }
    store.lock(record);
    if (!store.set(record, clock, 0, from.buffer(), 0, longs * Long.BYTES)) {
      throw new IllegalStateException("The store of a trial has no room for its value");
    }
    store.unlock(record);
  }

  /** Writes the version after the present one. */
  void writeNext(Bytes from, int longs) {
    store.lock(record);
    long clock = store.clock(record) + 1;
    for (int i = 0; i < longs; i++) {
      from.buffer().putLong(i * Long.BYTES, clock);
    }
    store.set(record, clock, 0, from.buffer(), 0, longs * Long.BYTES);
    store.unlock(record);
  }

  /** Reads; the clock, or -1 if what was read is not one version as it was written. */
  long read(Bytes into, Reading reading, int longsOfFirst, int longsOfLater) {
    store.read(record, into, reading);
    return clockIfWhole(into, reading, longsOfFirst, longsOfLater);
  }

  /** The same of a key that the record may not be of any more; 0 if it is not. */
  long readOf(Bytes key, Bytes into, Reading reading, int longs) {
    return store.read(record, key.buffer(), 0, Long.BYTES, into, reading)
        ? clockIfWhole(into, reading, longs, longs)
        : 0;
  }

  private static long clockIfWhole(
      Bytes into, Reading reading, int longsOfFirst, int longsOfLater) {
    int longs = reading.clock == 1 ? longsOfFirst : longsOfLater;
    boolean whole = reading.length == longs * Long.BYTES && into.length() == reading.length;
    for (int i = 0; whole && i < longs; i++) {
      whole = into.buffer().getLong(i * Long.BYTES) == reading.clock;
    }
    return whole ? reading.clock : -1;
  }
}
