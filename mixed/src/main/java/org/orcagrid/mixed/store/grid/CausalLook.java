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
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.orcagrid.client.map.Together;
import org.orcagrid.mixed.plan.StoredObject;
import org.orcagrid.mixed.plan.TransactionId;
import org.orcagrid.mixed.store.Found;
import org.orcagrid.mixed.store.Merge;
import org.orcagrid.mixed.store.causal.Row;
import org.orcagrid.mixed.store.causal.Rows;
import org.orcagrid.mixed.track.Replica;
import org.orcagrid.mixed.track.VectorClock;
import org.orcagrid.mixed.track.Version;

/**
 * What a group's node had at one moment: what all groups have written as far as it is visible
 * there. The map shows a group's writes in their order, each after what happened before it.
 */
final class CausalLook implements Replica {
  private final CausalRecords records;
  private final Together<String, byte[]> seen;
  private final String group;
  private final Merge merge;
  // In one order, so that all readers merge alike.
  private final Map<String, CausalRecords.State> states = new TreeMap<>();
  private final VectorClock clock;

  CausalLook(
      CausalRecords records,
      Together<String, byte[]> seen,
      String group,
      Collection<String> groups,
      Merge merge) {
    this.records = records;
    this.seen = seen;
    this.group = group;
    this.merge = merge;
    Map<String, Long> counts = new HashMap<>();
    for (String each : groups) {
      CausalRecords.State state = records.state(seen.values().get(CausalRecords.state(each)));
      states.put(each, state);
      if (state.clock().of(each) > 0) {
        counts.put(each, state.clock().of(each));
      }
    }
    this.clock = new VectorClock(counts);
  }

  /** Whether everything is there that happened before something else that is there. */
  boolean isWhole(Collection<StoredObject> objects) {
    return states.values().stream().allMatch(each -> each.clock().isIn(clock))
        && objects.stream()
            .flatMap(each -> rows(each).stream())
            .allMatch(row -> row.clock().isIn(clock));
  }

  byte[] value(String key) {
    return seen.values().get(key);
  }

  Set<String> texts(String key) {
    return records.texts(value(key));
  }

  CausalRecords.State state() {
    return states.get(group);
  }

  @Override
  public VectorClock clock() {
    return clock;
  }

  /** What all groups have, as far as they have told. */
  VectorClock everywhere() {
    return states.entrySet().stream()
        .map(each -> each.getKey().equals(group) ? clock : each.getValue().clock())
        .reduce(VectorClock::meet)
        .orElse(VectorClock.NONE);
  }

  /** Up to when all groups take parts for done. */
  long partsForgotten() {
    return states.values().stream()
        .mapToLong(CausalRecords.State::parts)
        .min()
        .orElse(Long.MIN_VALUE);
  }

  private List<Row> rows(StoredObject object) {
    List<Row> rows = new ArrayList<>();
    for (String each : states.keySet()) {
      byte[] bytes = value(CausalRecords.row(each, object));
      if (bytes != null) {
        rows.add(records.row(each, bytes));
      }
    }
    return rows;
  }

  /** What a reader gets of an object. */
  Found found(StoredObject object) {
    List<Row> left = List.of();
    for (Row each : rows(object)) {
      left = Rows.with(left, each);
    }
    return Rows.merged(left, merge);
  }

  /** The clock of a transaction's part, unless that is not there or forgotten: then null. */
  VectorClock part(TransactionId id) {
    return states.keySet().stream()
        .map(each -> value(CausalRecords.Memory.PART.key(each, id)))
        .filter(each -> each != null)
        .map(records::clock)
        .findFirst()
        .orElse(null);
  }

  @Override
  public VectorClock marker(TransactionId id) {
    VectorClock part = part(id);
    return part == null && id.millis() <= partsForgotten() ? VectorClock.NONE : part;
  }

  @Override
  public Version read(Object key) {
    return Rows.version(found((StoredObject) key));
  }

  @Override
  public Version merge(Version one, Version other) {
    return Rows.merged(one, other, merge);
  }

  /** Writes, unless somebody else of this group has written anything since. */
  boolean set(Map<String, byte[]> writes) {
    return seen.only(List.of(CausalRecords.state(group))).set(writes);
  }
}
