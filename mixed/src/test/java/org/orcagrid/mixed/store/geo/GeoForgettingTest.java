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
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.orcagrid.mixed.Mixed.value;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.orcagrid.mixed.Change;
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
import org.orcagrid.mixed.run.MixedClient;
import org.orcagrid.mixed.store.Encoding;
import org.orcagrid.mixed.store.Found;
import org.orcagrid.mixed.store.Operations;
import org.orcagrid.mixed.store.Snapshot;
import org.orcagrid.mixed.store.Store;
import org.orcagrid.mixed.store.StoreException;
import org.orcagrid.mixed.store.geo.GeoKeys.Cell;
import org.orcagrid.mixed.store.memory.MemoryStore;
import org.orcagrid.mixed.track.Context;
import org.orcagrid.mixed.track.Tombstone;
import org.orcagrid.mixed.track.VectorClock;

/** What records are forgotten, and when. */
class GeoForgettingTest {
  private static final Change<List<Object>, Object> ADD =
      Change.of(
          "add",
          (present, item) -> {
            List<Object> all = new ArrayList<>(present == null ? List.of() : present);
            all.add(item);
            return all;
          });

  private static final StoredObject OBJECT = new StoredObject("likes", Session.class, "ann");

  private final LateGeo geo = new LateGeo();
  private final Store west = store("west");
  private final Store east = store("east");

  private Store store(String datacenter) {
    return geo.store(datacenter, new Operations(List.of(ADD)), GeoStore.Trial.NONE);
  }

  private static Part part(Store at, Part.Write... writes) {
    return new Part(at.traits().group(), List.of(writes), Map.of(), null);
  }

  private static Part.Write add(Object item) {
    return new Part.Write(OBJECT, ADD.operation(), item, Context.NONE);
  }

  private static void forget(long millis, List<Store> all) throws StoreException {
    for (Store each : all) {
      each.refuse(millis);
    }
    for (Store each : all) {
      each.forgetParts(millis);
    }
    for (Store each : all) {
      each.forget(millis);
    }
  }

  @Test
  void whoHasMetWhatIsForgottenWaitsForItsRow() throws StoreException {
    TransactionId id = new TransactionId("orca", 5_000, 1);
    geo.withholdRows();
    Part part = part(west, add("a"));
    VectorClock token = west.apply(id, part).clock();
    forget(20_000, List.of(west, east));
    assertTrue(token.isIn(west.apply(id, part).clock()));
    assertThrows(
        GeoKeys.BehindException.class,
        () -> east.read(Set.of(OBJECT), Set.of(id), VectorClock.NONE));
    geo.deliver();
    Snapshot snapshot = east.read(Set.of(OBJECT), Set.of(id), VectorClock.NONE);
    assertEquals(Set.of(id), snapshot.markers().keySet());
    assertEquals(List.of("a"), snapshot.found().get(OBJECT).value());
    assertEquals(Answer.FORGOTTEN, west.fence(id).answer());
  }

  @Test
  void nothingIsForgottenBeforeAllDatacentersHaveTheirParts() throws StoreException {
    TransactionId id = new TransactionId("orca", 5_000, 1);
    west.apply(id, part(west, add("a")));
    west.refuse(20_000);
    west.forgetParts(20_000);
    StoreException e = assertThrows(StoreException.class, () -> west.forget(20_000));
    assertTrue(e.getMessage().contains("before it knows that east has its parts"), e.getMessage());
    // It is not in all datacenters' pages below the floor; the record has to be there.
    assertEquals(Set.of(id), east.read(Set.of(), Set.of(id), VectorClock.NONE).markers().keySet());
    east.forgetParts(20_000);
    west.forget(20_000);
    assertEquals(Set.of(id), east.read(Set.of(), Set.of(id), VectorClock.NONE).markers().keySet());
    assertEquals(Answer.FORGOTTEN, west.fence(id).answer());
  }

  // --- what is too large -------------------------------------------------------------------------

  private static final GeoStore.Trial ONE_PAGE =
      new GeoStore.Trial(GeoStoreRule.all(), new GeoPages.Shape(1, 1, 10_000), 16);

  private GeoStore ofOnePage(String datacenter) {
    return geo.store(datacenter, new Operations(List.of(ADD)), ONE_PAGE);
  }

  private static TransactionId id(long number) {
    return new TransactionId("likes@west", 5_000, number);
  }

  private static Intent intent(TransactionId id, Part... parts) {
    return new Intent(id, List.of(), List.of(parts));
  }

