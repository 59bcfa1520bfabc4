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
package org.orcagrid.mixed.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.orcagrid.mixed.Change;
import org.orcagrid.mixed.Handle;
import org.orcagrid.mixed.Out;
import org.orcagrid.mixed.StoreName;
import org.orcagrid.mixed.commit.Answer;
import org.orcagrid.mixed.commit.Intent;
import org.orcagrid.mixed.commit.Part;
import org.orcagrid.mixed.level.Causal;
import org.orcagrid.mixed.level.Linearizable;
import org.orcagrid.mixed.plan.StoredObject;
import org.orcagrid.mixed.plan.TransactionId;
import org.orcagrid.mixed.run.Committed;
import org.orcagrid.mixed.run.MixedClient;
import org.orcagrid.mixed.store.causal.CausalInstance;
import org.orcagrid.mixed.track.Context;
import org.orcagrid.mixed.track.Tombstone;
import org.orcagrid.mixed.track.VectorClock;

/** What every store does, whatever it is made of. */
public abstract class StoreContract {
  private static final AtomicLong COUNT = new AtomicLong();

  /** Adds an item to a list. */
  protected static final Change<List<Object>, Object> ADD =
      Change.of(
          "add",
          (present, item) -> {
            List<Object> all = new java.util.ArrayList<>(present == null ? List.of() : present);
            all.add(item);
            return all;
          });

  private static final Change<Object, Object> FAIL =
      Change.of(
          "fail",
          (present, item) -> {
            throw new IllegalArgumentException("This one always fails");
          });

  /** The store, with whatever earlier tests have left. */
  protected abstract Store store() throws StoreException;

  /** A key that the store has objects for; another one for another number. */
  protected Object key(long number) {
    return "k" + number;
  }

  /** A value that the store takes, as lists with what can be stored. */
  protected Object storable() {
    return List.of("a", 1L, true, new BigDecimal("1.50"), Instant.EPOCH, new UUID(7, 9));
  }

  private StoredObject object() throws StoreException {
    return new StoredObject(
        store().traits().name(), store().traits().level(), key(COUNT.incrementAndGet()));
  }

  private TransactionId id() throws StoreException {
    return new TransactionId(
        store().traits().group(), 1_000_000 + COUNT.incrementAndGet(), COUNT.get());
  }

  private Part part(Map<StoredObject, Long> reads, Part.Write... writes) throws StoreException {
    return new Part(store().traits().group(), List.of(writes), reads, null);
  }

  private static Part.Write set(StoredObject object, Object value) {
    return new Part.Write(object, null, value, Context.NONE);
  }

  private static Intent nothingLeft(TransactionId id) {
    return new Intent(id, List.of(), List.of());
  }

  private Found found(StoredObject object) throws StoreException {
    return store().read(Set.of(object), Set.of()).found().get(object);
  }

  private void assumeStrong() throws StoreException {
    Assumptions.assumeTrue(store().traits().isStrong());
  }

  private void assumePrepares() throws StoreException {
    Assumptions.assumeTrue(store().traits().role() == Role.PREPARES);
  }

  private void assumeFollows() throws StoreException {
    Assumptions.assumeTrue(store().traits().role() == Role.FOLLOWS);
  }

  @Test
  void whatIsNotThereIsNothing() throws StoreException {
    assertEquals(null, found(object()).value());
  }

  @Test
  void whatIsDecidedIsThere() throws StoreException {
    StoredObject object = object();
    TransactionId id = id();
    Part part = part(Map.of(), set(object, storable()));
    assertEquals(Answer.DONE, store().decide(id, part, nothingLeft(id)).answer());
    assertEquals(storable(), found(object).value());
    assertEquals(Answer.DONE, store().decide(id, part, nothingLeft(id)).answer());
    assertEquals(Answer.DONE, store().fence(id).answer());
  }

  @Test
  void aContextIsKept() throws StoreException {
    StoredObject object = object();
    TransactionId id = id();
    Context context =
        new Context(
            Map.of("other", new Tombstone(VectorClock.of("g", 7), "here", Set.of(id()))),
            Map.of(object(), new Context.Stamp(3, 1_000)));
    Part part = part(Map.of(), new Part.Write(object, null, 5L, context));
    assertEquals(Answer.DONE, store().decide(id, part, nothingLeft(id)).answer());
    assertEquals(context, found(object).context());
  }

  @Test
  void whatIsFencedIsNeverDecided() throws StoreException {
    StoredObject object = object();
    TransactionId id = id();
    assertEquals(Answer.NEVER, store().fence(id).answer());
    assertEquals(Answer.NEVER, store().fence(id).answer());
    Part part = part(Map.of(), set(object, 1L));
    assertEquals(Answer.NEVER, store().decide(id, part, nothingLeft(id)).answer());
    assertEquals(null, found(object).value());
  }

