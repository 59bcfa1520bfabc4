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

import java.nio.ByteBuffer;
import org.orcagrid.ddp.Invariant;
import org.orcagrid.ddp.Quorum;
import org.orcagrid.ddp.Timestamp;
import org.orcagrid.ddp.paxos.Acceptor;
import org.orcagrid.ddp.paxos.Command;
import org.orcagrid.ddp.paxos.Verdict;
import org.orcagrid.ddp.store.Bytes;
import org.orcagrid.ddp.store.ReplicaStore;
import org.orcagrid.ddp.wire.Message;

/**
 * Read-modify-writes: leaderless Basic Paxos for each key (section 3.4), in three rounds: propose,
 * accept, commit. They release and acquire: the barrier is waited for while the proposal is under
 * way (section 4.3), and every round asks whether this node is delinquent.
 *
 * <p>Invariants:
 *
 * <ol>
 *   <li>In one log a session has one command: what it has sent once it sends again, so that it
 *       knows its own result even if somebody else gets the command decided.
 *   <li>A session makes a command for a log only after a majority has promised that log and none of
 *       them knew of an earlier decision for it; with the acceptor's first invariant, no earlier
 *       log can be decided for it then.
 *   <li>The base of a command is the latest version that a majority has, so it is not before any
 *       write that had ended when the command began; and no write can come between a base and what
 *       is made from it ({@link Timestamp}).
 * </ol>
 */
final class Rmw {
  private static final int BACKOFF_DOUBLINGS_MAX = 6;

  /** Below it is the proposer: a session's number, and 16 bits for its node's generation. */
  static final int BALLOT_SHIFT = KiteSettings.SESSION_BITS + 16;

  private static final int CATCH_UPS_MAX = 16;

  private final WorkerContext context;
  private final ReplicaStore store;
  private final Acceptor acceptor;
  private final PendingWrites writes;
  private final ReleaseBarrier barrier;
  private final Rounds rounds;
  private final PaxosSender sender;
  private final Command accepted = new Command();
  private final Bytes present = new Bytes(64);

  Rmw(
      WorkerContext context,
      Acceptor acceptor,
      PendingWrites writes,
      ReleaseBarrier barrier,
      Rounds rounds,
      PaxosSender sender) {
    this.context = context;
    this.store = context.store;
    this.acceptor = acceptor;
    this.writes = writes;
    this.barrier = barrier;
    this.rounds = rounds;
    this.sender = sender;
  }

  void begin(KiteSession s) {
    rounds.findRecord(s);
    s.attempts = 0;
    s.ballotSeen = 0;
    s.ownLog = 0;
    s.sentLog = 0;
    s.catchUps = 0;
    Epochs epochs = context.node.epochs();
    int epoch = epochs.latest;
    if (s.asked.kind.compares() && !isEqualHere(s)) {
      boolean inEpoch =
          epochs.has(context.local.epoch, s.hash) || !context.keeps(KiteRule.WEAK_IN_EPOCH);
      if (s.asked.kind == OperationKind.WEAK_COMPARE_AND_SET && inEpoch) {
        s.resultClock = context.local.clock;
        s.resultRmw = context.local.rmw;
        context.complete(s, Outcome.NOT_EQUAL);
        return;
      }
      // It will fail, most likely: an acquire shows that without a promise that others wait for.
      rounds.beginRead(s, KiteSession.Phase.RMW_READ, epoch);
      onReplies(s);
      return;
    }
    if (!rounds.makeRecord(s)) {
      return;
    }
    s.startEpoch = epoch;
    s.recordEpoch = -1;
    s.operation = context.nextOperation();
    s.delinquentAt = 0;
    context.activate(s);
    propose(s);
  }

  private boolean isEqualHere(KiteSession s) {
    rounds.readHere(s);
    return s.result.sameAs(s.expected);
  }

  /** The versions of a majority may be known: a compare-and-set fails, or is proposed after all. */
  void onReplies(KiteSession s) {
    if (!context.isMajority(s.replied)) {
      return;
    }
    if (s.result.sameAs(s.expected)) {
      if (rounds.makeRecord(s)) {
        propose(s);
      }
    } else {
      fail(s, Outcome.NOT_EQUAL);
    }
  }

