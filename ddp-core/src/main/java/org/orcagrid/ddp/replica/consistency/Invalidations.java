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

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import org.orcagrid.ddp.Invariant;
import org.orcagrid.ddp.Quorum;
import org.orcagrid.ddp.model.Consistency;
import org.orcagrid.ddp.model.Persistency;
import org.orcagrid.ddp.replica.log.Journal;
import org.orcagrid.ddp.replica.log.LogRecord;
import org.orcagrid.ddp.replica.state.Entry;
import org.orcagrid.ddp.replica.state.Key;
import org.orcagrid.ddp.replica.state.ReplicaRule;
import org.orcagrid.ddp.replica.state.ReplicaState;
import org.orcagrid.ddp.replica.state.Write;
import org.orcagrid.ddp.replica.state.Writer;
import org.orcagrid.ddp.replica.wire.Links;
import org.orcagrid.ddp.replica.wire.ReplicaMessage;

/**
 * Linearizable, read-enforced and release consistency (DDP, sections 5.2, 5.3 and 5.5; after
 * Hermes, ASPLOS '20): a coordinator sends a version to all nodes (INV), each of which holds back
 * reads of the key until the coordinator knows that all have it (ACK) and says so (VAL).
 *
 * <p>The versions of a key are ordered by their clocks, so that writes of several coordinators need
 * no agreement. A coordinator that is gone is stood in for by every node that still waits for its
 * VAL: it sends the same version under the same clock.
 *
 * <p>A read-modify-write reads a valid version and sends one that follows it immediately, which is
 * <i>conditional</i>: a node that has a later one answers with that, and then it is given up and
 * tried again (Hermes, section 3.6). A write of anybody who may not have it yet has a later clock
 * (see {@link ReplicaState#nextClock}), so a write always wins; of several read-modify-writes of
 * one version the one with the latest clock does.
 *
 * <p>Release consistency (Kite, section 2.3, where it has other protocols) is the same with relaxed
 * accesses: a relaxed write is visible here and complete at once, a relaxed read shows what is
 * here. A release is a write that completes when all have it, an acquire a read that waits for VAL,
 * a read-modify-write both. A release has no need to wait for what its session has written before:
 * that has gone to each member on the same link, and is acknowledged and logged there in this
 * order. So whoever acquires what was released has what was written before, and nobody is asked.
 * What Kite's slow path does for a node that does not answer, the next view does here.
 *
 * <p>Invariants:
 *
 * <ol>
 *   <li>a version is valid only if every member has it or a later one;
 *   <li>a node shows a version only while it is valid, and with read-enforced persistency durable
 *       at all members; but for relaxed reads, to which it shows no conditional one before;
 *   <li>a version whose writer is gone is valid some time, or later ones are;
 *   <li>once a version is valid, every later one was begun by a node that had it: so the clocks
 *       between it and its read-modify-writes are nobody's;
 *   <li>a conditional version that is given up is nowhere any more when its operation goes on:
 *       whoever had it has a later one.
 * </ol>
 */
final class Invalidations implements Protocol {
  private final ReplicaState state;
  private final Links links;
  private final Journal journal;
  private final Operations operations;
  private final Scopes scopes;
  private final ZonePersists zones;

  /** Whether reads and writes that are no acquires and releases wait for nobody. */
  private final boolean relaxed;

  /** Whether a write completes before others have it. */
  private final boolean writesAtOnce;

  /** Whether a node says no more of a version that counts than its link does. */
  private final boolean arrivalCounts;

  /** What this node coordinates. */
  private final Coordinated pending = new Coordinated();

  /** What releases overtake where they may. */
  private final List<Write> heldBack = new ArrayList<>();

  Invalidations(Parts parts) {
    this.state = parts.state();
    this.links = parts.links();
    this.journal = parts.journal();
    this.operations = parts.operations();
    this.scopes = parts.scopes();
    this.zones = parts.zones();
    this.relaxed = state.model().consistency() == Consistency.RELEASE;
    this.arrivalCounts = !state.persistency().isBeforeVisible();
    this.writesAtOnce = relaxed || state.model().consistency() == Consistency.READ_ENFORCED;
  }

  // --- operations --------------------------------------------------------------------------------

