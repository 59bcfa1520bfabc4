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
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ReplicaStoreTest {
  private static final int VALUE_BYTES_MAX = 4096;

  private static ReplicaStore store(int keys) {
    return new ReplicaStore(new ReplicaStore.Limits(keys, VALUE_BYTES_MAX, 64 << 20), 20);
  }

  private static Bytes bytes(String text) {
    Bytes bytes = new Bytes(16);
    bytes.set(text.getBytes(StandardCharsets.UTF_8));
    return bytes;
  }

  private static long record(ReplicaStore store, String key) {
    Bytes name = bytes(key);
    return store.findOrCreate(
        name.buffer(), 0, name.length(), KeyHash.hash(name.buffer(), 0, name.length()));
  }

  @Test
  void aKeyHasOneRecord() {
    ReplicaStore store = store(1000);
    List<Long> records = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      records.add(record(store, "a key of some length " + i));
    }
    assertEquals(1000, records.stream().distinct().count());
    for (int i = 0; i < 1000; i++) {
      assertEquals(records.get(i), record(store, "a key of some length " + i));
    }
  }

  @Test
  void aStoreThatIsFullRefusesKeysAndKeepsTheOthers() {
    ReplicaStore store = new ReplicaStore(new ReplicaStore.Limits(10_000, 100, 64 << 10), 14);
    int made = 0;
    while (record(store, "key " + made) != ReplicaStore.NONE) {
      made++;
    }
    assertTrue(made > 100, "some fit: " + made);
    assertNotEquals(ReplicaStore.NONE, record(store, "key 0"));
    assertEquals(ReplicaStore.NONE, record(store, "key " + made));
  }

  @Test
  void aValueMayGrowAndShrink() {
    ReplicaStore store = store(10);
    long record = record(store, "key");
    Bytes read = new Bytes(8);
    Reading reading = new Reading();
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 1; i < 500; i++) {
      byte[] content = new byte[random.nextInt(VALUE_BYTES_MAX + 1)];
      random.nextBytes(content);
      Bytes value = new Bytes(8);
      value.set(content);
      store.lock(record);
      assertTrue(store.set(record, i, 0, value.buffer(), 0, value.length()));
      store.unlock(record);
      store.read(record, read, reading);
      assertEquals(i, reading.clock);
      assertTrue(read.sameAs(value));
    }
  }

  /** Values say their clock in every byte group, so that a torn one shows. */
  @Test
  void readersNeverSeeATornValue() throws InterruptedException {
    ReplicaStore store = store(8);
    int keys = 3;
    int writes = 60_000;
    ConcurrentLinkedQueue<String> wrong = new ConcurrentLinkedQueue<>();
    CountDownLatch writing = new CountDownLatch(2);
    List<Thread> threads = new ArrayList<>();
    for (int writer = 0; writer < 2; writer++) {
      SplittableRandom random = new SplittableRandom(writer);
      threads.add(
          new Thread(
              () -> {
                write(store, keys, writes, random);
                writing.countDown();
              }));
    }
    for (int reader = 0; reader < 2; reader++) {
      SplittableRandom random = new SplittableRandom(100 + reader);
      threads.add(new Thread(() -> read(store, keys, random, writing, wrong)));
    }
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      thread.join();
    }
    assertTrue(wrong.isEmpty(), () -> wrong.peek());
  }

  private static void write(ReplicaStore store, int keys, int writes, SplittableRandom random) {
    Bytes value = new Bytes(1024);
    for (int i = 0; i < writes; i++) {
      long record = record(store, "key" + random.nextInt(keys));
      store.lock(record);
      long clock = store.clock(record) + 1;
      int longs = random.nextInt(1, 100);
      value.room(longs * Long.BYTES);
      for (int at = 0; at < longs; at++) {
        value.buffer().putLong(at * Long.BYTES, clock);
      }
      store.set(record, clock, 0, value.buffer(), 0, longs * Long.BYTES);
      store.unlock(record);
    }
  }

  private static void read(
      ReplicaStore store,
      int keys,
      SplittableRandom random,
      CountDownLatch writing,
      ConcurrentLinkedQueue<String> wrong) {
    Bytes value = new Bytes(1024);
    Reading reading = new Reading();
    long[] last = new long[keys];
    while (writing.getCount() > 0 && wrong.isEmpty()) {
      int key = random.nextInt(keys);
      store.read(record(store, "key" + key), value, reading);
      if (reading.clock < last[key]) {
        wrong.add("clock " + reading.clock + " after " + last[key]);
      }
      last[key] = reading.clock;
      for (int at = 0; at < reading.length; at += Long.BYTES) {
        if (value.buffer().getLong(at) != reading.clock) {
          wrong.add(value.buffer().getLong(at) + " in a value of clock " + reading.clock);
        }
      }
    }
  }
}
