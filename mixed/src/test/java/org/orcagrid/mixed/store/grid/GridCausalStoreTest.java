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
package org.orcagrid.mixed.store.grid;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.orcagrid.mixed.Mixed.change;
import static org.orcagrid.mixed.Mixed.forEach;
import static org.orcagrid.mixed.Mixed.value;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.orcagrid.client.Codec;
import org.orcagrid.client.EmbeddedGrid;
import org.orcagrid.client.Grid;
import org.orcagrid.client.map.CausalGridMap;
import org.orcagrid.ddp.model.Ddp;
import org.orcagrid.mixed.Handle;
import org.orcagrid.mixed.Out;
import org.orcagrid.mixed.StoreName;
import org.orcagrid.mixed.commit.Answer;
import org.orcagrid.mixed.commit.Intent;
import org.orcagrid.mixed.commit.Part;
import org.orcagrid.mixed.level.Causal;
import org.orcagrid.mixed.level.Linearizable;
import org.orcagrid.mixed.plan.IllegalTransactionException;
import org.orcagrid.mixed.plan.StoredObject;
import org.orcagrid.mixed.plan.TransactionId;
import org.orcagrid.mixed.run.Committed;
import org.orcagrid.mixed.run.MixedClient;
import org.orcagrid.mixed.store.Found;
import org.orcagrid.mixed.store.Merge;
import org.orcagrid.mixed.store.Operations;
import org.orcagrid.mixed.store.Reply;
import org.orcagrid.mixed.store.Snapshot;
import org.orcagrid.mixed.store.Store;
import org.orcagrid.mixed.store.StoreContract;
import org.orcagrid.mixed.store.StoreException;
import org.orcagrid.mixed.track.Context;
import org.orcagrid.mixed.track.Tombstone;
import org.orcagrid.mixed.track.VectorClock;

/** On three nodes in this process. */
@Timeout(120)
class GridCausalStoreTest extends StoreContract {
  private static final Set<Integer> NODES = Set.of(0, 1, 2);
  private static final long PATIENCE_NANOS = 30_000_000_000L;
  private static EmbeddedGrid grid;
  private static Store store;

  @BeforeAll
  static void start(@TempDir Path folder) {
    grid = open(folder);
    store = at(grid, 0, "contract");
  }

  private static EmbeddedGrid open(Path folder) {
    return Grid.embedded(EmbeddedGrid.Settings.DEFAULT.withNodes(3).withFolder(folder));
  }

  private static CausalGridMap<String, byte[]> map(EmbeddedGrid of, int node, String map) {
    return of.maps(node).causalMap(map, Codec.STRING, Codec.BYTES, Ddp.parse("causal/strict"));
  }

  private static GridCausalStore at(EmbeddedGrid of, int node, String map) {
    return new GridCausalStore(
        "inboxes", map(of, node, map), NODES, new Operations(List.of(ADD)), Merge.standard());
  }

  private static List<GridCausalStore> everywhere(EmbeddedGrid of, String map) {
    return List.of(at(of, 0, map), at(of, 1, map), at(of, 2, map));
  }

  @AfterAll
  static void stop() {
    if (grid != null) {
      grid.close();
    }
  }

  @Override
  protected Store store() {
    return store;
  }

  // --- what tests do -----------------------------------------------------------------------------

  private interface Condition {
    boolean holds() throws StoreException;
  }

  private static void await(String what, Condition condition) throws StoreException {
    long end = System.nanoTime() + PATIENCE_NANOS;
    while (!condition.holds()) {
      assertTrue(System.nanoTime() - end < 0, what);
      LockSupport.parkNanos(1_000_000);
    }
  }

  private static StoredObject object(String key) {
    return new StoredObject("inboxes", Causal.class, key);
  }

  private static Found found(Store of, String key) throws StoreException {
    return of.read(Set.of(object(key)), Set.of()).found().get(object(key));
  }

  private static TransactionId id(Store at, long millis) {
    return new TransactionId(at.traits().group(), millis, millis);
  }

  private static Part add(Store at, String key, String item) {
    Part.Write write = new Part.Write(object(key), ADD.operation(), item, Context.NONE);
    return new Part(at.traits().group(), List.of(write), Map.of(), null);
  }

  private static VectorClock apply(Store at, String key, String item, long millis)
      throws StoreException {
    Reply reply = at.apply(id(at, millis), add(at, key, item));
    assertEquals(Answer.DONE, reply.answer());
    return reply.clock();
  }

  // --- nodes -------------------------------------------------------------------------------------

