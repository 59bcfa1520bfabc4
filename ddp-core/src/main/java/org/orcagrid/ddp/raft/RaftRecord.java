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

/** What a node writes to its disk. Records count in the order in which they were handed out. */
public sealed interface RaftRecord {
  /** The term, and whom this node has voted for in it; -1 for nobody. */
  record Term(long term, int vote) implements RaftRecord {}

  /** Entries, in the place of all from the first one's index on. Never empty. */
  record Entries(List<RaftEntry> entries) implements RaftRecord {}

  /** Entries up to the mark are in a snapshot that is on the disk; they may go. */
  record Compacted(SnapshotMark mark) implements RaftRecord {}

  /** A leader's snapshot, which is on the disk, takes the place of the whole log. */
  record Installed(SnapshotMark mark) implements RaftRecord {}
}
