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
package org.orcagrid.ddp.kite;

import java.util.EnumSet;
import java.util.Set;

/**
 * The rules on which correctness rests. A node keeps all of them; a test takes one away and sees
 * the checkers find it.
 */
public enum KiteRule {
  /** A slow release tells a majority who is delinquent before the release (section 4.2). */
  TELL_DM_SET,
  /**
   * A slow release is told only after a majority has the writes that it is about: otherwise a node
   * could learn of it, refresh a key from replicas that lack the write, and trust that key.
   */
  WRITES_BEFORE_DM_SET,
  /** A release waits for the acknowledgements of all nodes, or tells who is missing. */
  WAIT_FOR_WRITES,
  /** A delinquency bit is reset only by the acquire that has found it (section 4.2.1). */
  RESET_BY_ACQUIRE_ID,
  /** A key gets the epoch at which its refresh started (section 4.2). */
  EPOCH_AT_START,
  /** A slow release names the keys of all writes that it covers. */
  NAME_MISSED_KEYS,
  /** A sweep brings keys in-epoch only after a majority has answered. */
  SWEEP_ASKS_MAJORITY,
  /** A key of which another node has a later version stays out-of-epoch. */
  LATER_STAYS_OUT,
  /** An acquire that learns of its delinquency raises the machine epoch (section 4.2). */
  RAISE_EPOCH,
  /** A node without room for a write does not have it: a release tells that it is delinquent. */
  FULL_IS_NO_ACK,
  /** A write is acknowledged after it was applied. */
  APPLY_BEFORE_ACK,
  /** An acquire makes sure that a majority has what it returns (section 3.3). */
  SECOND_ROUND,
  /** The second round of an acquire looks for delinquency, too. */
  DELINQUENCY_IN_EVERY_ROUND,
  /** What a read or an acquire has found of a key that had no record here is kept here. */
  KEEP_WHAT_IS_FOUND,
  /** A release takes a clock above those that a majority knows (section 3.3). */
  FRESH_CLOCK,
  /** A new version of a key has a clock that the key did not have before. */
  NEW_CLOCK,
  /** A weak compare-and-set fails without asking only if its key is in-epoch (section 5.1). */
  WEAK_IN_EPOCH,
  /** A command that others have finished is not done again (section 3.4). */
  ONCE,
  /** A proposer finishes what was accepted before it (section 3.4). */
  HELP,
  /** A promise that was withdrawn still refuses lower ballots: an earlier one may lie below it. */
  WITHDRAWN_PROMISE_STANDS,
  /** A read-modify-write is shown to a majority before it returns. */
  COMMIT_TO_MAJORITY,
  /** What a node has acknowledged that another one follows at its place does not count any more. */
  COUNT_ANEW,
  /** A message of a later view is not used before its receiver is in that view itself. */
  VIEW_FIRST,
  /** A node that has joined serves only when it knows what its predecessor had acknowledged. */
  CATCH_UP_FIRST,
  /** A node that has joined acknowledges nothing before it has caught up. */
  SILENT_UNTIL_CAUGHT_UP,
  /** A node that has joined tells nobody what it holds before it has caught up. */
  STATE_OF_SERVING,
  /**
   * What was sent before memory began, anew or at this node, is ignored: it is of what was lost.
   */
  SINCE_MEMORY_BEGAN,
  /** A marked key stands still at its node, until it is forgotten or not marked any more. */
  MARKED_STANDS_STILL,
  /** A key is marked only where nothing is under way with it. */
  MARKED_IS_IDLE,
  /** A key is not marked where it is newer than its removal, or may be. */
  MARKED_IS_THE_SAME,
  /** Removed keys are forgotten only if all nodes have marked them. */
  MARKED_BY_ALL,
  /** Removed keys are forgotten when all workers of the node are in the purge view. */
  PURGED_BY_ALL_WORKERS,
  /** What was sent before a purge view does not count in it. */
  SINCE_PURGE,
  /** A node that has joined makes other clocks, ballots and commands than its predecessor. */
  OWN_NUMBERS,
  /** A majority is one of the nodes of the view that a worker is in: a grid may have grown. */
  MAJORITY_OF_VIEW,
  /** A place that is leaving does not count towards majorities. */
  LEAVING_COUNTS_NOT,
  /** A place leaves when the others have caught up with what it counted for. */
  REFRESH_BEFORE_REMOVAL;

  private static final Set<KiteRule> ALL = Set.copyOf(EnumSet.allOf(KiteRule.class));

  /** All of them: what a product keeps. */
  public static Set<KiteRule> all() {
    return ALL;
  }

  /** All but one. */
  public static Set<KiteRule> without(KiteRule broken) {
    return EnumSet.complementOf(EnumSet.of(broken));
  }
}
