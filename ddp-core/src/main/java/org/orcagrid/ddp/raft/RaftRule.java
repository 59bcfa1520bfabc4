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
 * The rules that Raft stands on. Tests leave one out and see something go wrong. Sections are those
 * of the paper (USENIX ATC '14), and of Ongaro's thesis where it says so.
 */
public enum RaftRule {
  /** A voter gives one vote a term (section 5.2). */
  ONE_VOTE_A_TERM,
  /** A voter votes only for who has all that may be committed (section 5.4.1). */
  VOTE_FOR_COMPLETE_LOGS,
  /** A candidate leads when a majority votes for it (section 5.2). */
  ELECTED_BY_MAJORITY,
  /** Term and vote are on the disk before others hear of them (section 5.1). */
  VOTE_PERSISTED_FIRST,
  /** Entries are on the disk before they are acknowledged (section 5.3). */
  ENTRIES_PERSISTED_FIRST,
  /** A leader counts an entry of its own only when it is on its disk (thesis, section 10.2.1). */
  LEADER_COUNTS_PERSISTED,
  /** An entry is committed when a majority has it (section 5.3). */
  COMMITTED_BY_MAJORITY,
  /** A leader counts only entries of its own term (section 5.4.2). */
  COUNTS_OWN_TERM,
  /** A follower takes entries only behind one that it has (section 5.3). */
  PREVIOUS_MATCHES,
  /** An entry that differs from the leader's goes, and all behind it (section 5.3). */
  CONFLICTS_ARE_REMOVED,
  /** A follower commits no further than its log is known to be the leader's (section 5.3). */
  COMMITS_WHAT_MATCHES,
  /** A follower takes nothing from the leader of an earlier term (section 5.1). */
  EARLIER_TERMS_ARE_REFUSED,
  /** Members change by one voter at a time (thesis, section 4.1). */
  ONE_VOTER_AT_A_TIME,
  /** Members change again only when the change before is committed (thesis, section 4.1). */
  ONE_CHANGE_AT_A_TIME,
  /** New members count as soon as they are in the log (thesis, section 4.1). */
  MEMBERS_OF_LOG,
  /** Learners neither vote nor count (thesis, section 4.2.1). */
  LEARNERS_DO_NOT_COUNT,
  /** A snapshot replaces the log only if it is ahead of what is committed here (section 7). */
  SNAPSHOT_IS_LATER,
  /** Who hears from a leader votes for nobody else (thesis, section 4.2.3). */
  LEADER_IS_NOT_DISTURBED
}