  // --- propose -----------------------------------------------------------------------------------

  private void propose(KiteSession s) {
    s.helping = false;
    s.helpBallot = 0;
    boolean room;
    boolean done;
    store.lock(s.record);
    try {
      room = acceptor.turnTo(s.record) && acceptor.reserve(s.record, bytesToWrite(s));
      // Looked up under the lock: another worker may be committing it just now.
      done = isDone(s);
      if (room && !done && !promiseMyself(s)) {
        backOff(s);
        return;
      }
    } finally {
      store.unlock(s.record);
    }
    if (done) {
      commit(s);
      return;
    }
    if (!room) {
      context.complete(s, Outcome.STORE_FULL);
      return;
    }
    int delinquentAt = s.delinquentAt;
    s.adoptLocal(context.local, context.selfMask);
    s.delinquentAt = delinquentAt;
    s.phase = KiteSession.Phase.RMW_PROPOSE;
    sender.propose(s, context.others());
    onPromises(s);
  }

  /** This node promises the session's new ballot; false if somebody else should go first. */
  private boolean promiseMyself(KiteSession s) {
    if (s.attempts == 0 && acceptor.isPromiseInUse() && !isOwn(s, acceptor.promised())) {
      // Somebody is at it: give them the time that a proposal takes.
      return false;
    }
    s.log = acceptor.lastLog() + 1;
    s.ballot = nextBallot(Math.max(acceptor.promised(), s.ballotSeen), proposer(s));
    context.node.clockBound().noteBallot(s.ballot);
    Verdict verdict = acceptor.onPropose(s.log, s.ballot, s.globalId, s.operation);
    Invariant.check(
        verdict == Verdict.ACK || verdict == Verdict.ACK_ACCEPTED,
        "a node promises its own proposals",
        "log",
        s.log,
        "ballot",
        s.ballot);
    if (verdict == Verdict.ACK_ACCEPTED && context.keeps(KiteRule.HELP)) {
      acceptor.copyAccepted(accepted);
      noteAccepted(s, acceptor.acceptedBallot(), accepted);
    }
    store.copyValue(s.record, s.result);
    context.local.clock = store.clock(s.record);
    context.local.rmw = store.rmw(s.record);
    return true;
  }

  /** Bytes of the value that the session's command makes. */
  static int bytesToWrite(KiteSession s) {
    return s.asked.kind == OperationKind.GET_AND_ADD ? Long.BYTES : Math.max(0, s.value.length());
  }

  private boolean isDone(KiteSession s) {
    return context.node.committed().contains(s.globalId, s.operation)
        && context.keeps(KiteRule.ONCE);
  }

  /** A number that no other session has or had: not even one of this node's predecessor. */
  private long proposer(KiteSession s) {
    return (long) context.node.generation() << KiteSettings.SESSION_BITS | s.globalId;
  }

  /** Whether a ballot is this session's: of an operation that has ended, at its first attempt. */
  private boolean isOwn(KiteSession s, long ballot) {
    return (ballot & (1L << BALLOT_SHIFT) - 1) == proposer(s);
  }

  private static long nextBallot(long above, long proposer) {
    return ((above >>> BALLOT_SHIFT) + 1) << BALLOT_SHIFT | proposer;
  }

  void onProposeReply(KiteSession s, int from, Message m) {
    Verdict verdict = Verdict.of(m.verdict());
    if (s.phase != KiteSession.Phase.RMW_PROPOSE || !isOfRound(s, m) || verdict == null) {
      return;
    }
    rounds.noteDelinquency(s, from, m);
    if (verdict == Verdict.ACK) {
      rounds.noteVersion(s, from, m, true);
      onPromises(s);
    } else if (verdict == Verdict.ACK_ACCEPTED) {
      s.replied |= Quorum.of(from);
      WorkerContext.read(m, accepted);
      noteAccepted(s, m.acceptedBallot(), accepted);
      onPromises(s);
    } else {
      onRefusal(s, from, m, verdict);
    }
  }

