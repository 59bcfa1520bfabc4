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
package org.orcagrid.mixed.store.geo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.orcagrid.mixed.Mixed.value;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.orcagrid.geo.client.LocalStore;
import org.orcagrid.geo.client.RemoteGeo;
import org.orcagrid.geo.node.GeoConfig;
import org.orcagrid.mixed.Handle;
import org.orcagrid.mixed.Out;
import org.orcagrid.mixed.StoreName;
import org.orcagrid.mixed.commit.Answer;
import org.orcagrid.mixed.commit.Intent;
import org.orcagrid.mixed.commit.Part;
import org.orcagrid.mixed.level.Linearizable;
import org.orcagrid.mixed.level.Session;
import org.orcagrid.mixed.plan.IllegalTransactionException;
import org.orcagrid.mixed.plan.StoredObject;
import org.orcagrid.mixed.plan.TransactionId;
import org.orcagrid.mixed.run.Committed;
import org.orcagrid.mixed.run.MixedClient;
import org.orcagrid.mixed.run.MixedWorker;
import org.orcagrid.mixed.store.Encoding;
import org.orcagrid.mixed.store.Merge;
import org.orcagrid.mixed.store.Operations;
import org.orcagrid.mixed.store.Reply;
import org.orcagrid.mixed.store.Snapshot;
import org.orcagrid.mixed.store.Store;
import org.orcagrid.mixed.store.StoreContract;
import org.orcagrid.mixed.store.StoreException;
import org.orcagrid.mixed.store.memory.MemoryStore;
import org.orcagrid.mixed.track.Context;
import org.orcagrid.mixed.track.Tombstone;
import org.orcagrid.mixed.track.VectorClock;

/** On two datacenters of three nodes in this process. */
@Timeout(180)
class GeoStoreTest extends StoreContract {
  private static final long PATIENCE_NANOS = 30_000_000_000L;
  private static LocalStore nodes;
  private static RemoteGeo west;
  private static RemoteGeo east;
  private static Store store;

  @BeforeAll
  static void start(@TempDir Path folder) throws IOException {
    // Datacenters have each other's writes late.
    GeoConfig.Trial late = new GeoConfig.Trial(0, 150, -1);
    LocalStore.Oddity oddity =
        new LocalStore.Oddity() {
          @Override
          public GeoConfig config(GeoConfig usual) {
            return LocalStore.withTrial(usual, late);
          }
        };
    nodes = new LocalStore(folder, 2, 3, 4, oddity);
    nodes.awaitLeaders();
    west = RemoteGeo.connect(nodes.settings().home("dc0"));
    east = RemoteGeo.connect(nodes.settings().home("dc1"));
    store = at(west);
  }

  private static GeoStore at(RemoteGeo geo) {
    return new GeoStore("likes", geo, new Operations(List.of(ADD)), Merge.standard());
  }

  @AfterAll
  static void stop() {
    for (RemoteGeo each : new RemoteGeo[] {west, east}) {
      if (each != null) {
        each.close();
      }
    }
    if (nodes != null) {
      nodes.close();
      assertEquals(List.of(), List.copyOf(nodes.failures()));
    }
  }

  @Override
  protected Store store() {
    return store;
  }

  private static StoredObject object(String key) {
    return new StoredObject("likes", Session.class, key);
  }

  private static Object found(Store of, String key, VectorClock seen) throws StoreException {
    long end = System.nanoTime() + PATIENCE_NANOS;
    while (true) {
      try {
        return of.read(Set.of(object(key)), Set.of(), seen).found().get(object(key)).value();
      } catch (GeoKeys.BehindException e) {
        // It has waited for half a second.
        if (System.nanoTime() - end > 0) {
          throw e;
        }
      }
    }
  }

  private static Part part(Store at, String item, String... keys) {
    List<Part.Write> writes = new ArrayList<>();
    for (String each : keys) {
      writes.add(new Part.Write(object(each), ADD.operation(), item, Context.NONE));
    }
    return new Part(at.traits().group(), writes, Map.of(), null);
  }

