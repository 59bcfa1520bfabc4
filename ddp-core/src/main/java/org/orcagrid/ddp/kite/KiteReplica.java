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

import org.orcagrid.ddp.Timestamp;
import org.orcagrid.ddp.paxos.Acceptor;
import org.orcagrid.ddp.paxos.Command;
import org.orcagrid.ddp.paxos.Verdict;
import org.orcagrid.ddp.store.Bytes;
import org.orcagrid.ddp.store.KeyHash;
import org.orcagrid.ddp.store.ReplicaStore;
import org.orcagrid.ddp.wire.Message;
import org.orcagrid.ddp.wire.MessageType;

/** How a worker answers what others ask of this node's replica. */
final class KiteReplica {
  private final WorkerContext context;
  private final ReplicaStore store;
  private final Acceptor acceptor;
  private final Command command = new Command();
  private final Bytes value = new Bytes(64);

  /** For one message. */
  private final MissedKeys missed = new MissedKeys();

  // A run of writes of each peer that were applied and not acknowledged yet.
  private final long[] runFirst;
  private final int[] runCount;

  // An answer about a key's log, as it was under the lock of the key.
  private Verdict replyVerdict;
  private boolean replyHasValue;
  private long replyClock;
  private long replyRmw;
  private int replySession;
  private long replyId;
  private long replyBallot;
  private long replyLastLog;

  KiteReplica(WorkerContext context, Acceptor acceptor) {
    this.context = context;
    this.store = context.store;
    this.acceptor = acceptor;
    this.runFirst = new long[context.settings.nodes()];
    this.runCount = new int[context.settings.nodes()];
  }

  private long record(Message m, boolean create) {
    long hash = KeyHash.hash(m.buffer(), m.keyAt(), m.keyLength());
    return create
        ? store.findOrCreate(m.buffer(), m.keyAt(), m.keyLength(), hash)
        : store.find(m.buffer(), m.keyAt(), m.keyLength(), hash);
  }

  /** Applies what a message brings, if it is later; false if there is no memory. */
  private boolean apply(Message m) {
    long record = record(m, true);
    if (record == ReplicaStore.NONE) {
      return false;
    }
    store.lock(record);
    try {
      return applyLocked(record, m);
    } finally {
      store.unlock(record);
    }
  }

  private boolean applyLocked(long record, Message m) {
    return store.setIfLater(record, m.clock(), m.rmw(), m.buffer(), m.valueAt(), m.valueLength());
  }

  /**
   * Takes a write without acknowledging it: what this node holds is not to be counted on yet. Who
   * has sent it sends it again.
   */
  void learn(Message m) {
    if (!apply(m)) {
      context.refuse();
    }
  }

  void onWrite(int from, Message m) {
    if (context.keeps(KiteRule.APPLY_BEFORE_ACK) && !apply(m)) {
      refuseWrite(from, m);
      return;
    }
    long sequence = m.id();
    int count = runCount[from];
    if (count > 0 && count < Message.COUNT_MAX && sequence == runFirst[from] + count) {
      runCount[from]++;
    } else {
      acknowledge(from);
      runFirst[from] = sequence;
      runCount[from] = 1;
    }
  }

  private void refuseWrite(int from, Message m) {
    context.refuse();
    Message answer = context.message(from, MessageType.WRITE_ACKS, 0, Message.NO_VALUE);
    if (answer != null) {
      answer.flags(Message.FULL).id(m.id()).count(1);
    }
  }

  /** Sends the acknowledgements that have gathered; those for which there is no room, later. */
  void acknowledge() {
    for (int peer = 0; peer < runCount.length; peer++) {
      acknowledge(peer);
    }
  }

  private void acknowledge(int peer) {
    if (runCount[peer] > 0) {
      Message acks = context.message(peer, MessageType.WRITE_ACKS, 0, Message.NO_VALUE);
      if (acks != null) {
        acks.id(runFirst[peer]).count(runCount[peer]);
        runCount[peer] = 0;
      }
    }
  }

