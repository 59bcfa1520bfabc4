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
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.orcagrid.client.map.AtomicGridMap;
import org.orcagrid.client.map.GridMap;
import org.orcagrid.client.map.GridScope;
import org.orcagrid.client.map.GridTransaction;
import org.orcagrid.client.map.MapChange;
import org.orcagrid.client.map.MapListener;
import org.orcagrid.client.map.MapListening;
import org.orcagrid.client.map.ReleaseGridMap;
import org.orcagrid.client.map.ScopedGridMap;
import org.orcagrid.client.map.SessionLostException;
import org.orcagrid.client.map.TransactionAbortedException;
import org.orcagrid.client.map.TransactionalGridMap;
import org.orcagrid.ddp.model.Ddp;
import org.orcagrid.transport.tcp.HostPort;

/** Maps of a grid in other processes: what a member has of them, a client has. */
class RemoteMapsTest extends TcpGridFixture {
  private static final Ddp SAFE = Ddp.parse("linearizable/synchronous");

  private RemoteGrid connected() throws Exception {
    start();
    return connect(nodes, null);
  }

  private AtomicGridMap<String, Long> atMember(int node) {
    return members.get(node).atomicMap("stock", Codec.STRING, Codec.LONG, SAFE);
  }

  private static AtomicGridMap<String, Long> stock(Grid grid) {
    return grid.atomicMap("stock", Codec.STRING, Codec.LONG, SAFE).timeout(PATIENCE);
  }

  @Test
  void theMapsThatThereAreAreListedFromOutside() throws Exception {
    RemoteGrid remote = connected();
    assertEquals(Map.of(), remote.definedMaps());
    Ddp weak = Ddp.parse("causal/eventual");
    members.get(1).map("visits", Codec.STRING, Codec.LONG, weak);
    stock(remote).put("a", 1L);
    // A node that has defined a map has it; another one follows.
    await("both", () -> remote.definedMaps().size() == 2);
    assertEquals(Map.of("stock", SAFE, "visits", weak), remote.definedMaps());
    assertEquals(List.of("stock", "visits"), List.copyOf(remote.definedMaps().keySet()));
    members.get(0).removeMap("visits");
    await("one", () -> remote.definedMaps().equals(Map.of("stock", SAFE)));
    assertEquals(Map.of("stock", SAFE), members.get(0).definedMaps());
  }

  @Test
  void anAtomicMapIsAConcurrentMapFromOutside() throws Exception {
    AtomicGridMap<String, Long> map = stock(connected());
    assertNull(map.put("a", 1L));
    assertEquals(1L, atMember(1).get("a"));
    assertEquals(1L, map.putIfAbsent("a", 2L));
    assertFalse(map.replace("a", 2L, 3L));
    assertTrue(map.replace("a", 1L, 3L));
    assertEquals(5L, map.merge("a", 2L, Long::sum));
    map.setAll(Map.of("b", 1L, "c", 2L));
    assertEquals(Map.of("c", 2L, "a", 5L), map.getAll(List.of("c", "none", "a")));
    assertEquals(Set.of("a", "b", "c"), map.keySet());
    assertEquals(Map.of("a", 5L, "b", 1L, "c", 2L), map.snapshot());
    assertEquals(3, map.size());
    assertEquals(5L, map.remove("a"));
    assertFalse(map.remove("b", 2L));
    map.clear();
    assertTrue(atMember(2).isEmpty());
    assertEquals(5L, CompletableFuture.supplyAsync(() -> add(map, 5), threads).get());
  }

  private static Long add(AtomicGridMap<String, Long> map, int times) {
    for (int i = 0; i < times; i++) {
      map.merge("sum", 1L, Long::sum);
    }
    return map.get("sum");
  }

  @Test
  void asynchronousOperationsOnAKeyAreInOrder() throws Exception {
    GridMap<String, Long> map = stock(connected());
    CompletableFuture<?>[] all = new CompletableFuture<?>[500];
    for (int i = 0; i < all.length; i++) {
      all[i] = map.setAsync("key", (long) i).toCompletableFuture();
    }
    assertEquals(499L, map.getAsync("key").toCompletableFuture().join());
    CompletableFuture.allOf(all).join();
    // If the answer was there already the caller's thread goes on, which may wait.
    await(
        "the connection's thread is asked to wait",
        () -> isRefusedToWait(map.executor(Runnable::run)));
  }

