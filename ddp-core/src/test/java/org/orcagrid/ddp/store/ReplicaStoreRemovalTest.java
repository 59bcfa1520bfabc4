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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Keys that come and go. */
@Timeout(60)
class ReplicaStoreRemovalTest {
  private static final int VALUE_BYTES_MAX = 4096;

  private final Bytes name = new Bytes(64);
  private final Bytes value = new Bytes(64);
  private final Reading reading = new Reading();

  private static ReplicaStore store(int keys) {
    return new ReplicaStore(new ReplicaStore.Limits(keys, VALUE_BYTES_MAX, 64 << 20), 20);
  }

  /** Keys of several size classes; the number is in the first bytes. */
  private static void name(Bytes into, int number) {
    int bytes = Integer.BYTES + number % 7 * 30;
    into.room(bytes);
    for (int at = 0; at < bytes; at++) {
      into.buffer()
          .put(at, (byte) (at < Integer.BYTES ? number >>> (Byte.SIZE * at) : number * at));
    }
    into.length(bytes);
  }

  private static long hash(Bytes key) {
    return KeyHash.hash(key.buffer(), 0, key.length());
  }

  private static long find(ReplicaStore store, Bytes key) {
    return store.find(key.buffer(), 0, key.length(), hash(key));
  }

  private static long make(ReplicaStore store, Bytes key) {
    return store.findOrCreate(key.buffer(), 0, key.length(), hash(key));
  }

  private static boolean isOf(ReplicaStore store, long record, Bytes key) {
    return store.isOf(record, key.buffer(), 0, key.length());
  }

  private long find(ReplicaStore store, int key) {
    name(name, key);
    return find(store, name);
  }

  private long make(ReplicaStore store, int key) {
    name(name, key);
    return make(store, name);
  }

  private static void remove(ReplicaStore store, long record) {
    store.lock(record);
    store.remove(record);
    store.unlock(record);
  }

  // --- one thread --------------------------------------------------------------------------------

  @Test
  void aRemovedKeyIsGoneAndItsRecordBeginsAnew() {
    ReplicaStore store = store(10);
    long record = make(store, 1);
    value.set(new byte[1000]);
    store.lock(record);
    store.set(record, 5, 6, value.buffer(), 0, value.length());
    store.raiseEpoch(record, 3);
    store.remove(record);
    assertFalse(isOf(store, record, name));
    assertFalse(store.isInUse(record));
    assertThrows(IllegalStateException.class, () -> store.remove(record));
    store.unlock(record);
    assertEquals(ReplicaStore.NONE, find(store, 1));
    assertEquals(0, store.keys());
    assertEquals(
        ReplicaStore.NO_EPOCH, store.readValue(record, name.buffer(), 0, name.length(), value));
    assertFalse(store.read(record, name.buffer(), 0, name.length(), value, reading));

    // Of the same length, so of the same class.
    assertEquals(record, make(store, 8));
    assertTrue(store.read(record, name.buffer(), 0, name.length(), value, reading));
    assertEquals(0, reading.clock);
    assertEquals(0, reading.rmw);
    assertEquals(0, reading.epoch);
    assertEquals(Reading.ABSENT, reading.length);
    name(name, 1);
    assertFalse(store.read(record, name.buffer(), 0, name.length(), value, reading));
  }

  /** Who comes too late with an address may lock and unlock it; and sees whose it is. */
  @Test
  void aLockOnARecordThatIsNotInUseDoesNoHarm() {
    ReplicaStore store = store(10);
    long record = make(store, 1);
    remove(store, record);
    store.lock(record);
    assertFalse(isOf(store, record, name));
    store.unlock(record);
    assertEquals(record, make(store, 8));
    store.lock(record);
    assertTrue(isOf(store, record, name));
    store.unlock(record);
  }

  @Test
  void placesOfRemovedRecordsHaveNone() {
    ReplicaStore store = store(1000);
    for (int key = 0; key < 1000; key++) {
      make(store, key);
    }
    for (int key = 0; key < 1000; key += 2) {
      remove(store, find(store, key));
    }
    Set<Long> found = new HashSet<>();
    for (long place = 0; place != ReplicaStore.PLACES_END; place = store.nextPlace(place)) {
      if (store.recordAt(place) != ReplicaStore.NONE) {
        found.add(store.recordAt(place));
      }
    }
    assertEquals(500, found.size());
    for (int key = 1; key < 1000; key += 2) {
      assertTrue(found.contains(find(store, key)));
    }
    long[] hashes = new long[1000];
    for (int key = 0; key < hashes.length; key++) {
      name(name, key);
      hashes[key] = hash(name);
    }
    store.warm(hashes, hashes.length);
    for (long each : hashes) {
      assertTrue(each == ReplicaStore.NONE || found.contains(each));
    }
  }