  @Test
  void aFullPageTakesNoDecisionAndFinishesWhatIsDecided() throws StoreException {
    GeoStore store = ofOnePage("west");
    byte[] large = new byte[60_000];
    Part rest =
        new Part(
            "elsewhere",
            List.of(new Part.Write(OBJECT, null, large, Context.NONE)),
            Map.of(),
            null);
    Set<TransactionId> open = new HashSet<>();
    for (int i = 0; i < 5; i++) {
      assertEquals(
          Answer.DONE, store.decide(id(i), part(store, add(i)), intent(id(i), rest)).answer());
      open.add(id(i));
    }
    StoreException e =
        assertThrows(
            StoreException.class,
            () -> store.decide(id(6), part(store, add(6)), intent(id(6), rest)));
    assertTrue(e.getMessage().contains("run a worker with a retention"), e.getMessage());
    assertEquals(Answer.NEVER, store.fence(id(6)).answer());
    TransactionId other = new TransactionId("orca", 5_000, 1);
    assertEquals(Answer.DONE, store.apply(other, part(store, add(7))).answer());
    store.close(open);
    assertEquals(
        Answer.DONE, store.decide(id(8), part(store, add(8)), intent(id(8), rest)).answer());
  }

  @Test
  void floorsOfAPageAreRaisedHoweverFullItIs() throws StoreException {
    GeoStore store = ofOnePage("west");
    GeoRecords records = new GeoRecords(new Encoding(Operations.none()));
    GeoRecords.Page page = new GeoRecords.Page();
    int last = 0;
    while (records.page(page).length <= GeoRecords.PAGE_BYTES_MAX) {
      for (int end = last + 200; last < end; last++) {
        VectorClock token = VectorClock.of("west/0", last + 1);
        page.put(id(last), new GeoRecords.Entry(Answer.DONE.name(), token, null));
      }
    }
    assertTrue(geo.keys("west").write("t/west/0/0", records.page(page), Cell.NONE).isDone());
    TransactionId other = new TransactionId("orca", 5_000, 1);
    assertThrows(StoreException.class, () -> store.apply(other, part(store, add("a"))));
    assertThrows(StoreException.class, () -> store.fence(id(1_000_000)));
    assertEquals(Answer.DONE, store.fence(id(7)).answer());
    forget(5_000, List.of(store, ofOnePage("east")));
    TransactionId next = new TransactionId("orca", 6_000, 1);
    assertEquals(Answer.DONE, store.apply(next, part(store, add("a"))).answer());
    assertEquals(VectorClock.of("west/0", last), store.apply(id(7), part(store)).clock());
  }

  /** As many as docs/mixed.md says. */
  @Test
  void aRetentionHoldsThreeHundredThousandTransactions() throws StoreException {
    GeoStore store = ofOnePage("west");
    for (int i = 0; i < 100; i++) {
      TransactionId id = new TransactionId("likes@west", 1_790_000_000_000L, Long.MAX_VALUE - i);
      store.decide(id, part(store, add(i)), intent(id));
    }
    int bytes = geo.pageBytes("west") / 100;
    GeoPages.Shape usual = GeoPages.Shape.USUAL;
    int pages = usual.slots() * usual.shards();
    assertTrue(pages * (GeoRecords.PAGE_BYTES_DECIDING / bytes) > 300_000, bytes + " bytes each");
  }

  // --- objects that are too large ----------------------------------------------------------------

  @Test
  void whatCannotBeStoredIsRefusedBeforeAnotherStoreDecides() throws StoreException {
    Handle<Linearizable, Long> posts = new StoreName<>("sql", Linearizable.class).object("posts");
    StoreName<Session> likes = new StoreName<>("likes", Session.class);
    try (MixedClient client = new MixedClient(List.of(new MemoryStore("sql"), west))) {
      Handle<Session, byte[]> object = likes.object("ann");
      IllegalTransactionException e =
          assertThrows(
              IllegalTransactionException.class,
              () -> client.transaction(posts.set(value(1L)), object.set(value(new byte[300_000]))));
      assertTrue(e.getMessage().contains("give it 262144 at most"), e.getMessage());
      Handle<Session, Long> longKey = likes.object("k".repeat(600));
      e =
          assertThrows(
              IllegalTransactionException.class,
              () -> client.transaction(posts.set(value(1L)), longKey.set(value(1L))));
      assertTrue(e.getMessage().contains("give it 512 at most"), e.getMessage());
      Out<Linearizable, Long> out = new Out<>(Linearizable.class);
      assertEquals(null, out.of(client.transaction(out.set(posts.get())).results()));
    }
  }

  @Test
  void anObjectWhoseContextIsTooLargeKeepsItsValue() throws StoreException {
    west.apply(id(1), part(west, add("a")));
    Set<TransactionId> pending = new HashSet<>();
    for (int i = 0; i < 10_000; i++) {
      pending.add(new TransactionId("a-store-with-quite-a-long-name-of-its-own", 5_000, i));
    }
    Context large =
        new Context(Map.of("other", new Tombstone(VectorClock.NONE, "", pending)), Map.of());
    Part part = part(west, new Part.Write(OBJECT, ADD.operation(), "b", large));
    assertEquals(Answer.DONE, west.apply(id(2), part).answer());
    assertEquals(Answer.DONE, west.apply(id(2), part).answer());
    assertEquals(Answer.DONE, west.apply(id(3), part(west, add("c"))).answer());
    Found found = west.read(Set.of(OBJECT), Set.of()).found().get(OBJECT);
    assertEquals(List.of("a", "c"), found.value());
    assertEquals(Context.NONE, found.context());
  }
}
