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
package org.orcagrid.client.concurrent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.orcagrid.client.Codec;
import org.orcagrid.client.EmbeddedGrid;
import org.orcagrid.client.Grid;
import org.orcagrid.client.GridSession;

/** The structures of section 7.3 on three nodes: alone, and with sessions of all nodes at once. */
@Timeout(120)
class LockFreeStructuresTest {
  private static final int NODES = 3;
  private static final int ROUNDS = 300;

  private record Item(long session, long number) {}

  private static final Codec<Item> ITEM =
      Codec.of(
          (item, out) -> out.putLong(item.session()).putLong(item.number()),
          in -> new Item(in.getLong(), in.getLong()));

  private final ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();
  private EmbeddedGrid grid;

  @BeforeEach
  void start() {
    grid = Grid.embedded(new EmbeddedGrid.Settings(NODES, 8, 256, 64 << 20));
  }

  @AfterEach
  void stop() {
    grid.close();
    assertTrue(failures.isEmpty(), failures::toString);
  }

  /** What a thread with its own session does. */
  private interface Work {
    void run(GridSession session, int number);
  }

  private void runOnAllNodes(int sessionsEach, Work work) throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    for (int n = 0; n < NODES * sessionsEach; n++) {
      int number = n;
      Thread thread =
          new Thread(
              () -> {
                try (GridSession session = grid.openSession(number % NODES)) {
                  work.run(session, number);
                }
              });
      thread.setUncaughtExceptionHandler((t, failure) -> failures.add(failure));
      threads.add(thread);
      thread.start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
  }

  @Test
  void aStackIsLastInFirstOut() {
    try (GridSession one = grid.openSession(0);
        GridSession other = grid.openSession(1)) {
      GridStack<String> push = new GridStack<>(one, "stack", Codec.STRING);
      GridStack<String> pop = new GridStack<>(other, "stack", Codec.STRING);
      assertNull(pop.pop());
      push.push("a");
      push.push("b");
      assertEquals("b", pop.pop());
      push.push("c");
      assertEquals("c", pop.pop());
      assertEquals("a", pop.pop());
      assertTrue(push.isEmpty());
    }
  }

  @Test
  void aQueueIsFirstInFirstOut() {
    try (GridSession one = grid.openSession(0);
        GridSession other = grid.openSession(1)) {
      GridQueue<String> offer = new GridQueue<>(one, "queue", Codec.STRING);
      GridQueue<String> poll = new GridQueue<>(other, "queue", Codec.STRING);
      assertNull(poll.poll());
      offer.offer("a");
      offer.offer("b");
      assertEquals("a", poll.poll());
      offer.offer("c");
      assertEquals("b", poll.poll());
      assertEquals("c", poll.poll());
      assertNull(poll.poll());
      assertTrue(offer.isEmpty());
    }
  }

  /** The paper's assertion: whoever has pushed finds something to pop. */
  @Test
  void aStackIsNeverEmptyAfterAPushAndLosesNothing() throws InterruptedException {
    ConcurrentLinkedQueue<Item> popped = new ConcurrentLinkedQueue<>();
    runOnAllNodes(
        2,
        (session, number) -> {
          GridStack<Item> stack = new GridStack<>(session, "stack", ITEM);
          for (int round = 0; round < ROUNDS; round++) {
            stack.push(new Item(number, round));
            Item item = stack.pop();
            if (item == null) {
              throw new AssertionError("A pop after a push found the stack empty");
            }
            popped.add(item);
          }
        });
    Set<Item> all = new HashSet<>(popped);
    assertEquals(2 * NODES * ROUNDS, popped.size());
    assertEquals(popped.size(), all.size(), "nothing is popped twice");
  }

  @Test
  void aQueueKeepsEachSessionsOrderAndLosesNothing() throws InterruptedException {
    ConcurrentLinkedQueue<List<Item>> polled = new ConcurrentLinkedQueue<>();
    runOnAllNodes(
        2,
        (session, number) -> {
          GridQueue<Item> queue = new GridQueue<>(session, "queue", ITEM);
          List<Item> own = new ArrayList<>();
          for (int round = 0; round < ROUNDS; round++) {
            queue.offer(new Item(number, round));
            Item item = queue.poll();
            if (item == null) {
              throw new AssertionError("A poll after an offer found the queue empty");
            }
            own.add(item);
          }
          polled.add(own);
        });
    Set<Item> all = new HashSet<>();
    for (List<Item> own : polled) {
      Map<Long, Long> last = new HashMap<>();
      for (Item item : own) {
        assertTrue(all.add(item), () -> item + " is polled twice");
        Long before = last.put(item.session(), item.number());
        assertTrue(before == null || before < item.number(), () -> item + " after " + before);
      }
    }
    assertEquals(2 * NODES * ROUNDS, all.size());
  }

