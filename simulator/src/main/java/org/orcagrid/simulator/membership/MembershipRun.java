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
package org.orcagrid.simulator.membership;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.orcagrid.ddp.Invariant;
import org.orcagrid.ddp.Quorum;
import org.orcagrid.ddp.membership.GridView;
import org.orcagrid.ddp.membership.LeaseTimes;
import org.orcagrid.ddp.membership.MembershipRule;
import org.orcagrid.ddp.membership.Shares;
import org.orcagrid.simulator.SimulatedClock;
import org.orcagrid.simulator.SimulatedDatagrams;
import org.orcagrid.simulator.Simulation;

/**
 * One schedule of the membership from a seed: nodes are killed, stopped, cut off in one direction
 * or both and come back, their workers hang, first links are made late, clocks drift, the registry
 * is slow or down, for all or for one. Meanwhile, nodes ask for purge views, and places are removed
 * from the grid, or added again. Then the faults end, and all must serve, and get a purge view.
 * Last, one node does not reach the registry any more, and the others must go on without it.
 *
 * <p>The judge: a life that a view has left out serves never again, from the moment in which that
 * view is made. What views say of memory-only data is true ({@link MemoryJudge}). And removed keys
 * are purged when all processes have marked them, never else ({@link PurgeJudge}). A grid grows by
 * a place when all places serve, and loses one when the others have caught up ({@link
 * GrowthJudge}). A new place takes its share of the maps ({@link SharesJudge}).
 */
public final class MembershipRun {
  static final long MILLI = 1_000_000;
  private static final LeaseTimes TIMES = new LeaseTimes(800 * MILLI, 50 * MILLI);
  private static final long FAULTS_NANOS = 20_000 * MILLI;
  private static final long FINISH_NANOS = 60_000 * MILLI;

  /**
   * A stuck node is left out within this, also if a registry is slow and another node is killed.
   */
  private static final long STUCK_NANOS_MAX = 12 * TIMES.leaseNanos();

  /** Longer than those who begin together wait for each other. */
  private static final long FIRST_LINK_NANOS_MAX = 5 * TIMES.leaseNanos();

  /** A node that asks in each new view gets a purge view within this, while others make views. */
  private static final long PURGE_NANOS_MAX = 12 * TIMES.leaseNanos();

  /** In one of so many seeds the grid begins with fewer nodes. */
  private static final int GROWS_EVERY = 3;

  /** In one of so many seeds maps have fewer copies than there are nodes. */
  private static final int SHARES_EVERY = 2;

  /** In one of so many seeds it loses places. */
  private static final int SHRINKS_EVERY = 3;

  private static final double DRIFT_MAX = 0.045;
  private static final int PURGES_PER_MILLE_MAX = 20;
  private static final int[] NODES = {2, 3, 3, 3, 4, 5, 5, 7};

  private final Simulation simulation;
  private final Set<MembershipRule> rules;
  private final Consumer<String> trace;
  private final List<SimulatedMember> members = new ArrayList<>();
  private final SimulatedDatagrams network;
  private final SimulatedRegistry registry;
  private final MembershipFaults faults = new MembershipFaults(this);
  private final Map<Long, Long> processes = new HashMap<>();
  private final MemoryJudge memory = new MemoryJudge(processes::get);
  private final PurgeJudge purge = new PurgeJudge();
  private final GrowthJudge growth = new GrowthJudge();
  private SharesJudge shares = new SharesJudge(0);

  /** Of the maps that are defined once all serve; 0 for one at every node. */
  private int copies;

  /** With how many nodes the grid begins; the others are added. */
  private int size;

  /** Of a thousand looks at the time, with how many a node asks for a purge. */
  private int purgesPerMille;

  private long lives;
  private int anew;
  private String broken;

