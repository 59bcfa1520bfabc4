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

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.orcagrid.ddp.model.Ddp;
import org.orcagrid.ddp.replica.Replica;
import org.orcagrid.ddp.replica.consistency.Operation;
import org.orcagrid.ddp.replica.state.Key;
import org.orcagrid.ddp.replica.state.ReplicaSettings.Conflicts;
import org.orcagrid.ddp.replica.state.Write;

/** A node whose lease is over tells nobody anything, in whatever way it is asked. */
@Timeout(60)
class LeasedReadsTest {
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(20);

  @TempDir Path folder;
  private LocalMaps maps;
  private MapDefinition map;

  @BeforeEach
  void start() throws Exception {
    maps = LocalMaps.start(2, folder);
    for (int node = 0; node < 2; node++) {
      map =
          maps.node(node)
              .define(
                  "carts", Ddp.parse("linearizable/synchronous"), Conflicts.ABORT, PATIENCE_NANOS);
      assertTrue(maps.node(node).awaitServing(PATIENCE_NANOS));
    }
  }

  @AfterEach
  void close() {
    maps.close();
  }

  private void put(int node, String key, String value) {
    maps.node(node)
        .openSession(map)
        .submit(Operation.write(Key.of(key), value.getBytes(UTF_8)))
        .join();
  }

  private CompletableFuture<List<String>> keys(int node) {
    List<String> keys = new ArrayList<>();
    return maps.node(node)
        .openSession(map)
        .submit(Operation.scan(version -> keys.add(version.key().toString())))
        .thenApply(done -> keys);
  }

  /** Waits until the worker of a node has been through all that it was given before. */
  private void awaitWorker(int node) {
    Map<String, Boolean> done = new ConcurrentHashMap<>();
    CompletableFuture<Replica> unused =
        maps.node(node)
            .ask(
                map,
                replica -> {
                  done.put("done", true);
                  return replica;
                });
    maps.await(() -> done.containsKey("done"));
    assertFalse(unused.isCompletedExceptionally());
  }

  @Test
  void nobodyIsToldWhatKeysThereAreBeforeTheNodeServesAgain() {
    put(0, "apples", "12");
    maps.leaseIsOver(1, true);
    CompletableFuture<List<String>> keys = keys(1);
    CompletableFuture<Boolean> asked = maps.node(1).ask(map, replica -> true);
    awaitWorker(1);
    awaitWorker(1);
    assertFalse(keys.isDone());
    assertFalse(asked.isDone(), "What is asked for beside is told all the same");
    maps.leaseIsOver(1, false);
    assertEquals(List.of("apples"), keys.join());
    assertTrue(asked.join());
  }

  @Test
  void whoIsLeftOutMeanwhileIsToldNothing() {
    maps.leaseIsOver(1, true);
    CompletableFuture<List<String>> keys = keys(1);
    awaitWorker(1);
    maps.leaveOut(1);
    CompletionException lost = assertThrows(CompletionException.class, keys::join);
    assertEquals(SessionEndedException.class, lost.getCause().getClass());
    maps.leaseIsOver(1, false);
  }

  @Test
  void aListenerIsToldWhenTheNodeServesAgainOrInItsNextLife() throws Exception {
    Queue<Write> told = new ConcurrentLinkedQueue<>();
    maps.node(1).watch(map, change -> told.add(change.now())).join();
    maps.node(1).ask(map, replica -> true).join();
    maps.leaseIsOver(1, true);
    put(0, "apples", "12");
    awaitWorker(1);
    awaitWorker(1);
    assertTrue(told.isEmpty(), () -> told + " was told by a node that does not serve");
    maps.leaseIsOver(1, false);
    maps.await(() -> told.size() == 1);

    maps.leaseIsOver(1, true);
    put(0, "apples", "11");
    awaitWorker(1);
    maps.leaveOut(1);
    assertEquals(1, told.size());
    maps.leaseIsOver(1, false);
    maps.await(() -> told.size() == 2);
    assertTrue(maps.node(1).awaitServing(PATIENCE_NANOS));
    assertEquals(
        List.of("12", "11"), told.stream().map(each -> new String(each.value(), UTF_8)).toList());
  }
}
