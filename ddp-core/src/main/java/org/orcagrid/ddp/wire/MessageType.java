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
package org.orcagrid.ddp.wire;

/** What a message is. The numbers are the wire format; they never change their meaning. */
public enum MessageType {
  /** A version of a key; answered by {@link #WRITE_ACKS} (ES, and the second round of ABD). */
  WRITE(1),
  /** A run of writes, by their sequence numbers, has been applied; or has found no room. */
  WRITE_ACKS(2),
  /** Asks for a key's version (ABD's first round, and the slow path). */
  READ(3),
  /** The version of a key, with its value if it is newer than what the asker has. */
  READ_REPLY(4),
  /** A version that a read has found and a majority may not have yet (ABD's second round). */
  WRITE_BACK(5),
  /** The answer to a round that needs no more than that: write-back, commit, slow-release. */
  ROUND_ACK(6),
  /** Paxos: promise me this log. */
  PROPOSE(7),
  /** An acceptor's answer to a proposal. */
  PROPOSE_REPLY(8),
  /** Paxos: accept this command. */
  ACCEPT(9),
  /** An acceptor's answer to a command. */
  ACCEPT_REPLY(10),
  /** A command was decided. */
  COMMIT(11),
  /** Nodes that have missed writes are delinquent (Kite, section 4.2). */
  SLOW_RELEASE(12),
  /** The sender has learned of its delinquency and acted on it (Kite, section 4.2.1). */
  RESET_BIT(13),
  /** A node that has joined asks for a page of what another one holds. */
  STATE_REQUEST(14),
  /** A key's version, the last of its log, and what was promised. */
  STATE_VERSION(15),
  /** What was accepted in the log of a key and is not known to be decided. */
  STATE_ACCEPTED(16),
  /** The last command of a session that is known to be committed. */
  STATE_COMMAND(17),
  /** The end of a page. */
  STATE_END(18),
  /** Paxos: a proposer ends without a command; nobody has to wait for its ballot. */
  WITHDRAW(19),
  /**
   * Of a protocol that is not Kite's and has a grid of its own: its {@linkplain Message#count()
   * count} says what it is, by that protocol's numbers.
   */
  OTHER(20),
  /** A removed key is to be marked, so that all nodes can forget it; or is not to be any more. */
  PURGE_MARK(21),
  /** Whether a key is marked. */
  PURGE_MARKED(22),
  /** Keys with their timestamps, in the key's place: of which has the receiver a later version? */
  EPOCH_CHECK(23),
  /** Of which of those keys the sender has a later version. */
  EPOCH_CHECKED(24);

  private static final MessageType[] BY_CODE = byCode();

  private final int code;

  MessageType(int code) {
    this.code = code;
  }

  /** The number that stands for it. */
  public int code() {
    return code;
  }

  /** The type with that number, or null if there is none. */
  public static MessageType of(int code) {
    return code > 0 && code < BY_CODE.length ? BY_CODE[code] : null;
  }

  private static MessageType[] byCode() {
    MessageType[] all = new MessageType[values().length + 1];
    for (MessageType each : values()) {
      if (all[each.code] != null) {
        throw new IllegalStateException("The number of a type of message is taken: " + each.code);
      }
      all[each.code] = each;
    }
    return all;
  }
}
