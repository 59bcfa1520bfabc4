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

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.orcagrid.ddp.Invariant;
import org.orcagrid.ddp.Quorum;
import org.orcagrid.ddp.replica.log.Journal;
import org.orcagrid.ddp.replica.log.LogRecord;
import org.orcagrid.ddp.replica.state.Encoding;
import org.orcagrid.ddp.replica.state.Entry;
import org.orcagrid.ddp.replica.state.Key;
import org.orcagrid.ddp.replica.state.ReplicaRule;
import org.orcagrid.ddp.replica.state.ReplicaSettings;
import org.orcagrid.ddp.replica.state.ReplicaState;
import org.orcagrid.ddp.replica.state.Write;
import org.orcagrid.ddp.replica.wire.Links;
import org.orcagrid.ddp.replica.wire.ReplicaMessage;
import org.orcagrid.ddp.replica.wire.ReplicaMessage.TxStep;

/**
 * Transactional consistency (DDP, section 5.4): a transaction begins everywhere (INITX), its writes
 * go to all nodes while it runs (INV), and when it ends (ENDX) all nodes have all of them before
 * any shows one (VAL). A write is compared at every node, a read at its own, with what other active
 * transactions have read and written; who meets another one is aborted, or waits for it.
 *
 * <p>Where the paper shows the end of a transaction in one round, its decision is the moment when
 * all nodes have acknowledged its writes without a conflict: what was decided is brought to its end
 * by any node that knows of it, what was not is forgotten with its coordinator.
 *
 * <p>Invariants:
 *
 * <ol>
 *   <li>two active transactions do not have a key that one of them writes;
 *   <li>a write is visible anywhere only when every member has all writes of its transaction, and
 *       from then on no member shows an older version;
 *   <li>the writes of a transaction are in a log together or not at all.
 * </ol>
 */
final class Transactions implements Protocol {
  private final ReplicaState state;
  private final Links links;
  private final Operations operations;
  private final Scopes scopes;
  private final Map<Long, Transaction> active = new HashMap<>();
  private final Locks locks = new Locks();
  private final QuietMoments moments;
  private final TransactionReads reads;
  private final TransactionLog log;
  private final TransactionRequests requests;

  /** Writes of other nodes' transactions that wait for a key here. */
  private final Deque<Waiting> waiting = new ArrayDeque<>();

  private record Waiting(int from, long transaction, Write write) {}

  /** Whether a transaction gets a key. */
  enum Verdict {
    GRANTED,
    WAITS,
    REFUSED
  }

  Transactions(Parts parts) {
    this.state = parts.state();
    this.links = parts.links();
    this.operations = parts.operations();
    this.scopes = parts.scopes();
    this.moments = new QuietMoments(state, active.values());
    this.reads = new TransactionReads(state, locks, moments);
    this.log = new TransactionLog(state, parts.journal());
    this.requests = new TransactionRequests(state, operations, this, reads, locks);
  }

  @Override
  public boolean begin(Operation operation) {
    return requests.begin(operation);
  }

  /** Begins a transaction of a session. */
  Transaction start(ReplicaSession session) {
    Transaction started = new Transaction(state.nextClock(), session);
    active.put(started.id(), started);
    session.transaction(started);
    return started;
  }

  /** A transaction that has done nothing yet does not begin. */
  void drop(Transaction transaction) {
    active.remove(transaction.id());
    transaction.session().transaction(null);
  }

  void tellBegin(Transaction begun) {
    links.broadcast(new ReplicaMessage.TxBegin(begun.id()));
    log.begin(begun.id(), () -> onAck(begun, TxStep.BEGIN, 0, state.self()));
  }

  @Override
  public boolean isShown(Entry entry) {
    return reads.isShown(entry);
  }

  @Override
  public boolean scan(Operation operation) {
    return reads.scan(operation);
  }