  /** The flag for the answer to a round that may be part of an acquire; then see {@link #begin}. */
  private int delinquencyFlag(int from, Message m) {
    if (!m.has(Message.ACQUIRE)) {
      return 0;
    }
    missed.clear();
    return context.node.delinquency().onAcquire(from, context.worker, m.id(), missed)
        ? Message.DELINQUENT
        : 0;
  }

  /** Begins an answer, which has what the asker has missed in the place of a key. */
  private Message begin(int to, MessageType type, int flags, int valueLength) {
    boolean isDelinquent = (flags & Message.DELINQUENT) != 0;
    Message answer = context.message(to, type, isDelinquent ? MissedKeys.BYTES : 0, valueLength);
    if (answer != null && isDelinquent) {
      missed.put(answer.buffer(), answer.keyAt());
    }
    return answer;
  }

  void onRead(int from, Message m) {
    long record = record(m, false);
    context.local.clear();
    if (record != ReplicaStore.NONE) {
      store.read(record, value, context.local);
    }
    boolean newer = Timestamp.isAfter(context.local.clock, context.local.rmw, m.clock(), m.rmw());
    boolean send = newer && !m.has(Message.CLOCK_ONLY);
    int flags = delinquencyFlag(from, m);
    if (m.has(Message.CLOCK_ONLY)
        && record == ReplicaStore.NONE
        && !store.hasRoomForKey(m.keyLength())) {
      // Whoever asks for a clock is going to write.
      context.refuse();
      flags |= Message.FULL;
    }
    Message reply =
        begin(from, MessageType.READ_REPLY, flags, send ? value.length() : Message.NO_VALUE);
    if (reply != null) {
      reply
          .flags(flags)
          .session(m.session())
          .id(m.id())
          .clock(context.local.clock)
          .rmw(context.local.rmw);
      if (send && value.length() > 0) {
        reply.buffer().put(reply.valueAt(), value.buffer(), 0, value.length());
      }
    }
  }

  void onWriteBack(int from, Message m) {
    answerRound(from, m, apply(m));
  }

  private void answerRound(int from, Message m, boolean done) {
    int flags = 0;
    if (done) {
      flags = delinquencyFlag(from, m);
    } else {
      context.refuse();
      flags = Message.FULL;
    }
    Message reply = begin(from, MessageType.ROUND_ACK, flags, Message.NO_VALUE);
    if (reply != null) {
      reply.flags(flags).session(m.session()).id(m.id());
    }
  }

  void onSlowRelease(int from, Message m) {
    missed.clear();
    MissedKeys.read(m, missed);
    context.node.delinquency().onSlowRelease(m.count() & context.settings.all(), missed);
    answerRound(from, m, true);
  }

  void onResetBit(int from, Message m) {
    context.node.delinquency().onReset(from, context.worker, m.id());
  }

  void onPropose(int from, Message m) {
    long record = record(m, true);
    if (record == ReplicaStore.NONE) {
      refusePaxos(from, m, MessageType.PROPOSE_REPLY);
      return;
    }
    store.lock(record);
    try {
      if (!acceptor.turnTo(record) || !acceptor.reserve(record, m.room())) {
        refusePaxos(from, m, MessageType.PROPOSE_REPLY);
        return;
      }
      Verdict verdict = acceptor.onPropose(m.log(), m.ballot(), m.commandSession(), m.commandId());
      if (verdict == Verdict.ACK_ACCEPTED && context.keeps(KiteRule.HELP)) {
        takeAccepted();
      } else {
        takePresent(record, verdict == Verdict.ACK_ACCEPTED ? Verdict.ACK : verdict);
        replyHasValue =
            replyVerdict == Verdict.LOG_TOO_LOW
                || Timestamp.isAfter(replyClock, replyRmw, m.clock(), m.rmw());
      }
    } finally {
      store.unlock(record);
    }
    answer(from, m, MessageType.PROPOSE_REPLY);
  }