  @Test
  void aSetHoldsEachItemOnceAndInOrder() {
    try (GridSession one = grid.openSession(0);
        GridSession other = grid.openSession(1)) {
      GridSet<String> here = new GridSet<>(one, "set", Codec.STRING);
      GridSet<String> there = new GridSet<>(other, "set", Codec.STRING);
      assertFalse(here.contains("b"));
      assertFalse(here.remove("b"));
      assertTrue(here.add("b"));
      assertFalse(there.add("b"));
      assertTrue(there.add("a"));
      assertTrue(there.add("c"));
      assertEquals(List.of("a", "b", "c"), here.toList());
      assertTrue(there.remove("b"));
      assertFalse(here.contains("b"));
      assertTrue(here.add("b"));
      assertTrue(here.remove("a"));
      assertTrue(here.remove("c"));
      assertEquals(List.of("b"), there.toList());
    }
  }

  @Test
  void whoAddsAnItemToASetAloneMayRemoveIt() throws InterruptedException {
    AtomicLong held = new AtomicLong();
    runOnAllNodes(
        2,
        (session, number) -> {
          GridSet<Long> set = new GridSet<>(session, "set", Codec.LONG);
          SplittableRandom random = new SplittableRandom(number);
          for (int round = 0; round < ROUNDS; round++) {
            long item = random.nextLong(12);
            if (random.nextBoolean()) {
              held.addAndGet(set.add(item) ? 1 : 0);
            } else {
              held.addAndGet(set.remove(item) ? -1 : 0);
            }
          }
        });
    try (GridSession session = grid.openSession(0)) {
      List<Long> left = new GridSet<>(session, "set", Codec.LONG).toList();
      assertEquals(left.stream().sorted().distinct().toList(), left);
      assertEquals(held.get(), left.size(), "adds and removes that said they did");
    }
  }

  @Test
  void aCounterAndALatch() throws InterruptedException {
    int parties = 2 * NODES;
    runOnAllNodes(
        2,
        (session, number) -> {
          GridCounter counter = new GridCounter(session, "counter");
          GridLatch latch = new GridLatch(session, "latch", parties);
          counter.incrementAndGet();
          latch.countDown();
          try {
            assertTrue(latch.await(Duration.ofSeconds(60)));
          } catch (InterruptedException e) {
            throw new AssertionError(e);
          }
          assertEquals(parties, counter.get());
        });
    try (GridSession session = grid.openSession()) {
      assertFalse(new GridLatch(session, "other", 1).await(Duration.ofMillis(20)));
    }
  }

  @Test
  void aLockLetsOneInAndItsTokensGrow() throws InterruptedException {
    AtomicLong inside = new AtomicLong();
    AtomicLong lastToken = new AtomicLong();
    runOnAllNodes(
        1,
        (session, number) -> {
          GridLock lock = new GridLock(session, "lock", Duration.ofSeconds(60));
          for (int round = 0; round < 50; round++) {
            OptionalLong token = lock.tryLock();
            while (token.isEmpty()) {
              token = lock.tryLock();
            }
            assertEquals(1, inside.incrementAndGet(), "alone");
            assertTrue(token.getAsLong() > lastToken.getAndSet(token.getAsLong()));
            assertTrue(lock.renew());
            inside.decrementAndGet();
            assertTrue(lock.unlock());
          }
        });
  }

  @Test
  void aSilentHolderLosesTheLockAndIsToldSo() {
    try (GridSession one = grid.openSession(0);
        GridSession other = grid.openSession(1)) {
      GridLock silent = new GridLock(one, "lock", Duration.ofMillis(50));
      GridLock asking = new GridLock(other, "lock", Duration.ofMillis(50));
      long first = silent.tryLock().orElseThrow();
      OptionalLong second = asking.tryLock();
      assertTrue(second.isEmpty(), "not at once");
      while (second.isEmpty()) {
        second = asking.tryLock();
      }
      assertTrue(second.getAsLong() > first);
      assertFalse(silent.renew());
      assertFalse(silent.unlock());
      assertTrue(asking.unlock());
    }
  }
}
