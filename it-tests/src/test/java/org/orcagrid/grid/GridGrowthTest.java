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
package org.orcagrid.grid;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.orcagrid.cli.GridProcesses;
import org.orcagrid.client.Codec;
import org.orcagrid.client.Grid;
import org.orcagrid.client.GridSession;
import org.orcagrid.client.OutcomeUnknownException;
import org.orcagrid.client.RemoteGrid;
import org.orcagrid.client.View;
import org.orcagrid.client.concurrent.GridQueue;
import org.orcagrid.client.map.GridMap;
import org.orcagrid.ddp.model.Ddp;

/**
 * Nodes are added while clients from outside use a queue, two maps and a counter. Then nodes that
 * were there from the beginning are killed, and those that were added have it all.
 */
@Timeout(300)
class GridGrowthTest {
  private static final Ddp DURABLE = Ddp.parse("linearizable/synchronous");
  private static final Ddp CAUSAL = Ddp.parse("causal/synchronous");
  private static final long KEYS = 100;
  private static final long EACH_AT_LEAST = 50;

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final AtomicBoolean stop = new AtomicBoolean();

  @TempDir private Path dir;

  @AfterEach
  void endThreads() {
    threads.shutdownNow();
  }

  /** Something that is done again and again, for the n-th time. */
  private interface Step {
    void run(long n);
  }

  /** How often a client has done something, and of which times it was not told whether. */
  private record Tally(long last, TreeSet<Long> inDoubt) {
    private long done() {
      return last - inDoubt.size();
    }
  }

  private final Map<String, Long> steps = new HashMap<>();

  private CompletableFuture<Tally> start(String what, Step step) {
    return CompletableFuture.supplyAsync(
        () -> {
          long last = 0;
          TreeSet<Long> inDoubt = new TreeSet<>();
          for (long n = 1; !stop.get(); n++) {
            try {
              last = n;
              step.run(n);
            } catch (OutcomeUnknownException e) {
              inDoubt.add(n);
            }
            note(what, n);
          }
          return new Tally(last, inDoubt);
        },
        threads);
  }

  private synchronized void note(String what, long n) {
    steps.put(what, n);
    notifyAll();
  }

  /** Waits until each has done so much more. */
  private synchronized void awaitSteps(int clients) throws InterruptedException {
    Map<String, Long> before = new HashMap<>(steps);
    while (steps.size() < clients
        || !steps.entrySet().stream()
            .allMatch(
                each ->
                    each.getValue() - before.getOrDefault(each.getKey(), 0L) >= EACH_AT_LEAST)) {
      wait();
    }
  }

  @Test
  void whatIsAcknowledgedWhileAGridGrowsIsAtTheNodesThatWereAdded() throws Exception {
    try (GridProcesses grid =
        GridProcesses.start(dir, 3, Ports.base(), Ports.SMALL, Ports.PATIENCE)) {
      List<CompletableFuture<Tally>> clients = new ArrayList<>();
      try (RemoteGrid remote = Grid.connect(grid.clients());
          GridSession session = remote.openSession()) {
        GridQueue<Long> queue = remote.queue("jobs", Codec.LONG, DURABLE);
        GridMap<String, Long> durable = remote.map("durable", Codec.STRING, Codec.LONG, DURABLE);
        GridMap<String, Long> causal = remote.map("causal", Codec.STRING, Codec.LONG, CAUSAL);
        View<String, Long> view = session.view(Codec.STRING, Codec.LONG);
        clients.add(start("queue", queue::offer));
        clients.add(start("durable", n -> durable.set("key" + n % KEYS, n)));
        clients.add(start("causal", n -> causal.set("key" + n % KEYS, n)));
        clients.add(start("counter", n -> view.getAndAdd("sum", 1)));
        awaitSteps(clients.size());
        for (int expected = 4; expected <= 5; expected++) {
          assertEquals(expected, grid.add(Ports.PATIENCE));
          awaitSteps(clients.size());
        }
        stop.set(true);
        List<Tally> tallies = new ArrayList<>();
        for (CompletableFuture<Tally> each : clients) {
          tallies.add(each.get(Ports.PATIENCE.toSeconds(), TimeUnit.SECONDS));
        }
        String fifth = grid.clients().split(",", -1)[4];
        awaitAll(fifth, tallies.get(2));
        // One of the ensemble's three servers, and one that was added: a majority is left.
        grid.kill(1);
        grid.kill(4);
        judge(fifth, tallies);
      }
    }
  }

  /** What is causal gets to a node some time after it was acknowledged. */
  private static void awaitAll(String node, Tally written) {
    try (RemoteGrid grid = Grid.connect(node)) {
      GridMap<String, Long> causal = grid.map("causal", Codec.STRING, Codec.LONG, CAUSAL);
      while (!wrong(causal, written).isEmpty()) {
        Thread.onSpinWait();
      }
    }
  }

  private static void judge(String node, List<Tally> tallies) {
    try (RemoteGrid grid = Grid.connect(node);
        GridSession session = grid.openSession()) {
      Tally counted = tallies.get(3);
      Long sum = session.view(Codec.STRING, Codec.LONG).getAcquire("sum");
      assertTrue(
          sum != null && sum >= counted.done() && sum <= counted.last(),
          () -> sum + " of " + counted);
      GridMap<String, Long> durable = grid.map("durable", Codec.STRING, Codec.LONG, DURABLE);
      assertEquals(List.of(), wrong(durable, tallies.get(1)));
      GridMap<String, Long> causal = grid.map("causal", Codec.STRING, Codec.LONG, CAUSAL);
      assertEquals(List.of(), wrong(causal, tallies.get(2)));
      judge(grid.queue("jobs", Codec.LONG, DURABLE), tallies.get(0));
    }
  }

  /** Each item once and in order; of those in doubt, each at most once. */
  private static void judge(GridQueue<Long> queue, Tally offered) {
    List<Long> polled = new ArrayList<>();
    for (Long item = queue.poll(); item != null; item = queue.poll()) {
      polled.add(item);
    }
    List<Long> certain = new ArrayList<>(polled);
    certain.removeAll(offered.inDoubt());
    List<Long> expected = new ArrayList<>();
    for (long n = 1; n <= offered.last(); n++) {
      if (!offered.inDoubt().contains(n)) {
        expected.add(n);
      }
    }
    assertEquals(expected, certain);
    assertEquals(polled.size(), new TreeSet<>(polled).size(), "nothing twice");
  }

  /** The keys whose value is not what was written last, nor in doubt. */
  private static List<String> wrong(GridMap<String, Long> map, Tally written) {
    Map<String, Long> last = new HashMap<>();
    for (long n = 1; n <= written.last(); n++) {
      if (!written.inDoubt().contains(n)) {
        last.put("key" + n % KEYS, n);
      }
    }
    List<String> wrong = new ArrayList<>();
    last.forEach(
        (key, n) -> {
          Long value = map.get(key);
          if (!n.equals(value) && (value == null || !written.inDoubt().contains(value))) {
            wrong.add(key + " is " + value + " and not " + n);
          }
        });
    return wrong;
  }
}