  void onAccept(int from, Message m) {
    long record = record(m, true);
    if (record == ReplicaStore.NONE) {
      refusePaxos(from, m, MessageType.ACCEPT_REPLY);
      return;
    }
    WorkerContext.read(m, command);
    store.lock(record);
    try {
      if (!acceptor.turnTo(record)) {
        refusePaxos(from, m, MessageType.ACCEPT_REPLY);
        return;
      }
      takePresent(record, acceptor.onAccept(m.log(), m.ballot(), command));
      replyHasValue = replyVerdict == Verdict.LOG_TOO_LOW;
    } finally {
      store.unlock(record);
    }
    if (replyVerdict == Verdict.FULL) {
      context.refuse();
    }
    answer(from, m, MessageType.ACCEPT_REPLY);
  }

  private void refusePaxos(int from, Message m, MessageType type) {
    context.refuse();
    Message reply = context.message(from, type, 0, Message.NO_VALUE);
    if (reply != null) {
      reply.session(m.session()).verdict(Verdict.FULL.code()).id(m.id());
      reply.log(m.log()).ballot(m.ballot());
    }
  }

  /** A proposer has ended without a command; what it was promised here is not waited for. */
  void onWithdraw(Message m) {
    long record = record(m, false);
    if (record == ReplicaStore.NONE) {
      return;
    }
    store.lock(record);
    try {
      if (store.paxos(record) != ReplicaStore.NONE && acceptor.turnTo(record)) {
        acceptor.withdraw(m.log(), m.ballot(), context.keeps(KiteRule.WITHDRAWN_PROMISE_STANDS));
      }
    } finally {
      store.unlock(record);
    }
  }

  private void takeAccepted() {
    acceptor.copyAccepted(command);
    value.set(command.value, command.valueAt, command.valueLength);
    replyVerdict = Verdict.ACK_ACCEPTED;
    replyHasValue = true;
    replyClock = command.baseClock;
    replyRmw = command.baseRmw;
    replySession = command.session;
    replyId = command.id;
    replyBallot = acceptor.acceptedBallot();
    replyLastLog = acceptor.lastLog();
  }

  private void takePresent(long record, Verdict verdict) {
    store.copyValue(record, value);
    replyVerdict = verdict;
    replyClock = store.clock(record);
    replyRmw = store.rmw(record);
    replySession = acceptor.lastSession();
    replyId = acceptor.lastId();
    replyBallot = acceptor.promised();
    replyLastLog = acceptor.lastLog();
  }

  /** Answers with what was taken; whether the asker is delinquent is looked up after that. */
  private void answer(int from, Message m, MessageType type) {
    int flags = delinquencyFlag(from, m);
    Message reply = begin(from, type, flags, replyHasValue ? value.length() : Message.NO_VALUE);
    if (reply != null) {
      reply.flags(flags).session(m.session()).verdict(replyVerdict.code()).id(m.id());
      reply.clock(replyClock).rmw(replyRmw);
      reply.log(m.log()).ballot(m.ballot()).lastLog(replyLastLog);
      reply.acceptedBallot(replyBallot).commandSession(replySession).commandId(replyId);
      if (replyHasValue && value.length() > 0) {
        reply.buffer().put(reply.valueAt(), value.buffer(), 0, value.length());
      }
    }
  }

  void onCommit(int from, Message m) {
    long record = record(m, true);
    boolean done = false;
    if (record != ReplicaStore.NONE) {
      store.lock(record);
      try {
        done = acceptor.turnTo(record) && applyLocked(record, m);
        if (done) {
          acceptor.onCommit(m.log(), m.commandSession(), m.commandId());
        }
      } finally {
        store.unlock(record);
      }
    }
    if (m.id() != 0) {
      answerRound(from, m, done);
    } else if (!done) {
      context.refuse();
    }
  }
}
