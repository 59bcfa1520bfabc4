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
package org.orcagrid.cad.cluster;

/** A fault in the protocol, or in the plumbing around it, that the checkers must find. */
enum Mutation {
  /** The protocol as it ships. */
  NONE,
  /** A follower answers reads whether it holds a lease or not. */
  SERVE_WITHOUT_LEASE,
  /** A follower that is told to mark itself out says so and serves on. */
  MARK_OUT_IN_WORDS_ONLY,
  /** A leader removes members before their grants have run out. */
  REMOVE_BEFORE_MARK_OUT,
  /** A leader grants although its own lease has run out. */
  GRANT_WITHOUT_LEASE,
  /** A leader answers reads although its own lease has run out. */
  LEAD_WITHOUT_LEASE,
  /** Voters elect at once when they miss their leader. */
  ELECT_WITHOUT_DELAY,
  /** A voter that has restarted forgets that it had promised to wait. */
  FORGET_PROMISE_AT_RESTART,
  /** A grant lasts from when it arrives, not from when it was asked for. */
  LEASE_FROM_ARRIVAL,
  /** The leader's lease starts when a heartbeat is answered, not when it was sent. */
  LEAD_FROM_ANSWER,
  /** What is in memory is reported as persisted. */
  COUNT_MEMORY_AS_PERSISTED,
  /** Replies do not wait for the durable index. */
  REPLY_BEFORE_DURABLE,
  /** Replies do not wait until all members have applied what they show. */
  REPLY_BEFORE_APPLIED,
  /** Members report what is in their logs as applied. */
  COUNT_LOGGED_AS_APPLIED,
  /** Who has joined an epoch is taken to have applied all before it. */
  COUNT_EPOCH_AS_APPLIED,
  /** A snapshot is published before everything in it is durable. */
  PUBLISH_SNAPSHOT_EARLY,
  /** A write is acknowledged when it is committed, whoever has applied it. */
  ACKNOWLEDGE_BEFORE_APPLIED,
  /** Every commit says that it is durable. */
  MARK_COMMITS_DURABLE,
  /** A read through the leader is answered by a leader without a lease. */
  CONFIRM_WITHOUT_LEASE,
  /** The successor that a reconfiguration names, and who follows it, break their promises. */
  HAND_OVER_WITHOUT_WAIT,
  /** A reconfiguration commits although no quorum of it has answered a heartbeat. */
  RECONFIGURE_WITHOUT_HEARTBEAT,
  /** While a reconfiguration is pending the old configuration alone extends the lease. */
  LEASE_UNDER_OLD_ALONE,
  /** A reconfiguration is acknowledged before it is on disk. */
  ACKNOWLEDGE_BEFORE_FORCED,
  /** Who does not vote yet answers heartbeats without a promise. */
  JOIN_WITHOUT_PROMISE
}