  /** Few places, so that searches meet each other and removed places. */
  @Test
  void aStoreHasWhatAMapHas() {
    for (int seed = 0; seed < 40; seed++) {
      int keysMax = 3 + seed * 3;
      ReplicaStore store = store(keysMax);
      Map<Integer, byte[]> model = new HashMap<>();
      SplittableRandom random = new SplittableRandom(seed);
      for (int step = 1; step < 4000; step++) {
        int key = random.nextInt(keysMax * 2);
        if (random.nextInt(100) < (step / 500 % 2 == 0 ? 35 : 60)) {
          remove(store, key, model);
        } else {
          write(store, key, random, model, keysMax);
        }
        check(store, random.nextInt(keysMax * 2), model);
      }
      for (int key = 0; key < keysMax * 2; key++) {
        check(store, key, model);
      }
      List.copyOf(model.keySet()).forEach(key -> remove(store, key, model));
      assertEmpty(store);
    }
  }

  private void remove(ReplicaStore store, int key, Map<Integer, byte[]> model) {
    long record = find(store, key);
    assertEquals(model.remove(key) != null, record != ReplicaStore.NONE);
    if (record != ReplicaStore.NONE) {
      remove(store, record);
    }
  }

  private void write(
      ReplicaStore store, int key, SplittableRandom random, Map<Integer, byte[]> model, int most) {
    long record = make(store, key);
    if (model.size() == most && !model.containsKey(key)) {
      assertEquals(ReplicaStore.NONE, record);
      return;
    }
    byte[] content = new byte[random.nextInt(random.nextInt(4) == 0 ? 600 : 60)];
    random.nextBytes(content);
    value.set(content);
    store.lock(record);
    assertTrue(isOf(store, record, name));
    assertTrue(store.set(record, key + 1, 0, value.buffer(), 0, content.length));
    store.unlock(record);
    model.put(key, content);
  }

  private void check(ReplicaStore store, int key, Map<Integer, byte[]> model) {
    assertEquals(model.size(), store.keys());
    long record = find(store, key);
    byte[] expected = model.get(key);
    assertEquals(expected != null, record != ReplicaStore.NONE);
    if (expected != null) {
      assertTrue(store.read(record, name.buffer(), 0, name.length(), value, reading));
      assertEquals(key + 1, reading.clock);
      Bytes same = new Bytes(64);
      same.set(expected);
      assertTrue(value.sameAs(same));
      assertEquals(0, store.readValue(name.buffer(), 0, name.length(), hash(name), value));
      assertTrue(value.sameAs(same));
    } else {
      assertEquals(
          ReplicaStore.NO_EPOCH,
          store.readValue(name.buffer(), 0, name.length(), hash(name), value));
      assertEquals(Reading.ABSENT, value.length());
    }
  }

  /** No place of a store without keys is in the way of a search. */
  private static void assertEmpty(ReplicaStore store) {
    assertEquals(0, store.keys());
    assertEquals(0, store.index.takenPlaces());
  }

  /** Places of removed records that nothing depends on would fill the index in the end. */
  @Test
  void theIndexKeepsEmptyPlacesHoweverManyKeysComeAndGo() {
    int keys = 2000;
    ReplicaStore store = store(keys);
    for (int key = 0; key < keys; key++) {
      make(store, key);
    }
    SplittableRandom random = new SplittableRandom(1);
    int[] present = new int[keys];
    for (int i = 0; i < keys; i++) {
      present[i] = i;
    }
    for (int next = keys; next < 50 * keys; next++) {
      int at = random.nextInt(keys);
      remove(store, find(store, present[at]));
      assertNotEquals(ReplicaStore.NONE, make(store, next));
      present[at] = next;
    }
    int taken = store.index.takenPlaces();
    assertTrue(taken < keys * 3 / 2, "places that end no search: " + taken);
  }

  @Test
  void aFullStoreHasRoomAgainAfterRemovals() {
    ReplicaStore store = new ReplicaStore(new ReplicaStore.Limits(10_000, 1000, 64 << 10), 14);
    value.set(new byte[1000]);
    int made = 0;
    for (boolean fits = true; fits; made++) {
      long record = make(store, 7 * made);
      fits = record != ReplicaStore.NONE;
      if (fits) {
        store.lock(record);
        fits = store.set(record, 1, 0, value.buffer(), 0, 1000);
        store.unlock(record);
      }
    }
    int keys = store.keys();
    for (int round = 1; round < 20; round++) {
      for (long place = 0; place != ReplicaStore.PLACES_END; place = store.nextPlace(place)) {
        if (store.recordAt(place) != ReplicaStore.NONE) {
          remove(store, store.recordAt(place));
        }
      }
      assertEmpty(store);
      for (int key = 0; key < keys; key++) {
        long record = make(store, 7 * (100_000 * round + key));
        assertNotEquals(ReplicaStore.NONE, record);
        store.lock(record);
        // The last one had no room for its value.
        assertTrue(store.set(record, 1, 0, value.buffer(), 0, 1000) || key == keys - 1);
        store.unlock(record);
      }
    }
  }

