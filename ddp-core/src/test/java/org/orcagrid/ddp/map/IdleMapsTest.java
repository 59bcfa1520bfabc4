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
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.orcagrid.ddp.model.Ddp;
import org.orcagrid.ddp.replica.consistency.Operation;
import org.orcagrid.ddp.replica.state.Key;
import org.orcagrid.ddp.replica.state.ReplicaSettings.Conflicts;

/** A map that has nothing to do is visited by no cycle of its worker, whatever it has done. */
@Timeout(120)
class IdleMapsTest {
  private static final int NODES = 2;
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);

  @TempDir Path folder;
  private LocalMaps maps;

  @AfterEach
  void close() {
    maps.close();
  }

  @Test
  void noMapHasATimerWhenAllIsDone() throws Exception {
    maps = LocalMaps.start(NODES, folder);
    List<MapDefinition> all = new ArrayList<>();
    for (Ddp model : Ddp.all()) {
      all.add(
          maps.node(0)
              .define(model.id().replace('/', '-'), model, Conflicts.ABORT, PATIENCE_NANOS));
    }
    for (int node = 0; node < NODES; node++) {
      assertTrue(maps.node(node).awaitServing(PATIENCE_NANOS));
    }
    awaitIdle();
    List<CompletableFuture<Operation>> done = new ArrayList<>();
    for (MapDefinition map : all) {
      MapSession session = maps.node(1).openSession(map);
      done.add(session.submit(Operation.write(Key.of("stays"), new byte[10])));
      done.add(session.submit(Operation.write(Key.of("goes"), new byte[10])));
      done.add(session.submit(Operation.write(Key.of("goes"), null)));
      if (map.model().persistency().isByScope()) {
        done.add(session.submit(Operation.of(Operation.Kind.PERSIST)));
      }
    }
    done.forEach(each -> assertEquals(Operation.Status.DONE, each.join().status()));
    awaitIdle();
    // And they wake up again.
    MapSession session = maps.node(0).openSession(all.get(0));
    assertEquals(
        Operation.Status.DONE,
        session.submit(Operation.write(Key.of("again"), new byte[1])).join().status());
  }

  private void awaitIdle() throws InterruptedException {
    long end = System.nanoTime() + PATIENCE_NANOS;
    while (timers() > 0) {
      assertTrue(System.nanoTime() - end < 0, timers() + " maps have timers for ever");
    }
  }

  private int timers() throws InterruptedException {
    AtomicInteger sum = new AtomicInteger();
    for (int node = 0; node < NODES; node++) {
      MapsEngine.awaitDone(
          maps.node(node).engines(), engine -> sum.addAndGet(engine.timers().size()));
    }
    return sum.get();
  }
}
