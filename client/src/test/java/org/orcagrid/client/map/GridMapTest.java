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
package org.orcagrid.client.map;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.orcagrid.client.Codec;
import org.orcagrid.client.EmbeddedGrid;
import org.orcagrid.client.Grid;
import org.orcagrid.client.OutcomeUnknownException;
import org.orcagrid.ddp.model.Consistency;
import org.orcagrid.ddp.model.Ddp;
import org.orcagrid.ddp.model.Persistency;

/** What a user of maps sees, with three nodes in one JVM. */
@Timeout(60)
class GridMapTest {
  private static final Ddp SAFE = Ddp.of(Consistency.LINEARIZABLE, Persistency.SYNCHRONOUS);
  private static final Ddp FAST = Ddp.of(Consistency.CAUSAL, Persistency.SYNCHRONOUS);
  private static final Ddp TOGETHER = Ddp.of(Consistency.TRANSACTIONAL, Persistency.SYNCHRONOUS);
  private static final Ddp SAVED = Ddp.of(Consistency.CAUSAL, Persistency.SCOPE);

  @TempDir Path folder;
  private EmbeddedGrid grid;

  @AfterEach
  void close() {
    if (grid != null) {
      grid.close();
    }
  }

  private void start() {
    grid = Grid.embedded(EmbeddedGrid.Settings.DEFAULT.withNodes(3).withFolder(folder));
  }

  private GridMap<String, Long> counts(int node, Ddp model) {
    return grid.maps(node).map("counts", Codec.STRING, Codec.LONG, model);
  }

  @Test
  void whatIsWrittenAtOneNodeIsReadAtAnother() {
    start();
    GridMap<String, Long> here = counts(0, SAFE);
    GridMap<String, Long> there = counts(1, SAFE);
    assertNull(there.get("a"));
    here.set("a", 1L);
    assertEquals(1L, there.get("a"));
    assertTrue(there.containsKey("a"));
    there.delete("a");
    assertNull(here.get("a"));
    assertTrue(here.isEmpty());
  }

  @Test
  void aGridComesBackWithItsMaps() {
    start();
    GridMap<String, Long> map = counts(0, FAST);
    for (long i = 0; i < 200; i++) {
      map.set("key" + i, i);
      assertEquals(i, map.get("key" + i), "a thread reads what it has written");
    }
    grid.close();
    start();
    GridMap<String, Long> again = counts(2, FAST);
    assertEquals(7L, again.get("key7"));
    assertEquals(200, again.size());
  }

  @Test
  void asynchronousOperationsOnAKeyAreInOrder() {
    start();
    GridMap<String, Long> map = counts(0, SAFE);
    List<CompletionStage<?>> all = new ArrayList<>();
    for (long i = 0; i < 500; i++) {
      all.add(map.setAsync("key", i));
      all.add(map.setAsync("other" + i, i));
    }
    CompletionStage<Long> read = map.getAsync("key");
    assertEquals(499L, read.toCompletableFuture().join());
    all.forEach(each -> each.toCompletableFuture().join());
    map.deleteAsync("key").toCompletableFuture().join();
    assertNull(map.get("key"));
    assertEquals(500, map.size());
  }

  @Test
  void manyThreadsWriteAtAllNodes() throws Exception {
    start();
    ExecutorService threads = Executors.newFixedThreadPool(6);
    try {
      List<CompletableFuture<?>> all = new ArrayList<>();
      for (int worker = 0; worker < 6; worker++) {
        int number = worker;
        all.add(
            CompletableFuture.runAsync(
                () -> {
                  GridMap<String, Long> map = counts(number % 3, SAFE);
                  for (long i = 0; i < 200; i++) {
                    map.set(number + "/" + i, i);
                  }
                },
                threads));
      }
      CompletableFuture.allOf(all.toArray(CompletableFuture[]::new)).get(50, TimeUnit.SECONDS);
    } finally {
      threads.shutdownNow();
    }
    Map<String, Long> expected = new HashMap<>();
    for (int worker = 0; worker < 6; worker++) {
      for (long i = 0; i < 200; i++) {
        expected.put(worker + "/" + i, i);
      }
    }
    assertEquals(expected, counts(1, SAFE).snapshot());
  }

