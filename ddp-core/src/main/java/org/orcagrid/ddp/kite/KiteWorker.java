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
import org.orcagrid.ddp.paxos.Acceptor;
import org.orcagrid.ddp.store.Bytes;
import org.orcagrid.ddp.store.KeyHash;
import org.orcagrid.ddp.store.ReplicaStore;
import org.orcagrid.ddp.wire.Message;
import org.orcagrid.ddp.wire.Outbox;

/**
 * A worker of a node: runs the operations of its sessions and answers its one counterpart on each
 * other node (sections 5.1 and 5.3). A state machine: all it does is in answer to {@link #begin},
 * {@link #onMessage} and {@link #poll}, which one thread calls; what it sends goes into the outbox.
 */
public final class KiteWorker implements ProtocolWorker {
  /** How often in the time after which messages are sent again it is looked for such messages. */
  private static final int LOOKS = 8;

  private final WorkerContext context;
  private final KiteSession[] sessions;
  private final PendingWrites writes;
  private final ReleaseBarrier barrier;
  private final KiteReplica replica;
  private final EventualStore relaxed;
  private final Abd abd;
  private final Rmw rmw;
  private final Rounds rounds;
  private final PaxosSender sender;
  private final StateSource source;
  private final KiteCatchUp catchUp;
  private final SecondLook secondLook;
  private final Acceptor acceptor;

  /** How this node catches up while it serves, as a place leaves; null if it does not. */
  private KiteCatchUp refresh;

  private final Purge purge;
  private final EpochSweep sweep;

  /** For each place, the first view in which what its present node sends can have been sent. */
  private final int[] usableSince;

  /**
   * The view in which this worker has learned of the last place that the grid has lost. What was
   * sent before may be by a node that does not know of it, and lets that place read what it misses.
   */
  private int lostSince;

  private boolean replaced;

  private long lookedNanos = WorkerContext.LONG_AGO;

  /** The worker {@code worker} of a node. */
  public KiteWorker(
      KiteNode node, int worker, Outbox outbox, ProtocolWorker.Completions completions) {
    this.context = new WorkerContext(node, worker, outbox, completions);
    KiteSettings settings = node.settings();
    this.sessions = new KiteSession[settings.sessions()];
    for (int slot = 0; slot < sessions.length; slot++) {
      sessions[slot] = new KiteSession(slot, settings.globalSession(settings.self(), worker, slot));
    }
    this.acceptor = new Acceptor(node.store(), node.committed());
    this.rounds = new Rounds(context);
    this.writes = new PendingWrites(context);
    this.barrier = new ReleaseBarrier(context, writes);
    this.replica = new KiteReplica(context, acceptor);
    this.relaxed = new EventualStore(context, writes, rounds);
    this.abd = new Abd(context, writes, barrier, rounds);
    this.sender = new PaxosSender(context);
    this.rmw = new Rmw(context, acceptor, writes, barrier, rounds, sender);
    this.source = new StateSource(context, acceptor);
    this.secondLook = new SecondLook(context, writes, barrier, relaxed, abd, rounds, rmw);
    this.purge = new Purge(context, writes, acceptor);
    this.sweep = new EpochSweep(context);
    this.usableSince = new int[settings.nodes()];
    KiteView first = node.view();
    // When the grid has lost a place last this worker does not know: it takes nothing from before.
    this.lostSince = context.keeps(KiteRule.SINCE_MEMORY_BEGAN) ? first.number() : 0;
    enter(first);
    this.catchUp = KiteCatchUp.ofNew(context, acceptor);
    // It may be a later one than the node has begun in.
    node.onInstalled(worker, first.number());
  }

  /** One of the worker's sessions. */
  public KiteSession session(int slot) {
    return sessions[slot];
  }

  /** Writes that some node has not acknowledged yet. */
  public int pendingWrites() {
    return writes.live();
  }

  /** Slow releases so far. */
  @Override
  public long slowReleases() {
    return barrier.slowReleases();
  }

  /** Messages that were not answered since this node's store is full. */
  public long refusedWrites() {
    return context.refusedWrites();
  }

  @Override
  public boolean isIdle(int slot) {
    return sessions[slot].isIdle();
  }