  @Override
  public boolean begin(Operation operation) {
    Operation.Kind kind = operation.kind();
    if (kind == Operation.Kind.WRITE || kind == Operation.Kind.RELEASE) {
      write(operation);
      return true;
    }
    Entry entry = state.entry(operation.key());
    boolean here = relaxed && kind == Operation.Kind.READ;
    boolean ready = here ? isShown(entry) : mayBeRead(entry);
    // Two read-modify-writes of one key that did not wait would give each other up for ever.
    if (!ready || (kind.isReadModifyWrite() && !entry.isValid())) {
      return false;
    }
    operation.found(entry.write());
    if (operation.writesOn(operation.read())) {
      modify(operation, entry);
    } else {
      operation.clock(0);
      operations.complete(operation);
    }
    return true;
  }

  @Override
  public boolean isShown(Entry entry) {
    return relaxed ? mayBeReadHere(entry) : mayBeRead(entry);
  }

  @Override
  public boolean scan(Operation operation) {
    Scan scan = operation.scan();
    boolean waits = state.keeps(ReplicaRule.SCAN_WAITS);
    scan.look(state.entries().all(), entry -> !waits || isShown(entry));
    return scan.goOn(found -> showPresent(scan, found.key()));
  }

  /** Of a version that was never valid nobody knows whether it counts; the present one will do. */
  private boolean showPresent(Scan scan, Key key) {
    Entry entry = state.entry(key);
    boolean shown = isShown(entry);
    if (shown && entry.hasVersion()) {
      scan.show(entry.write());
    }
    return shown;
  }

  /** A relaxed read asks nobody; but what may still be given up is not there yet. */
  private boolean mayBeReadHere(Entry entry) {
    if (entry.isConditional()) {
      return mayBeRead(entry);
    }
    boolean persists = state.persistency().isBeforeVisible() || state.persistency().isBeforeRead();
    return !persists || entry.isPersisted() || !state.keeps(ReplicaRule.READ_WAITS_FOR_DURABLE);
  }

  private boolean mayBeRead(Entry entry) {
    if (!entry.isValid() && state.keeps(ReplicaRule.READ_WAITS_FOR_VALID)) {
      return false;
    }
    return !state.persistency().isBeforeRead()
        || entry.isDurable()
        || !state.keeps(ReplicaRule.READ_WAITS_FOR_DURABLE);
  }

  private void write(Operation operation) {
    Write write = new Write(operation.key(), state.nextClock(), operation.value());
    operation.clock(write.clock());
    scopes.add(operation.session(), write);
    Invalidation started = new Invalidation(write, operation);
    if (completesAtOnce(operation) && !state.persistency().isBeforeCompletion()) {
      operations.complete(started.takeOperation());
    }
    coordinate(started);
  }

  private boolean completesAtOnce(Operation operation) {
    return writesAtOnce && operation != null && operation.kind() == Operation.Kind.WRITE;
  }

  private void modify(Operation operation, Entry entry) {
    long clock = state.conditionalClock(state.base(entry));
    operation.clock(clock);
    coordinate(
        new Invalidation(Write.conditional(operation.key(), clock, operation.value()), operation));
  }

  private void complete(Invalidation done) {
    Operation operation = done.takeOperation();
    if (operation != null) {
      if (done.write().isConditional()) {
        scopes.add(operation.session(), done.write().unconditional());
      }
      operations.complete(operation);
    }
  }

  private void coordinate(Invalidation started) {
    Write write = started.write();
    pending.add(started);
    if (relaxed && started.operation() == null && !state.keeps(ReplicaRule.RELEASE_LAST)) {
      heldBack.add(write);
    } else {
      send(write);
    }
    take(state.entry(write.key()), write, state.self(), 0, started);
    if (!state.keeps(ReplicaRule.TAKEN_AT_ITS_TURN)) {
      started.acknowledge(state.members(), ReplicaMessage.CONSISTENCY);
      check(started);
    }
  }

  private void send(Write write) {
    if (zones.areUsed()) {
      zones.broadcast(
          new ReplicaMessage.Inv(write),
          new LogRecord.Version(write),
          peer -> acknowledge(peer, write, ReplicaMessage.PERSISTENCY));
    } else {
      links.broadcast(new ReplicaMessage.Inv(write));
    }
  }