  /** A run with so many nodes, none of which has been started. */
  MembershipRun(
      long seed,
      Set<MembershipRule> rules,
      int nodes,
      SimulatedDatagrams.Conditions conditions,
      long registryNanosMax,
      Consumer<String> trace) {
    this.simulation = new Simulation(seed);
    this.rules = rules;
    this.trace = trace;
    this.size = nodes;
    this.network = new SimulatedDatagrams(simulation, nodes, conditions);
    this.registry =
        new SimulatedRegistry(
            simulation, nodes, registryNanosMax, 2 * TIMES.leaseNanos(), this::onMade);
    for (int node = 0; node < nodes; node++) {
      double rate = 1 + DRIFT_MAX * (2 * simulation.random().nextDouble() - 1);
      long offset = simulation.between(0, 1_000_000 * MILLI);
      members.add(new SimulatedMember(this, node, new SimulatedClock(simulation, offset, rate)));
    }
    members.forEach(member -> registry.watch(member.number(), member::watched));
    expire();
  }

  /** Maps are defined when enough nodes serve. */
  private void defineMaps() {
    GridView last = registry.last();
    int size = last == null ? 0 : last.shares().size(last.parts());
    if (last == null
        || last.serving() == 0
        || Integer.bitCount(last.serving()) < Shares.servingMin(size, copies)) {
      simulation.after(TIMES.beatNanos(), this::defineMaps);
      return;
    }
    trace("maps of " + copies + " copies are defined");
    registry.defineMaps(copies);
  }

  private void expire() {
    registry.expire();
    simulation.after(TIMES.beatNanos(), this::expire);
  }

  /**
   * Runs a seed.
   *
   * @param trace is told what happens, null if nobody is
   * @return what is wrong, if something is
   */
  public static Optional<String> of(long seed, Set<MembershipRule> rules, Consumer<String> trace) {
    Simulation dice = new Simulation(seed);
    int nodes = NODES[dice.random().nextInt(NODES.length)];
    SimulatedDatagrams.Conditions conditions =
        new SimulatedDatagrams.Conditions(
            MILLI / 10,
            dice.between(1, 40) * MILLI,
            dice.random().nextInt(3) * 2,
            dice.random().nextInt(3) * 3,
            dice.random().nextInt(3));
    long registryNanosMax = (dice.chance(30) ? 300 : 20) * MILLI;
    MembershipRun run = new MembershipRun(seed, rules, nodes, conditions, registryNanosMax, trace);
    SplittableRandom growing = new SplittableRandom(~seed);
    run.size = growing.nextInt(GROWS_EVERY) == 0 ? 1 + growing.nextInt(nodes) : nodes;
    run.copies = growing.nextInt(SHARES_EVERY) == 0 ? 2 + growing.nextInt(3) : 0;
    run.shares = new SharesJudge(run.copies);
    // Each that leaves is one home less for its maps, and one more is lost at the end.
    int removedMax = run.copies == 0 ? nodes - 1 : Math.min(nodes - 1, run.copies - 2);
    if (removedMax > 0 && growing.nextInt(SHRINKS_EVERY) == 0) {
      run.planToRemove(1 + growing.nextInt(removedMax), growing);
    }
    return run.judged();
  }

  /** So many different places are removed; some are added again, with a new process. */
  private void planToRemove(int count, SplittableRandom random) {
    int first = random.nextInt(nodes());
    for (int i = 0; i < count; i++) {
      SimulatedMember member = members.get((first + i) % nodes());
      long at = random.nextLong(FAULTS_NANOS * 2 / 3);
      simulation.after(at, () -> remove(member.number(), true));
      if (random.nextInt(3) == 0) {
        simulation.after(at + random.nextLong(FAULTS_NANOS / 3), () -> addAgain(member));
      }
    }
  }

  void remove(int place, boolean isRemoved) {
    trace("place " + place + (isRemoved ? " is to leave" : " may be added"));
    registry.remove(place, isRemoved);
  }

  /** Another process has a place that has left the grid. */
  private void addAgain(SimulatedMember member) {
    GridView last = registry.last();
    if (last == null || (last.parts() & Quorum.of(member.number())) != 0) {
      return;
    }
    member.kill();
    remove(member.number(), false);
    simulation.after(simulation.between(1, TIMES.leaseNanos()), () -> startUnlessUp(member));
  }

  /** The places that the grid is to have in the end. */
  private int expected() {
    return Quorum.all(nodes()) & ~registry.removals();
  }

  private SimulatedMember anyExpected() {
    List<SimulatedMember> all =
        members.stream().filter(each -> (expected() & Quorum.of(each.number())) != 0).toList();
    return all.get(simulation.random().nextInt(all.size()));
  }