  @Test
  void anIntentIsKeptUntilItIsClosed() throws StoreException {
    StoredObject object = object();
    TransactionId id = id();
    Part rest = new Part("elsewhere", List.of(set(object(), "x")), Map.of(), null);
    Intent intent = new Intent(id, List.of(), List.of(rest));
    Reply reply = store().decide(id, part(Map.of(), set(object, 1L)), intent);
    assertEquals(Answer.DONE, reply.answer());
    Intent kept =
        store().intents(Long.MAX_VALUE).stream()
            .filter(each -> each.id().equals(id))
            .findFirst()
            .orElseThrow();
    assertEquals("x", kept.parts().get(0).writes().get(0).value());
    if (store().traits().isStrong()) {
      Context.Stamp stamp = kept.parts().get(0).writes().get(0).context().together().get(object);
      assertEquals(id.millis(), stamp.millis());
      assertTrue(0 < stamp.version() && stamp.version() <= found(object).version());
      assertEquals(Map.of(object, stamp), store().fence(id).together());
      assertEquals(Map.of(object, stamp), reply.together());
    }
    assertFalse(store().isDone(id.millis()));
    assertTrue(store().intents(id.millis()).stream().noneMatch(each -> each.id().equals(id)));
    store().close(Set.of(id));
    store().close(Set.of(id));
    assertTrue(store().intents(Long.MAX_VALUE).stream().noneMatch(each -> each.id().equals(id)));
    assertEquals(Answer.DONE, store().fence(id).answer());
  }

  @Test
  void aTransactionIsFoundByItsId() throws StoreException {
    TransactionId id = id();
    TransactionId other = id();
    Part part = part(Map.of(), set(object(), 1L));
    assertEquals(Answer.DONE, store().decide(id, part, nothingLeft(id)).answer());
    assertEquals(Set.of(id), store().read(Set.of(object()), Set.of(id, other)).markers().keySet());
  }

  // --- those that decide -------------------------------------------------------------------------

  @Test
  void whatHasChangedIsAConflict() throws StoreException {
    assumeStrong();
    StoredObject object = object();
    TransactionId first = id();
    Part one = part(Map.of(object, 0L), set(object, 1L));
    assertEquals(Answer.DONE, store().check(one).answer());
    assertEquals(Answer.DONE, store().decide(first, one, nothingLeft(first)).answer());
    long version = found(object).version();
    assertTrue(version > 0);
    TransactionId second = id();
    assertEquals(Answer.CONFLICT, store().check(one).answer());
    assertEquals(Answer.CONFLICT, store().decide(second, one, nothingLeft(second)).answer());
    assertEquals(Answer.CONFLICT, store().decide(second, one, nothingLeft(second)).answer());
    assertEquals(Answer.NEVER, store().fence(second).answer());
    TransactionId third = id();
    Part two = part(Map.of(object, version), set(object, 2L));
    Reply reply = store().decide(third, two, nothingLeft(third));
    assertEquals(Answer.DONE, reply.answer());
    // Who has seen the older version has not seen what was written together with the newer one.
    assertTrue(version < reply.together().get(object).version());
    assertTrue(reply.together().get(object).version() <= found(object).version());
  }

  @Test
  void aTransactionWithACausalStoreIsWhole() throws StoreException {
    assumeStrong();
    String name = store().traits().name();
    Handle<Linearizable, Long> posts =
        new StoreName<>(name, Linearizable.class).object(key(COUNT.incrementAndGet()));
    Handle<Causal, List<Object>> inbox = new StoreName<>("inboxes", Causal.class).object("ann");
    Store causal = new CausalInstance("inboxes", "here", Set.of("here"), Merge.standard());
    // It is not closed: that would close the store, which others use.
    MixedClient client = new MixedClient(List.of(store(), causal));
    for (int i = 1; i <= 3; i++) {
      Committed done =
          client.transaction(
              posts.set(posts.get().map(n -> n == null ? 1L : n + 1)),
              inbox.change(ADD, posts.get().map(n -> "post " + n)));
      assertEquals(List.of(), done.pending());
    }
    Out<Linearizable, Long> count = new Out<>(Linearizable.class);
    Out<Causal, List<Object>> seen = new Out<>(Causal.class);
    Committed read = client.transaction(count.set(posts.get()), seen.set(inbox.get()));
    assertEquals(3L, count.of(read.results()));
    assertEquals(List.of("post 1", "post 2", "post 3"), seen.of(read.results()));
    assertEquals(4, client.metrics().committed());
  }

  // --- those that prepare ------------------------------------------------------------------------

