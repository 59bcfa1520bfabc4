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
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The index grows by splits, while others search and go through it. */
@Timeout(60)
class KeyIndexTest {
  private static final int MANY = 40_000;

  private final Bytes name = new Bytes(Long.BYTES);

  private static ReplicaStore store() {
    return new ReplicaStore(new ReplicaStore.Limits(64, 64 << 20), 20);
  }

  private static void name(Bytes into, long number) {
    into.room(Long.BYTES).putLong(0, number);
    into.length(Long.BYTES);
  }

  private static long hash(Bytes key) {
    return KeyHash.hash(key.buffer(), 0, key.length());
  }

  private static long find(ReplicaStore store, Bytes key) {
    return store.find(key.buffer(), 0, key.length(), hash(key));
  }

  private long make(ReplicaStore store, long number) {
    name(name, number);
    return store.findOrCreate(name.buffer(), 0, name.length(), hash(name));
  }

  private long find(ReplicaStore store, long number) {
    name(name, number);
    return find(store, name);
  }

  private static void remove(ReplicaStore store, long record) {
    store.lock(record);
    store.remove(record);
    store.unlock(record);
  }

  private static Set<Long> all(ReplicaStore store) {
    List<Long> found = new ArrayList<>();
    for (long place = 0; place != ReplicaStore.PLACES_END; place = store.nextPlace(place)) {
      if (store.recordAt(place) != ReplicaStore.NONE) {
        found.add(store.recordAt(place));
      }
    }
    assertEquals(found.size(), new HashSet<>(found).size(), "each once, as nothing changes");
    return new HashSet<>(found);
  }

  @Test
  void anEmptyIndexTakesNothing() {
    ReplicaStore store = store();
    assertEquals(0, store.memory().bytes());
    assertEquals(ReplicaStore.NONE, find(store, 1));
    assertEquals(Set.of(), all(store));
    assertEquals(ReplicaStore.PLACES_END, store.firstPlace(3, 3));
  }

  @Test
  void everyKeyIsFoundWhileTheIndexGrows() {
    ReplicaStore store = store();
    Set<Long> made = new HashSet<>();
    for (int key = 0; key < MANY; key++) {
      made.add(make(store, key));
      if ((key & key - 1) == 0) {
        assertEquals(made, all(store));
      }
      assertNotEquals(ReplicaStore.NONE, find(store, key / 2));
      assertEquals(ReplicaStore.NONE, find(store, key + MANY));
    }
    assertEquals(MANY, made.size());
    assertEquals(made, all(store));
  }

  /** Keys come and go over many splits; in the end no place is in the way of a search. */
  @Test
  void keysComeAndGoOverSplits() {
    ReplicaStore store = store();
    Map<Long, Long> model = new HashMap<>();
    SplittableRandom random = new SplittableRandom(3);
    for (int step = 0; step < 200_000; step++) {
      long key = random.nextInt(1 + step / 20);
      Long record = model.get(key);
      if (record == null) {
        model.put(key, make(store, key));
      } else if (random.nextInt(3) == 0) {
        remove(store, record);
        model.remove(key);
      } else {
        assertEquals(record, find(store, key));
      }
    }
    assertEquals(new HashSet<>(model.values()), all(store));
    for (long record : List.copyOf(model.values())) {
      remove(store, record);
    }
    assertEquals(0, store.index.takenPlaces());
  }

  @Test
  void thePartsOfAStoreAreTheWhole() {
    for (int keys : new int[] {0, 1, 90, 200, 3_000}) {
      ReplicaStore store = store();
      for (int key = 0; key < keys; key++) {
        make(store, key);
      }
      for (int parts = 1; parts <= 7; parts++) {
        int found = 0;
        for (int part = 0; part < parts; part++) {
          long end = store.firstPlace(part + 1, parts);
          for (long at = store.firstPlace(part, parts); at != end; at = store.nextPlace(at)) {
            found += store.recordAt(at) == ReplicaStore.NONE ? 0 : 1;
          }
        }
        assertEquals(keys, found, keys + " keys in " + parts + " parts");
      }
    }
  }

  /** Records move behind the place of who goes through them, never before it. */
  @Test
  void whoGoesThroughAGrowingStoreMissesNothing() {
    ReplicaStore store = store();
    Set<Long> expected = new HashSet<>();
    for (int key = 0; key < 300; key++) {
      expected.add(make(store, key));
    }
    Set<Long> seen = new HashSet<>();
    int next = 300;
    for (long at = 0; at != ReplicaStore.PLACES_END; at = store.nextPlace(at)) {
      if (store.recordAt(at) != ReplicaStore.NONE) {
        seen.add(store.recordAt(at));
      }
      for (int i = 0; i < 5 && next < MANY; i++) {
        make(store, next++);
      }
    }
    assertTrue(seen.containsAll(expected));
    assertTrue(next > 3_000, "it has grown meanwhile");
  }

  /** Splits do not disturb a cursor: it copies each segment once. */
  @Test
  void aCursorComesToEachOnce() {
    ReplicaStore store = store();
    Set<Long> expected = new HashSet<>();
    for (int key = 0; key < 300; key++) {
      expected.add(make(store, key));
    }
    List<Long> seen = new ArrayList<>();
    KeyIndex.Cursor cursor = store.index.cursor();
    int next = 300;
    for (long each = cursor.next(); each != ReplicaStore.NONE; each = cursor.next()) {
      seen.add(each);
      for (int i = 0; i < 20; i++) {
        make(store, next++);
      }
    }
    assertEquals(seen.size(), new HashSet<>(seen).size());
    assertTrue(seen.containsAll(expected));
  }

  @Test
  void aStoreWithoutMemoryForASplitRefusesAndLosesNothing() {
    ReplicaStore store = new ReplicaStore(new ReplicaStore.Limits(64, 64 << 10), 14);
    int made = 0;
    while (make(store, made) != ReplicaStore.NONE) {
      made++;
    }
    assertFalse(store.hasRoomForKey(Long.BYTES) && store.index.reserve(0));
    assertTrue(store.isCrowded());
    assertEquals(made, store.keys());
    assertEquals(made, all(store).size());
    for (int key = 0; key < made; key++) {
      assertNotEquals(ReplicaStore.NONE, find(store, key));
    }
  }

  /** Keys that stay are found by every search, while others come, go and have segments split. */
  @Test
  void searchesFindWhatStaysDuringSplits() throws InterruptedException {
    for (int round = 0; round < 20; round++) {
      ReplicaStore store = store();
      for (int key = 0; key < 80; key++) {
        make(store, key);
      }
      AtomicReference<String> missed = new AtomicReference<>();
      AtomicInteger searches = new AtomicInteger();
      CountDownLatch begun = new CountDownLatch(2);
      Thread[] readers = new Thread[2];
      for (int i = 0; i < readers.length; i++) {
        readers[i] =
            new Thread(
                () -> {
                  Bytes key = new Bytes(Long.BYTES);
                  for (int at = 0; !Thread.interrupted(); at = (at + 1) % 80) {
                    name(key, at);
                    if (find(store, key) == ReplicaStore.NONE) {
                      missed.set("key " + at);
                    }
                    if (searches.incrementAndGet() == 100) {
                      begun.countDown();
                      begun.countDown();
                    }
                  }
                });
        readers[i].start();
      }
      begun.await();
      for (int key = 80; key < MANY; key++) {
        long record = make(store, key);
        if (key % 3 == 0) {
          remove(store, record);
        }
      }
      for (Thread each : readers) {
        each.interrupt();
        each.join();
      }
      assertEquals(null, missed.get());
    }
  }
}