  private static boolean isOfRound(KiteSession s, Message m) {
    return m.id() == s.operation && m.log() == s.log && m.ballot() == s.ballot;
  }

  private static void noteAccepted(KiteSession s, long ballot, Command command) {
    if (ballot > s.helpBallot) {
      s.helpBallot = ballot;
      s.help.session = command.session;
      s.help.id = command.id;
      s.help.baseClock = command.baseClock;
      s.help.baseRmw = command.baseRmw;
      s.helpValue.set(command.value, command.valueAt, command.valueLength);
    }
  }

  /** A majority may have promised. */
  void onPromises(KiteSession s) {
    if (!context.isMajority(s.replied)) {
      return;
    }
    if (s.helpBallot != 0 && !s.help.isOf(s.globalId, s.operation)) {
      s.helping = true;
      accept(s);
      return;
    }
    if (s.helpBallot != 0) {
      Invariant.check(
          s.ownLog == s.log, "a session knows its command", "log", s.log, "own", s.ownLog);
    } else if (s.ownLog != s.log && !makeCommand(s)) {
      return;
    }
    if (barrier.isPassedBy(s)) {
      accept(s);
    } else if (s.blockedWrites > 0 && s.sentLog == 0) {
      withdraw(s);
      context.complete(s, Outcome.STORE_FULL);
    } else {
      s.phase = KiteSession.Phase.RMW_BARRIER;
      barrier.waiting(1);
    }
  }

  /** The last of the session's writes has become safe. */
  void onBarrierPassed(KiteSession s) {
    barrier.waiting(-1);
    accept(s);
  }

  /** Makes the session's command for this log from the best version; false if there is none. */
  private boolean makeCommand(KiteSession s) {
    switch (s.asked.kind) {
      case GET_AND_ADD -> {
        if (s.result.length() != Long.BYTES && s.result.length() >= 0) {
          withdraw(s);
          fail(s, Outcome.NOT_A_NUMBER);
          return false;
        }
        long number = s.result.length() < 0 ? 0 : s.result.buffer().getLong(0);
        ByteBuffer sum = s.made.room(Long.BYTES);
        sum.putLong(0, number + s.asked.delta);
        s.made.length(Long.BYTES);
      }
      case GET_AND_SET -> s.made.set(s.value);
      default -> {
        if (!s.result.sameAs(s.expected)) {
          withdraw(s);
          fail(s, Outcome.NOT_EQUAL);
          return false;
        }
        s.made.set(s.value);
      }
    }
    s.old.set(s.result);
    s.own.session = s.globalId;
    s.own.id = s.operation;
    s.own.baseClock = s.resultClock;
    s.own.baseRmw = s.resultRmw;
    s.ownLog = s.log;
    return true;
  }

  /**
   * Tells those who may have promised this session's ballot that nothing comes of it. Nobody
   * answers: if a message is lost, the next proposer of the key waits once.
   */
  void withdraw(KiteSession s) {
    store.lock(s.record);
    try {
      acceptor.turnTo(s.record);
      acceptor.withdraw(s.log, s.ballot, context.keeps(KiteRule.WITHDRAWN_PROMISE_STANDS));
    } finally {
      store.unlock(s.record);
    }
    sender.withdraw(s, context.others());
  }

  /** Nothing will be written: what was read is returned like an acquire. */
  private void fail(KiteSession s, Outcome outcome) {
    s.asked.outcome = outcome;
    if (rounds.beginWriteBack(s, KiteSession.Phase.RMW_WRITE_BACK)) {
      rounds.endAcquire(s, outcome);
    }
  }

  // --- accept ------------------------------------------------------------------------------------

