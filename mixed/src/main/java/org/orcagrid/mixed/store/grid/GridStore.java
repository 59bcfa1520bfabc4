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

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.orcagrid.client.GridException;
import org.orcagrid.client.NotDoneException;
import org.orcagrid.client.map.GridTransaction;
import org.orcagrid.client.map.TransactionAbortedException;
import org.orcagrid.client.map.TransactionalGridMap;
import org.orcagrid.ddp.model.Promise;
import org.orcagrid.mixed.commit.Answer;
import org.orcagrid.mixed.commit.Intent;
import org.orcagrid.mixed.commit.Part;
import org.orcagrid.mixed.level.Linearizable;
import org.orcagrid.mixed.plan.StoredObject;
import org.orcagrid.mixed.plan.TransactionId;
import org.orcagrid.mixed.store.Encoding;
import org.orcagrid.mixed.store.Found;
import org.orcagrid.mixed.store.Merge;
import org.orcagrid.mixed.store.Operations;
import org.orcagrid.mixed.store.Reply;
import org.orcagrid.mixed.store.Role;
import org.orcagrid.mixed.store.Snapshot;
import org.orcagrid.mixed.store.Store;
import org.orcagrid.mixed.store.StoreException;
import org.orcagrid.mixed.store.Traits;
import org.orcagrid.mixed.track.Context;
import org.orcagrid.mixed.track.VectorClock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A linearizable store on a transactional map of a grid. Reads are one transaction of the map, and
 * a commit is another one, up to 512 KB. The map is the store's alone. It decides, and prepares
 * nothing.
 */
public final class GridStore implements Store {
  private static final Logger LOG = LoggerFactory.getLogger(GridStore.class);

  /** Ids are kept in so many lists, so that those who commit at once seldom meet in one. */
  private static final int SHARDS = 64;

  private static final long BUCKET_MILLIS = TimeUnit.SECONDS.toMillis(10);
  private static final String FLOORS = "floors";
  private static final String BUCKETS = "buckets";

  private final Traits traits;
  private final TransactionalGridMap<String, byte[]> map;
  private final Encoding encoding;

  /**
   * A store on a map.
   *
   * @param map which nobody else writes to
   * @throws IllegalArgumentException if its model does not promise that what has completed survives
   *     a crash, and that reads show it
   */
  public GridStore(String name, TransactionalGridMap<String, byte[]> map, Operations operations) {
    for (Promise each :
        List.of(Promise.COMPLETED_SURVIVES, Promise.NON_STALE_READS, Promise.MONOTONIC_FOR_ALL)) {
      if (!each.isMadeBy(map.model())) {
        throw new IllegalArgumentException(
            "The map of the store "
                + name
                + " is "
                + map.model()
                + ", where "
                + each.otherwise()
                + "; take transactional/synchronous or /strict");
      }
    }
    this.traits = new Traits(name, Linearizable.class, name, Role.DECIDES, Merge.standard());
    this.map = map;
    this.encoding = new Encoding(operations);
  }

  @Override
  public Traits traits() {
    return traits;
  }

  private static String key(StoredObject object) {
    return "o" + Encoding.key(object);
  }

  private static String decision(TransactionId id) {
    return "d" + id;
  }

  private static String intent(TransactionId id) {
    return "i" + id;
  }

  private static String open(int shard) {
    return "open" + shard;
  }

  private static String bucket(long bucket, int shard) {
    return "bucket" + bucket + "." + shard;
  }

  private static int shard(TransactionId id) {
    return Math.floorMod(id.hashCode(), SHARDS);
  }

  private <T> T inTransaction(Function<GridTransaction<String, byte[]>, T> work)
      throws StoreException {
    try {
      return map.inTransaction(work);
    } catch (GridException e) {
      throw new StoreException("The store " + traits.name() + " has failed: " + e.getMessage(), e);
    }
  }

  @SuppressWarnings("unchecked")
  private Set<String> texts(GridTransaction<String, byte[]> in, String key) {
    Object all = encoding.value(in.get(key));
    return all == null ? new HashSet<>() : new HashSet<>((Set<String>) all);
  }

