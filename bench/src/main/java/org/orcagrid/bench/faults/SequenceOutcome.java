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
package org.orcagrid.bench.faults;

import java.util.List;

/**
 * What clients saw during one sequence.
 *
 * @param number which sequence, as the seed that makes it
 * @param sequence the sequence, as the paper writes it
 * @param violations what was not monotonic; empty if all was correct
 * @param reads how many reads were answered
 * @param stale how many of them were allowed but did not show the last acknowledged write
 * @param rejected how many reads of the lagging server were not answered
 * @param millis how long it took
 */
public record SequenceOutcome(
    long number,
    String sequence,
    List<String> violations,
    long reads,
    long stale,
    long rejected,
    long millis) {

  /** Keeps a copy. */
  public SequenceOutcome {
    violations = List.copyOf(violations);
  }

  /** Whether a client was shown an older state than some client had been shown before. */
  public boolean nonMonotonic() {
    return !violations.isEmpty();
  }
}