  @Test
  void whatNodesWriteAtOnceIsMerged() throws StoreException {
    List<GridCausalStore> all = everywhere(grid, "merged");
    apply(all.get(0), "both", "a", 1);
    apply(all.get(1), "both", "b", 2);
    for (Store each : all) {
      await("both are at " + each, () -> List.of("a", "b").equals(found(each, "both").value()));
    }
    apply(all.get(2), "both", "c", 3);
    for (Store each : all) {
      await("all are at " + each, () -> List.of("a", "b", "c").equals(found(each, "both").value()));
    }
  }

  @Test
  void anEffectDoesNotComeBeforeItsCause() throws StoreException {
    List<GridCausalStore> all = everywhere(grid, "causes");
    for (int round = 1; round <= 20; round++) {
      int now = round;
      String last = "n" + now;
      apply(all.get(0), "cause", last, now);
      await("the cause is at 1", () -> has(all.get(1), "cause", now));
      apply(all.get(1), "effect", last, 1_000 + now);
      Snapshot[] seen = new Snapshot[1];
      await(
          "the effect is at 2",
          () -> {
            seen[0] = all.get(2).read(Set.of(object("cause"), object("effect")), Set.of());
            return size(seen[0], "effect") == now;
          });
      assertEquals(now, size(seen[0], "cause"));
      seen[0].found().values().forEach(f -> assertTrue(f.clock().isIn(seen[0].clock())));
    }
  }

  private static boolean has(Store of, String key, int size) throws StoreException {
    return size(of.read(Set.of(object(key)), Set.of()), key) == size;
  }

  private static int size(Snapshot snapshot, String key) {
    List<?> items = (List<?>) snapshot.found().get(object(key)).value();
    return items == null ? 0 : items.size();
  }

  @Test
  void aPartThatAnotherNodeHasTakenIsFound() throws StoreException {
    List<GridCausalStore> all = everywhere(grid, "parts");
    TransactionId id = id(all.get(0), 77);
    Reply taken = all.get(0).apply(id, add(all.get(0), "key", "a"));
    await(
        "the part is at 1", () -> all.get(1).read(Set.of(), Set.of(id)).markers().containsKey(id));
    assertEquals(Map.of(id, taken.clock()), all.get(1).read(Set.of(), Set.of(id)).markers());
    Tombstone after = new Tombstone(taken.clock(), "", Set.of(id));
    Part part =
        new Part(
            "2",
            List.of(new Part.Write(object("key"), ADD.operation(), "b", Context.NONE)),
            Map.of(),
            after);
    await(
        "node 2 has what comes before",
        () -> all.get(2).apply(id(all.get(2), 78), part).answer() == Answer.DONE);
    assertEquals(List.of("a", "b"), found(all.get(2), "key").value());
  }

  @Test
  void whatAllHaveIsKnownThoughTwoWriteNothing() throws StoreException {
    List<GridCausalStore> all = everywhere(grid, "idle");
    VectorClock written = apply(all.get(0), "key", "a", 1);
    await(
        "all tell that they have it",
        () -> {
          boolean known = true;
          for (Store each : all) {
            known &= written.isIn(each.read(Set.of(), Set.of()).everywhere());
          }
          return known;
        });
    Snapshot last = all.get(0).read(Set.of(), Set.of());
    assertEquals(written, last.clock(), "that is no write");
  }

  // --- clients of one node -----------------------------------------------------------------------

  @Test
  void clientsOfOneNodeLoseNothing() throws Exception {
    Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
    List<Thread> threads = new ArrayList<>();
    Set<Object> items = new TreeSet<>();
    for (int t = 0; t < 4; t++) {
      int number = t;
      // Two of them are of one process, as the store is.
      GridCausalStore shared = at(grid, 1, "clients");
      for (int c = 0; c < 2; c++) {
        String name = "t" + number + "." + c;
        long first = 1_000L * (2 * number + c);
        for (int i = 0; i < 10; i++) {
          items.add(name + "." + i);
        }
        Thread thread =
            new Thread(
                () -> {
                  try {
                    for (int i = 0; i < 10; i++) {
                      apply(shared, "inbox", name + "." + i, first + i);
                    }
                  } catch (StoreException | AssertionError e) {
                    failures.add(e);
                  }
                });
        threads.add(thread);
        thread.start();
      }
    }
    for (Thread each : threads) {
      each.join();
    }
    assertEquals(List.of(), List.copyOf(failures));
    Store other = at(grid, 2, "clients");
    await("node 2 has 80 items", () -> has(other, "inbox", items.size()));
    assertEquals(items, new TreeSet<>((List<?>) found(other, "inbox").value()));
    assertEquals(80, other.read(Set.of(), Set.of()).clock().of("1"));
  }