  // --- once --------------------------------------------------------------------------------------

  /** A client that dies when it has written some keys. */
  private static final class Dying implements GeoKeys {
    private final GeoKeys keys;
    private int left;

    Dying(RemoteGeo geo, int left) {
      this.keys = new RemoteGeoKeys(geo, "likes");
      this.left = left;
    }

    @Override
    public String datacenter() {
      return keys.datacenter();
    }

    @Override
    public List<String> datacenters() {
      return keys.datacenters();
    }

    @Override
    public Look read(Collection<String> some, VectorClock seen) throws StoreException {
      return keys.read(some, seen);
    }

    @Override
    public Written write(String key, byte[] value, Cell present) throws StoreException {
      if (left == 0) {
        throw new StoreException("The client is dead", null);
      }
      left--;
      return keys.write(key, value, present);
    }
  }

  private static GeoStore dying(RemoteGeo geo, int left) {
    return new GeoStore(
        "likes",
        new Dying(geo, left),
        new Operations(List.of(ADD)),
        Merge.standard(),
        GeoStore.Trial.NONE);
  }

  @Test
  void whoeverFinishesAPartDoublesNothingAndSkipsNothing() throws StoreException {
    for (int written = 0; written <= 3; written++) {
      String[] keys = {"x" + written, "y" + written, "z" + written};
      TransactionId id = new TransactionId("orca", 500_000 + written, written);
      Part part = part(store, "a", keys);
      GeoStore dead = dying(west, written);
      assertThrows(StoreException.class, () -> dead.apply(id, part));
      assertEquals(Set.of(), store.read(Set.of(), Set.of(id), VectorClock.NONE).markers().keySet());
      // Others have written since then.
      TransactionId other = new TransactionId("orca", 500_100 + written, written);
      assertEquals(Answer.DONE, store.apply(other, part(store, "b", keys)).answer());
      assertEquals(Answer.DONE, at(west).apply(id, part).answer());
      assertEquals(Answer.DONE, at(west).apply(id, part).answer());
      for (int i = 0; i < keys.length; i++) {
        List<String> expected = i < written ? List.of("a", "b") : List.of("b", "a");
        assertEquals(expected, found(store, keys[i], VectorClock.NONE), keys[i] + written);
      }
    }
  }

  @Test
  void whatAClientHasDecidedAndLeftIsFinishedByAWorker() throws StoreException {
    // The decision is the first thing that is written, and then one of two objects.
    GeoStore dead = dying(west, 2);
    long millis = System.currentTimeMillis() - 60_000;
    TransactionId id = new TransactionId(store.traits().group(), millis, 1);
    Intent nothing = new Intent(id, List.of(), List.of());
    Part part = part(store, "a", "left1", "left2");
    assertThrows(StoreException.class, () -> dead.decide(id, part, nothing));
    // Not closed, as that would close the stores.
    MixedWorker worker = new MixedWorker(List.of(at(west)), Duration.ofSeconds(10));
    assertEquals(1, worker.round().finished());
    assertEquals(0, worker.round().finished());
    assertEquals(List.of("a"), found(store, "left1", VectorClock.NONE));
    assertEquals(List.of("a"), found(store, "left2", VectorClock.NONE));
    assertEquals(Answer.DONE, store.fence(id).answer());
    assertTrue(store.isDone(millis));
  }