  private Optional<String> judged() {
    if (simulation.chance(25)) {
      delayFirstLinks();
    }
    if (copies > 0) {
      simulation.after(TIMES.beatNanos(), this::defineMaps);
    }
    for (SimulatedMember member : members) {
      boolean isAdded = member.number() >= size;
      long startNanosMax = isAdded ? FAULTS_NANOS / 2 : 100 * MILLI;
      simulation.after(simulation.between(0, startNanosMax), () -> startUnlessUp(member));
    }
    purgesPerMille = simulation.chance(50) ? simulation.random().nextInt(PURGES_PER_MILLE_MAX) : 0;
    simulation.runUntil(1_500 * MILLI);
    faults.plan(FAULTS_NANOS * 2 / 3);
    runUntil(FAULTS_NANOS);
    network.heal();
    registry.heal();
    for (SimulatedMember member : members) {
      member.workOn();
      if (!member.isUp()) {
        member.start();
      } else if (member.isStopped()) {
        member.goOn();
      }
    }
    trace("the faults end");
    runUntil(FINISH_NANOS);
    if (broken == null && !allServe()) {
      broken = "not all serve in the end: " + members + "\n  " + registry.last();
    }
    purgesPerMille = 0;
    if (broken == null) {
      purge();
    }
    if (broken == null) {
      cutOneFromTheRegistry();
    }
    return Optional.ofNullable(broken);
  }

  private static void startUnlessUp(SimulatedMember member) {
    if (!member.isUp()) {
      member.start();
    }
  }

  /** One node asks in each view that it sees, while maps are defined now and then. */
  private void purge() {
    SimulatedMember asks = anyExpected();
    trace("node " + asks.number() + " asks for a purge");
    int since = registry.last().number();
    long end = simulation.nowNanos() + PURGE_NANOS_MAX;
    while (broken == null && (registry.last().purgedIn() <= since || !allServe())) {
      if (simulation.nowNanos() >= end) {
        broken = "no purge for node " + asks.number() + ": " + members + registry.last();
      }
      asks.wantPurge(MILLI);
      if (simulation.chance(1)) {
        registry.again();
      }
      runUntil(simulation.nowNanos() + 10 * MILLI);
    }
  }

  /** Half of the links, in one direction each, are made some time after the nodes have started. */
  private void delayFirstLinks() {
    for (int from = 0; from < nodes(); from++) {
      for (int to = 0; to < nodes(); to++) {
        if (from != to && simulation.chance(50)) {
          int sender = from;
          int receiver = to;
          network.cut(sender, receiver);
          simulation.after(
              simulation.between(1, FIRST_LINK_NANOS_MAX), () -> network.join(sender, receiver));
        }
      }
    }
  }

  /**
   * One node hears its peers and does not reach the registry. So it stays in its view, while
   * replicas wait for it in the next one: the others are to make one without it, within a bound.
   */
  private void cutOneFromTheRegistry() {
    int there = expected();
    if (Integer.bitCount(there) < 2) {
      return;
    }
    SimulatedMember stuck = anyExpected();
    trace("node " + stuck.number() + " does not reach the registry any more");
    registry.cut(stuck.number(), true);
    // Who goes on has to know a view in which the stuck one serves too: one of two cannot be
    // killed.
    if (mayLoseTwo(there) && simulation.chance(50)) {
      int next = (stuck.number() + 1) % nodes();
      while ((there & Quorum.of(next)) == 0) {
        next = (next + 1) % nodes();
      }
      faults.kill(List.of(members.get(next)), 4 * TIMES.leaseNanos());
    } else {
      registry.again();
    }
    long end = simulation.nowNanos() + STUCK_NANOS_MAX;
    int expected = there & ~Quorum.of(stuck.number());
    while (broken == null && !serveAlone(expected)) {
      if (simulation.nowNanos() >= end) {
        broken =
            "node " + stuck.number() + " is stuck, and waited for: " + members + registry.last();
      }
      runUntil(simulation.nowNanos() + 10 * MILLI);
    }
  }

  /** Whether two of these can be lost, and the others go on. */
  private boolean mayLoseTwo(int there) {
    int size = registry.last().shares().size(registry.last().parts());
    int left = Integer.bitCount(there) - 2;
    return left > 0 && left >= Shares.servingMin(size, copies);
  }