  // --- versions ----------------------------------------------------------------------------------

  /**
   * Takes a version, and tells when this node has it, or a later one, as it must.
   *
   * @param entry that of its key
   * @param landed where in this node's zone its sender has put it, 0 if nowhere
   * @param own what this node coordinates, null if it follows
   */
  private void take(Entry entry, Write write, int from, long landed, Invalidation own) {
    state.learn(write.clock());
    Write open = entry.isConditional() ? new Write(write.key(), entry.clock(), null) : null;
    if (entry.set(write) && open != null) {
      giveUp(open);
    }
    entry.unsettle();
    // What is later stands for this one, and in the log the versions of a key are in their order.
    Write present = entry.write();
    Persistency persistency = state.persistency();
    if (persistency.isBeforeVisible()) {
      takeDurably(present, write, from, landed, own);
      return;
    }
    taken(write, from, own, ReplicaMessage.CONSISTENCY);
    if (persistency.isBeforeRead()) {
      persist(present, () -> taken(write, from, own, ReplicaMessage.PERSISTENCY));
    } else if (!present.isConditional()) {
      persistLater(present);
    }
  }

  private void takeDurably(Write present, Write write, int from, long landed, Invalidation own) {
    int both = ReplicaMessage.CONSISTENCY | ReplicaMessage.PERSISTENCY;
    boolean waits = state.keeps(ReplicaRule.ACK_WHEN_DURABLE);
    boolean kept = zones.keeps(from, landed);
    if (kept) {
      taken(write, from, own, ReplicaMessage.CONSISTENCY);
    } else if (!waits) {
      taken(write, from, own, both);
    }
    if (kept && !state.keeps(ReplicaRule.PUT_UNTIL_TAKEN)) {
      zones.logged(from, landed);
    }
    persist(
        present,
        () -> {
          zones.logged(from, landed);
          if (waits && !kept) {
            taken(write, from, own, both);
          }
        });
  }

  /** This node has a version, or a later one: tells its coordinator what the link does not. */
  private void taken(Write write, int from, Invalidation own, int what) {
    if (own != null) {
      own.acknowledge(Quorum.of(state.self()), what);
      check(own);
      return;
    }
    boolean isSaid = write.isConditional() ? isOwnToEnd(write) : arrivalCounts;
    int left = isSaid ? what & ~ReplicaMessage.CONSISTENCY : what;
    if (left != 0) {
      links.send(from, new ReplicaMessage.Ack(write.key(), write.clock(), left));
    }
  }

  private void persist(Write write, Runnable durable) {
    journal.persist(
        new LogRecord.Version(write),
        () -> {
          state.entry(write.key()).persisted(write.clock());
          durable.run();
        });
  }

  private void persistLater(Write write) {
    if (state.persistency().isOnMedium() && !state.persistency().isByScope()) {
      journal.persistLater(new LogRecord.Version(write));
    }
  }

  /** A later version has taken the place of a conditional one, which may have been open. */
  private void giveUp(Write earlier) {
    Invalidation open = pending.of(earlier);
    if (open == null || !state.keeps(ReplicaRule.LATER_WINS)) {
      return;
    }
    pending.remove(open);
    if (open.isDecided()) {
      // All have had it; how durable it is nobody asks any more.
      complete(open);
      return;
    }
    Operation operation = open.takeOperation();
    if (operation != null) {
      operations.tryAgain(operation);
    }
  }

  // --- messages ----------------------------------------------------------------------------------

  @Override
  public void onMessage(int from, ReplicaMessage message) {
    if (message instanceof ReplicaMessage.Inv inv) {
      onInv(from, inv.write(), 0);
    } else if (message instanceof ReplicaMessage.Landed landed
        && landed.message() instanceof ReplicaMessage.Inv inv) {
      onInv(from, inv.write(), landed.position());
    } else if (message instanceof ReplicaMessage.Ack ack) {
      acknowledge(from, new Write(ack.key(), ack.clock(), null), ack.what());
    } else if (message instanceof ReplicaMessage.Val val) {
      onVal(val.key(), val.clock(), val.what());
      if (pending.hasStandIns() || Writer.node(val.clock()) == state.self()) {
        // It is what this node has stood in for, or what has been stood in for.
        boolean durable = state.persistency().isBeforeVisible();
        int what = durable ? val.what() | ReplicaMessage.PERSISTENCY : val.what();
        acknowledge(from, new Write(val.key(), val.clock(), null), what);
      }
    } else {
      throw new IllegalStateException("Not for " + state.model() + ": " + message);
    }
  }

