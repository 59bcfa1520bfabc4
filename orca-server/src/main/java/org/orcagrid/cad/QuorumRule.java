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
package org.orcagrid.cad;

/** Says whether a set of servers is a quorum of the ensemble as it is configured now. */
@FunctionalInterface
public interface QuorumRule {

  /**
   * Whether the first {@code count} entries of {@code serverIds} form a quorum of every
   * configuration that is in force (during a reconfiguration there are two).
   *
   * @param serverIds server ids, no duplicates; not modified and not kept
   * @param count how many of them to look at
   */
  boolean isQuorum(long[] serverIds, int count);
}
