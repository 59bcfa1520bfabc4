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

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class WorkerStoreTest {
  private static final int WORDS = 3;
  private static final int KEPT = 2;

  private final DirectMemory direct = new DirectMemory(() -> {});
  private final WorkerStore store = new WorkerStore(WORDS, direct);

  private static byte[] key(int number) {
    ByteBuffer key = ByteBuffer.allocate(4 + number % 50).order(ByteOrder.LITTLE_ENDIAN);
    return key.putInt(0, number).array();
  }

  private long find(byte[] key) {
    return store.find(key, KeyHash.hash(key));
  }

  private long make(byte[] key) {
    return store.create(key, KeyHash.hash(key), 32);
  }

  @Test
  void hashesOnAndOffTheHeapAreTheSame() {
    SplittableRandom random = new SplittableRandom(1);
    for (int length = 0; length < 60; length++) {
      byte[] key = new byte[length];
      random.nextBytes(key);
      ByteBuffer direct = ByteBuffer.allocateDirect(length + 3).order(ByteOrder.LITTLE_ENDIAN);
      direct.put(3, key);
      assertEquals(KeyHash.hash(direct, 3, length), KeyHash.hash(key));
    }
  }

  /** Each value, and what belongs to it, as a map on the heap has it. */
  private static final class Version {
    private final long clock;
    private final byte[] value;
    private final byte[] kept;

    private Version(long clock, byte[] value, byte[] kept) {
      this.clock = clock;
      this.value = value;
      this.kept = kept;
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void isWhatAHashMapIs(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Map<Integer, Version> model = new HashMap<>();
    Set<Integer> removals = new LinkedHashSet<>();
    int keys = 1 << random.nextInt(1, 12);
    for (int step = 1; step <= 20_000; step++) {
      // In turns more come and more go, so that the index grows and shrinks.
      boolean comes = random.nextInt(10) < (step / 5_000 % 2 == 0 ? 8 : 3);
      int key = random.nextInt(keys);
      if (comes) {
        set(model, removals, key, step, random);
      } else if (model.remove(key) != null) {
        removals.remove(key);
        long record = find(key(key));
        store.dropKept(record, KEPT);
        store.remove(record);
      }
      compare(model, random.nextInt(keys));
      if (step % 1_000 == 0) {
        store.checkInvariants();
        compareAll(model, removals);
      }
    }
    store.clear();
    store.checkInvariants();
    assertEquals(WorkerStore.NONE, store.cursor().next());
  }

  private void set(
      Map<Integer, Version> model,
      Set<Integer> removals,
      int key,
      int step,
      SplittableRandom random) {
    long record = find(key(key));
    if (record == WorkerStore.NONE) {
      record = make(key(key));
      assertEquals(0, store.clock(record));
      assertNull(store.value(record));
      assertEquals(0, store.word(record, 0) | store.word(record, 1) | store.word(record, KEPT));
    }
    byte[] value = null;
    if (random.nextInt(4) > 0) {
      value = new byte[random.nextInt(random.nextBoolean() ? 64 : 5_000)];
      random.nextBytes(value);
    }
    store.set(record, step, step % 2, value);
    store.word(record, 0, step);
    byte[] kept = model.containsKey(key) ? model.get(key).kept : null;
    if (random.nextInt(5) == 0) {
      kept = value == null ? new byte[] {1} : value;
      store.keep(record, KEPT, step, 0, kept);
    }
    model.put(key, new Version(step, value, kept));
    removals.remove(key);
    if (value == null) {
      removals.add(key);
    }
  }

  private void compare(Map<Integer, Version> model, int key) {
    Version version = model.get(key);
    long record = find(key(key));
    assertEquals(version == null, record == WorkerStore.NONE);
    if (version != null) {
      assertArrayEquals(key(key), store.key(record));
      assertEquals(version.clock, store.clock(record));
      assertEquals(version.clock % 2, store.kind(record));
      assertEquals(version.clock, store.word(record, 0));
      assertArrayEquals(version.value, store.value(record));
      assertEquals(version.kept == null, store.keptClock(record, KEPT) == 0);
      if (version.kept != null) {
        assertArrayEquals(version.kept, store.keptValue(record, KEPT));
      }
    }
  }

  private void compareAll(Map<Integer, Version> model, Set<Integer> removals) {
    assertEquals(model.size(), store.size());
    Set<Integer> visited = new HashSet<>();
    WorkerStore.Cursor cursor = store.cursor();
    for (long each = cursor.next(); each != WorkerStore.NONE; each = cursor.next()) {
      assertTrue(visited.add(number(each)), "each once");
    }
    assertEquals(model.keySet(), visited);
    List<Integer> listed = new ArrayList<>();
    for (long each = store.firstRemoval();
        each != WorkerStore.NONE;
        each = store.nextRemoval(each)) {
      listed.add(number(each));
    }
    assertEquals(List.copyOf(removals), listed);
  }

  private int number(long record) {
    return ByteBuffer.wrap(store.key(record)).order(ByteOrder.LITTLE_ENDIAN).getInt(0);
  }

  @Test
  void aCursorComesToAllThatStay() {
    SplittableRandom random = new SplittableRandom(7);
    for (int round = 0; round < 200; round++) {
      Set<Integer> stay = new HashSet<>();
      for (int key = 0; key < 300; key++) {
        if (random.nextBoolean()) {
          make(key(key));
          stay.add(key);
        }
      }
      WorkerStore.Cursor cursor = store.cursor();
      Set<Integer> visited = new HashSet<>();
      long each = cursor.next();
      while (each != WorkerStore.NONE) {
        visited.add(number(each));
        // The index changes under it, and records are used again.
        for (int i = 0; i < random.nextInt(20); i++) {
          int other = random.nextInt(1_000);
          long record = find(key(other));
          if (record == WorkerStore.NONE) {
            make(key(other));
          } else {
            store.remove(record);
            stay.remove(other);
          }
        }
        each = cursor.next();
      }
      assertTrue(visited.containsAll(stay));
      store.checkInvariants();
      store.clear();
    }
  }

  @Test
  void removedRecordsAreUsedAgain() {
    long bytes = 0;
    for (int round = 0; round < 50; round++) {
      for (int key = 0; key < 2_000; key++) {
        store.set(make(key(key)), 1, 0, new byte[key % 700]);
      }
      store.clear();
      if (round == 1) {
        bytes = store.memory().bytes();
      }
    }
    assertEquals(bytes, store.memory().bytes());
  }

  @Test
  void removalsHaveTheirTurns() {
    for (int key = 0; key < 3; key++) {
      store.set(make(key(key)), 1, 0, null);
    }
    store.putLast(store.firstRemoval());
    assertEquals(1, number(store.firstRemoval()));
    store.set(find(key(2)), 2, 0, new byte[1]);
    store.remove(find(key(1)));
    assertEquals(0, number(store.firstRemoval()));
    assertEquals(WorkerStore.NONE, store.nextRemoval(store.firstRemoval()));
    assertEquals(1, store.removals());
  }

  @Test
  void valuesAreAsLongAsABlock() {
    long record = make(key(1));
    byte[] longest = new byte[store.memory().blockBytesMax()];
    store.set(record, 1, 0, longest);
    assertArrayEquals(longest, store.value(record));
    assertThrows(
        IllegalStateException.class, () -> store.set(record, 2, 0, new byte[longest.length + 1]));
    store.checkInvariants();
    assertEquals(1, store.clock(record));
  }

  @Test
  void aBrokenStoreIsFound() {
    long record = make(key(1));
    store.set(record, 1, 0, null);
    store.checkInvariants();
    // A value, and still in the list.
    store.memory().putInt(record + Records.VALUE_LENGTH, 0);
    assertThrows(IllegalStateException.class, store::checkInvariants);
    store.memory().putInt(record + Records.VALUE_LENGTH, Reading.ABSENT);
    store.memory().putInt(record + Records.KEY_LENGTH, 3);
    assertThrows(IllegalStateException.class, store::checkInvariants);
  }

  // --- readers -----------------------------------------------------------------------------------

  /**
   * A value is the number of its key and its clock, over and over, so that one that is torn or
   * another key's shows.
   */
  @Test
  void readersSeeNoTornAndNoForeignVersion() throws InterruptedException {
    int stay = 20;
    int keys = 400;
    ConcurrentLinkedQueue<String> wrong = new ConcurrentLinkedQueue<>();
    AtomicBoolean over = new AtomicBoolean();
    AtomicLong read = new AtomicLong();
    for (int key = 0; key < stay; key++) {
      write(key, 1, 4);
    }
    List<Thread> readers = new ArrayList<>();
    for (int reader = 0; reader < 2; reader++) {
      SplittableRandom random = new SplittableRandom(reader);
      readers.add(new Thread(() -> read(keys, stay, random, over, read, wrong)));
    }
    readers.forEach(Thread::start);
    SplittableRandom random = new SplittableRandom(99);
    for (int clock = 2; (clock < 600_000 || read.get() < 200_000) && wrong.isEmpty(); clock++) {
      // Keys come in crowds and go, so that the index grows and shrinks as well.
      int key = random.nextInt(clock / 20_000 % 2 == 0 ? 60 : keys);
      if (key >= stay && random.nextInt(3) > 0) {
        long record = find(key(key));
        if (record != WorkerStore.NONE) {
          store.remove(record);
        }
      } else {
        write(key, clock, random.nextInt(1, 12));
      }
    }
    over.set(true);
    for (Thread reader : readers) {
      reader.join();
    }
    assertNull(wrong.peek());
    store.checkInvariants();
  }

  private void write(int key, int clock, int times) {
    byte[] name = key(key);
    long record = find(name);
    if (record == WorkerStore.NONE) {
      record = make(name);
    }
    ByteBuffer value = ByteBuffer.allocate(times * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    while (value.hasRemaining()) {
      value.putLong(((long) key << Integer.SIZE) | clock);
    }
    store.set(record, clock, key % 16, value.array());
  }

  private void read(
      int keys,
      int stay,
      SplittableRandom random,
      AtomicBoolean over,
      AtomicLong read,
      ConcurrentLinkedQueue<String> wrong) {
    Sight sight = new Sight();
    long[] last = new long[keys];
    while (!over.get() && wrong.isEmpty()) {
      int key = random.nextInt(keys);
      byte[] bytes = key(key);
      store.look(bytes, KeyHash.hash(bytes), sight);
      read.incrementAndGet();
      if (sight.clock() != 0) {
        check(key, sight, last, wrong);
      } else if (key < stay) {
        wrong.add(key + " is not there");
      }
    }
  }

  private static void check(
      int key, Sight sight, long[] last, ConcurrentLinkedQueue<String> wrong) {
    if (sight.clock() < last[key] || sight.kind() != key % 16) {
      wrong.add(key + "@" + sight.clock() + " after " + last[key] + ", of kind " + sight.kind());
    }
    last[key] = sight.clock();
    int length = sight.value() == null ? 0 : sight.value().length;
    for (int at = 0; at < length; at += Long.BYTES) {
      long word = ByteBuffer.wrap(sight.value()).order(ByteOrder.LITTLE_ENDIAN).getLong(at);
      if (word != (((long) key << Integer.SIZE) | sight.clock())) {
        wrong.add(Long.toHexString(word) + " in a value of " + key + "@" + sight.clock());
      }
    }
  }

  // --- memory ------------------------------------------------------------------------------------

  @Test
  void anEmptyStoreIsSmall() {
    assertEquals(0, store.memory().bytes());
    make(key(1));
    assertTrue(store.memory().bytes() < 8 << 10, "one key: " + store.memory().bytes());
  }

  @Test
  void withoutDirectMemoryItGoesOnOnTheHeapAndSaysSo() {
    for (int key = 0; key < 100; key++) {
      store.set(make(key(key)), 1, 0, new byte[100]);
    }
    direct.endForTest();
    int first = 100;
    while (store.hasRoom(key(first), KeyHash.hash(key(first)), 100)) {
      store.set(make(key(first)), 1, 0, new byte[100]);
      first++;
    }
    // Of others who did not ask.
    for (int key = first; key < 5_000; key++) {
      store.set(make(key(key)), 1, 0, new byte[key % 1_000]);
    }
    store.checkInvariants();
    assertEquals(999, store.length(find(key(4_999))));
    assertFalse(store.hasRoom(key(9_999), KeyHash.hash(key(9_999)), 200_000));
    // What is removed makes room.
    store.remove(find(key(1)));
    assertTrue(store.hasRoom(key(1), KeyHash.hash(key(1)), 30));
    direct.askAgain();
    assertTrue(store.hasRoom(key(9_999), KeyHash.hash(key(9_999)), 200_000));
  }
}
