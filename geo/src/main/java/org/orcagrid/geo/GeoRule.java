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
package org.orcagrid.geo;

import java.util.EnumSet;
import java.util.Set;

/**
 * The rules that the store stands on. Tests leave one out and see something go wrong. Lines are
 * those of NuKV's Algorithms 1 and 2; {@code docs/protocols/geo.md} explains what the paper leaves
 * open.
 */
public enum GeoRule {
  // --- clocks
  /** A count that is full carries into the milliseconds. */
  COUNTS_CARRY,
  /** Each applied write moves the clock, remote ones too. */
  APPLIED_MOVES_CLOCK,
  /** A write's timestamp is later than what its session depends on (line 6). */
  DEPENDENCY_MOVES_CLOCK,
  /** A dependency too far ahead is refused. */
  AHEAD_IS_REFUSED,
  /** A leader whose clock is far ahead of its peers' hands over. */
  FAST_LEADER_HANDS_OVER,
  // --- writes
  /** A write is answered after it is committed (line 13). */
  ANSWERED_WHEN_COMMITTED,
  /** A leader takes writes when it has applied all of earlier terms. */
  LEADER_KNOWS_ITS_LOG,
  /** A write that is tried again takes effect once. */
  RETRIES_ONCE,
  /** What is known of tried writes is in snapshots. */
  RETRIES_IN_SNAPSHOTS,
  /** A write is refused when its outcome may be forgotten. */
  EXPIRED_IS_REFUSED,
  /** A condition is looked at in the order of the log. */
  CONDITION_IN_LOG_ORDER,
  // --- versions
  /** The version with the latest time wins (line 3). */
  LATEST_WINS,
  /** Of versions of the same time the greater datacenter's wins. */
  TIES_BY_DATACENTER,
  /** A version that loses moves the stable vector, too. */
  LOSERS_MOVE_VECTOR,
  /** A deletion stays until all replicas have it. */
  DELETIONS_STAY,
  /** And until all writes that precede it anywhere are here. */
  DELETIONS_WAIT_FOR_EARLIER,
  /** A snapshot is the state as of one entry of the log. */
  SNAPSHOT_IS_ONE_STATE,
  // --- reads
  /** A read waits for what its session has read and written (line 2). */
  READS_WAIT,
  /** An answer has its version's own position, not the stable vector's. */
  OWN_POSITION,
  /** Nobody waits longer than asked. */
  DEADLINES_ARE_KEPT,
  /** A replica is as safe as what it has of each datacenter. */
  SAFE_TIME_WAITS_FOR_POSITION,
  /** A safe time is before all writes that are not committed yet. */
  SAFE_TIME_BEFORE_UNCOMMITTED,
  /** A safe time is one that a majority's clocks have passed. */
  SAFE_TIME_BY_MAJORITY,
  // --- forwarding
  /** A datacenter forwards its own writes, all of them (lines 26 and 27). */
  ALL_ARE_FORWARDED,
  /** A write is applied behind the one that its origin has forwarded before. */
  GAPS_ARE_FOUND,
  /** A write that is here already changes nothing. */
  DUPLICATES_ARE_IGNORED,
  /** What was not taken is sent again. */
  SENT_AGAIN,
  /** The duty is another replica's when the one that has it is gone. */
  DUTY_IS_TAKEN_OVER,
  /** Who cannot have the log any more gets the state. */
  STATE_FOR_THE_LATE,
  /** The state that is sent has the versions of all origins. */
  STATE_OF_ALL_ORIGINS,
  /** The stable vector moves when all of the state is here. */
  VECTOR_AFTER_STATE,
  /** Writes of a datacenter that is gone are passed on by those that have them. */
  GONE_ONES_ARE_PASSED_ON,
  /** A log's epoch counts before its index. */
  EPOCH_BEFORE_INDEX,
  // --- removal of a datacenter
  /** Behind the fence nothing more is taken from a datacenter that is being removed. */
  REMOVED_IS_FENCED,
  /** It is removed when all that stay have handed each other what they have. */
  CUT_IS_AGREED,
  /** What is handed over begins behind the fence of the one that hands it over. */
  HANDED_BEHIND_FENCE,
  /** A datacenter that hears of its removal serves nobody any more. */
  REMOVED_REFUSES,
  /** Who has seen writes that went with a datacenter is told so. */
  LOSS_IS_TOLD,
  /** A datacenter that is removed holds up neither tokens nor deletions. */
  REMOVED_HOLDS_UP_NOTHING;

  /** All of them: the store as it ships. */
  public static Set<GeoRule> all() {
    return EnumSet.allOf(GeoRule.class);
  }

  /** All but one, for tests. */
  public static Set<GeoRule> without(GeoRule rule) {
    return EnumSet.complementOf(EnumSet.of(rule));
  }
}
