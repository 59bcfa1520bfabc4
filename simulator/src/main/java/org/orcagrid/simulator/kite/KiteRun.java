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
package org.orcagrid.simulator.kite;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.orcagrid.ddp.kite.KiteNode;
import org.orcagrid.ddp.kite.KiteSettings;
import org.orcagrid.ddp.kite.Rule;
import org.orcagrid.ddp.kite.View;
import org.orcagrid.ddp.store.ReplicaStore;
import org.orcagrid.simulator.SimulatedDatagrams;
import org.orcagrid.simulator.Simulation;
import org.orcagrid.simulator.checker.Access;
import org.orcagrid.simulator.checker.ReleaseConsistency;

/**
 * One schedule from a seed: first everything may fail, then the faults end and all that can finish
 * must finish; then the history is judged.
 */
public final class KiteRun {
  private static final long FAULTS_NANOS = 10 * KiteSchedule.MILLI;
  private static final long FINISH_NANOS = 2_000 * KiteSchedule.MILLI;
  private static final int STORE_CHUNK_BITS = 16;

  private final Simulation simulation;
  private final KiteSchedule schedule;
  private final Workload workload;
  private final SimulatedDatagrams network;
  private final List<SimulatedNode> nodes = new ArrayList<>();
  private final List<Access> history = new ArrayList<>();
  private final SynchronizingAccesses synchronizing = new SynchronizingAccesses();
  private final Packets packets;
  private final Consumer<String> trace;

  /** What is used again from run to run, since memory outside the heap is dear to make. */
  public static final class Equipment {
    private final List<ReplicaStore> stores = new ArrayList<>();
    private final Packets packets = new Packets();

    private ReplicaStore store(int node) {
      while (stores.size() <= node) {
        stores.add(new ReplicaStore(new ReplicaStore.Limits(32, 1024, 1 << 20), STORE_CHUNK_BITS));
      }
      stores.get(node).clear();
      return stores.get(node);
    }
  }

  /**
   * What came of a run.
   *
   * @param violations what was wrong; empty if nothing was
   * @param notLinearizable those of them that were found without the versions that nodes report
   * @param operations operations that ended
   * @param judgedTwice operations that were judged without versions as well
   * @param undecided keys on which that was given up
   * @param slowReleases slow releases
   * @param epochs how often a node went to the slow path
   */
  public record Result(
      List<String> violations,
      List<String> notLinearizable,
      int operations,
      int judgedTwice,
      int undecided,
      long slowReleases,
      long epochs) {
    /** Of a run that ended before its time. */
    static Result failed(String reason) {
      return new Result(List.of(reason), List.of(), 0, 0, 0, 0, 0);
    }
  }

  private KiteRun(
      Simulation simulation,
      KiteSchedule schedule,
      Workload workload,
      Set<Rule> rules,
      Equipment equipment,
      Consumer<String> trace) {
    this.simulation = simulation;
    this.schedule = schedule;
    this.workload = workload;
    this.network = new SimulatedDatagrams(simulation, schedule.nodes(), schedule.network());
    this.packets = equipment.packets;
    packets.giveBack();
    this.trace = trace;
    for (int node = 0; node < schedule.nodes(); node++) {
      KiteSettings settings =
          new KiteSettings(
              schedule.nodes(),
              node,
              schedule.workers(),
              schedule.sessions(),
              16,
              schedule.times());
      nodes.add(
          new SimulatedNode(
              this,
              new KiteNode(settings, equipment.store(node), View.first(schedule.nodes()), rules)));
    }
  }

  /** Runs a seed. */
  public static Result of(long seed, int nodesMax, Set<Rule> rules, Equipment equipment) {
    return explain(seed, nodesMax, rules, equipment, null);
  }

  /** Runs a seed again and tells what happens. */
  public static Result explain(
      long seed, int nodesMax, Set<Rule> rules, Equipment equipment, Consumer<String> trace) {
    return of(seed, nodesMax, schedule -> schedule, rules, equipment, trace);
  }

  /** Runs a seed with another schedule than the one that it decides. */
  static Result of(
      long seed,
      int nodesMax,
      UnaryOperator<KiteSchedule> change,
      Set<Rule> rules,
      Equipment equipment,
      Consumer<String> trace) {
    Simulation simulation = new Simulation(seed);
    KiteSchedule schedule = change.apply(KiteSchedule.of(simulation.random(), nodesMax));
    return new KiteRun(simulation, schedule, new RandomWorkload(schedule), rules, equipment, trace)
        .run();
  }

