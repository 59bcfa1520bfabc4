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
package org.orcagrid.ddp.kite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.orcagrid.ddp.store.Bytes;
import org.orcagrid.ddp.store.KeyHash;
import org.orcagrid.ddp.store.Reading;
import org.orcagrid.ddp.store.ReplicaStore;

/** What callers' threads do to keys whose records are removed meanwhile. */
@Timeout(60)
class LocalAccessTest {
  private static final int KEYS = 12;
  private static final long STRESS_MILLIS = 1_000;

  private final Scenario s = new Scenario(KiteView.first(3));
  private final ReplicaStore store = s.machine(0).store();
  private final AtomicBoolean over = new AtomicBoolean();
  private final AtomicLong seen = new AtomicLong();
  private final ConcurrentLinkedQueue<Throwable> failed = new ConcurrentLinkedQueue<>();

  private static Bytes bytes(String text) {
    Bytes bytes = new Bytes(64);
    bytes.set(text.getBytes(StandardCharsets.UTF_8));
    return bytes;
  }

  private static long find(ReplicaStore in, Bytes key) {
    return in.find(key.buffer(), 0, key.length(), KeyHash.hash(key.buffer(), 0, key.length()));
  }

  private void remove(Bytes key) {
    long record = find(store, key);
    if (record != ReplicaStore.NONE) {
      store.lock(record);
      try {
        if (store.isOf(record, key.buffer(), 0, key.length())) {
          store.remove(record);
        }
      } finally {
        store.unlock(record);
      }
    }
  }

  @Test
  void aWriteIsAnnouncedByItsKey() {
    Bytes key = bytes("key");
    assertEquals(Outcome.DONE, s.machine(0).localCopy().write(key, bytes("value")));
    assertTrue(s.worker(0).announce(0, key, 1));
    assertEquals(1, s.worker(0).pendingWrites());
    s.exchange(0, 1, 2);
    assertEquals(0, s.worker(0).pendingWrites());
    Bytes there = new Bytes(64);
    assertTrue(s.machine(2).localCopy().read(key, there));
    assertTrue(there.sameAs(bytes("value")));
  }

  @Test
  void aWriteOfAKeyThatIsForgottenIsNotAnnounced() {
    Bytes key = bytes("key");
    assertEquals(Outcome.DONE, s.machine(0).localCopy().write(key, bytes("value")));
    long record = find(store, key);
    remove(key);
    // Its record is another key's.
    Bytes other = bytes("yek");
    assertEquals(Outcome.DONE, s.machine(0).localCopy().write(other, bytes("other")));
    assertEquals(record, find(store, other));
    assertTrue(s.worker(0).announce(0, key, 1));
    assertEquals(0, s.worker(0).pendingWrites());
    s.exchange(0, 1, 2);
    assertEquals(ReplicaStore.NONE, find(s.machine(1).store(), key));
    assertEquals(ReplicaStore.NONE, find(s.machine(1).store(), other));
    assertNotEquals(ReplicaStore.NONE, find(store, other));
  }

  /** A value is its key. */
  @Test
  void aValueIsAlwaysThatOfItsKey() throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    threads.add(new Thread(() -> untilOver(0, this::change)));
    threads.add(new Thread(() -> untilOver(1, this::change)));
    threads.add(new Thread(() -> untilOver(2, this::read)));
    threads.forEach(Thread::start);
    // It ends earlier if one of them has failed.
    threads.get(2).join(STRESS_MILLIS);
    over.set(true);
    for (Thread thread : threads) {
      thread.join();
    }
    assertNull(failed.peek());
    assertTrue(seen.get() > 100, "values: " + seen);
  }

  private interface Step {
    void run(LocalAccess access, Bytes key, Bytes into, SplittableRandom random);
  }

  private void untilOver(int seed, Step step) {
    SplittableRandom random = new SplittableRandom(seed);
    LocalAccess access = new LocalAccess(s.machine(0));
    Bytes into = new Bytes(64);
    Bytes[] keys = new Bytes[KEYS];
    for (int key = 0; key < KEYS; key++) {
      keys[key] = bytes("key " + (char) ('a' + key));
    }
    try {
      while (!over.get() && failed.isEmpty()) {
        step.run(access, keys[random.nextInt(KEYS)], into, random);
      }
    } catch (RuntimeException | Error e) {
      failed.add(e);
    }
  }

  private void change(LocalAccess access, Bytes key, Bytes into, SplittableRandom random) {
    if (random.nextInt(2) == 0) {
      remove(key);
    } else {
      assertEquals(Outcome.DONE, access.write(key, key));
    }
  }

  private void read(LocalAccess access, Bytes key, Bytes into, SplittableRandom random) {
    if (random.nextBoolean()) {
      assertTrue(access.read(key, into));
    } else {
      Reading version = new Reading();
      long hash = KeyHash.hash(key.buffer(), 0, key.length());
      assertTrue(access.read(key, hash, into, version));
      assertEquals(version.clock == 0, into.length() == Reading.ABSENT);
    }
    if (into.length() != Reading.ABSENT) {
      assertTrue(into.sameAs(key));
      seen.incrementAndGet();
    }
  }
}
