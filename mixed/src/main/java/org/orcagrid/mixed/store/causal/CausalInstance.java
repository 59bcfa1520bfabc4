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
package org.orcagrid.mixed.store.causal;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.orcagrid.mixed.commit.Answer;
import org.orcagrid.mixed.commit.Intent;
import org.orcagrid.mixed.commit.Part;
import org.orcagrid.mixed.level.Causal;
import org.orcagrid.mixed.plan.StoredObject;
import org.orcagrid.mixed.plan.TransactionId;
import org.orcagrid.mixed.store.Found;
import org.orcagrid.mixed.store.Merge;
import org.orcagrid.mixed.store.Reply;
import org.orcagrid.mixed.store.Role;
import org.orcagrid.mixed.store.Snapshot;
import org.orcagrid.mixed.store.Store;
import org.orcagrid.mixed.store.Traits;
import org.orcagrid.mixed.track.Everywhere;
import org.orcagrid.mixed.track.Replica;
import org.orcagrid.mixed.track.VectorClock;
import org.orcagrid.mixed.track.Version;

/**
 * An instance of a causally consistent store, in memory. What it commits gets the next count of its
 * group in a vector clock; others take a batch when they have all that came before it.
 */
public final class CausalInstance implements Store {
  private final Traits traits;
  private final String group;
  private final Everywhere everywhere;

  private final Map<StoredObject, List<Row>> rows = new HashMap<>();
  private final Map<TransactionId, VectorClock> markers = new LinkedHashMap<>();
  private final Map<String, Long> partsForgotten = new HashMap<>();
  private final Map<TransactionId, Answer> decisions = new HashMap<>();
  private final Map<TransactionId, Intent> open = new LinkedHashMap<>();
  private final Deque<Batch> outbox = new ArrayDeque<>();
  private VectorClock clock = VectorClock.NONE;
  private long refused = Long.MIN_VALUE;
  private long forgotten = Long.MIN_VALUE;

  /**
   * An empty instance.
   *
   * @param store its name
   * @param group of this instance
   * @param groups of all of them
   */
  public CausalInstance(String store, String group, Set<String> groups, Merge merge) {
    this.traits = new Traits(store, Causal.class, group, Role.FOLLOWS, merge);
    this.group = group;
    this.everywhere = new Everywhere(groups);
    groups.forEach(each -> partsForgotten.put(each, Long.MIN_VALUE));
  }

  @Override
  public Traits traits() {
    return traits;
  }

  // --- readers -----------------------------------------------------------------------------------

  @Override
  public synchronized Snapshot read(Set<StoredObject> asked, Set<TransactionId> looked) {
    Map<StoredObject, Found> found = new HashMap<>();
    asked.forEach(each -> found.put(each, found(each)));
    Map<TransactionId, VectorClock> there = new HashMap<>();
    for (TransactionId each : looked) {
      VectorClock marker = replica.marker(each);
      if (marker != null) {
        there.put(each, marker);
      }
    }
    return new Snapshot(found, clock, everywhere.clock(), there);
  }

  private Found found(StoredObject object) {
    return Rows.merged(rows.getOrDefault(object, List.of()), traits.merge());
  }

  private final Replica replica =
      new Replica() {
        @Override
        public VectorClock clock() {
          return clock;
        }

        @Override
        public Version read(Object key) {
          return Rows.version(found((StoredObject) key));
        }

        @Override
        public Version merge(Version one, Version other) {
          return Rows.merged(one, other, traits.merge());
        }

        @Override
        public VectorClock marker(TransactionId id) {
          boolean isForgotten =
              partsForgotten.values().stream().allMatch(each -> id.millis() <= each);
          return markers.getOrDefault(id, isForgotten ? VectorClock.NONE : null);
        }
      };

  /** What it has, for a client that tells others. */
  public Replica replica() {
    return replica;
  }

  // --- writers -----------------------------------------------------------------------------------

  @Override
  public synchronized Reply apply(TransactionId id, Part part) {
    VectorClock before = markers.get(id);
    if (before != null || id.millis() <= partsForgotten.get(group)) {
      return Reply.taken(before == null ? VectorClock.NONE : before);
    }
    return takes(part) ? Reply.taken(commit(id, part)) : Reply.of(Answer.CONFLICT);
  }

  private boolean takes(Part part) {
    return part.after() == null || part.after().isIn(replica);
  }

