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

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.orcagrid.client.GridException;
import org.orcagrid.client.map.CausalGridMap;
import org.orcagrid.client.map.Together;
import org.orcagrid.ddp.model.Promise;
import org.orcagrid.mixed.commit.Answer;
import org.orcagrid.mixed.commit.Intent;
import org.orcagrid.mixed.commit.Part;
import org.orcagrid.mixed.level.Causal;
import org.orcagrid.mixed.plan.IllegalTransactionException;
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
import org.orcagrid.mixed.store.causal.Rows;
import org.orcagrid.mixed.store.grid.CausalRecords.Memory;
import org.orcagrid.mixed.track.VectorClock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A causally consistent store on a causal map of a grid, at one node of it. Each node is a group:
 * what a client writes is committed at its own node, and the map hands it to the others in causal
 * order. A commit is one batch of the map, up to 512 KB. The map is the store's alone.
 *
 * <p>A node's commits are numbered, and come one after the other: each expects the count that it
 * has seen. A read is one batch, so it sees commits as a whole.
 *
 * <p>A group tells what it has with each commit. One that does not commit tells it when it is read,
 * or looked after by a worker: so each node needs one of these.
 */
public final class GridCausalStore implements Store {
  private static final Logger LOG = LoggerFactory.getLogger(GridCausalStore.class);
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(5);
  private static final long PAUSE_NANOS = TimeUnit.MICROSECONDS.toNanos(200);

  /** A group that does not commit tells what it has at most so often. */
  private static final long TELL_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private static final int INTENTS_AT_ONCE = 100;

  /**
   * What a transaction writes here, keys and values: half of the map's batch. The rest is for what
   * the store notes, and for versions that are merged with what is written.
   */
  static final int PART_BYTES_MAX = 256 << 10;

  private final Traits traits;
  private final CausalGridMap<String, byte[]> map;
  private final String group;
  private final Set<String> groups = new TreeSet<>();
  private final CausalRecords records;

  /** Those of this process do not get into each other's way. */
  private final ReentrantLock writing = new ReentrantLock();

  private final AtomicLong toldNanos = new AtomicLong(System.nanoTime() - TELL_NANOS);

  /**
   * A store on a map, at the node of this process or the one that a remote handle is connected to.
   *
   * @param name of the store, the same at all nodes
   * @param map which nobody else writes to
   * @param nodes that have the map, the same at all of them: a grid of three has 0, 1 and 2
   * @throws IllegalArgumentException if the map's model does not promise that what has completed
   *     survives a crash, and that reads do not go back; or if this node is not one of those
   */
  public GridCausalStore(
      String name,
      CausalGridMap<String, byte[]> map,
      Set<Integer> nodes,
      Operations operations,
      Merge merge) {
    for (Promise each : List.of(Promise.COMPLETED_SURVIVES, Promise.MONOTONIC_READS)) {
      if (!each.isMadeBy(map.model())) {
        throw new IllegalArgumentException(
            "The map of the store "
                + name
                + " is "
                + map.model()
                + ", where "
                + each.otherwise()
                + "; take causal/strict");
      }
    }
    int node = map.node();
    if (!nodes.contains(node)) {
      throw new IllegalArgumentException(
          "The store "
              + name
              + " is at node "
              + node
              + ", which is none of its nodes "
              + new TreeSet<>(nodes));
    }
    this.group = Integer.toString(node);
    nodes.forEach(each -> groups.add(Integer.toString(each)));
    this.traits = new Traits(name, Causal.class, group, Role.FOLLOWS, merge);
    this.map = map;
    this.records = new CausalRecords(new Encoding(operations));
  }

  @Override
  public Traits traits() {
    return traits;
  }

  // --- one step ----------------------------------------------------------------------------------

  /** What follows from what is there. */
  private interface Change<T> {
    /** The result; what is to be written is added to {@code writes}, null for a removal. */
    T make(CausalLook look, Map<String, byte[]> writes);
  }

