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
package org.orcagrid.ddp.replica.consistency;

import org.orcagrid.ddp.replica.log.OpenRecords;
import org.orcagrid.ddp.replica.state.TransferSteps;
import org.orcagrid.ddp.replica.state.Visibility;
import org.orcagrid.ddp.replica.wire.ReplicaMessage;

/** What a consistency does; where it has nothing to do at a moment, it says nothing of it. */
public interface Protocol extends Visibility, TransferSteps, OpenRecords {

  /** That of the model. */
  static Protocol of(Parts parts) {
    return switch (parts.state().model().consistency()) {
      case TRANSACTIONAL -> new Transactions(parts);
      case LINEARIZABLE, READ_ENFORCED, RELEASE -> new Invalidations(parts);
      case CAUSAL, EVENTUAL -> new Updates(parts);
    };
  }

  /** Begins an operation; false if it has to wait, and is to be tried again. */
  boolean begin(Operation operation);

  /** Begins to read all keys, or goes on; false if it has to wait, and is to be tried again. */
  boolean scan(Operation operation);

  /** A message of this protocol. */
  void onMessage(int from, ReplicaMessage message);

  /** A message that this node has sent has had its turn at a peer. */
  default void onArrived(int peer, ReplicaMessage message) {}

  /** Whether the sender of this message waits for its acknowledgement. */
  default boolean isAwaited(ReplicaMessage message) {
    return false;
  }

  /** Whether operations wait here for messages that other nodes may hold back. */
  default boolean hurries() {
    return false;
  }

  /** Time has passed. */
  default void tick(long nowNanos) {}

  /** Nanoseconds until {@link #tick} has something to do, {@link Long#MAX_VALUE} if never. */
  default long nanosToTick(long nowNanos) {
    return Long.MAX_VALUE;
  }

  /**
   * There is a new view: sends those that have joined what is under way, and takes over what nodes
   * that are gone have left.
   *
   * @param joined the members that this node had no link to
   */
  void onView(int joined);

  /** All have said of a view what they had to. */
  default void onViewSettled() {}

  /** A session has ended. */
  default void onClosed(ReplicaSession session) {}

  /** How many updates are here that are not visible yet. */
  default long held() {
    return 0;
  }

  /** Fails if a numbered invariant that this node alone can see is broken. */
  void checkInvariants();

  /** Whether nothing is under way. */
  boolean isQuiet();
}
