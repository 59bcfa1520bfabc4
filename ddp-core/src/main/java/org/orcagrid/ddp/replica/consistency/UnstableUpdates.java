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
package org.orcagrid.ddp.replica.consistency;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.orcagrid.ddp.Invariant;
import org.orcagrid.ddp.replica.state.ReplicaState;
import org.orcagrid.ddp.replica.wire.Update;

/**
 * Updates that have had their turn here, and that not all members are known to show: they are kept
 * for members that may need them when a node is gone.
 */
final class UnstableUpdates {
  private final ReplicaState state;

  /** By node and number. */
  private final List<NavigableMap<Long, Update>> kept = new ArrayList<>();

  /** Up to where each member shows the updates of each node, as it said last. */
  private final long[][] shown;

  UnstableUpdates(ReplicaState state) {
    this.state = state;
    this.shown = new long[state.nodes()][state.nodes()];
    for (int node = 0; node < state.nodes(); node++) {
      kept.add(new TreeMap<>());
    }
  }

  void add(Update update) {
    kept.get(update.origin()).put(update.sequence(), update);
  }

  /** How many updates of a node are kept. */
  int size(int origin) {
    return kept.get(origin).size();
  }

  /** A member has said up to where it shows the updates of each node. */
  void onProgress(int member, long[] visible) {
    shown[member] = visible;
  }

  /** A member has joined, and shows nothing. */
  void onJoined(int member) {
    Arrays.fill(shown[member], 0);
  }

  /** Those of a node that a member is not known to show. */
  Iterable<Update> notShownBy(int member, int origin) {
    return kept.get(origin).tailMap(shown[member][origin], false).values();
  }

  /** Forgets what is visible here and at all other members. */
  void forgetStable(long[] visible) {
    for (int origin = 0; origin < visible.length; origin++) {
      long stable = visible[origin];
      for (int node = 0; node < shown.length; node++) {
        if (node != state.self() && state.view().has(node)) {
          stable = Math.min(stable, shown[node][origin]);
        }
      }
      kept.get(origin).headMap(stable, true).clear();
    }
  }

  void forEach(Consumer<Update> what) {
    kept.forEach(of -> of.values().forEach(what));
  }

  /** What is kept is here by its node and number. */
  void checkInvariants() {
    for (int origin = 0; origin < kept.size(); origin++) {
      int of = origin;
      Invariant.check(
          kept.get(origin).entrySet().stream()
              .allMatch(
                  each ->
                      each.getValue().origin() == of
                          && each.getValue().sequence() == each.getKey()),
          "an update is kept by its node and number");
    }
  }
}