  /** Gives a transaction the key and tells all of a write of it. */
  void tellWrite(Transaction transaction, Write write) {
    locks.write(transaction, write.key());
    transaction.put(write);
    links.broadcast(new ReplicaMessage.TxWrite(transaction.id(), write));
  }

  /** Acknowledges it here; what waits for that is in place. */
  void acknowledgeWrite(Transaction transaction, Write write) {
    log.write(
        transaction.id(),
        write,
        () -> onAck(transaction, TxStep.WRITE, write.clock(), state.self()));
  }

  /**
   * What a transaction does that wants a key (DDP, section 5.4: squash or stall).
   *
   * <p>Where transactions are aborted ({@link #singlesBeginAgain}) single writes are not. One waits
   * for all but older single writes. Whoever it waits for does not wait in turn, or is a younger
   * one, which is refused where this one is; so nobody waits in a circle.
   */
  Verdict verdict(Transaction transaction, Key key, boolean writes) {
    if (!state.keeps(ReplicaRule.CONFLICTS)) {
      return Verdict.GRANTED;
    }
    Verdict verdict = Verdict.GRANTED;
    for (Transaction other : locks.conflicts(transaction, key, writes)) {
      if (other.state() != Transaction.State.DECIDED && !mayWaitFor(transaction, other)) {
        return Verdict.REFUSED;
      }
      verdict = Verdict.WAITS;
    }
    return verdict;
  }

  private boolean mayWaitFor(Transaction transaction, Transaction other) {
    boolean isOlder = transaction.id() < other.id();
    return singlesBeginAgain() ? transaction.isSingle() && (isOlder || !other.isSingle()) : isOlder;
  }

  /**
   * Whether a single write that is refused gives up what it has and begins again. Where
   * transactions wait, it would take the key again before one that waits for it gets a turn.
   */
  boolean singlesBeginAgain() {
    return state.settings().conflicts() == ReplicaSettings.Conflicts.ABORT;
  }

  /** A transaction is aborted because of another one, or begins again. */
  void lose(Transaction transaction) {
    Operation operation = transaction.operation();
    ReplicaSession session = transaction.session();
    forget(transaction);
    if (transaction.isSingle() && singlesBeginAgain()) {
      session.transaction(null);
      operations.tryAgain(operation);
    } else if (operation != null) {
      session.transaction(null);
      operations.abort(operation);
    } else {
      session.loseTransaction();
    }
  }

  /** Nothing of it is left here or anywhere. */
  void forget(Transaction transaction) {
    active.remove(transaction.id());
    locks.release(transaction);
    links.broadcast(new ReplicaMessage.TxAbort(transaction.id()));
    grantWaiting();
    operations.goOn();
  }

  // --- the coordinator ---------------------------------------------------------------------------

  private void onAck(Transaction transaction, TxStep step, long clock, int node) {
    if (active.get(transaction.id()) != transaction) {
      return;
    }
    switch (step) {
      case BEGIN -> transaction.begun(node);
      case WRITE -> transaction.has(clock, node);
      case END -> transaction.ended(node);
      case DURABLE -> transaction.durable(node);
    }
    goOn(transaction);
  }

  private void goOn(Transaction transaction) {
    int members = state.members();
    Operation operation = transaction.operation();
    if (transaction.state() == Transaction.State.ACTIVE) {
      if (operation != null
          && operation.kind() == Operation.Kind.BEGIN
          && transaction.isBegun(members)) {
        transaction.operation(null);
        operations.complete(operation);
      } else if (operation != null
          && operation.kind().mayWrite()
          && !transaction.isSingle()
          && (transaction.hasAtAll(members) || !state.keeps(ReplicaRule.STRICT_AT_ALL))) {
        transaction.operation(null);
        operations.complete(operation);
      }
      decideIfAll(transaction);
    } else if (transaction.isCoordinated()) {
      endIfAll(transaction);
    }
  }