  @Override
  public boolean begin(int slot, Operation asked, long nowNanos) {
    KiteSession s = sessions[slot];
    Invariant.check(s.isIdle(), "a session does one thing at a time");
    context.now(nowNanos);
    if (replaced
        || !node().isServing()
        || !hasRoom(asked.kind)
        || isMarked(asked.key)
        || node().marks().isDueIn(context.view())) {
      return false;
    }
    s.ask(asked);
    if (asked.kind == OperationKind.WRITE && !writes.hasRoom()) {
      context.complete(s, Outcome.STORE_FULL);
      return true;
    }
    s.hash = KeyHash.hash(s.key.buffer(), 0, s.key.length());
    switch (s.asked.kind) {
      case READ -> relaxed.beginRead(s);
      case WRITE -> relaxed.beginWrite(s);
      case ACQUIRE -> abd.beginAcquire(s);
      case RELEASE -> abd.beginRelease(s);
      case GET_AND_ADD, GET_AND_SET, COMPARE_AND_SET, WEAK_COMPARE_AND_SET -> rmw.begin(s);
    }
    passBarriers();
    return true;
  }

  /**
   * Whether an operation of this kind can begin now; if not, too many writes are pending. It can,
   * and fails, if some of those are pending since other nodes have no room for them.
   */
  private boolean hasRoom(OperationKind kind) {
    return kind != OperationKind.WRITE || writes.hasRoom() || writes.isBlocked();
  }

  /** Whether a key stands still, as all nodes are about to forget it. */
  private boolean isMarked(Bytes key) {
    return !node().marks().isEmpty() && isMarked(key.buffer(), 0, key.length());
  }

  private boolean isMarked(ByteBuffer key, int offset, int length) {
    return node().marks().has(key, offset, length, KeyHash.hash(key, offset, length));
  }

  /** Whether a message is about a key that stands still: it is as good as lost. */
  private boolean isAboutMarked(Message m) {
    return switch (m.type()) {
      case WRITE, READ, WRITE_BACK, PROPOSE, ACCEPT, COMMIT, WITHDRAW ->
          isMarked(m.buffer(), m.keyAt(), m.keyLength());
      default -> false;
    };
  }

  @Override
  public boolean announce(int slot, Bytes key, long nowNanos) {
    context.now(nowNanos);
    if (replaced || !writes.hasRoom() || isMarked(key)) {
      return false;
    }
    long hash = KeyHash.hash(key.buffer(), 0, key.length());
    long record = context.store.find(key.buffer(), 0, key.length(), hash);
    // Else all nodes have forgotten the key since: a later version than this write was everywhere.
    if (record != ReplicaStore.NONE) {
      relaxed.announce(sessions[slot], record);
    }
    return true;
  }

  /** Whether another node has this one's place in the view that this worker is in. */
  @Override
  public boolean isOver() {
    return replaced;
  }

  @Override
  public boolean isBusy() {
    return context.activeCount() > 0
        || writes.live() > 0
        || source.isWaiting()
        || sweep.isUnderWay()
        || refresh != null
        || !node().marks().isEmpty()
        || !node().isServing();
  }

  /**
   * Whether a {@linkplain Message#isWhole whole} message is one that a node of this grid can have
   * sent; to be asked of what comes from outside before {@link #onMessage}. One whose clock lies
   * too far ahead is {@linkplain KiteNode#refusedClocks counted}.
   */
  @Override
  public boolean mayBeOurs(Message m) {
    boolean paxos =
        switch (m.type()) {
          case PROPOSE, PROPOSE_REPLY, ACCEPT, ACCEPT_REPLY, COMMIT, WITHDRAW -> true;
          case STATE_VERSION, STATE_ACCEPTED, STATE_COMMAND -> true;
          default -> false;
        };
    return m.keyLength() <= ReplicaStore.KEY_BYTES_MAX
        && m.valueLength() <= context.store.valueBytesMax()
        && (!paxos
            || (m.commandSession() >= 0 && m.commandSession() < context.settings.globalSessions()))
        && node().clockBound().admits(m, !node().isServing());
  }

