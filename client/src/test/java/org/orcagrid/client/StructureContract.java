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
package org.orcagrid.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.orcagrid.client.concurrent.GridCounter;
import org.orcagrid.client.concurrent.GridLatch;
import org.orcagrid.client.concurrent.GridLock;
import org.orcagrid.client.concurrent.GridQueue;
import org.orcagrid.client.concurrent.GridSet;
import org.orcagrid.client.concurrent.GridStack;
import org.orcagrid.client.map.GridMaps;
import org.orcagrid.ddp.model.Ddp;

/**
 * What the structures of any model are held to, whichever way a program has come to the grid: by
 * one thread, and by threads that come in at several places at once.
 */
final class StructureContract {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int ROUNDS = 5;

  private final Places places;
  private final Ddp model;

  /** At these places. */
  StructureContract(Places places) {
    this.places = places;
    this.model = places.model();
  }

  /** The models that have compare-and-set. */
  static List<Ddp> models() {
    return Ddp.all().stream().filter(each -> each.consistency().isAtomic()).toList();
  }

  private record Item(int thread, int number) {
    static final Codec<Item> CODEC =
        Codec.of(
            (item, out) -> out.putInt(item.thread()).putInt(item.number()),
            in -> new Item(in.getInt(), in.getInt()));
  }

  private String name(String kind) {
    return places.name(kind);
  }

  private GridMaps first() {
    return places.first();
  }

  private GridMaps last() {
    return places.last();
  }

  void all() throws InterruptedException {
    queueKeepsItsOrder();
    queueLosesNothing();
    stackTurnsItsOrderRound();
    stackLosesNothing();
    setHasEachItemOnce();
    setIsHonest();
    counterCountsEach();
    latchOpens();
    lockHasOneHolder();
  }

  private void queueKeepsItsOrder() throws InterruptedException {
    GridQueue<String> one = first().queue(name("order"), Codec.STRING, model);
    GridQueue<String> other = last().queue(name("order"), Codec.STRING, model);
    assertNull(other.poll());
    one.offer("a");
    one.offer("b");
    assertEquals("a", other.poll());
    other.offer("c");
    assertFalse(one.isEmpty());
    assertEquals("b", one.poll());
    assertEquals("c", other.poll(Duration.ofMillis(1)));
    assertNull(one.poll(Duration.ofMillis(1)));
    assertTrue(other.isEmpty());
  }

  private void queueLosesNothing() throws InterruptedException {
    Set<Item> taken = ConcurrentHashMap.newKeySet();
    places.everywhere(
        (place, thread) -> {
          GridQueue<Item> queue = place.queue(name("jobs"), Item.CODEC, model);
          Map<Integer, Integer> last = new HashMap<>();
          for (int round = 0; round < ROUNDS; round++) {
            queue.offer(new Item(thread, round));
            Item item = queue.poll();
            assertNotNull(item, "there is one after an offer");
            assertTrue(taken.add(item), () -> item + " is taken twice");
            Integer before = last.put(item.thread(), item.number());
            assertTrue(before == null || before < item.number(), () -> "order of " + item);
          }
        });
    assertEquals(places.threads() * ROUNDS, taken.size());
  }

  private void stackTurnsItsOrderRound() {
    GridStack<String> one = first().stack(name("order"), Codec.STRING, model);
    GridStack<String> other = last().stack(name("order"), Codec.STRING, model);
    assertNull(other.pop());
    one.push("a");
    one.push("b");
    assertEquals("b", other.pop());
    assertEquals("a", one.pop());
    assertTrue(other.isEmpty());
  }

  private void stackLosesNothing() throws InterruptedException {
    Set<Item> taken = ConcurrentHashMap.newKeySet();
    places.everywhere(
        (place, thread) -> {
          GridStack<Item> stack = place.stack(name("plates"), Item.CODEC, model);
          for (int round = 0; round < ROUNDS; round++) {
            stack.push(new Item(thread, round));
            Item item = stack.pop();
            assertNotNull(item, "there is one after a push");
            assertTrue(taken.add(item), () -> item + " is taken twice");
          }
        });
    assertEquals(places.threads() * ROUNDS, taken.size());
  }

  private void setHasEachItemOnce() {
    GridSet<String> one = first().set(name("order"), Codec.STRING, model);
    GridSet<String> other = last().set(name("order"), Codec.STRING, model);
    assertFalse(one.remove("b"));
    assertTrue(one.add("b"));
    assertFalse(other.add("b"));
    assertTrue(other.add("a"));
    assertEquals(List.of("a", "b"), one.toList());
    assertTrue(other.remove("b"));
    assertFalse(one.contains("b"));
    assertTrue(one.contains("a"));
  }

  private void setIsHonest() throws InterruptedException {
    Map<String, Integer> held = new ConcurrentHashMap<>();
    places.everywhere(
        (place, thread) -> {
          GridSet<String> set = place.set(name("flags"), Codec.STRING, model);
          for (int round = 0; round < ROUNDS; round++) {
            String item = "item" + round % 3;
            if (set.add(item)) {
              held.merge(item, 1, Integer::sum);
            }
            if (set.remove(item)) {
              held.merge(item, -1, Integer::sum);
            }
          }
        });
    List<String> left =
        held.keySet().stream().filter(each -> held.get(each) == 1).sorted().toList();
    assertEquals(left, first().set(name("flags"), Codec.STRING, model).toList());
    assertTrue(held.values().stream().allMatch(each -> each == 0 || each == 1), held::toString);
  }

  private void counterCountsEach() throws InterruptedException {
    Set<Long> seen = ConcurrentHashMap.newKeySet();
    places.everywhere(
        (place, thread) -> {
          GridCounter counter = place.counter(name("total"), model);
          for (int round = 0; round < ROUNDS; round++) {
            assertTrue(seen.add(counter.incrementAndGet()), "a number comes twice");
          }
        });
    assertEquals((long) places.threads() * ROUNDS, last().counter(name("total"), model).get());
    assertEquals(
        (long) places.threads() * ROUNDS - 5, first().counter(name("total"), model).addAndGet(-5));
  }

  private void latchOpens() throws InterruptedException {
    int count = places.threads();
    assertFalse(first().latch(name("start"), count, model).await(Duration.ofMillis(1)));
    places.everywhere(
        (place, thread) -> {
          GridLatch latch = place.latch(name("start"), count, model);
          latch.countDown();
          assertTrue(latch.await(PATIENCE));
        });
    assertEquals(0, last().latch(name("start"), count, model).getCount());
  }

  private void lockHasOneHolder() throws InterruptedException {
    ConcurrentLinkedQueue<Long> tokens = new ConcurrentLinkedQueue<>();
    places.everywhere(
        (place, thread) -> {
          GridLock lock = place.lock(name("door"), Duration.ofMinutes(5), model);
          OptionalLong token = lock.tryLock();
          while (token.isEmpty()) {
            token = lock.tryLock();
          }
          tokens.add(token.getAsLong());
          assertTrue(lock.renew());
          assertTrue(lock.unlock());
        });
    List<Long> inOrder = List.copyOf(tokens);
    assertEquals(inOrder.stream().sorted().distinct().toList(), inOrder, "one after the other");
  }
}