  private void onInv(int from, Write write, long landed) {
    Entry entry = state.entry(write.key());
    if (write.isConditional()
        && entry.clock() > write.clock()
        && state.keeps(ReplicaRule.LATER_WINS)) {
      links.send(from, new ReplicaMessage.Inv(entry.write()));
      zones.drop(from, landed);
      return;
    }
    take(entry, write, from, landed, null);
  }

  /**
   * A version that counts was acknowledged by its link when it had its turn at the peer. Not so one
   * that the peer may have answered with a later one, or has to have durable first.
   */
  @Override
  public void onArrived(int peer, ReplicaMessage message) {
    if (isAwaited(message) && message instanceof ReplicaMessage.Inv inv) {
      acknowledge(peer, inv.write(), ReplicaMessage.CONSISTENCY);
    }
  }

  @Override
  public boolean isAwaited(ReplicaMessage message) {
    return arrivalCounts
        && message instanceof ReplicaMessage.Inv inv
        && !inv.write().isConditional();
  }

  @Override
  public boolean hurries() {
    return !operations.isEmpty();
  }

  /** Whether this node may still give it up: nobody else must think that all have it. */
  private boolean isOwnToEnd(Write write) {
    Invalidation own = pending.of(write);
    return write.isConditional()
        && own != null
        && own.operation() != null
        && !own.isDecided()
        && state.keeps(ReplicaRule.OWN_TO_END);
  }

  private void acknowledge(int from, Write write, int what) {
    Invalidation acknowledged = pending.of(write);
    if (acknowledged != null) {
      acknowledged.acknowledge(Quorum.of(from), what);
      check(acknowledged);
    }
  }

  private void check(Invalidation each) {
    if (pending.of(each.write()) != each) {
      return;
    }
    Write write = each.write();
    int missing = each.missing(state.members());
    boolean all =
        missing == 0
            || (!state.keeps(ReplicaRule.VALID_WHEN_AT_ALL) && Integer.bitCount(missing) == 1);
    boolean allPersisted = each.isPersisted(state.members());
    boolean durably = allPersisted || !state.persistency().isBeforeVisible();
    if (all && durably && mayDecide(write) && each.decide() && isLatest(write)) {
      say(write, ReplicaMessage.CONSISTENCY);
    }
    if (allPersisted && each.saidDurable() && state.persistency().isBeforeRead()) {
      say(write, ReplicaMessage.PERSISTENCY);
    }
    boolean visible = each.isDecided() || completesAtOnce(each.operation());
    if (visible && (allPersisted || !waitsForAllPersisted())) {
      complete(each);
    }
    // Who has said that all have it has not said that all have it durable, for which its writer
    // waits.
    boolean told = each.isSaidDurable() || !state.persistency().isBeforeRead();
    if (each.isDecided() && told && each.operation() == null) {
      pending.remove(each);
    }
  }

  /**
   * Who has acknowledged a conditional version may have taken a later one since, of a node that is
   * gone now and would have refused the earlier one: it is told before the view is settled.
   */
  private boolean mayDecide(Write write) {
    return !write.isConditional()
        || state.isViewSettled()
        || !state.keeps(ReplicaRule.DECIDE_WHEN_SETTLED);
  }

  /** Of an earlier one nobody needs to know: others wait for the later one anyway. */
  private boolean isLatest(Write write) {
    return state.entries().clock(write.key()) == write.clock()
        || !state.keeps(ReplicaRule.VALID_WHEN_LATEST);
  }

  private boolean waitsForAllPersisted() {
    return state.persistency().isBeforeCompletion() && state.keeps(ReplicaRule.STRICT_AT_ALL);
  }

  private void say(Write write, int what) {
    links.broadcast(new ReplicaMessage.Val(write.key(), write.clock(), what));
    onVal(write.key(), write.clock(), what);
  }