  /**
   * A message from another node; must be {@linkplain Message#isWhole whole}. One that makes no
   * sense is ignored, as it may be late.
   */
  @Override
  public void onMessage(int from, Message m, long nowNanos) {
    context.now(nowNanos);
    if (!isUsable(from, m.view())) {
      return;
    }
    barrier.onMessageFrom(from);
    if (node().isServing()) {
      serve(from, m);
    } else {
      learn(from, m);
    }
  }

  private KiteNode node() {
    return context.node;
  }

  /**
   * Whether a message counts. One of a later view is as good as lost until this worker is in that
   * view, too: with it come acknowledgements by nodes that others have caught up from already, and
   * those must not be added to what was acknowledged by a node that is no more. One of a node that
   * another one has followed does not count, nor one that was sent before memory began anew.
   */
  private boolean isUsable(int from, int sent) {
    if (sent > context.view()) {
      installView();
    }
    return (sent <= context.view() || !context.keeps(KiteRule.VIEW_FIRST))
        && sent >= usableSince[from]
        && !replaced;
  }

  private void installView() {
    KiteView next = node().view();
    if (next.number() == context.view()) {
      return;
    }
    Invariant.check(next.number() > context.view(), "views follow each other");
    Invariant.check(
        next.purgedIn() <= context.view()
            || node().isReplaced()
            || node().marks().isFor(next.purgedIn()),
        "a node has marked what it is to forget",
        "view",
        context.view(),
        "purged",
        next.purgedIn());
    int gone = context.all() & ~next.parts();
    int changed = (next.changedSince(context.view()) | gone) & ~context.selfMask;
    if (context.keeps(KiteRule.COUNT_ANEW)) {
      // Without those that are gone, what waits would end by answers of nodes that still hear them.
      barrier.forget(gone == 0 ? changed : ~context.selfMask);
      for (int i = 0; i < context.activeCount(); i++) {
        context.active(i).forget(changed);
      }
      sweep.forget(changed);
    }
    lostSince = gone == 0 ? lostSince : next.number();
    node().delinquency().onView(next.number(), next.parts(), gone);
    catchUp.onView(next);
    if (refresh != null) {
      refresh.onView(next);
    }
    enter(next);
    node().onInstalled(context.worker, next.number());
    node().marks().onEntered(next);
  }

  private void enter(KiteView view) {
    context.enter(view);
    for (int place = 0; place < usableSince.length; place++) {
      int joined = view.joined().get(place);
      int since = context.keeps(KiteRule.SINCE_MEMORY_BEGAN) ? view.memorySince() : 0;
      int purged = context.keeps(KiteRule.SINCE_PURGE) ? view.purgedIn() : 0;
      boolean isNew = joined > view.memorySince();
      int sinceJoined = isNew && context.keeps(KiteRule.COUNT_ANEW) ? joined : since;
      // A place that the grid has not, or not any more, says nothing that counts.
      usableSince[place] =
          joined == 0 ? Integer.MAX_VALUE : Math.max(lostSince, Math.max(sinceJoined, purged));
    }
    secondLook.onEntered();
    replaced = node().isReplaced();
  }

  /**
   * What a node does that is catching up. It acknowledges nothing: while others are still in the
   * view before, they may count on its predecessor, and a majority with this node would not meet
   * one of theirs. When it has caught up, so many are in this view that no majority of the one
   * before is left.
   */
  private void learn(int from, Message m) {
    switch (m.type()) {
      case WRITE -> {
        if (context.keeps(KiteRule.SILENT_UNTIL_CAUGHT_UP)) {
          replica.learn(m);
        } else {
          replica.onWrite(from, m);
        }
      }
      case STATE_VERSION, STATE_ACCEPTED, STATE_COMMAND, STATE_END -> catchUp.onState(from, m);
      case STATE_REQUEST -> {
        if (!context.keeps(KiteRule.STATE_OF_SERVING)) {
          source.onRequest(from, m);
        }
      }
      default -> {
        // Who has asked asks again.
      }
    }
  }