  // --- crashes -----------------------------------------------------------------------------------

  @Test
  void nodesThatComeBackHaveAll(@TempDir Path folder) throws StoreException {
    TransactionId decided;
    VectorClock clock;
    try (EmbeddedGrid first = open(folder)) {
      List<GridCausalStore> all = everywhere(first, "kept");
      apply(all.get(0), "key", "a", 1);
      clock = apply(all.get(1), "other", "b", 2);
      decided = id(all.get(0), 50);
      Part rest = new Part("elsewhere", List.of(), Map.of(), null);
      Intent intent = new Intent(decided, List.of(), List.of(rest));
      assertEquals(
          Answer.DONE, all.get(0).decide(decided, add(all.get(0), "key", "c"), intent).answer());
    }
    try (EmbeddedGrid next = open(folder)) {
      List<GridCausalStore> all = everywhere(next, "kept");
      for (Store each : all) {
        assertEquals(List.of("a", "c"), found(each, "key").value());
        assertEquals(List.of("b"), found(each, "other").value());
        assertTrue(clock.isIn(each.read(Set.of(), Set.of()).clock()));
      }
      assertEquals(Answer.DONE, all.get(0).fence(decided).answer());
      assertFalse(all.get(0).isDone(50));
      assertEquals(1, all.get(0).intents(51).size());
      assertEquals(2, all.get(1).read(Set.of(), Set.of()).clock().of("0"));
      apply(all.get(0), "key", "d", 60);
      assertEquals(3, all.get(0).read(Set.of(), Set.of()).clock().of("0"));
    }
  }

  @Test
  void theOthersGoOnWithoutANode(@TempDir Path folder) throws StoreException {
    try (EmbeddedGrid own = open(folder)) {
      List<GridCausalStore> all = everywhere(own, "lost");
      apply(all.get(2), "key", "a", 1);
      await("node 0 has it", () -> has(all.get(0), "key", 1));
      own.crash(2);
      await(
          "node 0 takes parts again",
          () -> {
            try {
              apply(all.get(0), "key", "b", 2);
              return true;
            } catch (StoreException e) {
              return false;
            }
          });
      await("node 1 has it", () -> List.of("a", "b").equals(found(all.get(1), "key").value()));
      StoreException lost =
          assertThrows(StoreException.class, () -> apply(all.get(2), "key", "c", 3));
      assertTrue(lost.getMessage().contains("inboxes at 2"), lost::getMessage);
    }
  }

  // --- floors ------------------------------------------------------------------------------------

  @Test
  void oldDecisionsAreForgotten() throws StoreException {
    GridCausalStore old = at(grid, 0, "old");
    TransactionId fenced = id(old, 5_000);
    TransactionId taken = id(old, 6_000);
    assertEquals(Answer.NEVER, old.fence(fenced).answer());
    Intent none = new Intent(taken, List.of(), List.of());
    assertEquals(Answer.DONE, old.decide(taken, add(old, "key", "a"), none).answer());
    old.refuse(20_000);
    assertEquals(Answer.NEVER, old.decide(id(old, 7_000), add(old, "key", "b"), none).answer());
    old.forget(20_000);
    assertEquals(Answer.FORGOTTEN, old.fence(fenced).answer());
    assertEquals(Answer.FORGOTTEN, old.fence(taken).answer());
    assertEquals(Answer.FORGOTTEN, old.decide(taken, add(old, "key", "a"), none).answer());
    TransactionId later = id(old, 25_000);
    assertEquals(Answer.NEVER, old.fence(later).answer());
    assertEquals(Answer.NEVER, old.fence(later).answer());
  }