  private void accept(KiteSession s) {
    Command command = command(s);
    Verdict verdict;
    store.lock(s.record);
    try {
      acceptor.turnTo(s.record);
      verdict = acceptor.onAccept(s.log, s.ballot, command);
    } finally {
      store.unlock(s.record);
    }
    if (verdict == Verdict.FULL && !s.helping && s.sentLog != s.log) {
      // Nobody has seen it yet.
      withdraw(s);
      context.complete(s, Outcome.STORE_FULL);
      return;
    }
    if (verdict == Verdict.FULL) {
      // Others may accept it; this node just does not count.
      s.replied = 0;
    } else if (verdict != Verdict.ACK) {
      // Somebody was faster, on this very node.
      backOff(s);
      return;
    } else {
      s.replied = context.selfMask;
    }
    s.phase = KiteSession.Phase.RMW_ACCEPT;
    s.sentLog = s.helping ? s.sentLog : s.log;
    sender.accept(s, context.others());
    onAccepted(s);
  }

  private static Command command(KiteSession s) {
    Command command = s.helping ? s.help : s.own;
    Bytes value = s.helping ? s.helpValue : s.made;
    command.value = value.buffer();
    command.valueAt = 0;
    command.valueLength = value.length();
    return command;
  }

  void onAcceptReply(KiteSession s, int from, Message m) {
    Verdict verdict = Verdict.of(m.verdict());
    if (s.phase != KiteSession.Phase.RMW_ACCEPT || !isOfRound(s, m) || verdict == null) {
      return;
    }
    rounds.noteDelinquency(s, from, m);
    if (verdict == Verdict.ACK) {
      s.replied |= Quorum.of(from);
      onAccepted(s);
    } else {
      onRefusal(s, from, m, verdict);
    }
  }

  /** A majority may have accepted. */
  void onAccepted(KiteSession s) {
    if (!context.isMajority(s.replied)) {
      return;
    }
    if (!s.helping) {
      commit(s);
      return;
    }
    applyCommit(s, s.log, s.help, s.helpValue);
    sender.decided(s, s.log, s.help, s.helpValue, context.others(), 0);
    s.attempts = 1;
    propose(s);
  }

  // --- refusals ----------------------------------------------------------------------------------

  private void onRefusal(KiteSession s, int from, Message m, Verdict verdict) {
    switch (verdict) {
      case ALREADY_COMMITTED -> {
        if (s.phase == KiteSession.Phase.RMW_PROPOSE || !s.helping) {
          if (context.keeps(KiteRule.ONCE)) {
            context.node.committed().add(s.globalId, s.operation);
            commit(s);
          } else {
            backOff(s);
          }
        } else {
          backOff(s);
        }
      }
      case LOG_TOO_LOW -> {
        accepted.session = m.commandSession();
        accepted.id = m.commandId();
        present.set(m.buffer(), m.valueAt(), m.valueLength());
        if (learn(s, m.lastLog(), m.clock(), m.rmw())) {
          propose(s);
        } else {
          backOff(s);
        }
      }
      case LOG_TOO_HIGH -> catchUp(s, from);
      case BALLOT_TOO_LOW -> {
        s.ballotSeen = Math.max(s.ballotSeen, m.acceptedBallot());
        backOff(s);
      }
      case FULL -> {
        s.full |= Quorum.of(from);
        if (s.sentLog == 0 && context.isBlockedBy(s.full)) {
          // Nobody has seen its command; else others may finish it, and it is waited for.
          withdraw(s);
          context.complete(s, Outcome.STORE_FULL);
        }
      }
      case ACK, ACK_ACCEPTED -> {
        // No refusal.
      }
    }
  }

  /** Another node has committed more logs than this one. */
  private boolean learn(KiteSession s, long lastLog, long clock, long rmw) {
    store.lock(s.record);
    try {
      if (!store.setIfLater(s.record, clock, rmw, present.buffer(), 0, present.length())) {
        context.refuse();
        return false;
      }
      acceptor.turnTo(s.record);
      acceptor.onCommit(lastLog, accepted.session, accepted.id);
    } finally {
      store.unlock(s.record);
    }
    s.attempts = 1;
    return true;
  }

