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
package org.orcagrid.ddp.raft;

import org.orcagrid.ddp.Quorum;

/**
 * Who belongs to a group.
 *
 * @param voters the mask of those who elect leaders, and a majority of whom commits entries
 * @param learners the mask of those who get entries and do not vote
 */
public record Members(int voters, int learners) {
  /** Nobody: what a node knows that has not heard of its group yet. */
  public static final Members NONE = new Members(0, 0);

  /** Refuses members that are voters and learners at a time. */
  public Members {
    if ((voters & learners) != 0) {
      throw new IllegalArgumentException("A member is a voter or a learner, not both");
    }
  }

  /** Voters alone. */
  public static Members of(int voters) {
    return new Members(voters, 0);
  }

  /** All of them. */
  public int all() {
    return voters | learners;
  }

  /** Whether a node is a voter. */
  public boolean isVoter(int node) {
    return (voters & Quorum.of(node)) != 0;
  }

  /** Whether nodes are a majority of the voters. */
  public boolean isMajority(int nodes) {
    return Quorum.isMajority(nodes & voters, Integer.bitCount(voters));
  }
}