  void decideIfAll(Transaction transaction) {
    if (transaction.isEnding()
        && transaction.hasAtAll(state.members())
        && !moments.holdsBack(transaction.id())) {
      List<Write> writes = transaction.writes();
      transaction.decide(writes);
      links.broadcast(new ReplicaMessage.TxEnd(transaction.id(), writes));
      log.end(transaction.writes(), step -> onAck(transaction, step, 0, state.self()));
    }
  }

  private void endIfAll(Transaction transaction) {
    int members = state.members();
    boolean all = transaction.isEnded(members) || !state.keeps(ReplicaRule.VALID_WHEN_AT_ALL);
    if (transaction.state() == Transaction.State.DECIDED && all) {
      links.broadcast(new ReplicaMessage.TxVal(transaction.id(), ReplicaMessage.CONSISTENCY));
      show(transaction);
    }
    if (transaction.state() == Transaction.State.VISIBLE
        && state.persistency().isBeforeRead()
        && transaction.isDurable(members)) {
      links.broadcast(new ReplicaMessage.TxVal(transaction.id(), ReplicaMessage.PERSISTENCY));
      durable(transaction);
    }
  }

  /** Its writes become visible here, all at once. */
  private void show(Transaction transaction) {
    for (Write write : transaction.writes()) {
      // Still decided: of the version before, which no read shows any more, nobody is told.
      state.entry(write.key()).set(write);
      state.entry(write.key()).valid(write.clock());
      if (transaction.session() != null) {
        scopes.add(transaction.session(), write);
      }
    }
    transaction.show();
    locks.release(transaction);
    if (!state.persistency().isBeforeRead()) {
      active.remove(transaction.id());
    }
    Operation operation = transaction.operation();
    if (operation != null) {
      // Whoever has come last may have been faster to see that all have it than the coordinator.
      transaction.operation(null);
      transaction.session().transaction(null);
      operations.complete(operation);
    }
    if (moments.isAwaited() && moments.isNow()) {
      for (Operation scan : moments.stopWaiting()) {
        if (scan.status() == Operation.Status.OPEN) {
          reads.look(scan);
        }
      }
      learnHeldBack();
      decideHeldBack();
    }
    grantWaiting();
    operations.goOn();
  }

  /** Learns what other nodes have told meanwhile. */
  private void learnHeldBack() {
    moments.letGo().forEach(each -> onEnd(each.from(), each.end()));
  }

  /** Decides what was held back here. */
  private void decideHeldBack() {
    for (Transaction each : List.copyOf(active.values())) {
      if (each.isCoordinated() && each.state() == Transaction.State.ACTIVE) {
        decideIfAll(each);
      }
    }
  }

  private void durable(Transaction transaction) {
    transaction.writes().forEach(write -> state.entry(write.key()).durable(write.clock()));
    active.remove(transaction.id());
    operations.goOn();
  }

  // --- the follower ------------------------------------------------------------------------------

  @Override
  public void onMessage(int from, ReplicaMessage message) {
    if (message instanceof ReplicaMessage.TxBegin begin) {
      active.computeIfAbsent(begin.tx(), id -> new Transaction(id, null));
      state.learn(begin.tx());
      log.begin(begin.tx(), () -> acknowledge(from, begin.tx(), TxStep.BEGIN, 0));
    } else if (message instanceof ReplicaMessage.TxWrite write) {
      state.learn(write.write().clock());
      // One that has not begun before is a single write.
      active.computeIfAbsent(write.tx(), id -> new Transaction(id, null).single());
      onWrite(new Waiting(from, write.tx(), write.write()));
    } else if (message instanceof ReplicaMessage.TxEnd end) {
      onEnd(from, end);
    } else if (message instanceof ReplicaMessage.TxAck ack) {
      Transaction transaction = active.get(ack.tx());
      if (transaction != null && transaction.isCoordinated()) {
        onAck(transaction, ack.step(), ack.clock(), from);
      }
    } else if (message instanceof ReplicaMessage.TxConflict conflict) {
      Transaction transaction = active.get(conflict.tx());
      if (transaction != null
          && transaction.session() != null
          && transaction.state() == Transaction.State.ACTIVE) {
        lose(transaction);
      }
    } else if (message instanceof ReplicaMessage.TxVal val) {
      onVal(val.tx(), val.what());
    } else if (message instanceof ReplicaMessage.TxAbort abort) {
      Transaction transaction = active.remove(abort.tx());
      if (transaction != null) {
        locks.release(transaction);
        grantWaiting();
      }
    } else {
      throw new IllegalStateException("Not for " + state.model() + ": " + message);
    }
  }

