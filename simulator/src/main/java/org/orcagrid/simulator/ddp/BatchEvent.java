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
package org.orcagrid.simulator.ddp;

import java.util.Map;
import java.util.Set;

/**
 * What a client knows of a batch. Versions are clocks; 0 stands for no version.
 *
 * @param clock of what was written, 0 if nothing was
 * @param written the keys that it was to write
 * @param expected by key, the version that its node was to have; 0 if it was to have no value
 * @param held whether its node has said that all expectations held
 * @param found by key, what was there before; null if it has not ended
 * @param least the same, but for what nothing stands for: the removal that was forgotten last
 * @param valued the keys of these that had a value
 */
record BatchEvent(
    long clock,
    Set<Integer> written,
    Map<Integer, Long> expected,
    boolean held,
    Map<Integer, Long> found,
    Map<Integer, Long> least,
    Set<Integer> valued) {

  /** Whether what was found is what was expected. */
  boolean isAsExpected() {
    return expected.entrySet().stream()
        .allMatch(
            each ->
                each.getValue() == 0
                    ? !valued.contains(each.getKey())
                    : found.get(each.getKey()).equals(each.getValue()));
  }
}