  @Test
  void partsAreForgottenWhenAllNodesTakeThemForDone() throws StoreException {
    List<GridCausalStore> all = everywhere(grid, "done");
    TransactionId id = id(all.get(0), 5_000);
    VectorClock clock = all.get(0).apply(id, add(all.get(0), "key", "a")).clock();
    all.get(0).forgetParts(20_000);
    all.get(1).forgetParts(20_000);
    assertEquals(Map.of(id, clock), all.get(0).read(Set.of(), Set.of(id)).markers());
    assertEquals(
        Answer.DONE, all.get(0).apply(id(all.get(0), 6_000), add(all.get(0), "key", "b")).answer());
    assertEquals(List.of("a"), found(all.get(0), "key").value(), "that was done before");
    all.get(2).forgetParts(20_000);
    await(
        "node 0 has heard it of all",
        () -> {
          all.get(0).forgetParts(20_000);
          return VectorClock.NONE.equals(all.get(0).read(Set.of(), Set.of(id)).markers().get(id));
        });
    await(
        "node 1 has the part forgotten",
        () -> Map.of(id, VectorClock.NONE).equals(all.get(1).read(Set.of(), Set.of(id)).markers()));
    assertEquals(
        Set.of("s.0", "s.1", "s.2", "r.0.skey"), map(grid, 0, "done").keySet(), "no id is left");
  }

  @Test
  void aMapThatLosesWhatHasCompletedIsRefused() {
    for (String model : List.of("causal/synchronous", "causal/scope", "causal/none")) {
      CausalGridMap<String, byte[]> careless =
          grid.causalMap(model.replace('/', '.'), Codec.STRING, Codec.BYTES, Ddp.parse(model));
      IllegalArgumentException e =
          assertThrows(
              IllegalArgumentException.class,
              () ->
                  new GridCausalStore(
                      "inboxes", careless, NODES, Operations.none(), Merge.standard()));
      assertTrue(e.getMessage().contains("take causal/strict"), e.getMessage());
    }
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class,
            () ->
                new GridCausalStore(
                    "inboxes",
                    map(grid, 2, "elsewhere"),
                    Set.of(0, 1),
                    Operations.none(),
                    Merge.standard()));
    assertTrue(e.getMessage().contains("none of its nodes [0, 1]"), e.getMessage());
  }

  @Test
  void aPartThatIsTooLargeIsRefused() {
    Part.Write write = new Part.Write(object("large"), null, new byte[600 << 10], Context.NONE);
    Part part = new Part("0", List.of(write), Map.of(), null);
    StoreException e = assertThrows(StoreException.class, () -> store.apply(id(store, 3), part));
    assertTrue(e.getMessage().contains("batchBytesMax"), e.getMessage());
  }

  @Test
  void whatIsTooLargeIsFoundBeforeATransactionIsDecided() {
    Part.Write large = new Part.Write(object("a"), null, new byte[150 << 10], Context.NONE);
    Part.Write other = new Part.Write(object("b"), null, new byte[150 << 10], Context.NONE);
    store.requireFits(new Part("0", List.of(large), Map.of(), null));
    Part both = new Part("0", List.of(large, other), Map.of(), null);
    IllegalTransactionException e =
        assertThrows(IllegalTransactionException.class, () -> store.requireFits(both));
    assertTrue(e.getMessage().contains("have it write 262144 at most"), e.getMessage());
  }

  // --- with a strong store -----------------------------------------------------------------------

  @Test
  void aPostIsInTheInboxOfEachMember() {
    StoreName<Linearizable> names = new StoreName<>("grid", Linearizable.class);
    StoreName<Causal> inboxes = new StoreName<>("inboxes", Causal.class);
    Handle<Linearizable, Long> posts = names.object("posts");
    Handle<Linearizable, List<Object>> members = names.object("members");
    GridStore strong =
        new GridStore(
            "grid",
            grid.transactionalMap(
                "posts", Codec.STRING, Codec.BYTES, Ddp.parse("transactional/synchronous")),
            new Operations(List.of(ADD)));
    try (MixedClient ann = new MixedClient(List.of(strong, at(grid, 0, "inboxes")));
        MixedClient bob = new MixedClient(List.of(strong, at(grid, 1, "inboxes")))) {
      ann.transaction(members.set(value(List.of("ann", "bob"))), posts.set(value(0L)));
      for (int i = 1; i <= 5; i++) {
        Committed done =
            ann.transaction(
                posts.set(posts.get().map(n -> n + 1)),
                forEach(members.get())
                    .then(
                        m ->
                            change(
                                Causal.class,
                                m.map(inboxes::object),
                                ADD,
                                posts.get().map(n -> "post " + n))));
        assertEquals(List.of(), done.pending());
        Out<Linearizable, Long> count = new Out<>(Linearizable.class);
        Out<Causal, List<Object>> seen = new Out<>(Causal.class);
        Handle<Causal, List<Object>> inbox = inboxes.object("bob");
        Committed read = bob.transaction(count.set(posts.get()), seen.set(inbox.get()));
        assertEquals(i, count.of(read.results()));
        assertEquals(i, seen.of(read.results()).size());
      }
    }
  }
}
