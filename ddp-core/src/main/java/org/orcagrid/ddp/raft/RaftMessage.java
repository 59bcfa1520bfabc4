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

/** What the nodes of a group tell each other. */
public sealed interface RaftMessage {
  /** The sender's term; of a request to vote the term that it would lead in. */
  long term();

  /** Whether its term is one that nobody may ever be in. */
  default boolean isHypothetical() {
    return (this instanceof Vote asked && asked.pre())
        || (this instanceof Voted voted && voted.pre() && voted.granted());
  }

  /**
   * Asks for a vote (section 5.2).
   *
   * @param pre only whether the vote would be given (thesis, section 9.6)
   * @param transfer the leader has asked for this election
   */
  record Vote(long term, boolean pre, boolean transfer, long lastIndex, long lastTerm)
      implements RaftMessage {}

  /** Answers {@link Vote}; a refusal has the voter's term. */
  record Voted(long term, boolean pre, boolean granted) implements RaftMessage {}

  /** Entries behind one that the follower should have; none as a beat (section 5.3). */
  record Append(
      long term, long previousIndex, long previousTerm, List<RaftEntry> entries, long committed)
      implements RaftMessage {}

  /**
   * Answers {@link Append}.
   *
   * @param matches whether the follower's log is the leader's, up to {@code index}
   * @param index if it does not match, the last one that may
   */
  record Appended(long term, boolean matches, long index) implements RaftMessage {}

  /** A piece of a snapshot, for a follower that needs entries which the leader has no more. */
  record Snapshot(long term, SnapshotPart part) implements RaftMessage {}

  /**
   * Answers {@link Snapshot}.
   *
   * @param index of the snapshot
   * @param offset where the next piece begins, {@link #WHOLE} when there is none
   */
  record SnapshotTaken(long term, long index, long offset) implements RaftMessage {
    /** The follower has the whole snapshot. */
    public static final long WHOLE = -1;
  }

  /** The receiver is to stand for election at once (thesis, section 3.10). */
  record Stand(long term) implements RaftMessage {}
}