  /** Whether these are the members of the newest view, and all of them know it and serve. */
  private boolean serveAlone(int expected) {
    GridView last = registry.last();
    boolean all = last.members() == expected && last.serving() == expected;
    for (SimulatedMember member : members) {
      boolean isMeant = (expected & Quorum.of(member.number())) != 0;
      all &= !isMeant || (member.serves() && member.inView() == last.number());
    }
    return all;
  }

  /** All nodes start, and nothing goes wrong, until all serve. */
  void startAll() {
    members.forEach(SimulatedMember::start);
    long end = simulation.nowNanos() + FAULTS_NANOS;
    while (!allServe() && simulation.nowNanos() < end) {
      runUntil(simulation.nowNanos() + MILLI);
    }
    Invariant.check(allServe(), "all serve when nothing goes wrong");
  }

  /** What is wrong so far, if something is. */
  Optional<String> broken() {
    return Optional.ofNullable(broken);
  }

  void runUntil(long end) {
    while (simulation.nowNanos() < end && broken == null) {
      simulation.runUntil(Math.min(end, simulation.nowNanos() + 10 * MILLI));
    }
  }

  boolean allServe() {
    return registry.last() != null
        && registry.last().parts() == expected()
        && registry.last().serving() == expected()
        && members.stream()
            .filter(each -> (expected() & Quorum.of(each.number())) != 0)
            .allMatch(SimulatedMember::serves);
  }

  // --- the judge ---------------------------------------------------------------------------------

  private void onMade(GridView view) {
    trace("made: " + view);
    anew += view.number() > 1 && view.memorySince() == view.number() ? 1 : 0;
    members.forEach(this::judge);
    if (broken == null) {
      broken =
          memory
              .judge(view)
              .or(() -> purge.judge(view))
              .or(() -> growth.judge(view))
              .or(() -> shares.judge(view))
              .or(() -> shares.judge(members))
              .orElse(null);
    }
  }

  void judge(SimulatedMember member) {
    GridView last = registry.last();
    if (broken == null
        && member.serves()
        && (last == null
            || !last.has(member.number(), member.life())
            || !last.serves(member.number()))) {
      broken = "node " + member.number() + " serves and is not in " + last + ": " + member;
      trace(broken);
    }
    if (broken == null && copies > 0) {
      broken = shares.judge(List.of(member)).orElse(null);
    }
  }

  // --- for members -------------------------------------------------------------------------------

  LeaseTimes times() {
    return TIMES;
  }

  Set<MembershipRule> rules() {
    return rules;
  }

  int nodes() {
    return members.isEmpty() ? 0 : members.size();
  }

  /** With how many nodes the grid begins. */
  int size() {
    return size;
  }

  long newGrid() {
    return simulation.random().nextLong() >>> 1;
  }

  long newProcess() {
    return ++lives;
  }

  long newLife(long process) {
    processes.put(++lives, process);
    return lives;
  }

  /** Whether a node asks for a purge now. */
  boolean purges() {
    return purgesPerMille > 0 && simulation.random().nextInt(1_000) < purgesPerMille;
  }

  void onPurgeWanted(SimulatedMember member) {
    trace("node " + member.number() + " asks for a purge after view " + member.inView());
    purge.onWish(member.inView(), member.number(), member.life());
  }

  /** How many purge views there were. */
  int purged() {
    return purge.purges();
  }

  void onRefreshed(long process, int since) {
    growth.onRefreshed(process, since);
  }

  /** How many places the grid has lost. */
  int lost() {
    return growth.lost();
  }

  /** By how many places the grid has grown. */
  int grown() {
    return growth.grown();
  }

  /** Who looks at where the maps are. */
  SharesJudge shares() {
    return shares;
  }

  /** How often memory has begun anew. */
  int anew() {
    return anew;
  }

  Simulation simulation() {
    return simulation;
  }

  SimulatedDatagrams network() {
    return network;
  }

  SimulatedRegistry registry() {
    return registry;
  }

  SimulatedMember member(int number) {
    return members.get(number);
  }

  List<SimulatedMember> members() {
    return members;
  }

  void trace(String what) {
    if (trace != null) {
      trace.accept(simulation.nowNanos() / MILLI + " ms: " + what);
    }
  }
}