  private void set(GridTransaction<String, byte[]> in, String key, Set<String> texts) {
    if (texts.isEmpty()) {
      in.delete(key);
    } else {
      in.set(key, encoding.value(texts));
    }
  }

  /** Up to when nothing is decided, parts are forgotten, and decisions. */
  private record Floors(long refused, long parts, long forgotten) {
    Floors max(Floors other) {
      return new Floors(
          Math.max(refused, other.refused),
          Math.max(parts, other.parts),
          Math.max(forgotten, other.forgotten));
    }
  }

  private Floors floors(GridTransaction<String, byte[]> in) {
    Object all = encoding.value(in.get(FLOORS));
    return all instanceof List<?> list
        ? new Floors((Long) list.get(0), (Long) list.get(1), (Long) list.get(2))
        : new Floors(-1, -1, -1);
  }

  // --- reading -----------------------------------------------------------------------------------

  @Override
  public Snapshot read(Set<StoredObject> objects, Set<TransactionId> markers)
      throws StoreException {
    return inTransaction(
        in -> {
          Map<TransactionId, VectorClock> there = new HashMap<>();
          Floors floors = markers.isEmpty() ? null : floors(in);
          for (TransactionId each : markers) {
            byte[] decision = in.get(decision(each));
            boolean isDecided =
                decision != null && Encoding.decision(decision).answer() == Answer.DONE;
            if (isDecided || each.millis() <= floors.parts()) {
              there.put(each, VectorClock.NONE);
            }
          }
          Map<StoredObject, Found> found = new HashMap<>();
          objects.forEach(each -> found.put(each, encoding.object(in.get(key(each)))));
          return new Snapshot(found, VectorClock.NONE, VectorClock.NONE, there);
        });
  }

  private boolean isPresent(GridTransaction<String, byte[]> in, Part part) {
    return part.reads().entrySet().stream()
        .allMatch(each -> encoding.object(in.get(key(each.getKey()))).version() == each.getValue());
  }

  @Override
  public Reply check(Part part) throws StoreException {
    return inTransaction(in -> Reply.of(isPresent(in, part) ? Answer.DONE : Answer.CONFLICT));
  }

  // --- committing --------------------------------------------------------------------------------

  @Override
  public Reply decide(TransactionId id, Part part, Intent intent) throws StoreException {
    try {
      return map.inTransaction(in -> decide(in, id, part, intent));
    } catch (TransactionAbortedException | NotDoneException e) {
      LOG.debug("{} has met others too often", id, e);
      return Reply.of(Answer.CONFLICT);
    } catch (GridException e) {
      throw new StoreException("The store " + traits.name() + " has failed: " + e.getMessage(), e);
    }
  }

  private Reply decide(
      GridTransaction<String, byte[]> in, TransactionId id, Part part, Intent intent) {
    byte[] before = in.get(decision(id));
    if (before != null) {
      return Encoding.decision(before);
    }
    Floors floors = floors(in);
    if (id.millis() <= floors.forgotten()) {
      return Reply.of(Answer.FORGOTTEN);
    } else if (id.millis() <= floors.refused()) {
      return Reply.of(Answer.NEVER);
    }
    if (!isPresent(in, part)) {
      return remember(in, id, Reply.of(Answer.CONFLICT));
    }
    Map<StoredObject, Context.Stamp> stamps = new HashMap<>();
    for (Part.Write each : part.writes()) {
      String key = key(each.object());
      long version = encoding.object(in.get(key)).version() + 1;
      in.set(key, encoding.object(version, each.value(), each.context()));
      stamps.put(each.object(), new Context.Stamp(version, id.millis()));
    }
    if (!intent.isEmpty()) {
      in.set(intent(id), encoding.intent(intent.with(stamps)));
      Set<String> all = texts(in, open(shard(id)));
      all.add(id.toString());
      set(in, open(shard(id)), all);
    }
    return remember(in, id, Reply.decided(stamps));
  }

