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
package org.orcagrid.simulator.kite;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.orcagrid.ddp.kite.OperationKind;
import org.orcagrid.simulator.checker.KeyOperation;
import org.orcagrid.simulator.checker.Linearizability;

/**
 * The synchronizing accesses of a run, key by key, as their sessions saw them. They must be
 * linearizable (Kite, section 2.3), at least where no relaxed write comes between them; relaxed
 * reads change nothing and are left out.
 */
final class SynchronizingAccesses {
  // A bound for time and memory that no key of the first 6,000 seeds needs.
  private static final int CONFIGURATIONS_MAX = 10_000;

  private final Map<Integer, List<KeyOperation>> histories = new TreeMap<>();
  private final Set<Integer> writtenRelaxed = new HashSet<>();

  /**
   * What was found.
   *
   * @param violations what is not linearizable, and why
   * @param operations on keys that were judged
   * @param undecided keys whose search was given up
   */
  record Judgement(List<String> violations, int operations, int undecided) {}

  /** What a session asked of a key and was told. */
  void add(OperationKind kind, int key, KeyOperation operation) {
    if (kind == OperationKind.WRITE) {
      writtenRelaxed.add(key);
    } else if (kind != OperationKind.READ && !mayHaveAskedNobody(kind, operation)) {
      histories.computeIfAbsent(key, any -> new ArrayList<>()).add(operation);
    }
  }

  /** A weak compare-and-set that fails is a relaxed read (section 5.1). */
  private static boolean mayHaveAskedNobody(OperationKind kind, KeyOperation operation) {
    return kind == OperationKind.WEAK_COMPARE_AND_SET
        && operation.ended()
        && operation.result() != operation.expected();
  }

  Judgement judge() {
    List<String> violations = new ArrayList<>();
    int operations = 0;
    int undecided = 0;
    for (Map.Entry<Integer, List<KeyOperation>> key : histories.entrySet()) {
      if (writtenRelaxed.contains(key.getKey())) {
        continue;
      }
      Linearizability.Verdict verdict = Linearizability.judge(key.getValue(), CONFIGURATIONS_MAX);
      switch (verdict.answer()) {
        case LINEARIZABLE -> operations += key.getValue().size();
        case NOT_LINEARIZABLE ->
            violations.add(
                "key " + key.getKey() + " is not linearizable: " + verdict.explanation());
        case UNDECIDED -> undecided++;
      }
    }
    return new Judgement(violations, operations, undecided);
  }
}