  private void onVal(Key key, long clock, int what) {
    Entry entry = state.entries().find(key);
    if (entry == null) {
      // All have had it, so it was here, and was forgotten since.
      return;
    }
    if ((what & ReplicaMessage.CONSISTENCY) != 0) {
      entry.valid(clock);
      persistDecided(entry, clock);
    }
    if ((what & ReplicaMessage.PERSISTENCY) != 0) {
      entry.durable(clock);
    }
    if (isSettled(entry)) {
      entry.settle();
    }
    operations.goOn();
  }

  /** Where nothing waits for the medium it has no conditional version that may be given up. */
  private void persistDecided(Entry entry, long clock) {
    Persistency persistency = state.persistency();
    boolean persisted = persistency.isBeforeVisible() || persistency.isBeforeRead();
    if (!persisted && entry.clock() == clock && clock != 0 && entry.isConditional()) {
      persistLater(entry.write());
    }
  }

  @Override
  public boolean isSettled(Entry entry) {
    return entry.isValid() && (entry.isDurable() || !state.persistency().isBeforeRead());
  }

  // --- views -------------------------------------------------------------------------------------

  @Override
  public void onView(int joined) {
    for (Invalidation each : pending.all()) {
      each.forget(joined);
      for (int node = 0; node < state.nodes(); node++) {
        if ((joined & Quorum.of(node)) != 0) {
          links.send(node, new ReplicaMessage.Inv(each.write()));
        }
      }
    }
    if (state.keeps(ReplicaRule.FINISH_FOR_THE_GONE)) {
      List<Write> left = new ArrayList<>();
      for (Entry entry : state.entries().unsettled()) {
        Write write = entry.write();
        if (write != null && !state.view().hasWriter(write.clock()) && !pending.has(write)) {
          left.add(write);
        }
      }
      standIn(left);
    }
    pending.all().forEach(this::check);
  }

  @Override
  public void tick(long nowNanos) {
    heldBack.forEach(write -> links.broadcast(new ReplicaMessage.Inv(write)));
    heldBack.clear();
  }

  @Override
  public long nanosToTick(long nowNanos) {
    return heldBack.isEmpty() ? Long.MAX_VALUE : 0;
  }

  @Override
  public void onViewSettled() {
    pending.all().forEach(this::check);
  }

  /** What is not known to be settled may have been settled while this node was not asked. */
  @Override
  public void onLearned(long[] visible) {
    List<Write> open = new ArrayList<>();
    for (Entry entry : state.entries().all()) {
      if (!isSettled(entry) && !pending.has(entry.write())) {
        open.add(entry.write());
      }
    }
    standIn(open);
  }

  /** In the order of their clocks: what was written before a release stays before it. */
  private void standIn(List<Write> writes) {
    writes.sort(Comparator.comparingLong(Write::clock));
    writes.forEach(write -> coordinate(Invalidation.standIn(write)));
  }

  @Override
  public void underWay(Consumer<Write> each) {
    pending.all().forEach(on -> each.accept(on.write()));
  }

  @Override
  public long[] visible() {
    return new long[state.nodes()];
  }

  /** The third and the fifth invariant, as far as this node sees to them. */
  @Override
  public void checkInvariants() {
    for (Invalidation each : pending.all()) {
      Write write = each.write();
      Entry entry = state.entries().find(write.key());
      long here = entry == null ? write.clock() : entry.clock();
      Invariant.check(
          here >= write.clock(), "who sends a version has it", "here", here, "sent", write.clock());
      boolean mayBeGivenUp = write.isConditional() && each.operation() != null && !each.isDecided();
      Invariant.check(
          !mayBeGivenUp || (entry != null && entry.clock() == write.clock()),
          "a read-modify-write that is open has the latest version");
    }
    if (!state.isServing()) {
      return;
    }
    for (Entry entry : state.entries().all()) {
      Invariant.check(
          isSettled(entry) || state.entries().isUnsettled(entry),
          "a version that may not be at all nodes is seen to");
    }
  }

  @Override
  public String toString() {
    return "on their way " + pending;
  }

  @Override
  public boolean isQuiet() {
    return pending.isEmpty();
  }
}