  @Test
  void snapshotsAreSetsAndMapsOfTheirOwn() {
    start();
    GridMap<String, Long> map = counts(0, SAFE);
    map.setAll(Map.of("a", 1L, "b", 2L, "c", 3L));
    Set<String> keys = map.keySet();
    Map<String, Long> entries = map.snapshot();
    assertEquals("abc".length() + 3 * Long.BYTES, map.sizeInBytes());
    map.clear();
    assertEquals(Set.of("a", "b", "c"), keys);
    assertEquals(Map.of("a", 1L, "b", 2L, "c", 3L), entries);
    assertThrows(UnsupportedOperationException.class, () -> keys.remove("a"));
    assertEquals(0, map.size());
    assertEquals(0, map.sizeInBytes());
  }

  @Test
  void manyKeysAreReadAtOnceInTheirOrder() {
    start();
    GridMap<String, Long> map = counts(0, SAFE);
    Map<String, Long> all = new TreeMap<>();
    for (long i = 0; i < 3_000; i++) {
      all.put("key " + i, i);
    }
    map.setAll(all);
    map.delete("key 7");
    List<String> keys = new ArrayList<>(all.keySet());
    keys.add("none");
    keys.add("key 1");
    Map<String, Long> found = counts(1, SAFE).getAll(keys);
    all.remove("key 7");
    assertEquals(new ArrayList<>(all.entrySet()), new ArrayList<>(found.entrySet()));
    assertThrows(
        NullPointerException.class, () -> map.getAll(Arrays.asList("key 1", null)), "no key");
  }

  @ParameterizedTest
  @ValueSource(strings = {"causal/synchronous", "causal/strict", "causal/read-enforced"})
  void aThreadFindsAmongAllKeysWhatItHasWritten(String model) {
    start();
    GridMap<String, Long> map = counts(0, Ddp.parse(model));
    for (int i = 0; i < 100; i++) {
      map.set("key" + i, 1L);
      assertEquals(i + 1, map.size());
      assertTrue(map.keySet().contains("key" + i));
      assertEquals(1L, map.snapshot().get("key" + i));
    }
    map.clear();
    assertEquals(0, map.size());
  }

  @Test
  void anAtomicMapIsAConcurrentMap() {
    start();
    ConcurrentMap<String, Long> map = grid.atomicMap("stock", Codec.STRING, Codec.LONG, SAFE);
    AtomicGridMap<String, Long> there =
        grid.maps(1).atomicMap("stock", Codec.STRING, Codec.LONG, SAFE);
    assertNull(map.put("a", 1L));
    assertEquals(1L, there.put("a", 2L));
    assertEquals(2L, map.putIfAbsent("a", 3L));
    assertNull(map.putIfAbsent("b", 4L));
    assertFalse(there.replace("a", 1L, 5L));
    assertTrue(there.replace("a", 2L, 5L));
    assertEquals(5L, map.replace("a", 6L));
    assertNull(map.replace("c", 7L));
    assertFalse(map.remove("a", 5L));
    assertTrue(map.remove("a", 6L));
    assertEquals(4L, there.remove("b"));
    assertTrue(map.isEmpty());
    assertEquals(8L, map.computeIfAbsent("d", key -> 8L));
    assertEquals(16L, there.merge("d", 8L, Long::sum));
    assertEquals(Map.of("d", 16L), map);
    assertEquals(16L, there.putAsync("d", 1L).toCompletableFuture().join());
    assertTrue(there.replaceAsync("d", 1L, 2L).toCompletableFuture().join());
    assertFalse(there.removeAsync("d", 1L).toCompletableFuture().join());
    assertEquals(2L, there.removeAsync("d").toCompletableFuture().join());
    assertNull(there.putIfAbsentAsync("d", 9L).toCompletableFuture().join());
  }

