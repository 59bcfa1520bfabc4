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
package org.orcagrid.ddp.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.orcagrid.ddp.contract.ContractNodes.NODES;
import static org.orcagrid.ddp.contract.ContractNodes.await;
import static org.orcagrid.ddp.contract.ContractNodes.awaitLatch;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.orcagrid.ddp.kite.OperationKind;
import org.orcagrid.ddp.kite.Outcome;
import org.orcagrid.ddp.map.MapDefinition;
import org.orcagrid.ddp.map.MapWatcher;
import org.orcagrid.ddp.model.Consistency;
import org.orcagrid.ddp.model.Ddp;
import org.orcagrid.ddp.model.Promise;
import org.orcagrid.ddp.replica.consistency.Operation;

/**
 * What a grid promises whatever carries it: Kite's keys, and maps of all models, on the workers of
 * three nodes. One grid serves all tests; each has keys of its own. Whatever extends this says what
 * is between the nodes.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(240)
public abstract class GridContract {
  /** Workers of a node. */
  protected static final int WORKERS = ContractNodes.WORKERS;

  /** Sessions of a worker. */
  protected static final int SESSIONS = ContractNodes.SESSIONS;

  /** Bytes of a packet at most. */
  protected static final int PACKET_BYTES_MAX = ContractNodes.PACKET_BYTES_MAX;

  private static final int KEYS_MAX = 4_000;
  private static final int ROUNDS = 6;

  /** More than a packet holds; four are more than a record of the log holds. */
  private static final String LARGE = "large ".repeat(7_000);

  /** More than the log takes in one piece. */
  private static final String TOO_LARGE = "x".repeat(1 << 20);

  @TempDir private Path full;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private ContractNodes grid;
  private final Map<Ddp, MapDefinition> maps = new HashMap<>();

  /** How clients get to the nodes: they are beside them, unless it is said. */
  protected ContractClient.Ways ways() throws Exception {
    return ContractClient::beside;
  }

  /** New links between three nodes, of {@link #WORKERS} workers each. */
  protected abstract ContractLinks links() throws Exception;

  /** The models whose maps are tested: all, unless the transport is slow. */
  protected List<Ddp> models() {
    return Ddp.all();
  }

  /** Each consistency and each persistency once. */
  protected static List<Ddp> someModels() {
    return List.of(
        Ddp.parse("linearizable/synchronous"),
        Ddp.parse("read-enforced/read-enforced"),
        Ddp.parse("transactional/scope"),
        Ddp.parse("causal/strict"),
        Ddp.parse("eventual/eventual"),
        Ddp.parse("release/synchronous"));
  }

  /** How often what many do at once is done. */
  protected int rounds() {
    return 50;
  }

  List<Ddp> atomicModels() {
    return models().stream().filter(model -> model.consistency().isAtomic()).toList();
  }

  @BeforeAll
  void start(@TempDir Path folder) throws Exception {
    grid = new ContractNodes(folder, links(), ways(), KEYS_MAX);
    for (Ddp model : models()) {
      maps.put(model, grid.define(model.id().replace('/', '-'), model));
    }
  }

  @AfterAll
  void stop() {
    threads.shutdownNow();
    grid.close();
  }

  private MapClient map(int node, Ddp model) {
    return grid.map(node, maps.get(model));
  }

  private static void persist(MapClient map, Ddp model) {
    if (model.persistency().isByScope()) {
      map.run(Operation.Kind.PERSIST);
    }
  }

  /** Whether all nodes show a write when it has completed. */
  private static boolean isSeenAtOnce(Ddp model) {
    return model.consistency() == Consistency.LINEARIZABLE
        || model.consistency() == Consistency.TRANSACTIONAL
        || Promise.NON_STALE_READS.isMadeBy(model);
  }

  // --- maps --------------------------------------------------------------------------------------

  @ParameterizedTest
  @MethodSource("models")
  void whatIsWrittenIsReadWhenTheModelSaysSo(Ddp model) {
    for (int round = 0; round < ROUNDS; round++) {
      MapClient writer = map(round % NODES, model);
      String value = "round " + round;
      writer.put("seen before", value);
      writer.put("seen", value);
      if (model.consistency() == Consistency.RELEASE) {
        writer.release("seen flag", value);
      }
      if (model.consistency() == Consistency.EVENTUAL) {
        await("it is seen", () -> value.equals(writer.get("seen")));
      } else {
        assertEquals(value, writer.get("seen"), "a session reads what it has written");
      }
      for (int node = 0; node < NODES; node++) {
        assertSeen(map(node, model), model, value);
      }
      persist(writer, model);
    }
  }

  private static void assertSeen(MapClient reader, Ddp model, String value) {
    switch (model.consistency()) {
      // Its writer has read it.
      case LINEARIZABLE, TRANSACTIONAL, READ_ENFORCED -> assertEquals(value, reader.get("seen"));
      case RELEASE -> {
        assertEquals(value, reader.acquire("seen flag"));
        assertEquals(value, reader.get("seen"), "it was written before the release");
      }
      case CAUSAL, EVENTUAL -> {
        if (!isSeenAtOnce(model)) {
          await("it is seen", () -> value.equals(reader.get("seen")));
        }
        assertEquals(value, reader.get("seen"));
      }
    }
    if (model.consistency() != Consistency.EVENTUAL) {
      assertEquals(value, reader.get("seen before"), "what was written before is seen before");
    }
  }

  @ParameterizedTest
  @MethodSource("models")
  void allKeysAreReadAndWhatIsRemovedIsGone(Ddp model) {
    MapClient here = map(0, model);
    MapClient there = map(1, model);
    here.put("all kept", "a");
    here.put("all gone", "b");
    await("both are seen", () -> hasBoth(here.scan()) && hasBoth(there.scan()));
    here.put("all gone", null);
    await("it is gone", () -> here.get("all gone") == null && there.get("all gone") == null);
    assertFalse(there.scan().containsKey("all gone"));
    assertEquals("a", there.scan().get("all kept"));
    persist(here, model);
  }

  @ParameterizedTest
  @MethodSource("models")
  void aBatchIsOfOneMomentWhereItIsDone(Ddp model) {
    BatchContract.require(map(0, model), map(1, model), model);
    persist(map(0, model), model);
  }

  private static boolean hasBoth(Map<String, String> all) {
    return "a".equals(all.get("all kept")) && "b".equals(all.get("all gone"));
  }

  @ParameterizedTest
  @MethodSource("models")
  void whatTheModelHasNotIsRefused(Ddp model) {
    MapClient map = map(0, model);
    if (!model.consistency().isAtomic()) {
      assertRefused(() -> map.compareAndSet("refused", null, "a"));
      assertRefused(() -> map.getAndSet("refused", "a"));
    }
    if (model.consistency() != Consistency.RELEASE) {
      assertRefused(() -> map.acquire("refused"));
      assertRefused(() -> map.release("refused", "a"));
    }
    if (model.consistency() != Consistency.TRANSACTIONAL) {
      assertRefused(() -> map.run(Operation.Kind.BEGIN));
      assertRefused(() -> map.run(Operation.Kind.END));
      assertRefused(() -> map.run(Operation.Kind.ABORT));
    }
    if (!model.persistency().isByScope()) {
      assertRefused(() -> map.run(Operation.Kind.PERSIST));
    }
    CompletionException tooLarge =
        assertThrows(CompletionException.class, () -> map.put("refused", TOO_LARGE));
    assertInstanceOf(IllegalArgumentException.class, tooLarge.getCause());
    map.put("refused", "goes on");
    persist(map, model);
    await("it goes on", () -> "goes on".equals(map.get("refused")));
  }

  private static void assertRefused(Runnable operation) {
    CompletionException refused = assertThrows(CompletionException.class, operation::run);
    assertInstanceOf(UnsupportedOperationException.class, refused.getCause());
  }

  @ParameterizedTest
  @MethodSource("atomicModels")
  void readModifyWritesOfAllNodesAreOneAfterTheOther(Ddp model) throws Exception {
    MapClient here = map(0, model);
    MapClient there = map(1, model);
    assertNull(here.getAndSet("modified", "a"));
    assertEquals("a", there.getAndSet("modified", "b"));
    assertFalse(here.compareAndSet("modified", "a", "c"));
    assertTrue(there.compareAndSet("modified", "b", "c"));
    assertTrue(here.compareAndSet("modified", "c", null));
    assertFalse(there.compareAndSet("modified", "c", "d"));
    assertTrue(there.compareAndSet("modified", null, "d"));
    int each = 5;
    List<CompletableFuture<Void>> counting = new ArrayList<>();
    for (int node = 0; node < NODES; node++) {
      MapClient map = map(node, model);
      counting.add(CompletableFuture.runAsync(() -> count(map, each), threads));
    }
    CompletableFuture.allOf(counting.toArray(CompletableFuture[]::new)).get(2, TimeUnit.MINUTES);
    assertTrue(here.compareAndSet("sum", Integer.toString(NODES * each), "done"));
    persist(here, model);
  }

  private static void count(MapClient map, int times) {
    for (int i = 0; i < times; ) {
      String sum = map.get("sum");
      String next = Integer.toString(sum == null ? 1 : Integer.parseInt(sum) + 1);
      i += map.compareAndSet("sum", sum, next) ? 1 : 0;
    }
  }

  @ParameterizedTest
  @MethodSource("models")
  void watchersAreToldWhatAllNodesHaveWritten(Ddp model) throws Exception {
    MapDefinition map = maps.get(model);
    BlockingQueue<String> told = new LinkedBlockingQueue<>();
    MapWatcher watcher =
        change -> {
          if (new String(change.key().bytes(), StandardCharsets.UTF_8).equals("watched")) {
            told.add(
                change.isGone()
                    ? "gone"
                    : new String(change.now().value(), StandardCharsets.UTF_8));
          }
        };
    grid.client(0).watch(map, watcher).join();
    grid.client(0).state(map).join();
    for (int node = 0; node < NODES; node++) {
      MapClient writer = map(node, model);
      String value = "of node " + node;
      writer.put("watched", value);
      persist(writer, model);
      assertEquals(value, told.poll(60, TimeUnit.SECONDS));
      for (int other = 0; other < NODES; other++) {
        MapClient reader = map(other, model);
        await("it is seen", () -> value.equals(reader.get("watched")));
      }
    }
    map(1, model).put("watched", null);
    assertEquals("gone", told.poll(60, TimeUnit.SECONDS));
    grid.client(0).unwatch(map, watcher);
    persist(map(1, model), model);
  }

  List<Ddp> transactionalModels() {
    return models().stream()
        .filter(model -> model.consistency() == Consistency.TRANSACTIONAL)
        .toList();
  }

  @ParameterizedTest
  @MethodSource("transactionalModels")
  void aTransactionIsSeenAsAWholeOrNever(Ddp model) {
    MapClient here = map(0, model);
    MapClient there = map(2, model);
    here.run(Operation.Kind.BEGIN);
    here.put("from", "1");
    here.put("to", "1");
    assertEquals("1", here.get("from"), "it reads what it has written");
    assertNull(there.get("from"));
    here.run(Operation.Kind.END);
    assertEquals("1", there.get("from"));
    assertEquals("1", there.get("to"));
    here.run(Operation.Kind.BEGIN);
    here.put("from", "2");
    here.run(Operation.Kind.ABORT);
    assertEquals("1", here.get("from"));
    assertEquals("1", there.get("from"));
    persist(here, model);
  }

  @Test
  @Tag("long")
  void tooMuchAtOnceIsRefusedAndTheRestIsDone() {
    Ddp model = Ddp.parse("eventual/eventual");
    MapClient map = map(0, model);
    CountDownLatch goOn = new CountDownLatch(1);
    CompletableFuture<Boolean> stands =
        grid.maps(0).ask(maps.get(model), replica -> awaitLatch(goOn));
    AtomicInteger refused = new AtomicInteger();
    List<CompletableFuture<Throwable>> asked = new ArrayList<>();
    while (refused.get() == 0) {
      asked.add(
          map.putAsync("many", "value")
              .handle(
                  (done, reason) -> {
                    refused.addAndGet(reason == null ? 0 : 1);
                    return reason;
                  }));
    }
    goOn.countDown();
    assertTrue(stands.join());
    for (CompletableFuture<Throwable> each : asked) {
      Throwable reason = each.join();
      assertTrue(reason == null || reason instanceof RejectedExecutionException, () -> "" + reason);
    }
    map.put("many", "last");
    await("it goes on", () -> "last".equals(map(1, model).get("many")));
  }

  // --- keys --------------------------------------------------------------------------------------

  @Test
  void everyOperationOfAKeyDoesWhatItsNameSays() {
    try (KeyClient here = grid.keys(0);
        KeyClient there = grid.keys(2)) {
      assertNull(here.read("mode"));
      here.write("mode", "a");
      assertEquals("a", here.read("mode"), "a session reads what it has written");
      here.release("mode", "b");
      assertEquals("b", there.acquire("mode"));
      assertEquals("b", there.getAndSet("mode", "c"));
      assertFalse(here.compareAndSet("mode", "b", "d"));
      assertTrue(here.compareAndSet("mode", "c", "d"));
      assertEquals("d", there.acquire("mode"));
      assertEquals(
          Outcome.NOT_EQUAL, here.outcome(OperationKind.WEAK_COMPARE_AND_SET, "mode", "x", "y"));
      assertEquals(0, here.add("number", 5));
      assertEquals(5, there.add("number", -2));
      assertEquals(3, here.add("number", 0));
      assertEquals(
          Outcome.NOT_A_NUMBER, there.outcome(OperationKind.GET_AND_ADD, "mode", null, null));
      here.write("some time", "written");
      await("a relaxed write is seen", () -> "written".equals(there.read("some time")));
    }
  }

  @Test
  void whoeverAcquiresSeesWhatWasWrittenBeforeTheRelease() throws Exception {
    int rounds = 2 * rounds();
    CompletableFuture<Void> producer =
        CompletableFuture.runAsync(
            () -> {
              try (KeyClient writer = grid.keys(0)) {
                for (int round = 1; round <= rounds; round++) {
                  writer.write("data 1", Integer.toString(round));
                  writer.write("data 2", Integer.toString(round));
                  writer.release("flag", Integer.toString(round));
                }
              }
            },
            threads);
    try (KeyClient reader = grid.keys(1)) {
      for (int seen = 0; seen < rounds; ) {
        String flag = reader.acquire("flag");
        seen = flag == null ? 0 : Integer.parseInt(flag);
        assertTrue(seen == 0 || Integer.parseInt(reader.read("data 1")) >= seen);
        assertTrue(seen == 0 || Integer.parseInt(reader.read("data 2")) >= seen);
      }
    }
    producer.get(1, TimeUnit.MINUTES);
  }

  /** A queue of tickets, and a map beside it on the same workers. */
  @Test
  void keysAndMapsAreServedAtOnceAndNothingIsLostOrDoubled() throws Exception {
    int rounds = rounds();
    Ddp model = models().get(0);
    Set<Long> tickets = ConcurrentHashMap.newKeySet();
    ConcurrentLinkedQueue<String> taken = new ConcurrentLinkedQueue<>();
    List<CompletableFuture<Void>> users = new ArrayList<>();
    for (int user = 0; user < 2 * NODES; user++) {
      int number = user;
      MapClient map = map(user % NODES, model);
      users.add(
          CompletableFuture.runAsync(
              () -> {
                try (KeyClient keys = grid.keys(number % NODES)) {
                  for (int round = 0; round < rounds; round++) {
                    long ticket = keys.add("tickets", 1);
                    assertTrue(tickets.add(ticket), () -> ticket + " was given twice");
                    map.put("of " + number, Integer.toString(round));
                    keys.write("job " + ticket, number + "/" + round);
                    keys.release("ready " + ticket, "yes");
                    long next = keys.add("taken", 1);
                    await("somebody offers it", () -> keys.acquire("ready " + next) != null);
                    taken.add(keys.read("job " + next));
                  }
                }
              },
              threads));
    }
    CompletableFuture.allOf(users.toArray(CompletableFuture[]::new)).get(3, TimeUnit.MINUTES);
    assertEquals(2 * NODES * rounds, taken.size());
    assertEquals(taken.size(), new HashSet<>(taken).size(), "none is taken twice");
    for (int user = 0; user < 2 * NODES; user++) {
      assertEquals(Integer.toString(rounds - 1), map((user + 1) % NODES, model).get("of " + user));
    }
  }

  @Test
  void aSessionOfKeysRefusesMoreThanItHasRoomFor() {
    try (KeyClient keys = grid.keys(1)) {
      long submitted = keys.addUntilRefused("counted");
      assertTrue(submitted > 1);
      keys.awaitRoom();
      submitted += keys.addUntilRefused("counted");
      keys.awaitRoom();
      assertEquals(submitted, keys.add("counted", 0), "what was not refused was done");
    }
  }

  @Test
  void aFullStoreSaysSoAndTheNodesServeOn() throws Exception {
    Ddp model = models().get(0);
    try (ContractNodes small = new ContractNodes(full, links(), ways(), 50)) {
      MapDefinition map = small.define("beside", model);
      try (KeyClient keys = small.keys(0);
          KeyClient there = small.keys(1)) {
        AtomicInteger more = new AtomicInteger();
        keys.release("first", "kept");
        await(
            "it is full",
            () -> {
              String key = "more " + more.incrementAndGet();
              return keys.outcome(OperationKind.RELEASE, key, null, "value") == Outcome.STORE_FULL;
            });
        assertEquals("kept", there.acquire("first"));
        keys.release("first", "changed");
        assertEquals("changed", there.acquire("first"));
        assertNull(there.acquire("never was"), "an absent key needs no room");
      }
      small.map(0, map).put("key", "value");
      assertEquals("value", small.map(1, map).get("key"));
    }
  }

  // --- nodes that come and go --------------------------------------------------------------------

  @ParameterizedTest
  @CsvSource({"2, false", "0, true", "1, true"})
  void aNodeThatIsGoneIsNotWaitedForAndHasAllWhenItReturns(int gone, boolean killed)
      throws Exception {
    MapDefinition any = maps.get(models().get(0));
    MapClient cut = grid.map(gone, any);
    if (killed) {
      grid.kill(gone, any);
    } else {
      grid.stop(gone);
    }
    assertThrows(CompletionException.class, () -> cut.put("late", "to nobody"));
    int other = (gone + 1) % NODES;
    String key = "missed by " + gone;
    for (Ddp model : models()) {
      MapClient writer = map(other, model);
      for (int i = 0; i < 4; i++) {
        writer.put("large " + i, LARGE + gone);
        persist(writer, model);
      }
      writer.put(key, "value");
      persist(writer, model);
    }
    try (KeyClient keys = grid.keys(other)) {
      keys.write("beside " + key, "value");
      keys.release(key, "value");
    }
    grid.start(gone);
    try (KeyClient keys = grid.keys(gone)) {
      assertEquals("value", keys.acquire(key));
      assertEquals("value", keys.read("beside " + key));
      keys.release("back " + gone, "value");
    }
    try (KeyClient keys = grid.keys(other)) {
      assertEquals("value", keys.acquire("back " + gone));
    }
    for (Ddp model : models()) {
      assertIsBack(map(gone, model), map(other, model), model, gone);
    }
  }

  private void assertIsBack(MapClient returned, MapClient other, Ddp model, int gone) {
    String key = "missed by " + gone;
    if (!isSeenAtOnce(model)) {
      await("it is seen", () -> "value".equals(returned.get(key)));
      await("it is seen", () -> (LARGE + gone).equals(returned.get("large 3")));
    }
    assertEquals("value", returned.get(key), model.id());
    assertEquals(LARGE + gone, returned.get("large 3"), model.id());
    returned.put("back " + gone, "value");
    persist(returned, model);
    await("it is seen", () -> "value".equals(other.get("back " + gone)));
  }

  @Test
  void afterARestartOfAllMapsAreThereAndMemoryBeginsAnew() throws Exception {
    try (KeyClient keys = grid.keys(0)) {
      keys.release("in memory", "value");
    }
    for (Ddp model : models()) {
      MapClient writer = map(0, model);
      writer.put("kept", "value");
      persist(writer, model);
      for (int node = 0; node < NODES; node++) {
        MapClient reader = map(node, model);
        await("it is seen", () -> "value".equals(reader.get("kept")));
      }
    }
    grid.restart();
    for (Ddp model : models()) {
      assertEquals(maps.get(model), grid.define(maps.get(model).name(), model));
      String kept = model.persistency().isOnMedium() ? "value" : null;
      assertEquals(kept, map(2, model).get("kept"), model.id());
    }
    try (KeyClient keys = grid.keys(1);
        KeyClient there = grid.keys(2)) {
      assertNull(keys.acquire("in memory"));
      keys.release("in memory", "anew");
      assertEquals("anew", there.acquire("in memory"));
    }
  }
}