  @Test
  void anObjectDropsIdsThatAreRecordedAndSkipsThemStill() throws StoreException {
    List<TransactionId> ids = new ArrayList<>();
    List<Object> expected = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      ids.add(new TransactionId("orca", 600_000 + i, i));
      expected.add("a" + i);
      assertEquals(Answer.DONE, store.apply(ids.get(i), part(store, "a" + i, "many")).answer());
    }
    GeoRecords records = new GeoRecords(new Encoding(Operations.none()));
    GeoKeys keys = new RemoteGeoKeys(west, "likes");
    String row = GeoRecords.row("dc0", object("many"));
    GeoRecords.Written written =
        records.written(keys.read(List.of(row), VectorClock.NONE).cell(row).value());
    assertTrue(written.ids().size() < 20, "It has " + written.ids().size() + " ids");
    GeoObjects objects =
        new GeoObjects(
            keys,
            records,
            new GeoPages(keys, records, GeoPages.Shape.USUAL),
            Merge.standard(),
            GeoStore.Trial.NONE);
    // As one that has looked for the record before it was there.
    assertNull(objects.write(ids.get(0), part(store, "a0", "many").writes(), VectorClock.NONE));
    assertEquals(expected, found(store, "many", VectorClock.NONE));
  }

  // --- several datacenters -----------------------------------------------------------------------

  @Test
  void whatDatacentersWriteAtOnceIsMerged() throws StoreException {
    Store other = at(east);
    TransactionId one = new TransactionId("orca", 700_001, 1);
    TransactionId two = new TransactionId("orca", 700_002, 2);
    VectorClock first = store.apply(one, part(store, "w", "both")).clock();
    VectorClock second = other.apply(two, part(other, "e", "both")).clock();
    VectorClock both = first.join(second);
    assertEquals(Set.of("w", "e"), Set.copyOf((List<?>) found(store, "both", both)));
    assertEquals(found(store, "both", both), found(other, "both", both));
    // A value that is set by who has seen both replaces them.
    TransactionId three = new TransactionId("orca", 700_003, 3);
    Part set =
        new Part(
            other.traits().group(),
            List.of(new Part.Write(object("both"), null, List.of("s"), Context.NONE)),
            Map.of(),
            new Tombstone(both, "", Set.of()));
    Reply taken = other.apply(three, set);
    for (long end = System.nanoTime() + PATIENCE_NANOS; taken.answer() == Answer.CONFLICT; ) {
      // It waits for half a second each time.
      assertTrue(System.nanoTime() - end < 0, "the part comes behind both");
      taken = other.apply(three, set);
    }
    VectorClock third = taken.clock();
    assertEquals(List.of("s"), found(store, "both", third));
  }

  @Test
  void aReaderFarAwayWaitsForWhatItsStrongObjectNames() throws StoreException {
    Store strong = new MemoryStore("sql");
    MixedClient here = new MixedClient(List.of(strong, at(west)));
    MixedClient there = new MixedClient(List.of(strong, at(east)));
    Handle<Linearizable, Long> posts = new StoreName<>("sql", Linearizable.class).object("posts");
    Handle<Session, List<Object>> likes = new StoreName<>("likes", Session.class).object("ann");
    for (long i = 1; i <= 8; i++) {
      if (i % 2 == 0) {
        // In one transaction: the strong object names it.
        here.transaction(posts.set(value(i)), likes.change(ADD, value(i)));
      } else {
        // One after the other: the strong object has the token.
        here.transaction(likes.change(ADD, value(i)));
        here.transaction(posts.set(value(i)));
      }
      Out<Linearizable, Long> count = new Out<>(Linearizable.class);
      Out<Session, List<Object>> seen = new Out<>(Session.class);
      Committed read = there.transaction(count.set(posts.get()), seen.set(likes.get()));
      assertEquals(i, count.of(read.results()));
      assertEquals(i, seen.of(read.results()).size());
    }
    assertEquals(8, there.metrics().committed());
  }

  @Test
  void whoHasMetAnOpenTransactionWaitsUntilItIsRecorded() throws StoreException {
    TransactionId id = new TransactionId("orca", 800_000, 1);
    Part part = part(store, "a", "open1", "open2");
    assertThrows(StoreException.class, () -> dying(west, 1).apply(id, part));
    Snapshot half = at(east).read(Set.of(object("open1")), Set.of(id), VectorClock.NONE);
    assertEquals(Set.of(), half.markers().keySet());
    assertEquals(Answer.DONE, at(west).apply(id, part).answer());
    long end = System.nanoTime() + PATIENCE_NANOS;
    while (true) {
      try {
        Snapshot snapshot =
            at(east).read(Set.of(object("open1"), object("open2")), Set.of(id), VectorClock.NONE);
        if (snapshot.markers().containsKey(id)) {
          snapshot.found().values().forEach(each -> assertEquals(List.of("a"), each.value()));
          assertTrue(snapshot.markers().get(id).isIn(snapshot.clock()));
          return;
        }
      } catch (GeoKeys.BehindException e) {
        // The rows are of other partitions, which may come later than the record.
      }
      assertTrue(System.nanoTime() - end < 0, "the record comes to the other datacenter");
    }
  }

  // --- refusals ----------------------------------------------------------------------------------

  @Test
  void whatItCannotDecideIsRefused() {
    TransactionId id = new TransactionId(store.traits().group(), 900_000, 1);
    Intent nothing = new Intent(id, List.of(), List.of());
    Part large =
        new Part(
            store.traits().group(),
            List.of(new Part.Write(object("large"), null, new byte[70_000], Context.NONE)),
            Map.of(),
            null);
    IllegalTransactionException e =
        assertThrows(IllegalTransactionException.class, () -> store.decide(id, large, nothing));
    assertTrue(e.getMessage().contains("write less at once"), e.getMessage());
    Part longKey =
        new Part(
            store.traits().group(),
            List.of(new Part.Write(object("k".repeat(600)), null, 1L, Context.NONE)),
            Map.of(),
            null);
    assertThrows(IllegalTransactionException.class, () -> store.decide(id, longKey, nothing));
  }

  @Test
  void aClockOfAnotherStoreIsNeverThere() {
    StoreException e =
        assertThrows(StoreException.class, () -> found(store, "any", VectorClock.of("north/1", 1)));
    assertTrue(e.getMessage().contains("no log of the geo store likes"), e.getMessage());
  }

  @Test
  void itIsNoStoreThatOthersAreToldOf() {
    assertFalse(store.traits().isWhole());
  }

  @Test
  void whatIsForgottenIsNotDoneAgain() throws StoreException {
    Store old = new GeoStore("old", west, new Operations(List.of(ADD)), Merge.standard());
    TransactionId id = new TransactionId("old@dc0", 5_000, 1);
    StoredObject object = new StoredObject("old", Session.class, "k");
    Part part =
        new Part(
            "old@dc0",
            List.of(new Part.Write(object, ADD.operation(), "a", Context.NONE)),
            Map.of(),
            null);
    Intent nothing = new Intent(id, List.of(), List.of());
    assertEquals(Answer.DONE, old.decide(id, part, nothing).answer());
    old.refuse(20_000);
    TransactionId late = new TransactionId("old@dc0", 6_000, 2);
    assertEquals(
        Answer.NEVER, old.decide(late, part, new Intent(late, List.of(), List.of())).answer());
    assertTrue(old.isDone(20_000));
    old.forgetParts(20_000);
    assertEquals(Answer.DONE, old.fence(id).answer());
    assertThrows(StoreException.class, () -> old.forget(20_000));
    new GeoStore("old", east, new Operations(List.of(ADD)), Merge.standard()).forgetParts(20_000);
    forgetSoon(old, 20_000);
    assertEquals(Answer.FORGOTTEN, old.fence(id).answer());
    assertEquals(Answer.DONE, old.apply(id, part).answer());
    assertEquals(List.of("a"), old.read(Set.of(object), Set.of()).found().get(object).value());
    TransactionId next = new TransactionId("old@dc0", 30_000, 3);
    assertEquals(
        Answer.DONE, old.decide(next, part, new Intent(next, List.of(), List.of())).answer());
    assertEquals(List.of("a", "a"), old.read(Set.of(object), Set.of()).found().get(object).value());
  }

  /** Once it knows what the other datacenter has. */
  private static void forgetSoon(Store of, long millis) throws StoreException {
    long end = System.nanoTime() + PATIENCE_NANOS;
    while (true) {
      try {
        of.forget(millis);
        return;
      } catch (StoreException e) {
        if (System.nanoTime() - end > 0) {
          throw e;
        }
      }
    }
  }
}