  @Test
  void additionsAtAllNodesAreNotLost() throws Exception {
    start();
    ExecutorService threads = Executors.newFixedThreadPool(3);
    try {
      List<CompletableFuture<?>> all = new ArrayList<>();
      for (int node = 0; node < 3; node++) {
        int number = node;
        all.add(
            CompletableFuture.runAsync(
                () -> {
                  ConcurrentMap<String, Long> map =
                      grid.maps(number)
                          .atomicMap("sums", Codec.STRING, Codec.LONG, SAFE)
                          .timeout(Duration.ofSeconds(40));
                  for (int i = 0; i < 10; i++) {
                    map.merge("sum", 1L, Long::sum);
                  }
                },
                threads));
      }
      CompletableFuture.allOf(all.toArray(CompletableFuture[]::new)).get(50, TimeUnit.SECONDS);
      assertEquals(30L, grid.atomicMap("sums", Codec.STRING, Codec.LONG, SAFE).get("sum"));
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void whoeverAcquiresSeesWhatWasWrittenBeforeTheRelease() {
    start();
    Ddp model = Ddp.of(Consistency.RELEASE, Persistency.SYNCHRONOUS);
    ReleaseGridMap<String, Long> writer = grid.releaseMap("flags", Codec.STRING, Codec.LONG, model);
    ReleaseGridMap<String, Long> reader =
        grid.maps(2).releaseMap("flags", Codec.STRING, Codec.LONG, model);
    for (long round = 1; round <= 20; round++) {
      for (int i = 0; i < 20; i++) {
        writer.setAsync("data" + i, round);
      }
      writer.setRelease("ready", round);
      assertEquals(round, reader.getAcquire("ready"));
      for (int i = 0; i < 20; i++) {
        assertEquals(round, reader.get("data" + i), "written before the release");
      }
    }
    assertThrows(
        IllegalArgumentException.class, () -> grid.releaseMap("m", Codec.STRING, Codec.LONG, SAFE));
  }

  @Test
  void aTransactionIsVisibleAsAWhole() {
    start();
    TransactionalGridMap<String, Long> map =
        grid.transactionalMap("accounts", Codec.STRING, Codec.LONG, TOGETHER);
    map.setAll(Map.of("ada", 100L, "grace", 0L));
    TransactionalGridMap<String, Long> elsewhere =
        grid.maps(2).transactionalMap("accounts", Codec.STRING, Codec.LONG, TOGETHER);
    long moved =
        elsewhere.inTransaction(
            tx -> {
              long all = tx.get("ada");
              tx.set("ada", 0L);
              tx.set("grace", all);
              return all;
            });
    assertEquals(100L, moved);
    assertEquals(0L, map.get("ada"));
    assertEquals(100L, map.get("grace"));

    try (GridTransaction<String, Long> given = map.transaction()) {
      given.set("ada", 1L);
    }
    assertEquals(0L, elsewhere.get("ada"), "it was not committed");
  }

  @Test
  void transactionsThatMeetAreAbortedAndTriedAgain() throws Exception {
    start();
    ExecutorService threads = Executors.newFixedThreadPool(3);
    try {
      List<CompletableFuture<?>> all = new ArrayList<>();
      grid.transactionalMap("accounts", Codec.STRING, Codec.LONG, TOGETHER).set("sum", 0L);
      for (int node = 0; node < 3; node++) {
        int number = node;
        all.add(
            CompletableFuture.runAsync(
                () -> {
                  TransactionalGridMap<String, Long> map =
                      grid.maps(number)
                          .transactionalMap("accounts", Codec.STRING, Codec.LONG, TOGETHER)
                          .timeout(Duration.ofSeconds(40));
                  for (int i = 0; i < 20; i++) {
                    map.inTransaction(
                        tx -> {
                          tx.set("sum", tx.get("sum") + 1);
                          return null;
                        });
                  }
                },
                threads));
      }
      CompletableFuture.allOf(all.toArray(CompletableFuture[]::new)).get(50, TimeUnit.SECONDS);
      assertEquals(
          60L, grid.transactionalMap("accounts", Codec.STRING, Codec.LONG, TOGETHER).get("sum"));
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void aScopeSurvivesOnceItIsPersistedAndAWriteOutsideOfOneAtOnce() {
    start();
    ScopedGridMap<String, Long> map = grid.scopedMap("points", Codec.STRING, Codec.LONG, SAVED);
    map.set("alone", 1L);
    try (GridScope<String, Long> scope = map.scope()) {
      scope.set("first", 2L);
      scope.set("second", 3L);
      assertEquals(2L, scope.get("first"));
      scope.persist();
      scope.set("third", 4L);
    }
    grid.close();
    start();
    ScopedGridMap<String, Long> again = grid.scopedMap("points", Codec.STRING, Codec.LONG, SAVED);
    assertEquals(1L, again.get("alone"));
    assertEquals(2L, again.get("first"));
    assertEquals(3L, again.get("second"));
    assertNull(again.get("third"), "its scope was never persisted");
  }

  @Test
  void whatAModelCannotHonourIsRefusedWhenTheMapIsAskedFor() {
    start();
    IllegalArgumentException noScopes =
        assertThrows(
            IllegalArgumentException.class,
            () -> grid.scopedMap("m", Codec.STRING, Codec.LONG, SAFE));
    assertTrue(noScopes.getMessage().contains("linearizable/scope"), noScopes::getMessage);
    IllegalArgumentException noTransactions =
        assertThrows(
            IllegalArgumentException.class,
            () -> grid.transactionalMap("m", Codec.STRING, Codec.LONG, FAST));
    assertTrue(
        noTransactions.getMessage().contains("transactional/synchronous"),
        noTransactions::getMessage);
    IllegalArgumentException notAtomic =
        assertThrows(
            IllegalArgumentException.class,
            () -> grid.atomicMap("m", Codec.STRING, Codec.LONG, FAST));
    assertTrue(notAtomic.getMessage().contains("linearizable"), notAtomic::getMessage);
    IllegalArgumentException noName =
        assertThrows(
            IllegalArgumentException.class, () -> grid.map("a/b", Codec.STRING, Codec.LONG, SAFE));
    assertTrue(noName.getMessage().contains("letters"), noName::getMessage);
    grid.map("m", Codec.STRING, Codec.LONG, SAFE);
    IllegalStateException other =
        assertThrows(
            IllegalStateException.class, () -> grid.map("m", Codec.STRING, Codec.LONG, FAST));
    assertTrue(other.getMessage().contains("keeps its model"), other::getMessage);
  }

  @Test
  void aGridWithoutAFolderSaysHowToGetMaps() {
    grid = Grid.embedded();
    IllegalStateException refused =
        assertThrows(
            IllegalStateException.class, () -> grid.map("m", Codec.STRING, Codec.LONG, SAFE));
    assertTrue(refused.getMessage().contains("withFolder"), refused::getMessage);
  }

  @Test
  void nobodyWaitsForAMapInItsWorker() {
    start();
    GridMap<String, Long> map = counts(0, SAFE).executor(Runnable::run);
    Thread me = Thread.currentThread();
    String said;
    do {
      // Until it has not completed yet when this is asked for.
      said =
          map.setAsync("a", 1L)
              .thenApply(done -> Thread.currentThread() == me ? "" : waitFor(map))
              .toCompletableFuture()
              .join();
    } while (said.isEmpty());
    assertTrue(said.contains("cannot wait"), said);
  }

  private static String waitFor(GridMap<String, Long> map) {
    try {
      return "it was there: " + map.get("a");
    } catch (IllegalStateException e) {
      return e.getMessage();
    }
  }

  @Test
  void noAnswerInTimeIsAnUnknownOutcome() {
    start();
    GridMap<String, Long> map = counts(0, SAFE).timeout(Duration.ofNanos(1));
    assertThrows(OutcomeUnknownException.class, () -> map.set("a", 1L));
  }

  @Test
  void aMapThatWasRemovedIsGone() {
    start();
    GridMap<String, Long> map = counts(0, SAFE);
    map.set("a", 1L);
    grid.removeMap("counts");
    assertThrows(SessionLostException.class, () -> map.get("a"));
    assertThrows(SessionLostException.class, () -> map.get("a"));
    assertNull(counts(0, FAST).get("a"), "the name is free");
  }

  @Test
  void nullIsNoValueAndNoKey() {
    start();
    AtomicGridMap<String, Long> map = grid.atomicMap("atomic", Codec.STRING, Codec.LONG, SAFE);
    map.set("a", 1L);
    map.set("a", null);
    assertNull(map.get("a"));
    assertThrows(
        NullPointerException.class, () -> map.set("a", null, Duration.ofMinutes(1)), "no value");
    assertThrows(NullPointerException.class, () -> map.put("a", null));
    assertThrows(NullPointerException.class, () -> map.putIfAbsent("a", null));
    assertThrows(NullPointerException.class, () -> map.putAll(Collections.singletonMap("a", null)));
    assertThrows(NullPointerException.class, () -> map.set(null, 1L));
    assertThrows(NullPointerException.class, () -> map.get(null));
    assertTrue(map.explain().contains("durable"), map::explain);
  }
}