  /** Some keys, and what all groups have, at one moment. */
  private CausalLook look(Collection<String> keys, Collection<StoredObject> objects)
      throws StoreException {
    Set<String> all = new LinkedHashSet<>(keys);
    for (String each : groups) {
      all.add(CausalRecords.state(each));
      objects.forEach(object -> all.add(CausalRecords.row(each, object)));
    }
    long end = System.nanoTime() + PATIENCE_NANOS;
    while (true) {
      Together<String, byte[]> seen = seen(all);
      CausalLook look = new CausalLook(records, seen, group, groups, traits.merge());
      if (look.isWhole(objects)) {
        return look;
      }
      if (System.nanoTime() - end >= 0) {
        throw new StoreException(
            traits + " lacks what happened before something that it has, up to " + look.clock(),
            null);
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  private Together<String, byte[]> seen(Collection<String> keys) throws StoreException {
    try {
      Together<String, byte[]> seen = map.look(keys);
      if (seen.node() != Integer.parseInt(group)) {
        throw new StoreException(
            traits + " is lost to this client, whose map is at node " + seen.node() + " now", null);
      }
      return seen;
    } catch (GridException | IllegalStateException | IllegalArgumentException e) {
      throw failed(e);
    }
  }

  private StoreException failed(RuntimeException reason) {
    return new StoreException(traits + " has failed: " + reason.getMessage(), reason);
  }

  /** Looks, and writes what follows; again if this group has written meanwhile. */
  private <T> T change(Collection<String> keys, Collection<StoredObject> objects, Change<T> change)
      throws StoreException {
    long end = System.nanoTime() + PATIENCE_NANOS;
    writing.lock();
    try {
      while (true) {
        CausalLook look = look(keys, objects);
        Map<String, byte[]> writes = new HashMap<>();
        T result = change.make(look, writes);
        if (writes.isEmpty() || isWritten(look, writes)) {
          return result;
        }
        if (System.nanoTime() - end >= 0) {
          throw new StoreException(
              traits + " has changed for five seconds each time that it was written", null);
        }
      }
    } finally {
      writing.unlock();
    }
  }

  private boolean isWritten(CausalLook look, Map<String, byte[]> writes) throws StoreException {
    // Whoever has looked before sees that something has changed.
    writes.putIfAbsent(CausalRecords.state(group), records.state(look.state()));
    try {
      return look.set(writes);
    } catch (GridException | IllegalStateException | IllegalArgumentException e) {
      throw failed(e);
    }
  }

  /** Has others know what this node has, if it has not told for a while. */
  private void tellIfDue(CausalLook look) {
    long told = toldNanos.get();
    long now = System.nanoTime();
    boolean isKnown = look.clock().isIn(look.state().clock());
    if (isKnown || now - told < TELL_NANOS || !toldNanos.compareAndSet(told, now)) {
      return;
    }
    // Who has the lock is about to tell it.
    if (writing.tryLock()) {
      try {
        LOG.trace("{} tells that it has {}", traits, tell());
      } catch (StoreException e) {
        LOG.debug("{} has not told what it has, and will do so later", traits, e);
      } finally {
        writing.unlock();
      }
    }
  }

  private VectorClock tell() throws StoreException {
    return change(
        Set.of(),
        Set.of(),
        (look, writes) -> {
          writes.put(CausalRecords.state(group), records.state(look.state().with(look.clock())));
          return look.clock();
        });
  }

  // --- reading -----------------------------------------------------------------------------------

  private void addPart(Collection<String> keys, TransactionId id) {
    groups.forEach(each -> keys.add(Memory.PART.key(each, id)));
  }

  @Override
  public Snapshot read(Set<StoredObject> objects, Set<TransactionId> markers)
      throws StoreException {
    Set<String> keys = new LinkedHashSet<>();
    markers.forEach(each -> addPart(keys, each));
    CausalLook look = look(keys, objects);
    Map<StoredObject, Found> found = new HashMap<>();
    objects.forEach(each -> found.put(each, look.found(each)));
    Map<TransactionId, VectorClock> there = new HashMap<>();
    for (TransactionId each : markers) {
      VectorClock marker = look.marker(each);
      if (marker != null) {
        there.put(each, marker);
      }
    }
    tellIfDue(look);
    return new Snapshot(found, look.clock(), look.everywhere(), there);
  }

  // --- writing -----------------------------------------------------------------------------------

  private Set<String> keys(TransactionId id, Part part) {
    Set<String> keys = new LinkedHashSet<>();
    addPart(keys, id);
    addMemory(keys, Memory.PART, id);
    if (part.after() != null) {
      part.after().pending().forEach(each -> addPart(keys, each));
    }
    return keys;
  }

  private void addMemory(Collection<String> keys, Memory memory, TransactionId id) {
    keys.add(memory.key(group, id));
    keys.add(memory.bucket(group, id));
    keys.add(memory.buckets(group));
  }

  private static Set<StoredObject> objects(Part part) {
    Set<StoredObject> objects = new LinkedHashSet<>();
    part.writes().forEach(each -> objects.add(each.object()));
    return objects;
  }

  @Override
  public void requireFits(Part part) {
    long bytes = 0;
    for (Part.Write each : part.writes()) {
      bytes += Encoding.key(each.object()).getBytes(StandardCharsets.UTF_8).length;
      // What an operation makes of an object is known only when it is applied.
      bytes += each.operation() == null ? records.encoding().value(each.value()).length : 0;
    }
    if (bytes > PART_BYTES_MAX) {
      throw new IllegalTransactionException(
          "A transaction would write "
              + bytes
              + " bytes to "
              + traits
              + "; have it write "
              + PART_BYTES_MAX
              + " at most, or make it several transactions");
    }
  }

  @Override
  public Reply apply(TransactionId id, Part part) throws StoreException {
    return change(
        keys(id, part),
        objects(part),
        (look, writes) -> {
          VectorClock before = look.part(id);
          if (before != null || id.millis() <= look.state().parts()) {
            return Reply.taken(before == null ? VectorClock.NONE : before);
          }
          return takes(look, part)
              ? Reply.taken(commit(look, id, part, writes))
              : Reply.of(Answer.CONFLICT);
        });
  }

  private static boolean takes(CausalLook look, Part part) {
    return part.after() == null || part.after().isIn(look);
  }

  /** Adds the part's writes, and that it was taken; its clock. */
  private VectorClock commit(
      CausalLook look, TransactionId id, Part part, Map<String, byte[]> writes) {
    long sequence = look.clock().of(group) + 1;
    VectorClock with = look.clock().join(VectorClock.of(group, sequence));
    Map<StoredObject, Found> written = new LinkedHashMap<>();
    for (Part.Write each : part.writes()) {
      Found before = written.get(each.object());
      Found present = before == null ? look.found(each.object()) : before;
      written.put(each.object(), Rows.after(present, each, records.encoding()));
    }
    written.forEach(
        (object, found) ->
            writes.put(CausalRecords.row(group, object), records.row(sequence, with, found)));
    writes.put(CausalRecords.state(group), records.state(look.state().with(with)));
    remember(look, Memory.PART, id, records.clock(with), writes);
    return with;
  }

  /** Keeps something of a transaction, and where it is forgotten some time. */
  private void remember(
      CausalLook look, Memory memory, TransactionId id, byte[] value, Map<String, byte[]> writes) {
    writes.put(memory.key(group, id), value);
    add(look, memory.bucket(group, id), id.toString(), writes);
    add(look, memory.buckets(group), Long.toString(CausalRecords.bucket(id.millis())), writes);
  }

  private void add(CausalLook look, String key, String text, Map<String, byte[]> writes) {
    Set<String> all = look.texts(key);
    if (all.add(text)) {
      writes.put(key, records.texts(all));
    }
  }

  private void remove(CausalLook look, String key, String text, Map<String, byte[]> writes) {
    Set<String> all = look.texts(key);
    if (all.remove(text)) {
      writes.put(key, records.texts(all));
    }
  }

  // --- deciding ----------------------------------------------------------------------------------

  @Override
  public Reply decide(TransactionId id, Part part, Intent intent) throws StoreException {
    Set<String> keys = keys(id, part);
    addMemory(keys, Memory.DECISION, id);
    keys.add(CausalRecords.open(group, CausalRecords.shard(id)));
    return change(
        keys,
        objects(part),
        (look, writes) -> {
          Reply before = decided(look, id);
          if (before != null) {
            return before;
          }
          if (id.millis() <= look.state().refused()) {
            return Reply.of(Answer.NEVER);
          }
          boolean takes = takes(look, part);
          Reply reply =
              takes ? Reply.taken(commit(look, id, part, writes)) : Reply.of(Answer.CONFLICT);
          remember(look, Memory.DECISION, id, records.text(reply.answer().name()), writes);
          if (takes && !intent.isEmpty()) {
            writes.put(CausalRecords.intent(group, id), records.encoding().intent(intent));
            String open = CausalRecords.open(group, CausalRecords.shard(id));
            add(look, open, id.toString(), writes);
          }
          return reply;
        });
  }

  /** What was decided, or that it is forgotten; null if neither. */
  private Reply decided(CausalLook look, TransactionId id) {
    String answer = records.text(look.value(Memory.DECISION.key(group, id)));
    if (answer != null) {
      VectorClock part = look.part(id);
      return new Reply(Answer.valueOf(answer), part == null ? VectorClock.NONE : part, Map.of());
    }
    return id.millis() <= look.state().forgotten() ? Reply.of(Answer.FORGOTTEN) : null;
  }

  @Override
  public Reply fence(TransactionId id) throws StoreException {
    Set<String> keys = new LinkedHashSet<>();
    addPart(keys, id);
    addMemory(keys, Memory.DECISION, id);
    return change(
        keys,
        Set.of(),
        (look, writes) -> {
          Reply before = decided(look, id);
          if (before == null) {
            remember(look, Memory.DECISION, id, records.text(Answer.NEVER.name()), writes);
            return Reply.of(Answer.NEVER);
          }
          return before.answer() == Answer.CONFLICT ? Reply.of(Answer.NEVER) : before;
        });
  }

  @Override
  public void close(Set<TransactionId> ids) throws StoreException {
    for (TransactionId each : ids) {
      String open = CausalRecords.open(group, CausalRecords.shard(each));
      boolean wasOpen =
          change(
              Set.of(open),
              Set.of(),
              (look, writes) -> {
                remove(look, open, each.toString(), writes);
                if (!writes.isEmpty()) {
                  writes.put(CausalRecords.intent(group, each), null);
                }
                return !writes.isEmpty();
              });
      LOG.trace("{} is closed, and was open: {}", each, wasOpen);
    }
  }

  // --- for workers -------------------------------------------------------------------------------

  private List<TransactionId> open() throws StoreException {
    Set<String> keys = new LinkedHashSet<>();
    for (int i = 0; i < CausalRecords.SHARDS; i++) {
      keys.add(CausalRecords.open(group, i));
    }
    CausalLook look = look(keys, Set.of());
    tellIfDue(look);
    List<TransactionId> open = new ArrayList<>();
    keys.forEach(key -> look.texts(key).forEach(each -> open.add(TransactionId.parse(each))));
    return open;
  }

  @Override
  public boolean isDone(long millis) throws StoreException {
    return open().stream().noneMatch(each -> each.millis() <= millis);
  }

  @Override
  public List<Intent> intents(long millis) throws StoreException {
    List<String> keys =
        open().stream()
            .filter(each -> each.millis() < millis)
            .map(each -> CausalRecords.intent(group, each))
            .toList();
    List<Intent> all = new ArrayList<>();
    for (int from = 0; from < keys.size(); from += INTENTS_AT_ONCE) {
      List<String> some = keys.subList(from, Math.min(keys.size(), from + INTENTS_AT_ONCE));
      CausalLook look = look(some, Set.of());
      for (String key : some) {
        byte[] bytes = look.value(key);
        if (bytes != null) {
          records.encoding().readableIntent(bytes, traits).ifPresent(all::add);
        }
      }
    }
    return all;
  }

  private CausalLook raise(long parts, long refused, long forgotten) throws StoreException {
    return change(
        Set.of(),
        Set.of(),
        (look, writes) -> {
          CausalRecords.State state = look.state().raised(parts, refused, forgotten);
          if (!state.equals(look.state())) {
            writes.put(CausalRecords.state(group), records.state(state));
          }
          return look;
        });
  }

  @Override
  public void refuse(long millis) throws StoreException {
    raise(Long.MIN_VALUE, millis, Long.MIN_VALUE);
  }

  /** Forgets the ids, by ten seconds, when all groups take their parts for done. */
  @Override
  public void forgetParts(long millis) throws StoreException {
    raise(millis, Long.MIN_VALUE, Long.MIN_VALUE);
    forget(Memory.PART, CausalRecords.bucket(look(Set.of(), Set.of()).partsForgotten()));
  }

  /** Forgets by ten seconds. */
  @Override
  public void forget(long millis) throws StoreException {
    long first = CausalRecords.bucket(millis);
    raise(Long.MIN_VALUE, Long.MIN_VALUE, CausalRecords.before(first));
    forget(Memory.DECISION, first);
  }

  /** Forgets what is in buckets before one. */
  private void forget(Memory memory, long first) throws StoreException {
    for (String each : look(Set.of(memory.buckets(group)), Set.of()).texts(memory.buckets(group))) {
      long bucket = Long.parseLong(each);
      if (bucket < first) {
        for (int i = 0; i < CausalRecords.SHARDS; i++) {
          forget(memory, memory.bucket(group, bucket, i));
        }
        int left =
            change(
                Set.of(memory.buckets(group)),
                Set.of(),
                (look, writes) -> {
                  remove(look, memory.buckets(group), each, writes);
                  return look.texts(memory.buckets(group)).size() - 1;
                });
        LOG.debug("{} has {} lists of {} left", traits, left, memory);
      }
    }
  }

  private void forget(Memory memory, String bucket) throws StoreException {
    int forgotten =
        change(
            Set.of(bucket),
            Set.of(),
            (look, writes) -> {
              Set<String> ids = look.texts(bucket);
              if (!ids.isEmpty()) {
                ids.forEach(each -> writes.put(memory.key(group, TransactionId.parse(each)), null));
                writes.put(bucket, null);
              }
              return ids.size();
            });
    LOG.trace("{} has forgotten {} of {}", traits, forgotten, bucket);
  }

  @Override
  public void close() {
    // The grid is the caller's.
  }
}
