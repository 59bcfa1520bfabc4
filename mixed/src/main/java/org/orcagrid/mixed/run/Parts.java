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
package org.orcagrid.mixed.run;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.orcagrid.mixed.commit.Intent;
import org.orcagrid.mixed.commit.Part;
import org.orcagrid.mixed.level.Level;
import org.orcagrid.mixed.level.Levels;
import org.orcagrid.mixed.plan.IllegalTransactionException;
import org.orcagrid.mixed.plan.StoredObject;
import org.orcagrid.mixed.plan.TransactionId;
import org.orcagrid.mixed.store.Role;
import org.orcagrid.mixed.store.Traits;
import org.orcagrid.mixed.track.Context;
import org.orcagrid.mixed.track.Tombstone;

/**
 * What an evaluated transaction does at each store, and which one decides. All strong stores take
 * part if one of them is written: what was read in the others must hold when it is decided.
 *
 * @param byStore of all that decide, prepare or follow
 */
record Parts(TransactionId id, Traits decider, Map<String, Part> byStore, Intent intent) {
  /**
   * Divides what was written.
   *
   * @param millis of the id, as {@code random}
   * @throws IllegalTransactionException if two stores would have to decide
   */
  static Parts of(
      Writes writes,
      Reads reads,
      Map<String, Traits> stores,
      Seen seen,
      Set<RunRule> rules,
      long millis,
      long random) {
    Set<String> written = new TreeSet<>();
    writes.written().keySet().forEach(each -> written.add(each.store()));
    Set<String> taking = new TreeSet<>(written);
    if (written.stream().anyMatch(each -> stores.get(each).isStrong())) {
      writes.read().stream()
          .map(StoredObject::store)
          .filter(each -> stores.get(each).isStrong())
          .forEach(taking::add);
    }
    Traits decider = decider(taking, written, stores);
    TransactionId id = new TransactionId(decider.group(), millis, random);
    Map<String, Part> parts = new LinkedHashMap<>();
    for (String each : taking) {
      Set<String> rest = new HashSet<>(written);
      rest.remove(each);
      if (decider.isStrong() && !stores.get(each).isStrong()) {
        // Its versions are named, as they are known by then; what is prepared is so before.
        rest.remove(decider.name());
      }
      parts.put(each, part(stores.get(each), writes, reads, seen, rules, rest, id));
    }
    return new Parts(id, decider, parts, intent(id, decider, taking, stores, parts));
  }

  private static Traits decider(
      Set<String> taking, Set<String> written, Map<String, Traits> stores) {
    List<Traits> cannotPrepare =
        taking.stream().map(stores::get).filter(each -> each.role() == Role.DECIDES).toList();
    if (cannotPrepare.size() > 1) {
      throw new IllegalTransactionException(
          cannotPrepare.get(0)
              + " and "
              + cannotPrepare.get(1)
              + " cannot be changed together, since neither can prepare; keep what belongs together"
              + " in one of them");
    }
    return cannotPrepare.isEmpty() ? strongest(taking, written, stores) : cannotPrepare.get(0);
  }

  private static Traits strongest(
      Set<String> taking, Set<String> written, Map<String, Traits> stores) {
    List<Class<? extends Level>> used = new ArrayList<>();
    taking.forEach(each -> used.add(stores.get(each).level()));
    List<Class<? extends Level>> levels = Levels.strongestFirst(used);
    return taking.stream()
        .map(stores::get)
        .min(
            Comparator.comparing((Traits each) -> !each.isStrong())
                .thenComparing(each -> !written.contains(each.name()))
                .thenComparing(each -> levels.indexOf(each.level())))
        .orElseThrow();
  }

  private static Part part(
      Traits store,
      Writes writes,
      Reads reads,
      Seen seen,
      Set<RunRule> rules,
      Set<String> rest,
      TransactionId id) {
    Map<String, Tombstone> carried = new HashMap<>(seen.onWrite(store.name()));
    if (rules.contains(RunRule.VERSIONS_NAME_THE_REST)) {
      rest.forEach(each -> carried.merge(each, seen.tombstone(id), Tombstone::join));
    }
    Context context = new Context(carried, Map.of());
    List<Part.Write> all = new ArrayList<>();
    writes
        .written()
        .forEach(
            (object, changes) -> {
              if (object.store().equals(store.name())) {
                changes.forEach(
                    each ->
                        all.add(new Part.Write(object, each.operation(), each.value(), context)));
              }
            });
    Map<StoredObject, Long> versions =
        store.isStrong() && rules.contains(RunRule.READS_ARE_CHECKED)
            ? versions(store.name(), writes, reads)
            : Map.of();
    return new Part(
        store.group(),
        all,
        versions,
        store.isStrong() ? null : seen.onPart(store.name(), reads.need(store.name())));
  }

  /** Versions of a strong store's objects that were read. */
  static Map<StoredObject, Long> versions(String store, Writes writes, Reads reads) {
    Map<StoredObject, Long> versions = new HashMap<>();
    for (StoredObject each : writes.read()) {
      if (each.store().equals(store) && reads.has(each)) {
        versions.put(each, reads.version(each));
      }
    }
    return versions;
  }

  private static Intent intent(
      TransactionId id,
      Traits decider,
      Set<String> taking,
      Map<String, Traits> stores,
      Map<String, Part> parts) {
    List<String> prepared = new ArrayList<>();
    List<Part> follow = new ArrayList<>();
    for (String each : taking) {
      Traits store = stores.get(each);
      if (store.isStrong() && !each.equals(decider.name())) {
        prepared.add(each);
      } else if (!each.equals(decider.name())) {
        follow.add(parts.get(each));
      }
    }
    return new Intent(id, prepared, follow);
  }

  /** Stores in which something of it follows its decision. */
  Set<String> following() {
    Set<String> all = new HashSet<>(byStore.keySet());
    all.remove(decider.name());
    return all;
  }
}
