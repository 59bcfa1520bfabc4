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

/**
 * What a snapshot of the state machine stands for (section 7).
 *
 * @param index the last entry that is in it
 * @param term that entry's term
 * @param members the members as of that entry
 */
public record SnapshotMark(long index, long term, Members members) {
  /** The log of a group that begins, before its first entry. */
  public static SnapshotMark beginning(Members members) {
    return new SnapshotMark(0, 0, members);
  }
}