  private void acknowledge(int to, long id, TxStep step, long clock) {
    links.send(to, new ReplicaMessage.TxAck(id, step, clock));
  }

  private void onWrite(Waiting asked) {
    Transaction transaction = active.get(asked.transaction());
    if (transaction == null || transaction.state() != Transaction.State.ACTIVE) {
      return;
    }
    switch (verdict(transaction, asked.write().key(), true)) {
      case WAITS -> waiting.add(asked);
      case REFUSED -> links.send(asked.from(), new ReplicaMessage.TxConflict(asked.transaction()));
      default -> {
        locks.write(transaction, asked.write().key());
        transaction.put(asked.write());
        log.write(
            transaction.id(),
            asked.write(),
            () ->
                acknowledge(
                    asked.from(), asked.transaction(), TxStep.WRITE, asked.write().clock()));
      }
    }
  }

  private void grantWaiting() {
    for (int left = waiting.size(); left > 0; left--) {
      onWrite(waiting.poll());
    }
  }

  private void onEnd(int from, ReplicaMessage.TxEnd end) {
    List<Write> writes = end.writes();
    long id = end.tx();
    writes.forEach(write -> state.learn(write.clock()));
    if (moments.holdsBack(id)) {
      moments.holdBack(from, end);
      return;
    }
    boolean known =
        writes.stream().allMatch(write -> state.entry(write.key()).clock() >= write.clock());
    Transaction transaction = active.get(id);
    if (transaction == null && !known) {
      transaction = new Transaction(id, null);
      active.put(id, transaction);
    }
    if (transaction != null && transaction.state() == Transaction.State.ACTIVE) {
      transaction.decide(writes);
      for (Write write : writes) {
        locks.write(transaction, write.key());
      }
    }
    log.end(writes, step -> acknowledge(from, id, step, 0));
  }

  private void onVal(long id, int what) {
    Transaction transaction = active.get(id);
    if (transaction == null) {
      return;
    }
    if (transaction.state() == Transaction.State.DECIDED) {
      show(transaction);
    }
    if ((what & ReplicaMessage.PERSISTENCY) != 0) {
      durable(transaction);
    }
  }

  // --- views -------------------------------------------------------------------------------------

  @Override
  public void onView(int joined) {
    // Reads that wait begin again, if the node still serves. What other nodes have told counts as
    // told before the view; this node decides when it has forgotten who has joined.
    moments.stopWaiting();
    learnHeldBack();
    operations.goOn();
    waiting.removeIf(each -> !state.view().hasWriter(each.transaction()));
    for (Transaction transaction : List.copyOf(active.values())) {
      transaction.forget(joined);
      if (transaction.isCoordinated()) {
        tellJoined(transaction, joined);
      } else if (transaction.state() != Transaction.State.ACTIVE) {
        // Its coordinator may be gone, or whoever has brought it to its end before it could.
        if (state.keeps(ReplicaRule.FINISH_FOR_THE_GONE)) {
          takeOver(transaction);
        }
      } else if (!state.view().hasWriter(transaction.id())) {
        locks.release(transaction);
        active.remove(transaction.id());
      }
    }
    grantWaiting();
    List.copyOf(active.values()).stream().filter(Transaction::isCoordinated).forEach(this::goOn);
  }

