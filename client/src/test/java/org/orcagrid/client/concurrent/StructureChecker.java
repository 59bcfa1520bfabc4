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
package org.orcagrid.client.concurrent;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Looks for an order of a structure's operations that explains all answers: Wing and Gong's search,
 * with Lowe's memory. What ended takes effect between its begin and its end, what never ended at
 * any time after its begin or not at all.
 */
final class StructureChecker {
  private static final int TRIED_MAX = 2_000_000;

  private final List<StructureOperation> history;
  private final Set<Configuration> tried = new HashSet<>();

  private record Configuration(BitSet done, List<Integer> state) {}

  private StructureChecker(List<StructureOperation> history) {
    this.history = history;
  }

  /** Null if an order explains the history of a structure that was empty; else why none does. */
  static String fault(List<StructureOperation> history) {
    StructureChecker checker = new StructureChecker(history);
    if (checker.search(new BitSet(), List.of())) {
      return null;
    }
    StringBuilder text = new StringBuilder("no order explains");
    history.forEach(each -> text.append("\n  ").append(each));
    return text.toString();
  }

  private boolean search(BitSet done, List<Integer> state) {
    long firstEnd = StructureOperation.NEVER;
    for (int i = done.nextClearBit(0); i < history.size(); i = done.nextClearBit(i + 1)) {
      firstEnd = Math.min(firstEnd, history.get(i).end());
    }
    if (firstEnd == StructureOperation.NEVER) {
      return true;
    }
    if (!tried.add(new Configuration((BitSet) done.clone(), state))) {
      return false;
    }
    if (tried.size() > TRIED_MAX) {
      throw new IllegalStateException("The history is too long to be judged");
    }
    for (int i = done.nextClearBit(0); i < history.size(); i = done.nextClearBit(i + 1)) {
      StructureOperation next = history.get(i);
      if (next.begin() <= firstEnd) {
        List<Integer> after = step(state, next);
        if (after != null) {
          done.set(i);
          if (search(done, after)) {
            return true;
          }
          done.clear(i);
        }
      }
    }
    return false;
  }

  /** What the structure has after an operation; null if its answer would be another one. */
  private static List<Integer> step(List<Integer> state, StructureOperation next) {
    return switch (next.kind()) {
      case OFFER, PUSH -> with(state, next.item());
      case POLL -> without(state, next, 0);
      case POP -> without(state, next, state.size() - 1);
      case CONTAINS -> answers(next, state.contains(next.item())) ? state : null;
      case ADD -> {
        boolean there = state.contains(next.item());
        yield !answers(next, !there) ? null : there ? state : sorted(with(state, next.item()));
      }
      case COUNT -> {
        int number = state.isEmpty() ? 1 : state.get(0) + 1;
        yield next.ended() && next.answer() != number ? null : List.of(number);
      }
      case REMOVE -> {
        int at = state.indexOf(next.item());
        yield !answers(next, at >= 0) ? null : at < 0 ? state : without(state, at);
      }
    };
  }

  private static boolean answers(StructureOperation next, boolean yes) {
    return !next.ended() || next.answer() == (yes ? 1 : 0);
  }

  private static List<Integer> with(List<Integer> state, int item) {
    List<Integer> after = new ArrayList<>(state);
    after.add(item);
    return after;
  }

  private static List<Integer> sorted(List<Integer> state) {
    return List.copyOf(new TreeSet<>(state));
  }

  private static List<Integer> without(List<Integer> state, StructureOperation next, int at) {
    int there = state.isEmpty() ? 0 : state.get(at);
    if (next.ended() && next.answer() != there) {
      return null;
    }
    return there == 0 ? state : without(state, at);
  }

  private static List<Integer> without(List<Integer> state, int at) {
    List<Integer> after = new ArrayList<>(state);
    after.remove(at);
    return after;
  }
}
