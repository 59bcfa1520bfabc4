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
package org.orcagrid.mixed.store.memory;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.orcagrid.mixed.commit.Answer;
import org.orcagrid.mixed.commit.Intent;
import org.orcagrid.mixed.commit.Part;
import org.orcagrid.mixed.level.Linearizable;
import org.orcagrid.mixed.plan.StoredObject;
import org.orcagrid.mixed.plan.TransactionId;
import org.orcagrid.mixed.store.Found;
import org.orcagrid.mixed.store.Merge;
import org.orcagrid.mixed.store.Reply;
import org.orcagrid.mixed.store.Role;
import org.orcagrid.mixed.store.Snapshot;
import org.orcagrid.mixed.store.Store;
import org.orcagrid.mixed.store.Traits;
import org.orcagrid.mixed.track.Context;
import org.orcagrid.mixed.track.VectorClock;

/** A linearizable store in memory, which decides and prepares. */
public final class MemoryStore implements Store {
  private final Traits traits;
  private final Map<StoredObject, Found> objects = new HashMap<>();
  private final Map<TransactionId, Reply> decisions = new HashMap<>();
  private final Map<TransactionId, Intent> open = new LinkedHashMap<>();
  private final Map<TransactionId, Part> prepared = new LinkedHashMap<>();
  private long refused = Long.MIN_VALUE;
  private long forgotten = Long.MIN_VALUE;
  private long partsForgotten = Long.MIN_VALUE;

  /** An empty store that decides and prepares. */
  public MemoryStore(String name) {
    this(name, Role.PREPARES);
  }

  /** An empty store that does as much. */
  public MemoryStore(String name, Role role) {
    this.traits = new Traits(name, Linearizable.class, name, role, Merge.standard());
  }

  @Override
  public Traits traits() {
    return traits;
  }

  @Override
  public synchronized Snapshot read(Set<StoredObject> asked, Set<TransactionId> markers) {
    Map<StoredObject, Found> found = new HashMap<>();
    asked.forEach(each -> found.put(each, objects.getOrDefault(each, Found.NOTHING)));
    Map<TransactionId, VectorClock> there = new HashMap<>();
    for (TransactionId each : markers) {
      if (each.millis() <= partsForgotten || isDecided(each)) {
        there.put(each, VectorClock.NONE);
      }
    }
    return new Snapshot(found, VectorClock.NONE, VectorClock.NONE, there);
  }

  private boolean isPresent(Part part) {
    return part.reads().entrySet().stream()
        .allMatch(
            each ->
                objects.getOrDefault(each.getKey(), Found.NOTHING).version() == each.getValue());
  }

  /**
   * What is prepared has read objects that nobody writes, and written some that nobody reads and
   * commits, until it is settled.
   */
  private boolean mayCommit(Part part) {
    return isPresent(part)
        && part.writes().stream()
            .map(Part.Write::object)
            .noneMatch(object -> prepared.values().stream().anyMatch(each -> uses(each, object)))
        && part.reads().keySet().stream()
            .noneMatch(object -> prepared.values().stream().anyMatch(each -> writes(each, object)));
  }

  private static boolean writes(Part part, StoredObject object) {
    return part.writes().stream().anyMatch(each -> each.object().equals(object));
  }

  private static boolean uses(Part part, StoredObject object) {
    return part.reads().containsKey(object) || writes(part, object);
  }

  private Map<StoredObject, Context.Stamp> write(TransactionId id, Part part) {
    Map<StoredObject, Context.Stamp> stamps = new HashMap<>();
    for (Part.Write each : part.writes()) {
      long version = objects.getOrDefault(each.object(), Found.NOTHING).version() + 1;
      objects.put(
          each.object(), new Found(each.value(), version, VectorClock.NONE, each.context()));
      stamps.put(each.object(), new Context.Stamp(version, id.millis()));
    }
    return stamps;
  }

  @Override
  public synchronized Reply check(Part part) {
    return Reply.of(isPresent(part) ? Answer.DONE : Answer.CONFLICT);
  }

  @Override
  public synchronized Reply prepare(TransactionId id, Part part) {
    if (prepared.containsKey(id) || isDecided(id)) {
      return Reply.of(Answer.DONE);
    }
    if (decisions.containsKey(id) || id.millis() <= refused || !mayCommit(part)) {
      return Reply.of(Answer.CONFLICT);
    }
    prepared.put(id, part);
    return Reply.of(Answer.DONE);
  }

  @Override
  public synchronized Reply decide(TransactionId id, Part part, Intent intent) {
    Reply before = decisions.get(id);
    if (before != null) {
      return before;
    }
    if (id.millis() <= forgotten) {
      return Reply.of(Answer.FORGOTTEN);
    }
    if (id.millis() <= refused) {
      return Reply.of(Answer.NEVER);
    }
    if (!mayCommit(part)) {
      return remember(id, Reply.of(Answer.CONFLICT));
    }
    Map<StoredObject, Context.Stamp> stamps = write(id, part);
    if (!intent.isEmpty()) {
      open.put(id, intent.with(stamps));
    }
    return remember(id, Reply.decided(stamps));
  }

  private Reply remember(TransactionId id, Reply reply) {
    decisions.put(id, reply);
    return reply;
  }

  private boolean isDecided(TransactionId id) {
    Reply decision = decisions.get(id);
    return decision != null && decision.answer() == Answer.DONE;
  }

  @Override
  public synchronized Reply fence(TransactionId id) {
    if (!decisions.containsKey(id) && id.millis() <= forgotten) {
      return Reply.of(Answer.FORGOTTEN);
    }
    decisions.putIfAbsent(id, Reply.of(Answer.NEVER));
    return isDecided(id) ? decisions.get(id) : Reply.of(Answer.NEVER);
  }

  @Override
  public synchronized Reply commitPrepared(TransactionId id) {
    Part part = prepared.remove(id);
    if (part != null) {
      write(id, part);
      decisions.put(id, Reply.of(Answer.DONE));
    }
    return Reply.of(Answer.DONE);
  }

  @Override
  public synchronized Reply abortPrepared(TransactionId id) {
    prepared.remove(id);
    decisions.putIfAbsent(id, Reply.of(Answer.NEVER));
    return Reply.of(Answer.DONE);
  }

  @Override
  public synchronized void close(Set<TransactionId> ids) {
    open.keySet().removeAll(ids);
  }

  @Override
  public synchronized boolean isDone(long millis) {
    return open.keySet().stream().noneMatch(each -> each.millis() <= millis)
        && prepared.keySet().stream().noneMatch(each -> each.millis() <= millis);
  }

  @Override
  public synchronized List<Intent> intents(long millis) {
    return open.values().stream().filter(each -> each.id().millis() < millis).toList();
  }

  @Override
  public synchronized List<TransactionId> prepared(long millis) {
    return new ArrayList<>(
        prepared.keySet().stream().filter(each -> each.millis() < millis).toList());
  }

  @Override
  public synchronized void refuse(long millis) {
    refused = Math.max(refused, millis);
  }

  @Override
  public synchronized void forgetParts(long millis) {
    partsForgotten = Math.max(partsForgotten, millis);
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