  /** Runs a schedule with a workload of its own, and returns the history, which is judged, too. */
  static List<Access> history(
      long seed, KiteSchedule schedule, Workload workload, Equipment equipment) {
    KiteRun run =
        new KiteRun(new Simulation(seed), schedule, workload, Rule.all(), equipment, null);
    Result result = run.run();
    if (!result.violations().isEmpty()) {
      throw new IllegalStateException("Seed " + seed + ": " + result.violations());
    }
    return run.history;
  }

  private Result run() {
    trace(schedule);
    nodes.forEach(SimulatedNode::start);
    planFaults();
    simulation.runUntil(FAULTS_NANOS);
    network.heal();
    nodes.forEach(SimulatedNode::wake);
    trace("the faults end");
    long end = FAULTS_NANOS;
    while (end < FINISH_NANOS && !isFinished()) {
      end += FAULTS_NANOS;
      simulation.runUntil(end);
    }
    List<String> violations = new ArrayList<>();
    if (!isFinished()) {
      violations.add("not everything has finished");
    }
    nodes.forEach(SimulatedNode::addOpen);
    violations.addAll(ReleaseConsistency.violations(history));
    SynchronizingAccesses.Judgement judgement = synchronizing.judge();
    violations.addAll(judgement.violations());
    return new Result(
        violations,
        judgement.violations(),
        (int) history.stream().filter(Access::ended).count(),
        judgement.operations(),
        judgement.undecided(),
        nodes.stream().mapToLong(SimulatedNode::slowReleases).sum(),
        nodes.stream().mapToLong(node -> node.kite().epoch()).sum());
  }

  private boolean isFinished() {
    return nodes.stream().allMatch(SimulatedNode::isFinished);
  }

  private void planFaults() {
    KiteSchedule.Faults faults = schedule.faults();
    for (int i = 0; i < faults.badLinks(); i++) {
      network.lossy(
          simulation.random().nextInt(nodes.size()), simulation.random().nextInt(nodes.size()), 50);
    }
    for (int i = 0; i < faults.pauses(); i++) {
      SimulatedNode node = nodes.get(simulation.random().nextInt(nodes.size()));
      fault(faults, node::sleep, node::wake);
    }
    for (int i = 0; i < faults.cuts(); i++) {
      int from = simulation.random().nextInt(nodes.size());
      int to = simulation.random().nextInt(nodes.size());
      boolean all = simulation.random().nextBoolean();
      boolean bothWays = simulation.random().nextBoolean();
      fault(
          faults,
          () -> link(from, to, all, bothWays, false),
          () -> link(from, to, all, bothWays, true));
    }
    for (int i = 0; i < faults.crashes(); i++) {
      SimulatedNode node = nodes.get(i);
      simulation.after(simulation.between(0, FAULTS_NANOS / 4), node::crash);
    }
  }

  private void fault(KiteSchedule.Faults faults, Runnable begin, Runnable end) {
    long at = simulation.between(0, FAULTS_NANOS / 4);
    simulation.after(at, begin);
    simulation.after(at + simulation.between(0, faults.lengthNanosMax()), end);
  }

  private void link(int from, int to, boolean all, boolean bothWays, boolean up) {
    trace(
        (up ? "join " : "cut ")
            + from
            + " > "
            + (all ? "all" : to)
            + (bothWays ? " and back" : ""));
    for (int other = 0; other < nodes.size(); other++) {
      if (all ? other != from : other == to) {
        link(from, other, up);
        if (bothWays) {
          link(other, from, up);
        }
      }
    }
  }

  private void link(int from, int to, boolean up) {
    if (up) {
      network.join(from, to);
    } else {
      network.cut(from, to);
    }
  }

  Simulation simulation() {
    return simulation;
  }

  Workload workload() {
    return workload;
  }

  KiteSchedule schedule() {
    return schedule;
  }

  Packets packets() {
    return packets;
  }

  void ended(Access access) {
    history.add(access);
    trace(access);
  }

  /** What never ended. */
  void open(Access access) {
    history.add(access);
  }

  SynchronizingAccesses synchronizing() {
    return synchronizing;
  }

  boolean isTraced() {
    return trace != null;
  }

  void trace(Object what) {
    if (trace != null) {
      trace.accept(simulation.nowNanos() / KiteSchedule.MICRO + " us: " + what);
    }
  }

  void send(int worker, int from, int to, Packets.Packet packet) {
    network.send(from, to, () -> nodes.get(to).arrive(worker, from, packet));
  }
}