  private static boolean isRefusedToWait(GridMap<String, Long> map) {
    try {
      map.getAsync("key").thenAccept(each -> map.get("key")).toCompletableFuture().join();
      return false;
    } catch (CompletionException e) {
      assertInstanceOf(IllegalStateException.class, e.getCause());
      return true;
    }
  }

  @Test
  void valuesLiveForTheirTime() throws Exception {
    AtomicGridMap<String, Long> map = stock(connected());
    map.set("long", 1L, Duration.ofHours(1));
    assertTrue(map.expiry("long").isPresent());
    assertTrue(map.replace("long", 1L, 2L));
    assertTrue(map.expiry("long").isEmpty(), "the value that replaces it stays");
    map.set("short", 1L, Duration.ofMillis(1));
    await("it is over", () -> map.get("short") == null);
    assertNull(map.putIfAbsent("short", 2L));
  }

  /** Another client of the same node writes what the node has written, too. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "linearizable/synchronous",
        "read-enforced/synchronous",
        "transactional/strict",
        "release/synchronous",
        "linearizable/scope",
        "causal/eventual",
        "eventual/synchronous"
      })
  void aListenerKnowsWhatWasWrittenHere(String model) throws Exception {
    start();
    List<HostPort> one = nodes.subList(0, 1);
    GridMap<String, Long> here = heard(connect(one, null), model);
    BlockingQueue<MapChange<String, Long>> told = new LinkedBlockingQueue<>();
    try (MapListening listening = here.listen(told::add)) {
      List<GridMap<String, Long>> others =
          List.of(heard(connect(one, null), model), heard(members.get(0), model));
      for (int round = 0; round < 20; round++) {
        String key = "key" + round;
        here.set(key, 1L);
        others.get(round % others.size()).set(key + "'", 2L);
        here.delete(key);
        CompletionStage<Void> last = here.setAsync(key, 3L);
        Set<String> is = new HashSet<>();
        while (!is.containsAll(Set.of(key + "=3 true", key + "'=2 false"))) {
          MapChange<String, Long> change = told.poll(30, TimeUnit.SECONDS);
          assertNotNull(change, () -> "told: " + is);
          is.add(change.key() + "=" + change.value() + " " + change.here());
        }
        // With some models a version that was followed by another is never visible.
        is.removeAll(Set.of(key + "=1 true", key + "=null true"));
        assertEquals(Set.of(key + "=3 true", key + "'=2 false"), is);
        last.toCompletableFuture().join();
      }
      assertEquals(0, listening.failed());
    }
  }

  private static GridMap<String, Long> heard(Grid grid, String model) {
    return grid.map("heard", Codec.STRING, Codec.LONG, Ddp.parse(model)).timeout(PATIENCE);
  }

  @Test
  void aTransactionsWritesAreKnownToBeWrittenHere() throws Exception {
    TransactionalGridMap<String, Long> map =
        connected()
            .transactionalMap("heard", Codec.STRING, Codec.LONG, Ddp.parse("transactional/strict"));
    BlockingQueue<MapChange<String, Long>> told = new LinkedBlockingQueue<>();
    try (MapListening listening = map.listen(told::add)) {
      map.inTransaction(
          tx -> {
            tx.set("a", 1L);
            return null;
          });
      assertEquals(
          new MapChange<>(MapChange.Kind.CREATED, "a", null, 1L, true),
          told.poll(30, TimeUnit.SECONDS),
          listening::toString);
    }
  }

  @Test
  void aTransactionIsVisibleAsAWholeOrNotAtAll() throws Exception {
    TransactionalGridMap<String, Long> map =
        connected()
            .transactionalMap(
                "accounts", Codec.STRING, Codec.LONG, Ddp.parse("transactional/synchronous"));
    map.setAll(Map.of("ada", 100L, "grace", 0L));
    map.inTransaction(
        tx -> {
          tx.set("grace", tx.get("ada"));
          tx.set("ada", 0L);
          return null;
        });
    assertEquals(Map.of("ada", 0L, "grace", 100L), map.snapshot());
    try (GridTransaction<String, Long> first = map.transaction();
        GridTransaction<String, Long> second = map.transaction()) {
      first.set("ada", 1L);
      assertThrows(
          TransactionAbortedException.class,
          () -> {
            second.set("ada", 2L);
            second.commit();
            first.commit();
          });
    }
  }

  @Test
  void aScopeIsPersistedFromOutside() throws Exception {
    ScopedGridMap<String, Long> map =
        connected().scopedMap("saved", Codec.STRING, Codec.LONG, Ddp.parse("linearizable/scope"));
    try (GridScope<String, Long> scope = map.scope()) {
      scope.set("a", 1L);
      scope.set("b", 2L);
      scope.persist();
    }
    assertEquals(Map.of("a", 1L, "b", 2L), map.snapshot());
  }

  @Test
  void whatWasWrittenBeforeAReleaseIsSeenAfterTheAcquire() throws Exception {
    Ddp model = Ddp.parse("release/synchronous");
    ReleaseGridMap<String, Long> writer =
        connected().releaseMap("flags", Codec.STRING, Codec.LONG, model);
    ReleaseGridMap<String, Long> reader =
        connect(nodes.subList(2, 3), null).releaseMap("flags", Codec.STRING, Codec.LONG, model);
    for (long round = 1; round <= 20; round++) {
      writer.set("data", round);
      writer.setRelease("ready", round);
      assertEquals(round, reader.getAcquire("ready"));
      assertEquals(round, reader.get("data"));
    }
  }

  @Test
  void listenersAreToldAndHearOfTheEnd() throws Exception {
    RemoteGrid grid = connected();
    BlockingQueue<String> told = new LinkedBlockingQueue<>();
    CountDownLatch ended = new CountDownLatch(1);
    AtomicGridMap<String, Long> map = stock(grid);
    MapListening listening = map.listen(new Telling(told, ended));
    AtomicGridMap<String, Long> elsewhere = atMember(2);
    elsewhere.set("a", 1L);
    elsewhere.set("a", 2L);
    elsewhere.delete("a");
    assertEquals("CREATED a null 1", told.poll(60, TimeUnit.SECONDS));
    assertEquals("UPDATED a 1 2", told.poll(60, TimeUnit.SECONDS));
    assertEquals("REMOVED a 2 null", told.poll(60, TimeUnit.SECONDS));
    listening.close();
    CountDownLatch alsoEnded = new CountDownLatch(1);
    map.listen(new Telling(told, alsoEnded));
    elsewhere.set("b", 1L);
    assertEquals("CREATED b null 1", told.poll(60, TimeUnit.SECONDS));
    grid.removeMap("stock");
    assertTrue(alsoEnded.await(60, TimeUnit.SECONDS));
    assertEquals(1, ended.getCount(), "who listens no more is told nothing");
    assertThrows(SessionLostException.class, () -> map.get("b"));
  }

  private record Telling(BlockingQueue<String> told, CountDownLatch ended)
      implements MapListener<String, Long> {
    @Override
    public void onChange(MapChange<String, Long> change) {
      told.add(change.kind() + " " + change.key() + " " + change.before() + " " + change.value());
    }

    @Override
    public void onEnded() {
      ended.countDown();
    }
  }

  @Test
  void mapsGoOnAtAnotherNode() throws Exception {
    RemoteGrid grid = connected();
    AtomicGridMap<String, Long> map = stock(grid);
    map.set("kept", 1L);
    // Of the three one has the client's connection.
    for (int node = 0; node < NODES - 1; node++) {
      members.get(node).close();
      assertEquals(1L, map.get("kept"), "a read goes on at another node by itself");
      assertTrue(map.replace("kept", 1L, 1L));
    }
  }

  @Test
  void aWholeMapIsReadInManyPieces() throws Exception {
    RemoteGrid grid = connected();
    GridMap<String, String> map = grid.map("large", Codec.STRING, Codec.STRING, SAFE);
    Map<String, String> written = new HashMap<>();
    for (int i = 0; i < 300; i++) {
      written.put("key" + i, String.valueOf(i % 10).repeat(1 + 300 * i));
    }
    map.setAll(written);
    List<CompletableFuture<Map<String, String>>> reads = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      reads.add(CompletableFuture.supplyAsync(map::snapshot, threads));
      assertEquals("1".repeat(301), map.get("key1"), "others go on between the pieces");
    }
    for (CompletableFuture<Map<String, String>> each : reads) {
      assertEquals(written, each.get(60, TimeUnit.SECONDS));
    }
  }

  @Test
  void aNodeThatDoesNotAnswerHoldsUpNobody() throws Exception {
    start();
    try (ServerSocket silent = new ServerSocket(0)) {
      List<HostPort> all = new ArrayList<>(nodes);
      all.add(new HostPort("localhost", silent.getLocalPort()));
      RemoteGrid grid =
          Grid.connect(new RemoteGrid.Settings(all, "test", null, Duration.ofSeconds(20)));
      opened.add(grid);
      // The first that comes to it waits for it; these do not, and find sessions elsewhere.
      List<CompletableFuture<Void>> sessions = new ArrayList<>();
      for (int i = 0; i < 2 * all.size(); i++) {
        sessions.add(CompletableFuture.runAsync(() -> grid.openSession().close(), threads));
      }
      long opened = 0;
      long end = System.nanoTime() + Duration.ofSeconds(10).toNanos();
      while (opened < sessions.size() - 1 && System.nanoTime() - end < 0) {
        opened = sessions.stream().filter(CompletableFuture::isDone).count();
        LockSupport.parkNanos(1_000_000);
      }
      assertTrue(opened >= sessions.size() - 1, opened + " were opened in half of the time-out");
    }
  }

  @Test
  void whatCannotBeIsRefusedWithItsReason() throws Exception {
    RemoteGrid grid = connected();
    GridMap<String, String> map = grid.map("text", Codec.STRING, Codec.STRING, SAFE);
    String tooLarge = "x".repeat(600 << 10);
    assertTrue(
        assertThrows(IllegalArgumentException.class, () -> map.set("large", tooLarge))
            .getMessage()
            .contains("longer than the"));
    IllegalStateException other =
        assertThrows(
            IllegalStateException.class,
            () -> grid.map("text", Codec.STRING, Codec.STRING, Ddp.parse("causal/eventual")));
    assertTrue(other.getMessage().contains("text"), other.getMessage());
    assertThrows(
        IllegalArgumentException.class,
        () -> grid.map("no name", Codec.STRING, Codec.STRING, SAFE));
    grid.close();
    assertThrows(IllegalStateException.class, () -> map.get("large"));
  }

  @Test
  void moreThanANodeTakesIsRefusedAndTheRestIsDone() throws Exception {
    GridMap<String, Long> map = stock(connected());
    int many = 30_000;
    CompletableFuture<?>[] all = new CompletableFuture<?>[many];
    for (int i = 0; i < many; i++) {
      all[i] = map.setAsync("key" + i, (long) i).toCompletableFuture();
    }
    int refused = 0;
    for (int i = 0; i < many; i++) {
      try {
        all[i].get(60, TimeUnit.SECONDS);
      } catch (ExecutionException e) {
        assertInstanceOf(OverloadException.class, e.getCause());
        refused++;
      }
    }
    int written = map.size();
    assertEquals(many, written + refused);
    assertTrue(written > 0);
  }

  @ParameterizedTest
  @ValueSource(strings = {"causal/synchronous", "eventual/eventual"})
  void aThreadReadsWhatItHasWrittenAndABackupHasIt(String model, @TempDir Path folder)
      throws Exception {
    GridMap<String, Long> map =
        connected().map("backed", Codec.STRING, Codec.LONG, Ddp.parse(model));
    for (long i = 0; i < 300; i++) {
      map.set("key" + i, i);
      assertEquals(i, map.get("key" + i));
    }
    await("all are seen", () -> map.size() == 300);
    assertEquals(300, map.backup(folder.resolve("backup")));
    map.clear();
    assertEquals(300, map.restore(folder.resolve("backup")));
    assertEquals(List.of(7L), List.of(map.get("key7")));
  }
}