  @Test
  void whatIsPreparedIsSeenWhenCommitted() throws StoreException {
    assumePrepares();
    StoredObject object = object();
    TransactionId id = id();
    Part part = part(Map.of(object, 0L), set(object, 1L));
    assertEquals(Answer.DONE, store().prepare(id, part).answer());
    assertEquals(null, found(object).value());
    assertEquals(List.of(id), store().prepared(Long.MAX_VALUE));
    assertEquals(Answer.DONE, store().commitPrepared(id).answer());
    assertEquals(1L, found(object).value());
    assertEquals(Set.of(id), store().read(Set.of(object), Set.of(id)).markers().keySet());
    assertEquals(Answer.DONE, store().commitPrepared(id).answer());
    assertEquals(List.of(), store().prepared(Long.MAX_VALUE));
  }

  @Test
  void whatIsPreparedIsNeitherReadNorWrittenByOthersMeanwhile() throws StoreException {
    assumePrepares();
    StoredObject written = object();
    StoredObject read = object();
    StoredObject other = object();
    TransactionId id = id();
    Part part = part(Map.of(read, 0L), set(written, 1L));
    assertEquals(Answer.DONE, store().prepare(id, part).answer());
    assertEquals(Answer.DONE, store().prepare(id, part).answer());
    TransactionId reader = id();
    Part reads = part(Map.of(written, 0L), set(other, 1L));
    assertEquals(Answer.CONFLICT, store().decide(reader, reads, nothingLeft(reader)).answer());
    TransactionId writer = id();
    Part writes = part(Map.of(), set(read, 1L));
    assertEquals(Answer.CONFLICT, store().decide(writer, writes, nothingLeft(writer)).answer());
    assertEquals(Answer.DONE, store().commitPrepared(id).answer());
    assertEquals(Answer.DONE, store().prepare(id, part).answer());
    assertEquals(List.of(), store().prepared(Long.MAX_VALUE));
    TransactionId later = id();
    assertEquals(Answer.DONE, store().decide(later, writes, nothingLeft(later)).answer());
  }

  @Test
  void whatIsGivenUpIsNotPreparedLater() throws StoreException {
    assumePrepares();
    StoredObject object = object();
    TransactionId id = id();
    Part part = part(Map.of(object, 0L), set(object, 1L));
    assertEquals(Answer.DONE, store().prepare(id, part).answer());
    assertEquals(Answer.DONE, store().abortPrepared(id).answer());
    assertEquals(Answer.CONFLICT, store().prepare(id, part).answer());
    TransactionId never = id();
    assertEquals(Answer.DONE, store().abortPrepared(never).answer());
    assertEquals(Answer.CONFLICT, store().prepare(never, part).answer());
    assertEquals(null, found(object).value());
  }

  // --- those that follow -------------------------------------------------------------------------

  @Test
  void aPartIsTakenOnce() throws StoreException {
    assumeFollows();
    StoredObject object = object();
    TransactionId id = id();
    Part part = part(Map.of(), new Part.Write(object, ADD.operation(), "a", Context.NONE));
    Reply first = store().apply(id, part);
    assertEquals(Answer.DONE, first.answer());
    Reply again = store().apply(id, part);
    assertEquals(Answer.DONE, again.answer());
    assertEquals(first.clock(), again.clock());
    assertEquals(List.of("a"), found(object).value());
    assertTrue(first.clock().isIn(store().read(Set.of(object), Set.of()).clock()));
    TransactionId next = id();
    Part more =
        part(
            Map.of(),
            new Part.Write(object, ADD.operation(), "b", Context.NONE),
            new Part.Write(object, ADD.operation(), "c", Context.NONE));
    assertEquals(Answer.DONE, store().apply(next, more).answer());
    assertEquals(List.of("a", "b", "c"), found(object).value());
  }

  @Test
  void aChangeThatFailsLeavesTheObjectAsItIs() throws StoreException {
    assumeFollows();
    StoredObject object = object();
    StoredObject other = object();
    TransactionId id = id();
    Part part =
        part(Map.of(), new Part.Write(object, FAIL.operation(), "a", Context.NONE), set(other, 1L));
    assertEquals(Answer.DONE, store().apply(id, part).answer());
    assertEquals(Answer.DONE, store().apply(id, part).answer());
    assertEquals(null, found(object).value());
    assertEquals(1L, found(other).value());
  }

  @Test
  void aPartWaitsForWhatComesBeforeIt() throws StoreException {
    assumeFollows();
    StoredObject object = object();
    Tombstone after = new Tombstone(VectorClock.NONE, "", Set.of(id()));
    Part part = new Part(store().traits().group(), List.of(set(object, 1L)), Map.of(), after);
    assertEquals(Answer.CONFLICT, store().apply(id(), part).answer());
    Tombstone ahead =
        new Tombstone(VectorClock.of(store().traits().group(), 1_000_000), "", Set.of());
    Part other = new Part(store().traits().group(), List.of(set(object, 1L)), Map.of(), ahead);
    assertEquals(Answer.CONFLICT, store().apply(id(), other).answer());
    assertEquals(null, found(object).value());
  }
}
