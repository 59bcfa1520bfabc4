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
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.orcagrid.client.concurrent.GridCounter;
import org.orcagrid.client.concurrent.GridQueue;
import org.orcagrid.client.map.GridMap;
import org.orcagrid.client.map.MapListening;
import org.orcagrid.ddp.model.Ddp;
import org.orcagrid.transport.tcp.CuttableRelay;

/**
 * Connections from outside are lost, and sessions go on: nobody notices, and nothing is done twice.
 * {@code -Dcuts=1000} for so many.
 */
class LostConnectionsTest extends TcpGridFixture {
  private static final int CUTS = Integer.getInteger("cuts", 20);
  private static final long BETWEEN_NANOS_MAX = 60_000_000;
  private static final Ddp SAFE = Ddp.parse("linearizable/synchronous");

  private CuttableRelay relay;

  private RemoteGrid throughRelay() throws Exception {
    start();
    relay = new CuttableRelay(nodes.get(0));
    opened.add(relay);
    return connect(List.of(relay.address()), null);
  }

  /** What a thread does again and again. */
  private interface Work {
    void once(int round) throws Exception;
  }

  private Future<Long> again(AtomicBoolean over, Work work) {
    return threads.submit(
        () -> {
          int rounds = 0;
          while (!over.get()) {
            work.once(rounds++);
          }
          return (long) rounds;
        });
  }

  private void cutAgainAndAgain(List<Future<Long>> working) {
    SplittableRandom random = new SplittableRandom(CUTS);
    for (int cut = 0; cut < CUTS; cut++) {
      LockSupport.parkNanos(random.nextLong(BETWEEN_NANOS_MAX));
      relay.cut();
      assertTrue(working.stream().noneMatch(Future::isDone), "a thread has given up: " + working);
    }
  }

  @Test
  void nothingIsLostAndNothingIsDoneTwice() throws Exception {
    RemoteGrid grid = throughRelay();
    AtomicBoolean over = new AtomicBoolean();
    List<Future<Long>> working = new ArrayList<>();
    GridCounter counter = grid.counter("total", SAFE);
    GridQueue<Long> queue = grid.queue("jobs", Codec.LONG, SAFE);
    GridMap<Long, Long> map = grid.map("own", Codec.LONG, Codec.LONG, SAFE);
    GridSession session = grid.openSession();
    View<String, Long> keys = session.view(Codec.STRING, Codec.LONG);
    Set<Long> taken = ConcurrentHashMap.newKeySet();
    AtomicLong told = new AtomicLong();
    MapListening listening = map.listen(change -> told.incrementAndGet());
    for (int i = 0; i < 2; i++) {
      working.add(again(over, round -> counter.incrementAndGet()));
    }
    working.add(again(over, round -> assertEquals((long) round, keys.getAndAdd("sum", 1))));
    working.add(again(over, round -> queue.offer((long) round)));
    AtomicLong next = new AtomicLong();
    Future<Long> polls =
        again(
            over,
            round -> {
              Long item = queue.poll();
              if (item != null) {
                assertEquals(next.getAndIncrement(), item, "the order of one who offers");
                assertTrue(taken.add(item), () -> item + " comes twice");
              }
            });
    working.add(polls);
    Future<Long> writes =
        again(
            over,
            round -> {
              map.set((long) round, 1L);
              assertEquals(1L, map.get((long) round));
            });
    working.add(writes);
    cutAgainAndAgain(working);
    over.set(true);
    assertEquals(working.get(0).get() + working.get(1).get(), counter.get());
    assertEquals(working.get(2).get(), keys.getAcquire("sum"));
    polls.get();
    for (Long item = queue.poll(); item != null; item = queue.poll()) {
      taken.add(item);
    }
    assertEquals(working.get(3).get(), taken.size());
    long written = writes.get();
    await("each change is told", () -> told.get() >= written);
    assertEquals(written, told.get(), "and told once");
    listening.close();
    session.close();
  }

  @Test
  void aSessionEndsWhenTheNodeStaysOutOfReach() throws Exception {
    RemoteGrid grid = throughRelay();
    GridSession session = grid.openSession();
    View<String, Long> keys = session.view(Codec.STRING, Codec.LONG);
    keys.setRelease("a", 1L);
    relay.hold(true);
    relay.cut();
    // It was on its way, or not sent yet.
    assertThrows(GridException.class, () -> keys.setRelease("a", 2L));
    assertThrows(IllegalStateException.class, () -> keys.getAcquire("a"));
    relay.hold(false);
    try (GridSession another = grid.openSession()) {
      assertTrue(another.view(Codec.STRING, Codec.LONG).getLong("a", 0) > 0);
    }
  }
}
