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
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReference;
import org.orcagrid.ddp.Quorum;
import org.orcagrid.ddp.paxos.CommittedCommands;
import org.orcagrid.ddp.store.ReplicaStore;
import org.orcagrid.ddp.transfer.Budget;
import org.orcagrid.ddp.transfer.Progress;
import org.orcagrid.ddp.wire.Outbox;

/**
 * What the workers of a machine share: the store, the machine's epoch, the delinquency bits, and
 * which commands are done. Safe for use by many threads.
 */
public final class KiteNode implements ProtocolNode {
  /** Nodes are numbered with so many bits: the numbers are part of clocks. */
  private static final int PLACE_BITS = 4;

  private final KiteSettings settings;
  private final Set<KiteRule> rules;
  private final ReplicaStore store;
  private final Delinquency delinquency;
  private final CommittedCommands committed;
  private final ClockBound clockBound = new ClockBound();
  private final AtomicReference<Epochs> epochs;
  private final int joined;
  private final int generation;
  private final AtomicIntegerArray viewOfWorker;

  /** The view in which a place began to leave, since which this node is refreshed; 0 for none. */
  private volatile int refreshed;

  private final Budget budget;
  private volatile KiteView view;
  private volatile int others;
  private volatile Progress progress = Progress.NONE;
  private final Marks marks;

  /** The view in which all nodes have marked removed keys; 0 if none. */
  private volatile int purgeWanted;

  /**
   * A removed key that is marked, with its version.
   *
   * @param clock of the removal
   * @param rmw the read-modify-writes since that clock
   */
  public record MarkedKey(ByteBuffer key, long clock, long rmw) {}

  /** A node of the first view, which keeps all rules. */
  public KiteNode(KiteSettings settings, ReplicaStore store) {
    this(settings, store, KiteView.first(settings.nodes()), KiteRule.all());
  }

  /** A node that may tell others that catch up whatever they ask for. */
  public KiteNode(KiteSettings settings, ReplicaStore store, KiteView view, Set<KiteRule> rules) {
    this(settings, store, view, rules, Budget.UNBOUNDED);
  }

  /**
   * A node.
   *
   * @param view the view in which it begins. If it has joined in a later one than that in which
   *     what nodes hold began, it catches up before it serves
   * @param rules all but for tests of the checkers
   * @param budget bounds what it tells others that catch up
   */
  public KiteNode(
      KiteSettings settings,
      ReplicaStore store,
      KiteView view,
      Set<KiteRule> rules,
      Budget budget) {
    this.budget = budget;
    this.settings = settings;
    this.store = store;
    this.rules = rules;
    this.joined = view.joined().get(settings.self());
    this.generation = view.generations().get(settings.self());
    if (generation >= KiteView.NODES_OF_PLACE_MAX) {
      throw new IllegalArgumentException(
          "Place "
              + settings.self()
              + " has had "
              + generation
              + " nodes, and clocks tell no more of them apart; stop all nodes of the grid and"
              + " start them again");
    }
    this.view = view;
    this.others = othersIn(view);
    this.viewOfWorker = new AtomicIntegerArray(settings.workers());
    for (int worker = 0; worker < settings.workers(); worker++) {
      viewOfWorker.set(worker, view.number());
    }
    boolean serves = joined == view.memorySince() || !rules.contains(KiteRule.CATCH_UP_FIRST);
    this.epochs = new AtomicReference<>(serves ? Epochs.FIRST : Epochs.NOT_SERVING);
    this.delinquency =
        new Delinquency(
            settings.nodes(), settings.workers(), rules.contains(KiteRule.RESET_BY_ACQUIRE_ID));
    this.committed = new CommittedCommands(settings.globalSessions());
    this.marks = new Marks(this);
  }

  /** The settings. */
  public KiteSettings settings() {
    return settings;
  }

  @Override
  public Sizes sizes() {
    KiteSettings.Times times = settings.times();
    return new Sizes(
        settings.nodes(),
        settings.self(),
        settings.workers(),
        settings.sessions(),
        // A node that has gone is not worth holding all sessions back for as long as a release
        // waits.
        Math.min(times.releaseNanos(), times.resendNanos() / 2),
        Math.min(times.backoffNanos(), times.releaseNanos() / 8));
  }

