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
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.orcagrid.cli.GridProcesses;
import org.orcagrid.client.Codec;
import org.orcagrid.client.Grid;
import org.orcagrid.client.GridException;
import org.orcagrid.client.NotDoneException;
import org.orcagrid.client.RemoteGrid;
import org.orcagrid.client.map.AtomicGridMap;
import org.orcagrid.client.map.GridMaps;
import org.orcagrid.ddp.model.Ddp;
import org.orcagrid.grid.CounterHistory.Addition;
import org.orcagrid.node.GridPicture;
import org.orcagrid.node.GridSurvey;
import org.orcagrid.node.NodeSettings;
import org.orcagrid.transport.tcp.HostPort;
import org.orcagrid.transport.tcp.PortSecurity;

/**
 * Five processes, a map at three of them, and clients that know only the two others. The map's
 * homes are killed under load, one after the other, and started again: two of them, or {@code
 * -Drounds=N} by turns.
 */
@Timeout(300)
class ForwardingProcessesTest {
  private static final int NODES = 5;
  private static final int COPIES = 3;
  private static final int THREADS = 4;
  private static final long STEPS = 20;
  private static final int ROUNDS = Integer.getInteger("rounds", 2);

  /** After an addition, so that a node which starts beside them has a processor. */
  private static final long BETWEEN_NANOS =
      TimeUnit.MICROSECONDS.toNanos(Long.getLong("between.micros", 1_000));

  private static final Ddp SAFE = Ddp.parse("linearizable/synchronous");

  @TempDir private Path dir;

  private final CounterHistory history = new CounterHistory();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final AtomicBoolean stop = new AtomicBoolean();
  private final AtomicIntegerArray steps = new AtomicIntegerArray(THREADS);

  private static AtomicGridMap<String, Long> counters(GridMaps grid) {
    return grid.atomicMap("counters", Codec.STRING, Codec.LONG, SAFE);
  }

  @Test
  void aMapGoesOnThroughNodesThatDoNotHaveItWhileItsHomesAreKilled() throws Exception {
    try (GridProcesses grid =
        GridProcesses.start(dir, NODES, Ports.base(), Ports.SMALL, Ports.PATIENCE)) {
      List<HostPort> nodes = HostPort.parseAll(grid.clients());
      try (RemoteGrid any = Grid.connect(grid.clients())) {
        counters(any.copies(COPIES)).set("x", 0L);
      }
      List<HostPort> homes = homes(nodes);
      List<HostPort> others = new ArrayList<>(nodes);
      others.removeAll(homes);
      try (RemoteGrid one = Grid.connect(others.get(0).toString());
          RemoteGrid other = Grid.connect(others.get(1).toString())) {
        List<CompletableFuture<Void>> all = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
          int thread = i;
          AtomicGridMap<String, Long> map = counters(i % 2 == 0 ? one : other);
          all.add(CompletableFuture.runAsync(() -> add(thread, map), threads));
        }
        for (int round = 0; round < ROUNDS; round++) {
          HostPort each = homes.get(round % COPIES);
          awaitSteps();
          grid.kill(nodes.indexOf(each) + 1);
          awaitSteps();
          grid.start(nodes.indexOf(each) + 1);
          grid.awaitServing(nodes.indexOf(each) + 1, Ports.PATIENCE);
        }
        awaitSteps();
        stop.set(true);
        for (CompletableFuture<Void> each : all) {
          each.get(60, TimeUnit.SECONDS);
        }
        assertEquals(List.of(), history.judge(), history.additions() + " additions");
        assertTrue(history.additions() >= THREADS * STEPS, history.additions() + " additions");
        assertEquals(counters(one).get("x"), counters(other).get("x"), "both see the newest value");
      }
    } finally {
      stop.set(true);
      threads.shutdownNow();
    }
  }

  /** Those that say that they have the map. */
  private static List<HostPort> homes(List<HostPort> nodes) throws Exception {
    try (GridSurvey survey = new GridSurvey(NodeSettings.GRID, PortSecurity.NONE)) {
      GridPicture.MapLine map =
          GridPicture.of(survey.ask(nodes, Ports.PATIENCE)).maps().stream()
              .filter(each -> each.name().equals("counters"))
              .findFirst()
              .orElseThrow();
      assertEquals(COPIES, map.homes());
      assertEquals(COPIES, map.parts().size(), "only homes have it");
      return map.parts().stream().map(part -> HostPort.parse(part.address())).toList();
    }
  }

  private void add(int thread, AtomicGridMap<String, Long> map) {
    while (!stop.get()) {
      long invoked = System.nanoTime();
      try {
        long found = map.merge("x", 1L, Long::sum) - 1;
        add(thread, new Addition("test", "x", found, invoked, System.nanoTime()));
      } catch (NotDoneException e) {
        // Nothing was added: there is no such addition.
      } catch (GridException e) {
        synchronized (history) {
          history.addUnknown("x");
        }
      }
      steps.incrementAndGet(thread);
      LockSupport.parkNanos(BETWEEN_NANOS);
    }
  }

  private void add(int thread, Addition addition) {
    synchronized (history) {
      history.add("thread" + thread, addition);
    }
  }

  private void awaitSteps() {
    int[] before = new int[THREADS];
    for (int i = 0; i < THREADS; i++) {
      before[i] = steps.get(i);
    }
    long end = System.nanoTime() + Ports.PATIENCE.toNanos();
    for (int i = 0; i < THREADS; i++) {
      while (steps.get(i) - before[i] < STEPS) {
        assertTrue(System.nanoTime() - end < 0, "thread " + i + " goes on");
        LockSupport.parkNanos(1_000_000);
      }
    }
  }
}
