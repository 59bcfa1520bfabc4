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
package org.orcagrid.ddp.map;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.orcagrid.ddp.durable.MediumKind;
import org.orcagrid.ddp.model.Ddp;
import org.orcagrid.ddp.replica.consistency.Operation;
import org.orcagrid.ddp.replica.state.Key;
import org.orcagrid.ddp.replica.state.ReplicaSettings.Conflicts;

/** What nodes say of their maps and journals. */
@Timeout(60)
class FiguresTest {
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(20);
  private static final Ddp SAFE = Ddp.parse("linearizable/synchronous");
  private static final Ddp LAZY = Ddp.parse("linearizable/eventual");

  @TempDir Path folder;
  private LocalMaps maps;

  @AfterEach
  void close() {
    if (maps != null) {
      maps.close();
    }
  }

  private MapSession define(String name, Ddp model) throws Exception {
    MapDefinition map = null;
    for (int node = maps.size() - 1; node >= 0; node--) {
      map = maps.node(node).define(name, model, Conflicts.ABORT, PATIENCE_NANOS);
    }
    return maps.node(0).openSession(map);
  }

  private static void put(MapSession session, String key, byte[] value) {
    session.submit(Operation.write(Key.of(key), value)).join();
  }

  private WorkerFigures figures(int node) {
    List<CompletableFuture<WorkerFigures>> asked = maps.node(node).figures();
    assertEquals(1, asked.size(), "workers");
    return asked.get(0).join();
  }

  private MapFigures only(int node) {
    return figures(node).maps().get(0);
  }

  @Test
  void entriesAreCountedAtEachNode() throws Exception {
    maps = LocalMaps.start(2, folder);
    MapSession session = define("carts", SAFE);
    assertEquals("carts", only(0).map().name());
    assertEquals(0, only(0).replica().entries());
    for (int key = 0; key < 20; key++) {
      put(session, "key" + key, new byte[1000]);
    }
    put(session, "key0", null);
    for (int node = 0; node < 2; node++) {
      int at = node;
      maps.await(() -> only(at).replica().entries() == 19);
      MapFigures map = only(node);
      // It may have been forgotten by now.
      assertTrue(map.replica().removals() <= 1, map::toString);
      assertTrue(map.replica().bytes() > 19_000, map::toString);
      assertTrue(map.replica().serves(), map::toString);
      maps.await(() -> only(at).undurable() == 0 && only(at).replica().unacknowledged() == 0);
      assertEquals(0, only(node).underWay());
    }
    WorkerFigures worker = figures(0);
    assertTrue(worker.journal().bytes() > 20_000, worker::toString);
    assertEquals(1L << 28, worker.journal().bytesMax());
  }

  @Test
  void mapsInMemoryHaveNoJournal() throws Exception {
    maps = LocalMaps.inMemory(1);
    put(define("quick", Ddp.parse("linearizable/none")), "a", new byte[1]);
    assertEquals(1, only(0).replica().entries());
    assertEquals(0, only(0).undurable());
  }

  @Test
  void whatIsNotDurableIsCountedUntilItIs() throws Exception {
    GatedMedia gated = new GatedMedia();
    maps = LocalMaps.start(1, folder, MediumKind.of("gated", (where, threads) -> gated.open(0)));
    MapSession session = define("lazy", LAZY);
    maps.await(() -> only(0).undurable() == 0);
    gated.closeGate();
    for (int key = 0; key < 5; key++) {
      put(session, "key" + key, new byte[1]);
    }
    assertTrue(only(0).undurable() >= 5, only(0)::toString);
    gated.openGate();
    put(session, "last", new byte[1]);
    maps.await(() -> only(0).undurable() == 0);
  }

  @Test
  void whatAnotherNodeHasNotTakenIsCountedUntilItHas() throws Exception {
    maps = LocalMaps.start(2, folder);
    MapSession session = define("weak", Ddp.parse("eventual/eventual"));
    MapDefinition map = only(0).map();
    // A node that has not settled in the view waits for the other one, and its writes with it.
    put(session, "a", new byte[1]);
    maps.await(() -> only(1).replica().entries() == 1 && only(1).replica().serves());
    maps.await(() -> only(0).replica().unacknowledged() == 0);
    CountDownLatch goOn = new CountDownLatch(1);
    CompletableFuture<Boolean> stands =
        maps.node(1)
            .ask(
                map,
                replica -> {
                  try {
                    return goOn.await(20, TimeUnit.SECONDS);
                  } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                  }
                });
    put(session, "b", new byte[1]);
    maps.await(() -> only(0).replica().unacknowledged() > 0);
    goOn.countDown();
    assertTrue(stands.join());
    maps.await(() -> only(0).replica().unacknowledged() == 0);
  }

  @Test
  void aNodeThatHasEndedHasNoMaps() throws Exception {
    maps = LocalMaps.start(1, folder);
    define("carts", SAFE);
    maps.stop(0);
    assertEquals(new WorkerFigures(0, null, List.of()), figures(0));
  }
}
