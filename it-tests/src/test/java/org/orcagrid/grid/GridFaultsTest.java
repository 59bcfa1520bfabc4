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
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.orcagrid.cli.GridProcesses;
import org.orcagrid.client.Codec;
import org.orcagrid.client.Grid;
import org.orcagrid.client.GridSession;
import org.orcagrid.client.OutcomeUnknownException;
import org.orcagrid.client.RemoteGrid;
import org.orcagrid.client.View;

/**
 * Three nodes, each a process, and what their clients see when one stands still or is killed.
 * {@code -Drounds=N} lets one stand still more often.
 */
@Timeout(180)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class GridFaultsTest {
  private static final int NODES = 3;
  private static final int CLIENTS = 4;
  private static final int ROUNDS = Integer.getInteger("rounds", 3);

  @TempDir private static Path dir;
  private static GridProcesses grid;

  private final ExecutorService threads = Executors.newCachedThreadPool();

  @BeforeAll
  static void start() throws Exception {
    grid = GridProcesses.start(dir, NODES, Ports.base(), Ports.SMALL, Ports.PATIENCE);
  }

  @AfterAll
  static void end() {
    if (grid != null) {
      grid.close();
    }
  }

  @AfterEach
  void endThreads() {
    threads.shutdownNow();
  }

  /** What a client knows of its additions. */
  private record Tally(long done, long unknown) {}

  private static Tally add(RemoteGrid grid, AtomicInteger sessions, AtomicBoolean stop) {
    long done = 0;
    long unknown = 0;
    while (!stop.get()) {
      try (GridSession session = grid.openSession()) {
        sessions.incrementAndGet();
        View<String, Long> view = session.view(Codec.STRING, Codec.LONG);
        while (!stop.get()) {
          try {
            view.getAndAdd("sum", 1);
            done++;
          } catch (OutcomeUnknownException e) {
            unknown++;
          }
        }
      } catch (IllegalStateException e) {
        assertTrue(e.getMessage().contains("open another session"), e::toString);
      }
    }
    return new Tally(done, unknown);
  }

  /** The last one: the node is not started again. */
  @Test
  @Order(2)
  void aKilledNodeTakesItsSessionsAndNothingElse() throws Exception {
    try (RemoteGrid remote = Grid.connect(grid.clients())) {
      AtomicBoolean stop = new AtomicBoolean();
      AtomicInteger sessions = new AtomicInteger();
      List<CompletableFuture<Tally>> clients = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        clients.add(CompletableFuture.supplyAsync(() -> add(remote, sessions, stop), threads));
      }
      // They take the nodes in turn, so that each node has one, as long as nobody else takes a
      // turn.
      awaitSessions(sessions, CLIENTS);
      awaitSum(remote, 500);
      grid.kill(2);
      awaitSum(remote, sum(remote) + 500);
      // Whoever was at the node that was killed goes on in another session.
      awaitSessions(sessions, CLIENTS + 1);
      stop.set(true);
      long done = 0;
      long unknown = 0;
      for (CompletableFuture<Tally> client : clients) {
        Tally tally = client.get(Ports.PATIENCE.toSeconds(), TimeUnit.SECONDS);
        done += tally.done();
        unknown += tally.unknown();
      }
      long sum = sum(remote);
      assertTrue(sum >= done && sum <= done + unknown, sum + ": " + done + " and " + unknown);
    }
  }

  private static void awaitSessions(AtomicInteger sessions, int least) {
    while (sessions.get() < least) {
      Thread.onSpinWait();
    }
  }

  private static long sum(RemoteGrid remote) {
    try (GridSession session = remote.openSession()) {
      Long sum = session.view(Codec.STRING, Codec.LONG).getAcquire("sum");
      return sum == null ? 0 : sum;
    }
  }

  private static void awaitSum(RemoteGrid remote, long least) {
    while (sum(remote) < least) {
      Thread.onSpinWait();
    }
  }

  @Test
  @Order(1)
  void aNodeThatStoodStillSeesWhatItHasMissed() throws Exception {
    String[] addresses = grid.clients().split(",", -1);
    try (RemoteGrid others = Grid.connect(addresses[0] + "," + addresses[1]);
        RemoteGrid sleeper = Grid.connect(addresses[2]);
        GridSession writing = others.openSession();
        GridSession reading = sleeper.openSession()) {
      View<String, Long> writer = writing.view(Codec.STRING, Codec.LONG);
      View<String, Long> reader = reading.view(Codec.STRING, Codec.LONG);
      for (long round = 1; round <= ROUNDS; round++) {
        grid.pause(3);
        for (int i = 0; i < 200; i++) {
          writer.set("data" + i, round);
        }
        // Without waiting for the one that stands still: the slow path.
        writer.setRelease("flag", round);
        grid.resume(3);
        assertEquals(round, reader.getAcquire("flag"));
        for (int i = 0; i < 200; i++) {
          assertEquals(round, reader.get("data" + i), "what was written before the flag");
        }
      }
    }
  }
}