  private void serve(int from, Message m) {
    if (!node().marks().isEmpty() && (isAboutMarked(m) || node().marks().isDueIn(context.view()))) {
      return;
    }
    switch (m.type()) {
      case WRITE -> replica.onWrite(from, m);
      case WRITE_ACKS -> onWriteAcks(from, m);
      case READ -> replica.onRead(from, m);
      case WRITE_BACK -> replica.onWriteBack(from, m);
      case PROPOSE -> replica.onPropose(from, m);
      case ACCEPT -> replica.onAccept(from, m);
      case COMMIT -> replica.onCommit(from, m);
      case WITHDRAW -> replica.onWithdraw(m);
      case SLOW_RELEASE -> replica.onSlowRelease(from, m);
      case RESET_BIT -> replica.onResetBit(from, m);
      case READ_REPLY, ROUND_ACK, PROPOSE_REPLY, ACCEPT_REPLY -> onReply(from, m);
      case STATE_REQUEST -> source.onRequest(from, m);
      case STATE_VERSION, STATE_ACCEPTED, STATE_COMMAND, STATE_END -> {
        if (refresh != null) {
          refresh.onState(from, m);
        }
      }
      case PURGE_MARK -> purge.onMark(from, m);
      case PURGE_MARKED -> purge.onMarked(from, m);
      case EPOCH_CHECK -> sweep.onQuestion(from, m);
      case EPOCH_CHECKED -> sweep.onAnswer(from, m);
      default -> {
        // Of another protocol.
      }
    }
  }

  private void onWriteAcks(int from, Message m) {
    if (m.has(Message.FULL)) {
      onWriteRefused(m.id(), Quorum.of(from));
      return;
    }
    long first = m.id();
    int count = Math.min(m.count(), context.settings.pendingWrites());
    for (int i = 0; i < count; i++) {
      abd.onReleaseAck(writes.onAck(first + i, Quorum.of(from)));
    }
    passBarriers();
  }

  private void onWriteRefused(long sequence, int from) {
    if (!context.keeps(KiteRule.FULL_IS_NO_ACK)) {
      abd.onReleaseAck(writes.onAck(sequence, from));
      return;
    }
    KiteSession blocked = writes.onFull(sequence, from);
    if (blocked != null && blocked.isAtBarrier()) {
      passBarrier(blocked);
    } else if (blocked != null) {
      abd.onReleaseBlocked(blocked, sequence);
    }
  }

  private void onReply(int from, Message m) {
    if (m.session() >= sessions.length) {
      return;
    }
    KiteSession s = sessions[m.session()];
    switch (m.type()) {
      case READ_REPLY -> onReadReply(s, from, m);
      case PROPOSE_REPLY -> rmw.onProposeReply(s, from, m);
      case ACCEPT_REPLY -> rmw.onAcceptReply(s, from, m);
      default -> onRoundAck(s, from, m);
    }
    passBarriers();
  }

  private void onReadReply(KiteSession s, int from, Message m) {
    if (m.id() != s.operation) {
      return;
    }
    switch (s.phase) {
      case SLOW_READ, SLOW_WRITE -> {
        rounds.noteVersion(s, from, m, s.phase == KiteSession.Phase.SLOW_READ);
        if (context.isMajority(s.replied & ~s.full) || context.isBlockedBy(s.full)) {
          relaxed.onMajority(s);
        }
      }
      case ACQUIRE_READ, RELEASE_READ -> {
        rounds.noteVersion(s, from, m, s.phase == KiteSession.Phase.ACQUIRE_READ);
        abd.onReplies(s);
      }
      case RMW_READ -> {
        rounds.noteVersion(s, from, m, true);
        rmw.onReplies(s);
      }
      default -> {
        // A late answer: the round is over.
      }
    }
  }

  private void onRoundAck(KiteSession s, int from, Message m) {
    if (m.has(Message.FULL)) {
      onRoundRefused(s, from, m);
      return;
    }
    barrier.onAck(from, m.id());
    rmw.onCommitAck(s, from, m);
    if (m.id() != s.operation) {
      return;
    }
    if (s.phase == KiteSession.Phase.ACQUIRE_WRITE_BACK
        || s.phase == KiteSession.Phase.RMW_WRITE_BACK) {
      rounds.noteDelinquency(s, from, m);
      if (abd.onWriteBackAck(s, from)) {
        rounds.endAcquire(
            s, s.phase == KiteSession.Phase.RMW_WRITE_BACK ? s.asked.outcome : Outcome.DONE);
      }
    }
  }