  private VectorClock commit(TransactionId id, Part part) {
    long sequence = clock.of(group) + 1;
    VectorClock with = clock.join(VectorClock.of(group, sequence));
    Map<StoredObject, Row> written = new LinkedHashMap<>();
    for (Part.Write each : part.writes()) {
      Row before = written.get(each.object());
      Found present =
          before == null ? found(each.object()) : Rows.merged(List.of(before), traits.merge());
      Found after = Rows.after(present, each);
      written.put(each.object(), new Row(group, sequence, with, after.value(), after.context()));
    }
    // Nothing above has changed anything.
    clock = with;
    written.forEach((object, row) -> rows.put(object, List.of(row)));
    if (id != null) {
      markers.put(id, clock);
    }
    outbox.add(new Batch(group, sequence, clock, written, id, partsForgotten.get(group)));
    onClock(group, clock);
    return clock;
  }

  @Override
  public synchronized Reply decide(TransactionId id, Part part, Intent intent) {
    Answer before = decisions.get(id);
    if (before != null) {
      return new Reply(before, markers.getOrDefault(id, VectorClock.NONE), Map.of());
    }
    if (id.millis() <= forgotten) {
      return Reply.of(Answer.FORGOTTEN);
    }
    if (id.millis() <= refused) {
      return Reply.of(Answer.NEVER);
    }
    if (!takes(part)) {
      decisions.put(id, Answer.CONFLICT);
      return Reply.of(Answer.CONFLICT);
    }
    Reply taken = Reply.taken(commit(id, part));
    decisions.put(id, Answer.DONE);
    if (!intent.isEmpty()) {
      open.put(id, intent);
    }
    return taken;
  }

  @Override
  public synchronized Reply fence(TransactionId id) {
    if (!decisions.containsKey(id) && id.millis() <= forgotten) {
      return Reply.of(Answer.FORGOTTEN);
    }
    decisions.putIfAbsent(id, Answer.NEVER);
    return decisions.get(id) == Answer.DONE
        ? Reply.taken(markers.getOrDefault(id, VectorClock.NONE))
        : Reply.of(Answer.NEVER);
  }

  @Override
  public synchronized void close(Set<TransactionId> ids) {
    open.keySet().removeAll(ids);
  }

  // --- other instances ---------------------------------------------------------------------------

  /** Batches of this instance that come after one, in their order. */
  public synchronized List<Batch> after(long sequence) {
    return outbox.stream().filter(each -> each.sequence() > sequence).toList();
  }

  /** What it has. */
  public synchronized VectorClock clock() {
    return clock;
  }

  /** Takes a batch, or has it; false if something is missing that comes first. */
  public synchronized boolean take(Batch batch) {
    long has = clock.of(batch.group());
    if (batch.sequence() <= has) {
      return true;
    }
    VectorClock with = clock.join(VectorClock.of(batch.group(), batch.sequence()));
    if (batch.sequence() > has + 1 || !batch.clock().isIn(with)) {
      return false;
    }
    clock = with;
    batch
        .rows()
        .forEach(
            (object, row) ->
                rows.merge(object, List.of(row), (present, more) -> Rows.with(present, row)));
    if (batch.id() != null) {
      markers.put(batch.id(), batch.clock());
    }
    onForgotten(batch.group(), batch.forgotten());
    everywhere.onClock(group, clock);
    return true;
  }

  /** Another instance has this much. */
  public synchronized void onClock(String other, VectorClock its) {
    everywhere.onClock(other, its);
    long all = everywhere.clock().of(group);
    while (!outbox.isEmpty() && outbox.peek().sequence() <= all) {
      outbox.remove();
    }
  }

  // --- workers -----------------------------------------------------------------------------------

  @Override
  public synchronized boolean isDone(long millis) {
    return open.keySet().stream().noneMatch(each -> each.millis() <= millis);
  }

  @Override
  public synchronized List<Intent> intents(long millis) {
    return open.values().stream().filter(each -> each.id().millis() < millis).toList();
  }

  @Override
  public synchronized void refuse(long millis) {
    refused = Math.max(refused, millis);
  }

  /** Others forget the ids when they have all batches from before. */
  @Override
  public synchronized void forgetParts(long millis) {
    onForgotten(group, millis);
    commit(null, new Part(group, List.of(), Map.of(), null));
  }

  private void onForgotten(String by, long millis) {
    partsForgotten.merge(by, millis, Math::max);
    long all = partsForgotten.values().stream().mapToLong(Long::longValue).min().orElseThrow();
    long mine = partsForgotten.get(group);
    markers.keySet().removeIf(each -> each.millis() <= Math.min(all, mine));
  }

  @Override
  public synchronized void forget(long millis) {
    forgotten = Math.max(forgotten, millis);
    decisions.keySet().removeIf(each -> each.millis() <= forgotten);
  }

  @Override
  public void close() {
    // What it has is nowhere else.
  }
}
