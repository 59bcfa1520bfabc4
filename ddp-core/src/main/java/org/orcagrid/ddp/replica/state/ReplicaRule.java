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
package org.orcagrid.ddp.replica.state;

import java.util.EnumSet;
import java.util.Set;

/**
 * What the protocols keep to. Production keeps all; tests leave one out and see that it is missed.
 */
public enum ReplicaRule {
  /** Where persisting comes first, a version is acknowledged when it is durable. */
  ACK_WHEN_DURABLE,
  /** Where it comes later, a version counts as taken by a peer that has had its message. */
  TAKEN_AT_ITS_TURN,
  /** What a link says of a message's turn counts after all that its peer had sent before. */
  ARRIVAL_IN_ORDER,
  /** A write is valid when all members have it. */
  VALID_WHEN_AT_ALL,
  /** A read waits for a version that not all members have. */
  READ_WAITS_FOR_VALID,
  /** A read waits for a version that is not durable, where persistency is read-enforced. */
  READ_WAITS_FOR_DURABLE,
  /** An update waits for what happened before it. */
  HISTORY_FIRST,
  /** What was given up since its history is gone stays so when it comes again. */
  GIVEN_UP_STAYS,
  /** A session that has come from another node waits for what it has seen there. */
  ARRIVAL_FIRST,
  /** A session reads its own writes. */
  OWN_WRITES,
  /** What a node that is gone has left behind is ended, or told, by the others. */
  FINISH_FOR_THE_GONE,
  /** Nobody serves in a view before all members have told what they had to. */
  HELLO_FIRST,
  /** Messages of a later view wait until this node is in it. */
  LATER_VIEW_WAITS,
  /** Transactions do not touch what another one has. */
  CONFLICTS,
  /** A read waits for a transaction that is decided. */
  READ_WAITS_FOR_DECIDED,
  /** A read of all keys waits for each version that a read of its key would wait for. */
  SCAN_WAITS,
  /** A read of all keys looks while no transaction is decided at its node and not visible yet. */
  SCAN_AT_QUIET_MOMENT,
  /** For the sake of such a read a transaction waits only for those with lower ids. */
  HELD_BACK_BY_EARLIER,
  /** What a read of all keys waits for it shows as it was found, without what came later. */
  SCAN_HAS_ONE_MOMENT,
  /** The writes of a batch are one update. */
  BATCH_IS_ONE_UPDATE,
  /** A batch compares when nothing of its keys is under way at its node and not visible yet. */
  EXPECTATION_WAITS,
  /** A node that comes back tells a batch, which nobody else has kept, in one update. */
  BATCH_KEPT_TOGETHER,
  /** Nobody is told of a version that a read does not show since a later one is decided. */
  EVENT_WAITS_FOR_DECIDED,
  /** The writes of a transaction or scope are one record. */
  ONE_RECORD,
  /** A scope is done when all members have it durable. */
  SCOPE_AT_ALL,
  /** A strict write is done when all members have it durable. */
  STRICT_AT_ALL,
  /** A node that comes back learns before it serves. */
  CATCH_UP,
  /** What became visible while it learned it has not learned, but for a part. */
  FOLLOW_FIRST,
  /** A node that comes back tells what only it has kept. */
  TELL_WHAT_WAS_KEPT,
  /** Nodes that all come back tell each other what they have before they serve. */
  RECOVER_TOGETHER,
  /** A node that comes back writes as another writer. */
  NEW_WRITER,
  /** A read-modify-write is given up where a node has a later version. */
  LATER_WINS,
  /** A write comes after all read-modify-writes of what its node has seen. */
  WRITES_LEAVE_ROOM,
  /** A version is valid only if its coordinator knows of no later one. */
  VALID_WHEN_LATEST,
  /** Nobody else ends the read-modify-write of a node that may still give it up. */
  OWN_TO_END,
  /** A read-modify-write is done when all have told what nodes that are gone have left. */
  DECIDE_WHEN_SETTLED,
  /** A release goes to the others after what its session has written before. */
  RELEASE_LAST,
  /** A read-modify-write that only a node which was away has kept does not count. */
  ORPHANS_YIELD,
  /** A checkpoint reads the entries when all that is before it in the log has come into them. */
  CHECKPOINT_WAITS,
  /** A checkpoint has what is decided, or waits for its history, and is not visible yet. */
  CHECKPOINT_HAS_OPEN,
  /**
   * Where there are scopes a checkpoint has what was persisted with its scope, and nothing else.
   */
  CHECKPOINT_HAS_SCOPES,
  /** The log is trimmed when the end of the checkpoint is durable. */
  TRIM_WHEN_DURABLE,
  /** A log that maps share is trimmed of what none of them needs. */
  TRIM_SPARES_OTHERS,
  /** A removed key is forgotten when all have that durable, and nothing older is under way. */
  FORGET_WHEN_AT_ALL,
  /** Removed keys are forgotten only while all nodes serve. */
  FORGET_WITH_ALL,
  /** What may have completed stays in the log though its history is gone. */
  ORPHANS_LOGGED,
  /** A read-modify-write of a key that nobody knows comes after all that was forgotten. */
  FORGOTTEN_IS_EARLIER,
  /** What was put into a peer's zone counts when it was flushed there. */
  PUT_WHEN_FLUSHED,
  /** What was put into a peer's zone counts when the peer has said that it keeps it. */
  PUT_WHEN_KEPT,
  /** A node says that it keeps what is put into its zone only if it does. */
  PUT_IS_KEPT,
  /** What was put into a zone stays there until the log has it. */
  PUT_UNTIL_TAKEN,
  /** A read beside the worker looks whether what is known is of the version that it has copied. */
  LOCAL_READ_LOOKS_AGAIN,
  /** A read beside the worker counts only if the node has served since it began. */
  LOCAL_READ_WHILE_SERVING;

  /** All of them. */
  public static Set<ReplicaRule> all() {
    return EnumSet.allOf(ReplicaRule.class);
  }

  /** All but one. */
  public static Set<ReplicaRule> allBut(ReplicaRule broken) {
    Set<ReplicaRule> rules = all();
    rules.remove(broken);
    return rules;
  }
}
