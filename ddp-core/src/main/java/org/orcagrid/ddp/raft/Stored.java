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

import java.util.List;

/**
 * What a node finds on its disk when it starts. The state machine's is that of the mark by then.
 *
 * @param term the last term that was written
 * @param vote whom this node has voted for in it, -1 for nobody
 * @param mark what its last snapshot stands for
 * @param entries those behind the mark, in their order
 */
public record Stored(long term, int vote, SnapshotMark mark, List<RaftEntry> entries) {
  /** A node of a group that begins with these members; with none, one that is added later. */
  public static Stored beginning(Members members) {
    return new Stored(0, -1, SnapshotMark.beginning(members), List.of());
  }
}