  @Override
  public ReplicaStore store() {
    return store;
  }

  @Override
  public KiteWorker worker(int number, Outbox outbox, ProtocolWorker.Completions completions) {
    return new KiteWorker(this, number, outbox, completions);
  }

  @Override
  public LocalCopy localCopy() {
    return new LocalAccess(this);
  }

  @Override
  public int slowPaths() {
    return isServing() ? epoch() : 0;
  }

  /** The machine's epoch-id (section 4.2). */
  public int epoch() {
    return epochs.get().latest;
  }

  // --- views -------------------------------------------------------------------------------------

  /** The latest view that this node was told of. */
  public KiteView view() {
    return view;
  }

  /** Tells it of a view; an earlier one than it knows is ignored. */
  public synchronized void offer(KiteView next) {
    if (next.number() > view.number()) {
      view = next;
      others = othersIn(next);
    }
  }

  private int othersIn(KiteView of) {
    return of.parts() & ~Quorum.of(settings.self());
  }

  @Override
  public int others() {
    return others;
  }

  /** The view in which this node has joined. */
  public int joined() {
    return joined;
  }

  /**
   * Whether another node has this one's place now, or has to, or the grid has lost the place: what
   * nodes hold may have begun anew, without what this one holds. It does nothing any more.
   */
  public boolean isReplaced() {
    return view.joined().get(settings.self()) != joined;
  }

  /** How many nodes had its place before it, since what nodes hold began. */
  int generation() {
    return keeps(KiteRule.OWN_NUMBERS) ? generation : 0;
  }

  /** The number by which its writes are told from those of all other nodes, earlier ones too. */
  int writer() {
    return generation() << PLACE_BITS | settings.self();
  }

  void onInstalled(int worker, int number) {
    viewOfWorker.set(worker, number);
  }

  /** Whether every worker is in that view, or a later one. */
  public boolean isIn(int number) {
    for (int worker = 0; worker < viewOfWorker.length(); worker++) {
      if (viewOfWorker.get(worker) < number) {
        return false;
      }
    }
    return true;
  }

  /** Whether it has caught up, and so may answer for what it holds. */
  @Override
  public boolean isServing() {
    return epochs.get() != Epochs.NOT_SERVING;
  }

  /** It has caught up: what it holds is as good as what its predecessor held. */
  void serve() {
    epochs.compareAndSet(Epochs.NOT_SERVING, Epochs.FIRST);
  }

  /**
   * It has caught up with what was acknowledged before this view, in which a place began to leave.
   */
  void refreshed(int since) {
    refreshed = since;
  }

  @Override
  public int refreshed() {
    return refreshed;
  }

  /** How far this node is with catching up; any thread. */
  @Override
  public Progress progress() {
    return progress;
  }

  void progressed(Progress now) {
    progress = now;
  }

  Budget budget() {
    return budget;
  }

  // --- removed keys ------------------------------------------------------------------------------

  Marks marks() {
    return marks;
  }

  /** All nodes have marked the same removed keys in this view. */
  void wantPurge(int inView) {
    purgeWanted = inView;
  }

  @Override
  public int purgeWanted() {
    int wanted = purgeWanted;
    return wanted == view.number() ? wanted : 0;
  }

  /** The removed keys that are marked now; any thread. */
  public List<MarkedKey> marked() {
    return marks.keys();
  }

  /** How many removed keys this node has forgotten; any thread. */
  public long forgottenKeys() {
    return marks.forgotten();
  }

  // --- the slow path -----------------------------------------------------------------------------

  /** Renders keys out-of-epoch. */
  void raiseEpoch(MissedKeys missed) {
    epochs.updateAndGet(present -> present.raised(missed));
  }

  /** Which keys are in-epoch; any thread. */
  Epochs epochs() {
    return epochs.get();
  }

  Delinquency delinquency() {
    return delinquency;
  }

  ClockBound clockBound() {
    return clockBound;
  }

  /** Messages that were refused since their clock, log or ballot lies too far ahead. */
  public long refusedClocks() {
    return clockBound.refused();
  }

  CommittedCommands committed() {
    return committed;
  }

  boolean keeps(KiteRule rule) {
    return rules.contains(rule);
  }
}