  private void onRoundRefused(KiteSession s, int from, Message m) {
    if (m.id() == s.commitOperation) {
      onWriteRefused(s.commitSequence, Quorum.of(from));
    }
    if (m.id() == s.operation
        && (s.phase == KiteSession.Phase.ACQUIRE_WRITE_BACK
            || s.phase == KiteSession.Phase.RMW_WRITE_BACK)) {
      s.full |= Quorum.of(from);
      if (context.isBlockedBy(s.full)) {
        context.complete(s, Outcome.STORE_FULL);
      }
    }
  }

  /** Does what the time asks for, and sends what has gathered. To be called after every batch. */
  @Override
  public void poll(long nowNanos) {
    context.now(nowNanos);
    installView();
    if (replaced) {
      return;
    }
    source.poll();
    if (!node().isServing()) {
      if (catchUp.poll()) {
        node().serve();
      }
      replica.acknowledge();
      return;
    }
    pollRefresh();
    secondLook.poll();
    barrier.poll();
    if (context.backingOff() > 0
        || context.now() - lookedNanos >= context.settings.times().resendNanos() / LOOKS) {
      lookedNanos = context.now();
      for (int i = context.activeCount() - 1; i >= 0; i--) {
        if (i < context.activeCount()) {
          look(context.active(i));
        }
      }
    }
    passBarriers();
    purge.poll();
    sweep.poll();
    replica.acknowledge();
  }

  /** One worker catches up for all while a place leaves; not the place itself. */
  private void pollRefresh() {
    KiteView view = context.entered();
    if (view.leaving() == 0 || view.leaving() == context.selfMask || context.worker != 0) {
      refresh = null;
      return;
    }
    if (node().refreshed() == view.leavingSince()) {
      return;
    }
    if (!context.keeps(KiteRule.REFRESH_BEFORE_REMOVAL)) {
      node().refreshed(view.leavingSince());
      return;
    }
    if (refresh == null) {
      refresh = KiteCatchUp.ofServing(context, acceptor);
    }
    if (node().isIn(view.leavingSince()) && refresh.poll()) {
      node().refreshed(view.leavingSince());
      refresh = null;
    }
  }

  private void look(KiteSession s) {
    if (s.phase == KiteSession.Phase.RMW_BACKOFF) {
      rmw.resume(s);
      return;
    }
    if (s.isAtBarrier()) {
      passBarrier(s);
      return;
    }
    if (context.now() - s.sentNanos < context.settings.times().resendNanos()) {
      return;
    }
    int missing = context.all() & ~s.replied;
    switch (s.phase) {
      case SLOW_READ, SLOW_WRITE, ACQUIRE_READ, RELEASE_READ, RMW_READ -> rounds.sendRead(s);
      case ACQUIRE_WRITE_BACK, RMW_WRITE_BACK -> rounds.sendWriteBack(s);
      case RMW_PROPOSE -> sender.propose(s, missing);
      case RMW_ACCEPT -> sender.accept(s, missing & ~context.selfMask);
      case RMW_COMMIT -> rmw.sendOwnCommit(s);
      default -> {
        // Pending writes are sent again by themselves.
      }
    }
  }

  private void passBarriers() {
    for (KiteSession s = writes.pollReady(); s != null; s = writes.pollReady()) {
      passBarrier(s);
    }
  }

  private void endBlocked(KiteSession s) {
    if (s.phase == KiteSession.Phase.RMW_BARRIER) {
      rmw.withdraw(s);
    }
    context.complete(s, Outcome.STORE_FULL);
  }

  private void passBarrier(KiteSession s) {
    if (!barrier.isPassedBy(s)) {
      if (s.blockedWrites > 0 && (s.phase == KiteSession.Phase.RELEASE_BARRIER || s.sentLog == 0)) {
        // Nothing is written yet of what waits; and what it waits for may never be safe.
        barrier.waiting(-1);
        endBlocked(s);
      }
      // Else there is no room for its write yet; looked at again by the next poll.
      return;
    }
    if (s.phase == KiteSession.Phase.RELEASE_BARRIER) {
      abd.onBarrierPassed(s);
    } else if (s.phase == KiteSession.Phase.RMW_BARRIER) {
      rmw.onBarrierPassed(s);
    }
  }
}