  @Test
  void aClearedStoreUsesNoRecordAgain() {
    ReplicaStore store = store(10);
    remove(store, make(store, 1));
    store.clear();
    assertNotEquals(make(store, 1), make(store, 8));
  }

  // --- many threads ------------------------------------------------------------------------------

  private static final int KEYS = 24;
  private static final long STRESS_MILLIS = 1_500;

  private final ReplicaStore shared = store(KEYS);
  private final AtomicBoolean over = new AtomicBoolean();
  private final AtomicLong removals = new AtomicLong();
  private final AtomicLong reads = new AtomicLong();
  private final ConcurrentLinkedQueue<Throwable> failed = new ConcurrentLinkedQueue<>();

  /** How often each key was made and not removed since: by whom holds its record's lock. */
  private final AtomicInteger[] versions = new AtomicInteger[KEYS];

  /** A value is its key, over and over, so that one that is torn or another key's shows. */
  @Test
  void readersSeeNoValueOfAnotherKey() throws InterruptedException {
    for (int key = 0; key < KEYS; key++) {
      versions[key] = new AtomicInteger();
    }
    List<Thread> threads = new ArrayList<>();
    for (int seed = 0; seed < 4; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      boolean writes = seed % 2 == 0;
      threads.add(new Thread(() -> runUntilOver(writes, random)));
    }
    threads.forEach(Thread::start);
    // It ends earlier if one of them has failed.
    threads.get(0).join(STRESS_MILLIS);
    over.set(true);
    for (Thread thread : threads) {
      thread.join();
    }
    assertNull(failed.peek());
    assertTrue(removals.get() > 100 && reads.get() > 100, removals + " removals, reads " + reads);
    int present = 0;
    for (int key = 0; key < KEYS; key++) {
      present += find(shared, key) == ReplicaStore.NONE ? 0 : 1;
    }
    assertEquals(present, shared.keys());
  }

  private void runUntilOver(boolean writes, SplittableRandom random) {
    Bytes key = new Bytes(256);
    Bytes content = new Bytes(VALUE_BYTES_MAX);
    Reading version = new Reading();
    try {
      while (!over.get() && failed.isEmpty()) {
        int number = random.nextInt(KEYS);
        name(key, number);
        if (writes) {
          change(key, number, content, random);
        } else {
          readOne(key, number, content, version, random);
        }
      }
    } catch (RuntimeException | Error e) {
      failed.add(e);
    }
  }

  private void change(Bytes key, int number, Bytes content, SplittableRandom random) {
    long record = make(shared, key);
    if (record == ReplicaStore.NONE) {
      // Full, or so it was: keys that are removed at the moment count until they are.
      return;
    }
    shared.lock(record);
    try {
      if (!isOf(shared, record, key)) {
        return;
      }
      // The clock of a record in use is how often its key was written since it was made.
      assertEquals(versions[number].get(), shared.clock(record), "a second record, or a lost one");
      if (random.nextInt(3) == 0) {
        versions[number].set(0);
        shared.remove(record);
        removals.incrementAndGet();
        return;
      }
      int longs = random.nextInt(1, random.nextInt(1, 60) + 1);
      for (int at = 0; at < longs; at++) {
        content.buffer().putLong(at * Long.BYTES, number);
      }
      long clock = versions[number].incrementAndGet();
      assertTrue(shared.set(record, clock, number, content.buffer(), 0, longs * Long.BYTES));
    } finally {
      shared.unlock(record);
    }
  }

  private void readOne(
      Bytes key, int number, Bytes content, Reading version, SplittableRandom random) {
    boolean whole = random.nextBoolean();
    if (!whole) {
      shared.readValue(key.buffer(), 0, key.length(), hash(key), content);
    }
    for (boolean same = !whole; !same; ) {
      long record = find(shared, key);
      if (record == ReplicaStore.NONE) {
        return;
      }
      same = shared.read(record, key.buffer(), 0, key.length(), content, version);
    }
    reads.incrementAndGet();
    if (whole) {
      assertEquals(version.clock == 0 ? 0 : number, version.rmw);
      assertEquals(version.length, content.length());
      assertEquals(version.clock == 0, version.length == Reading.ABSENT);
    }
    for (int at = 0; at < content.length(); at += Long.BYTES) {
      assertEquals(number, content.buffer().getLong(at));
    }
  }
}