  private void tellJoined(Transaction transaction, int joined) {
    for (int node = 0; node < state.nodes(); node++) {
      if ((joined & Quorum.of(node)) != 0) {
        if (transaction.state() == Transaction.State.ACTIVE) {
          if (!transaction.isSingle()) {
            links.send(node, new ReplicaMessage.TxBegin(transaction.id()));
          }
          for (Write write : transaction.writes()) {
            links.send(node, new ReplicaMessage.TxWrite(transaction.id(), write));
          }
        } else {
          links.send(node, new ReplicaMessage.TxEnd(transaction.id(), transaction.writes()));
        }
      }
    }
  }

  @Override
  public void logOpen(Journal journal) {
    if (!state.persistency().isByScope()) {
      active.values().stream()
          .filter(each -> each.state() == Transaction.State.DECIDED)
          .forEach(each -> journal.persistLater(new LogRecord.Batch(each.writes())));
    }
  }

  @Override
  public void underWay(Consumer<Write> each) {
    active.values().forEach(transaction -> transaction.writes().forEach(each));
    waiting.forEach(on -> each.accept(on.write()));
    moments.writes().forEach(each);
  }

  @Override
  public void onSnapshotBegins(int receiver) {
    for (Transaction transaction : active.values()) {
      if (transaction.state() != Transaction.State.ACTIVE) {
        links.send(receiver, new ReplicaMessage.TxEnd(transaction.id(), transaction.writes()));
      }
    }
  }

  /**
   * A coordinator may think that it has told everybody, and say no more to whoever has joined
   * since: this node brings what it knows to be decided to its end itself.
   */
  @Override
  public void onLearned(long[] visible) {
    for (Transaction each : List.copyOf(active.values())) {
      if (each.state() != Transaction.State.ACTIVE && !each.isCoordinated()) {
        takeOver(each);
      }
    }
    if (state.persistency().isBeforeRead()) {
      List<Write> open = new ArrayList<>();
      for (Entry entry : state.entries().all()) {
        if (!entry.isDurable()) {
          open.add(entry.write());
        }
      }
      // They are in all logs already, or in this one: no two of them have to stay together.
      for (List<Write> part : Encoding.split(open, state.settings().limits().pageBytes())) {
        Transaction again = new Transaction(state.nextClock(), null);
        active.put(again.id(), again);
        again.decide(part);
        takeOver(again);
      }
    }
  }

  private void takeOver(Transaction transaction) {
    transaction.takeOver();
    links.broadcast(new ReplicaMessage.TxEnd(transaction.id(), transaction.writes()));
    log.end(transaction.writes(), step -> onAck(transaction, step, 0, state.self()));
  }

  @Override
  public long[] visible() {
    return new long[state.nodes()];
  }

  @Override
  public void onClosed(ReplicaSession session) {
    Transaction open = session.transaction();
    if (open != null && open.state() == Transaction.State.ACTIVE) {
      Operation operation = open.operation();
      forget(open);
      if (operation != null) {
        operations.abort(operation);
      }
    }
    session.transaction(null);
  }

  /** The first invariant, and of the second what this node sees of it. */
  @Override
  public void checkInvariants() {
    locks.checkInvariants();
    moments.checkInvariants();
    for (Transaction each : active.values()) {
      for (Write write :
          each.state() == Transaction.State.VISIBLE ? each.writes() : List.<Write>of()) {
        Entry entry = state.entries().find(write.key());
        Invariant.check(
            entry == null || entry.clock() >= write.clock(),
            "all writes of a visible transaction are visible");
      }
    }
  }

  @Override
  public String toString() {
    return active.values() + " waiting " + waiting;
  }

  @Override
  public boolean isQuiet() {
    return active.isEmpty() && waiting.isEmpty() && moments.isEmpty();
  }
}
