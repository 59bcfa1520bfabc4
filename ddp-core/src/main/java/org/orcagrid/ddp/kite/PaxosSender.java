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

import org.orcagrid.ddp.paxos.Command;
import org.orcagrid.ddp.store.Bytes;
import org.orcagrid.ddp.wire.Message;
import org.orcagrid.ddp.wire.MessageType;

/** Writes what a session's read-modify-write sends to other nodes, given as a mask. */
final class PaxosSender {
  private final WorkerContext context;

  PaxosSender(WorkerContext context) {
    this.context = context;
  }

  /** Asks for promises of the session's log and ballot. */
  void propose(KiteSession s, int nodes) {
    s.sentNanos = context.now();
    for (int left = nodes; left != 0; left &= left - 1) {
      int peer = Integer.numberOfTrailingZeros(left);
      Message m = context.message(peer, MessageType.PROPOSE, s.key.length(), Message.NO_VALUE);
      if (m != null) {
        m.flags(Message.ACQUIRE).session(s.slot).id(s.operation);
        m.clock(s.resultClock).rmw(s.resultRmw);
        m.log(s.log).ballot(s.ballot).room(Rmw.bytesToWrite(s));
        m.commandSession(s.globalId).commandId(s.operation);
        WorkerContext.fill(m, s.key, null);
      }
    }
  }

  /** Says that nothing comes of the session's ballot. Nobody answers. */
  void withdraw(KiteSession s, int nodes) {
    for (int left = nodes; left != 0; left &= left - 1) {
      int peer = Integer.numberOfTrailingZeros(left);
      Message m = context.message(peer, MessageType.WITHDRAW, s.key.length(), Message.NO_VALUE);
      if (m != null) {
        m.log(s.log).ballot(s.ballot);
        WorkerContext.fill(m, s.key, null);
      }
    }
  }

  /** Asks to accept the session's command, or the one that it helps to finish. */
  void accept(KiteSession s, int nodes) {
    s.sentNanos = context.now();
    Command command = s.helping ? s.help : s.own;
    Bytes value = s.helping ? s.helpValue : s.made;
    for (int left = nodes; left != 0; left &= left - 1) {
      int peer = Integer.numberOfTrailingZeros(left);
      Message m = context.message(peer, MessageType.ACCEPT, s.key.length(), value.length());
      if (m != null) {
        m.flags(Message.ACQUIRE).session(s.slot).id(s.operation);
        m.clock(command.baseClock).rmw(command.baseRmw);
        m.log(s.log).ballot(s.ballot);
        m.commandSession(command.session).commandId(command.id);
        WorkerContext.fill(m, s.key, value);
      }
    }
  }

  /**
   * Tells of a command that was decided.
   *
   * @param operation the operation that waits for acknowledgements; 0 if none does
   */
  void decided(KiteSession s, long log, Command command, Bytes value, int nodes, long operation) {
    for (int left = nodes; left != 0; left &= left - 1) {
      int peer = Integer.numberOfTrailingZeros(left);
      Message m = commit(peer, s, log, command, value);
      if (m != null) {
        m.flags(Message.ACQUIRE).session(s.slot).id(operation);
        m.clock(command.baseClock).rmw(command.baseRmw + 1);
      }
    }
  }

  /**
   * Tells one node of the last log of the session's key, and of the version that was read of it
   * last.
   */
  void catchUp(KiteSession s, long lastLog, Command last, Bytes value, int peer) {
    Message m = commit(peer, s, lastLog, last, value);
    if (m != null) {
      m.clock(context.local.clock).rmw(context.local.rmw);
    }
  }

  private Message commit(int peer, KiteSession s, long log, Command command, Bytes value) {
    Message m = context.message(peer, MessageType.COMMIT, s.key.length(), value.length());
    if (m != null) {
      m.log(log).commandSession(command.session).commandId(command.id);
      WorkerContext.fill(m, s.key, value);
    }
    return m;
  }
}
