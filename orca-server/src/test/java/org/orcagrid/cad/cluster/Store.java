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
package org.orcagrid.cad.cluster;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.orcagrid.simulator.SimulatedLog;
import org.orcagrid.simulator.Simulation;

/** What a server has on its disk, and the tree that it makes of it. */
final class Store {
  final SimulatedLog<Entry> log = new SimulatedLog<>();

  /** On disk: the epoch that the server takes part in. */
  long epoch;

  /** On disk: that the server has answered a heartbeat. */
  boolean promised;

  /** The last write of each key that was applied. */
  final Map<String, Long> tree = new HashMap<>();

  /** How many entries of the log are applied. */
  int applied;

  /** On disk: a snapshot, named by where it began; it contains what came while it was written. */
  private Map<String, Long> snapshot = Map.of();

  private long snapshotName;

  long last() {
    return indexAt(log.entries().size());
  }

  long persisted() {
    return indexAt(log.forced());
  }

  long appliedIndex() {
    return indexAt(applied);
  }

  private long indexAt(int count) {
    return count == 0 ? 0 : log.entries().get(count - 1).index();
  }

  /** Applies the next entry of the log. */
  Entry applyNext() {
    Entry entry = log.entries().get(applied++);
    tree.put(entry.key(), entry.index());
    return entry;
  }

  void publish(Map<String, Long> content, long name) {
    snapshot = Map.copyOf(content);
    snapshotName = name;
  }

  /** Power is lost: what was not forced goes, and all that was in memory. */
  void crash(Simulation simulation) {
    log.crash(simulation);
    restore(log.entries().size());
  }

  /**
   * Loads the snapshot and the log behind its name up to an entry, as a server does at its start.
   */
  private void restore(int count) {
    tree.clear();
    tree.putAll(snapshot);
    applied = 0;
    while (applied < count) {
      Entry entry = log.entries().get(applied);
      if (entry.index() <= snapshotName) {
        applied++;
      } else {
        applyNext();
      }
    }
  }

  /** Makes the log as the leader's is and forces it; what is new is yet to be applied. */
  void synchronise(List<Entry> leaders) {
    int common = 0;
    List<Entry> own = log.entries();
    while (common < own.size()
        && common < leaders.size()
        && own.get(common).equals(leaders.get(common))) {
      common++;
    }
    boolean truncates = common < own.size();
    log.truncate(common);
    for (Entry entry : leaders.subList(common, leaders.size())) {
      log.append(entry);
    }
    log.force(log.entries().size());
    if (truncates) {
      restore(common);
    }
  }

  /** Applies all of the log. */
  void applyAll() {
    while (applied < log.entries().size()) {
      applyNext();
    }
  }
}