  /** Keeps an answer, and where it is forgotten some time. */
  private Reply remember(GridTransaction<String, byte[]> in, TransactionId id, Reply reply) {
    in.set(decision(id), Encoding.decision(reply));
    long bucket = id.millis() / BUCKET_MILLIS;
    Set<String> all = texts(in, bucket(bucket, shard(id)));
    all.add(id.toString());
    set(in, bucket(bucket, shard(id)), all);
    Set<String> buckets = texts(in, BUCKETS);
    if (buckets.add(Long.toString(bucket))) {
      set(in, BUCKETS, buckets);
    }
    return reply;
  }

  @Override
  public Reply fence(TransactionId id) throws StoreException {
    return inTransaction(
        in -> {
          byte[] before = in.get(decision(id));
          if (before == null && id.millis() <= floors(in).forgotten()) {
            return Reply.of(Answer.FORGOTTEN);
          }
          Reply reply =
              before == null ? remember(in, id, Reply.of(Answer.NEVER)) : Encoding.decision(before);
          return reply.answer() == Answer.DONE ? reply : Reply.of(Answer.NEVER);
        });
  }

  @Override
  public void close(Set<TransactionId> ids) throws StoreException {
    for (TransactionId each : ids) {
      boolean isClosed =
          inTransaction(
              in -> {
                in.delete(intent(each));
                Set<String> all = texts(in, open(shard(each)));
                if (all.remove(each.toString())) {
                  set(in, open(shard(each)), all);
                }
                return true;
              });
      LOG.trace("{} is closed: {}", each, isClosed);
    }
  }

  // --- for workers -------------------------------------------------------------------------------

  private List<TransactionId> open() throws StoreException {
    List<TransactionId> open = new ArrayList<>();
    for (int i = 0; i < SHARDS; i++) {
      String key = open(i);
      inTransaction(in -> texts(in, key)).forEach(each -> open.add(TransactionId.parse(each)));
    }
    return open;
  }

  @Override
  public boolean isDone(long millis) throws StoreException {
    return open().stream().noneMatch(each -> each.millis() <= millis);
  }

  @Override
  public List<Intent> intents(long millis) throws StoreException {
    List<Intent> all = new ArrayList<>();
    for (TransactionId each : open()) {
      byte[] bytes = each.millis() < millis ? inTransaction(in -> in.get(intent(each))) : null;
      if (bytes != null) {
        encoding.readableIntent(bytes, traits).ifPresent(all::add);
      }
    }
    return all;
  }

  private void raise(Floors to) throws StoreException {
    Floors now =
        inTransaction(
            in -> {
              Floors floors = floors(in).max(to);
              in.set(
                  FLOORS,
                  encoding.value(List.of(floors.refused(), floors.parts(), floors.forgotten())));
              return floors;
            });
    LOG.debug("{} refuses and forgets up to {}", traits, now);
  }

  @Override
  public void refuse(long millis) throws StoreException {
    raise(new Floors(millis, -1, -1));
  }

  @Override
  public void forgetParts(long millis) throws StoreException {
    raise(new Floors(-1, millis, -1));
  }

  /** Forgets by ten seconds. */
  @Override
  public void forget(long millis) throws StoreException {
    long first = millis / BUCKET_MILLIS;
    raise(new Floors(-1, -1, first * BUCKET_MILLIS - 1));
    for (String each : inTransaction(in -> texts(in, BUCKETS))) {
      long bucket = Long.parseLong(each);
      if (bucket < first) {
        for (int i = 0; i < SHARDS; i++) {
          forget(bucket(bucket, i));
        }
        Set<String> left =
            inTransaction(
                in -> {
                  Set<String> all = texts(in, BUCKETS);
                  all.remove(each);
                  set(in, BUCKETS, all);
                  return all;
                });
        LOG.debug("{} has {} lists of decisions left", traits, left.size());
      }
    }
  }

  private void forget(String bucket) throws StoreException {
    Set<String> ids = inTransaction(in -> texts(in, bucket));
    for (String each : ids) {
      map.delete(decision(TransactionId.parse(each)));
    }
    if (!ids.isEmpty()) {
      map.delete(bucket);
    }
  }

  @Override
  public void close() {
    // The grid is the caller's.
  }
}
