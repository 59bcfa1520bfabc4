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
package org.orcagrid.server.wire;

import org.orcagrid.server.settings.Durability;
import org.orcagrid.server.settings.Readers;
import org.orcagrid.server.settings.Replication;

/**
 * A message between the leader and a learner.
 *
 * <p>A leader of ours sends {@link Announcement} while a learner synchronises, where a stock
 * learner passes over packets that it does not know. A learner that is in sync and has seen none
 * follows a stock leader, and sends nothing; otherwise it says {@link Hello}, and all else follows
 * after {@link Welcome}. No time-out is involved: what a slow machine delays stays in its order.
 */
public sealed interface PeerMessage {

  /** The opcode of a {@code REQUEST} packet that carries a message from a learner to the leader. */
  int OPCODE = 7001;

  /** The type of the packet that carries a message from the leader to a learner. */
  int PACKET_TYPE = 7001;

  /** The leader speaks this protocol. */
  record Announcement() implements PeerMessage {}

  /** A learner speaks this protocol. */
  record Hello(long persisted, long applied) implements PeerMessage {}

  /** The leader does too, and these are its modes and indexes. */
  record Welcome(
      Durability durability, Replication replication, Readers readers, long durable, long applied)
      implements PeerMessage {}

  /**
   * Learners are to force their logs up to {@code target}, and to say when they have done so and
   * when they have applied it.
   */
  record Flush(long target) implements PeerMessage {}

  /** Learners are to say when they have applied {@code target}. */
  record AskApplied(long target) implements PeerMessage {}

  /** The state up to {@code durable} is durable; all readers have applied up to {@code applied}. */
  record Durable(long durable, long applied) implements PeerMessage {}

  /** The learner's log is on disk up to {@code persisted}, and its tree is at {@code applied}. */
  record Progress(long persisted, long applied) implements PeerMessage {}

  /** A learner holds replies that need these indexes. */
  record Demand(long durable, long applied) implements PeerMessage {}

  /**
   * The leader's heartbeat, with the time at which it was sent by the leader's clock. Who answers
   * acknowledges no other leader for {@code promiseNanos}.
   */
  record Heartbeat(long sentNanos, long promiseNanos) implements PeerMessage {}

  /**
   * The answer to a heartbeat. By it a voter promises to acknowledge no other leader for a while.
   *
   * @param heartbeat the heartbeat's time
   * @param stampNanos the learner's own time: a lease that is granted lasts from then
   * @param held how many replies were held there until what they show was durable, since it follows
   *     this leader
   * @param heldNanos how long those were held
   * @param reads how many it has executed since then
   */
  record Beat(
      long heartbeat,
      long stampNanos,
      long persisted,
      long applied,
      long held,
      long heldNanos,
      long reads)
      implements PeerMessage {}

  /**
   * The learner may answer reads from its own state, from the time {@code stampNanos} of its beat
   * and for {@code grantNanos}.
   */
  record Grant(long stampNanos, long grantNanos) implements PeerMessage {}

  /** The learner is to answer no more reads from its own state, and to say so. */
  record MarkOut() implements PeerMessage {}

  /**
   * The leader answers a sync in its order, but holds no lease: who asked may not use the answer
   * before {@link Confirmed} has come for this number.
   */
  record Withheld(long number) implements PeerMessage {}

  /** The leader was still the leader when it withheld the answers up to this number. */
  record Confirmed(long number) implements PeerMessage {}

  /** The learner answers no more reads from its own state. */
  record MarkedOut() implements PeerMessage {}
}