  /**
   * Another node has committed fewer logs than this one: it gets the last one, and is asked again.
   */
  private void catchUp(KiteSession s, int peer) {
    long lastLog;
    store.lock(s.record);
    try {
      acceptor.turnTo(s.record);
      lastLog = acceptor.lastLog();
      accepted.session = acceptor.lastSession();
      accepted.id = acceptor.lastId();
      context.local.clock = store.clock(s.record);
      context.local.rmw = store.rmw(s.record);
      store.copyValue(s.record, present);
    } finally {
      store.unlock(s.record);
    }
    sender.catchUp(s, lastLog, accepted, present, peer);
    s.catchUps++;
    if (s.catchUps > CATCH_UPS_MAX) {
      // It may have no room for the value; from now on it is asked again like one that is silent.
      return;
    }
    if (s.phase == KiteSession.Phase.RMW_PROPOSE) {
      sender.propose(s, Quorum.of(peer));
    } else {
      sender.accept(s, Quorum.of(peer));
    }
  }

  private void backOff(KiteSession s) {
    s.phase = KiteSession.Phase.RMW_BACKOFF;
    context.backingOff(1);
    long base = context.settings.times().backoffNanos();
    long longest = base << Math.min(s.attempts, BACKOFF_DOUBLINGS_MAX);
    // Different for every session and attempt, so that two do not meet again and again.
    long spread =
        (s.operation * 0x9E3779B97F4A7C15L
                + s.globalId * 0x632BE59BD9B4E019L
                + s.attempts * 0xD6E8FEB86659FD93L)
            >>> 33;
    s.attempts++;
    s.resumeNanos = context.now() + base / 2 + spread % longest;
  }

  /** Goes on if the time has come, or whoever was at it is done. */
  void resume(KiteSession s) {
    if (context.now() >= s.resumeNanos) {
      context.backingOff(-1);
      propose(s);
    }
  }

  // --- commit ------------------------------------------------------------------------------------

  /** The session's command is decided, be it by somebody else: it is made known, and kept. */
  private void commit(KiteSession s) {
    Invariant.check(s.ownLog != 0, "what is decided was proposed", "op", s.operation, "log", s.log);
    if (writes.isFull() || !applyCommit(s, s.ownLog, s.own, s.made)) {
      backOff(s);
      return;
    }
    s.phase = KiteSession.Phase.RMW_COMMIT;
    s.helping = false;
    s.replied = context.selfMask;
    s.commitOperation = s.operation;
    s.commitSequence = writes.add(s, PendingWrites.Kind.COMMIT);
    sendOwnCommit(s);
    writes.onAck(s.commitSequence, context.selfMask);
    onCommitted(s);
  }

  private boolean applyCommit(KiteSession s, long log, Command command, Bytes value) {
    store.lock(s.record);
    try {
      long clock = command.baseClock;
      long rmw = command.baseRmw + 1;
      if (!store.setIfLater(s.record, clock, rmw, value.buffer(), 0, value.length())) {
        return false;
      }
      acceptor.turnTo(s.record);
      acceptor.onCommit(log, command.session, command.id);
      context.node.clockBound().noteLog(log);
      return true;
    } finally {
      store.unlock(s.record);
    }
  }

  /** Sends the session's commit to those who have not acknowledged it. */
  void sendOwnCommit(KiteSession s) {
    s.sentNanos = context.now();
    int nodes = context.all() & ~s.replied;
    sender.decided(s, s.ownLog, s.own, s.made, nodes, s.operation);
  }

  /** A node has a commit, be it one of an operation that has ended. */
  void onCommitAck(KiteSession s, int from, Message m) {
    if (m.id() != s.commitOperation) {
      return;
    }
    writes.onAck(s.commitSequence, Quorum.of(from));
    if (s.phase == KiteSession.Phase.RMW_COMMIT && m.id() == s.operation) {
      rounds.noteDelinquency(s, from, m);
      s.replied |= Quorum.of(from);
      onCommitted(s);
    }
  }

  /** A majority may have the session's commit. */
  void onCommitted(KiteSession s) {
    if (context.isMajority(s.replied) || !context.keeps(KiteRule.COMMIT_TO_MAJORITY)) {
      s.result.set(s.old);
      s.resultClock = s.own.baseClock;
      s.resultRmw = s.own.baseRmw + 1;
      rounds.endAcquire(s, Outcome.DONE);
    }
  }
}
