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
package org.orcagrid.simulator.ddp;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.orcagrid.ddp.model.Consistency;
import org.orcagrid.ddp.model.Ddp;
import org.orcagrid.ddp.replica.consistency.Operation;
import org.orcagrid.ddp.replica.state.Key;
import org.orcagrid.ddp.replica.state.ReplicaRule;
import org.orcagrid.ddp.replica.state.ReplicaSettings;
import org.orcagrid.ddp.replica.state.Write;
import org.orcagrid.ddp.transfer.Budget;
import org.orcagrid.ddp.zone.ZoneRule;
import org.orcagrid.simulator.SimulatedDatagrams;
import org.orcagrid.simulator.Simulation;
import org.orcagrid.simulator.checker.Access;

/**
 * One schedule of a model from a seed: first nodes lose power, one or all, links lose messages and
 * are cut; then the faults end, all come back and all must finish; then the history is judged.
 */
public final class DdpRun {
  private static final long FAULTS_NANOS = 6 * DdpSchedule.MILLI;
  private static final long FINISH_NANOS = 400 * DdpSchedule.MILLI;

  /** A page of some entries in a tick of each node. */
  private static final long BYTES_PER_SECOND = 1_000_000;

  private static final int MODIFY_PERCENT_STEP = 20;

  /** So often the way into a zone breaks where a link would once. */
  private static final int ZONE_CUTS = 4;

  /** In one of so many seeds the time of values is over some time. */
  private static final int EXPIRES_EVERY = 4;

  /** In one of so many seeds there are views of the same members. */
  private static final int AGAIN_EVERY = 3;

  private static final int AGAIN_MAX = 8;

  /** In one of so many seeds nodes send after some inputs. */
  private static final int GATHERS_EVERY = 3;

  /** In one of so many seeds some reads are made beside the workers. */
  private static final int LOOKS_EVERY = 2;

  /** In one of so many seeds nodes are added. */
  private static final int GROWS_EVERY = 6;

  /** Clients have lower numbers. */
  private static final int LISTENERS_FROM = 1 << 20;

  private static final int LIVES_MAX = 1 << 10;

  /** A thread may have to wait for a processor. */
  private static final long STALLS_NANOS_MAX = 400 * DdpSchedule.MICRO;

  private static final long AWAY_NANOS_MAX = 1_500 * DdpSchedule.MICRO;

  /** What the runs of a seed share: time, and nodes whose maps lose power together. */
  private static final class Machines {
    private final long seed;
    private final Simulation simulation;
    private final DdpSchedule schedule;
    private final List<SimulatedJournal> journals = new ArrayList<>();

    /** Decides of how many nodes that are there at first, and when the others come. */
    private final SplittableRandom growing;

    private final int size;

    /** Decides which reads are made beside the workers, and how long their steps take. */
    private final SplittableRandom looking;

    private final boolean looks;

    Machines(long seed, Set<ReplicaRule> rules) {
      this.seed = seed;
      this.simulation = new Simulation(seed);
      this.schedule = DdpSchedule.of(simulation.random());
      this.growing = new SplittableRandom(~seed);
      boolean grows = schedule.nodes() > 1 && growing.nextInt(GROWS_EVERY) == 0;
      this.looking = new SplittableRandom(seed ^ 0x5DEECE66DL);
      this.looks = looking.nextInt(LOOKS_EVERY) == 0;
      this.size = schedule.nodes() - (grows ? 1 + growing.nextInt(schedule.nodes() - 1) : 0);
      for (int node = 0; node < schedule.nodes(); node++) {
        journals.add(new SimulatedJournal(simulation, schedule, rules));
      }
    }
  }

  private final long seed;
  private final Machines machines;
  private final Simulation simulation;
  private final DdpSchedule schedule;
  private final Ddp model;
  private final Set<ReplicaRule> rules;
  private final int modifyPercent;
  private final boolean expires;
  private final SimulatedDatagrams network;
  private final List<DdpNode> nodes = new ArrayList<>();
  private final List<DdpClient> clients = new ArrayList<>();
  private final DdpMembership membership;
  private final Consumer<String> trace;
  private final List<DdpEvent> history = new ArrayList<>();

  /** What was there when all had come back, each time. */
  private final List<DdpJudge.Recovery> recoveries = new ArrayList<>();

  private final Map<Integer, Long> forgotten = new HashMap<>();

  private ZonePaths zones;
  private boolean diskToLose;
  private boolean scans;
  private boolean batches;
  private final List<BatchEvent> batchEvents = new ArrayList<>();
  private int crashes;
  private int values;
  private int units;
  private int sessions;

  private DdpRun(long seed, Ddp model, Set<ReplicaRule> rules, Consumer<String> trace) {
    this(new Machines(seed, rules), model, rules, trace);
  }

  private DdpRun(Machines machines, Ddp model, Set<ReplicaRule> rules, Consumer<String> trace) {
    this.seed = machines.seed;
    this.machines = machines;
    this.simulation = machines.simulation;
    this.schedule = machines.schedule;
    this.model = model;
    this.rules = rules;
    this.trace = trace;
    this.modifyPercent =
        model.consistency().isAtomic() ? MODIFY_PERCENT_STEP * simulation.random().nextInt(5) : 0;
    // Where values are judged, too, they have to stay.
    boolean byValue =
        model.consistency() == Consistency.LINEARIZABLE
            || model.consistency() == Consistency.RELEASE;
    this.expires = seed % EXPIRES_EVERY == 0 && !byValue;
    this.network = new SimulatedDatagrams(simulation, schedule.nodes(), schedule.network());
    for (int node = 0; node < schedule.nodes(); node++) {
      nodes.add(new DdpNode(this, node, machines.journals.get(node)));
    }
    this.zones = new ZonePaths(this, schedule.nodes(), null, false);
    this.membership = new DdpMembership(this, schedule.nodes(), machines.size);
    for (int client = 0; client < schedule.clients(); client++) {
      clients.add(new DdpClient(this, client));
    }
  }

  /** Runs a seed. */
  public static DdpVerdict of(long seed, Ddp model, Set<ReplicaRule> rules) {
    return explain(seed, model, rules, null);
  }

  /**
   * Runs a seed in which one node that loses power loses its disk as well: what has completed is to
   * survive that, too, where it was to be durable at all nodes.
   */
  public static DdpVerdict withLostDisk(long seed, Ddp model, Set<ReplicaRule> rules) {
    DdpRun run = new DdpRun(seed, model, rules, null);
    run.diskToLose = true;
    return run.judged();
  }

  /**
   * Runs a seed in which nodes put records into zones of each other's memory.
   *
   * @param zoneRules what zones keep to
   * @param losesDisk whether one node that loses power loses its disk, and what is in its zones
   * @param trace is told what happens, null if nobody is
   */
  public static DdpVerdict withZones(
      long seed,
      Ddp model,
      Set<ReplicaRule> rules,
      Set<ZoneRule> zoneRules,
      boolean losesDisk,
      Consumer<String> trace) {
    DdpRun run = new DdpRun(seed, model, rules, trace);
    run.diskToLose = losesDisk;
    run.zones = new ZonePaths(run, run.schedule.nodes(), zoneRules, losesDisk);
    return run.judged();
  }

  /**
   * Runs a seed in which clients read all keys, too, and what listeners are told counts as what
   * they have read then.
   *
   * @param trace is told what happens, null if nobody is
   */
  public static DdpVerdict withScans(
      long seed, Ddp model, Set<ReplicaRule> rules, Consumer<String> trace) {
    DdpRun run = new DdpRun(seed, model, rules, trace);
    run.scans = true;
    return run.judged();
  }

  /** The same of causal consistency, whose clients read, compare and write several keys, too. */
  public static DdpVerdict withBatches(
      long seed, Ddp model, Set<ReplicaRule> rules, Consumer<String> trace) {
    DdpRun run = new DdpRun(seed, model, rules, trace);
    run.scans = true;
    run.batches = true;
    return run.judged();
  }

  /**
   * Runs a seed in which each node has several maps, of these models, whose records are in one
   * journal.
   *
   * @return what became of each map
   */
  public static List<DdpVerdict> ofMaps(
      long seed, List<Ddp> models, Set<ReplicaRule> rules, Consumer<String> trace) {
    Machines machines = new Machines(seed, rules);
    return judged(models.stream().map(model -> new DdpRun(machines, model, rules, trace)).toList());
  }

  /** Runs a seed again and tells what happens. */
  public static DdpVerdict explain(
      long seed, Ddp model, Set<ReplicaRule> rules, Consumer<String> trace) {
    return new DdpRun(seed, model, rules, trace).judged();
  }

  private DdpVerdict judged() {
    return judged(List.of(this)).get(0);
  }

  private static List<DdpVerdict> judged(List<DdpRun> maps) {
    try {
      return run(maps);
    } catch (IllegalStateException e) {
      // An invariant of the protocols themselves.
      return List.of(DdpVerdict.failed(String.valueOf(e.getMessage())));
    }
  }

  private static List<DdpVerdict> run(List<DdpRun> maps) {
    DdpRun first = maps.get(0);
    Simulation simulation = first.simulation;
    DdpSchedule schedule = first.schedule;
    first.trace(schedule);
    first.nodes.subList(0, first.machines.size).forEach(DdpNode::start);
    first.planAdded();
    maps.forEach(map -> map.membership.start());
    maps.forEach(map -> map.clients.forEach(DdpClient::start));
    first.planCrashes();
    maps.forEach(DdpRun::planCuts);
    if (first.seed % AGAIN_EVERY == 1) {
      maps.forEach(DdpRun::planViews);
    }
    simulation.runUntil(FAULTS_NANOS);
    maps.forEach(map -> map.network.heal());
    first.trace("the faults end");
    long end = FAULTS_NANOS;
    while (end < FINISH_NANOS && !areFinished(maps)) {
      end += DdpSchedule.MILLI;
      simulation.runUntil(end);
    }
    // What is durable some time is durable by then.
    end += 2 * schedule.lazyNanosMax();
    simulation.runUntil(end);
    // Nodes may be asking each other just then what they could forget.
    long giveUp = end + 10 * DdpSchedule.MILLI;
    while (end < giveUp && !areFinished(maps)) {
      end += 20 * DdpSchedule.MICRO;
      simulation.runUntil(end);
    }
    return maps.stream().map(DdpRun::verdict).toList();
  }

  private static boolean areFinished(List<DdpRun> maps) {
    return maps.stream().allMatch(DdpRun::isFinished);
  }

  private DdpVerdict verdict() {
    if (!isFinished()) {
      return DdpVerdict.failed(
          "not everything has finished: " + clients + ", " + membership.view() + nodes);
    }
    nodes.forEach(DdpNode::requireAllTold);
    return new DdpJudge(model, history, recoveries, crashes)
        .withBatches(batchEvents)
        .judge(states());
  }

  private boolean isFinished() {
    return clients.stream().allMatch(DdpClient::isFinished)
        && nodes.stream().allMatch(node -> node.isUp() && node.replica().isServing())
        && Integer.bitCount(membership.view().serving()) == nodes.size()
        && nodes.stream().allMatch(node -> node.replica().isQuiet());
  }

  private List<Map<Integer, Long>> states() {
    return nodes.stream().map(this::state).toList();
  }

  private Map<Integer, Long> state(DdpNode node) {
    Map<Integer, Long> state = new TreeMap<>();
    for (int key = 0; key < schedule.keys(); key++) {
      Write write = node.replica().peek(key(key));
      state.put(key, write == null ? forgotten(key) : write.clock());
    }
    return state;
  }

  private void planCrashes() {
    for (int i = 0; i < schedule.crashes(); i++) {
      DdpNode node = nodes.get(simulation.random().nextInt(nodes.size()));
      long at = simulation.between(0, FAULTS_NANOS / 2);
      simulation.after(at, () -> crash(List.of(node)));
    }
    for (int i = 0; i < schedule.together(); i++) {
      simulation.after(simulation.between(0, FAULTS_NANOS / 2), () -> crash(nodes));
    }
  }

  private void planAdded() {
    for (DdpNode node : nodes.subList(machines.size, nodes.size())) {
      simulation.after(
          machines.growing.nextLong(FAULTS_NANOS / 2),
          () -> {
            if (!node.isUp()) {
              node.start();
            }
          });
    }
  }

  private void planViews() {
    int views = 1 + simulation.random().nextInt(AGAIN_MAX);
    for (int i = 0; i < views; i++) {
      simulation.after(simulation.between(0, FAULTS_NANOS), membership::again);
    }
  }

  private void planCuts() {
    for (int i = 0; i < schedule.cuts(); i++) {
      int from = simulation.random().nextInt(nodes.size());
      int to = simulation.random().nextInt(nodes.size());
      long at = simulation.between(0, FAULTS_NANOS / 2);
      simulation.after(at, () -> network.cut(from, to));
      simulation.after(at + simulation.between(0, FAULTS_NANOS / 3), () -> network.join(from, to));
    }
    for (int i = 0; zones.isUsed() && i < schedule.cuts() * ZONE_CUTS; i++) {
      int from = simulation.random().nextInt(nodes.size());
      int to = simulation.random().nextInt(nodes.size());
      if (from != to) {
        long at = simulation.between(0, FAULTS_NANOS / 2);
        simulation.after(at, () -> zones.path(from, to).cut());
      }
    }
  }

  private void crash(List<DdpNode> which) {
    for (DdpNode node : which) {
      if (node.isUp()) {
        node.crash();
        if (diskToLose && membership.canLose(node)) {
          diskToLose = false;
          node.loseDisk();
        }
        simulation.after(
            simulation.between(0, AWAY_NANOS_MAX),
            () -> {
              if (!node.isUp()) {
                node.start();
              }
            });
      }
    }
  }

  /** A life of a node has begun, maybe for the sake of another map. */
  void onStart(DdpNode node) {
    if (node.life() > 1 || node.number() >= machines.size) {
      membership.look();
    }
  }

  void onCrash(DdpNode node) {
    crashes++;
    membership.look();
    clients.forEach(client -> client.onCrash(node));
  }

  /** All members of a view in which nobody served have caught up. */
  void onRecoveredTogether() {
    if (!model.persistency().isOnMedium()) {
      // That it was removed nobody knows any more, and what comes later need not be later than
      // that.
      forgotten.clear();
    }
    for (DdpNode node : nodes) {
      if (membership.view().incarnations().get(node.number()) > 0) {
        int versions =
            (int)
                IntStream.range(0, schedule.keys())
                    .filter(key -> node.replica().peek(key(key)) != null)
                    .count();
        recoveries.add(new DdpJudge.Recovery(simulation.nowNanos(), state(node), versions));
        return;
      }
    }
  }

  /** Whether the time of values is over some time. */
  boolean expires() {
    return expires && !(batches && gathers());
  }

  /** Share of the writes that remove: what batches find forgotten is known when it is sent. */
  int removePercent() {
    return batches && gathers() ? 0 : schedule.removePercent();
  }

  void record(DdpEvent event) {
    history.add(event);
  }

  void record(BatchEvent event) {
    batchEvents.add(event);
  }

  static Key key(int number) {
    return Key.of("k" + number);
  }

  /** Whether nodes send what has gathered when a cycle ends, and not with each input. */
  boolean gathers() {
    return seed % GATHERS_EVERY == (scans ? 0 : 2);
  }

  /** Whether the next read is made beside its node's worker. */
  boolean looks() {
    return machines.looks && machines.looking.nextBoolean();
  }

  /** How long a thread takes from one step of a read to the next one. */
  long lookNanos() {
    return machines.looking.nextInt(4) == 0
        ? machines.looking.nextLong(STALLS_NANOS_MAX)
        : machines.looking.nextLong(DdpSchedule.MICRO);
  }

  /** Whether clients read all keys, too. */
  boolean scans() {
    return scans;
  }

  /** Whether clients have batches. */
  boolean batches() {
    return batches;
  }

  /** A listener of a node was told: it is a client that reads this at this moment. */
  void onShown(int node, int life, int key, Write now) {
    if (!scans || now == null) {
      return;
    }
    int listener = LISTENERS_FROM + node * LIVES_MAX + life;
    long value = now.value() == null ? Access.ABSENT : ByteBuffer.wrap(now.value()).getLong();
    long nanos = simulation.nowNanos();
    trace("listener of node " + node + ": " + now);
    record(
        new DdpEvent(
            listener,
            Operation.Kind.READ,
            key,
            now.clock(),
            -1,
            -1,
            nanos,
            nanos,
            Operation.Status.DONE,
            new DdpEvent.Values(now.clock(), value, 0, 0),
            listener));
  }

  /** A node has forgotten a removal. */
  void onForgotten(int key, long clock) {
    forgotten.merge(key, clock, Math::max);
  }

  /** What nothing stands for at a node: the removal of a key that was forgotten last, or 0. */
  long forgotten(int key) {
    return forgotten.getOrDefault(key, 0L);
  }

  int newValue() {
    return ++values;
  }

  int newSession() {
    return sessions++;
  }

  int newUnit() {
    return units++;
  }

  ReplicaSettings settings(int node) {
    return new ReplicaSettings(
        schedule.nodes(),
        node,
        model,
        schedule.conflicts(),
        new ReplicaSettings.Times(200 * DdpSchedule.MICRO, 100 * DdpSchedule.MICRO),
        64,
        schedule.limits());
  }

  /**
   * Some nodes tell others that catch up a page or two in a time in which everybody looks at it.
   */
  Budget budget() {
    return schedule.limits().pageBytes() % 3 == 0
        ? new Budget(BYTES_PER_SECOND, 0)
        : Budget.UNBOUNDED;
  }

  boolean keepsAllRules() {
    return rules.size() == ReplicaRule.values().length;
  }

  Set<ReplicaRule> rules() {
    return rules;
  }

  Simulation simulation() {
    return simulation;
  }

  /** Share of the accesses that are read-modify-writes. */
  int modifyPercent() {
    return modifyPercent;
  }

  DdpSchedule schedule() {
    return schedule;
  }

  Ddp model() {
    return model;
  }

  SimulatedDatagrams network() {
    return network;
  }

  DdpMembership membership() {
    return membership;
  }

  ZonePaths zones() {
    return zones;
  }

  DdpNode node(int number) {
    return nodes.get(number);
  }

  boolean isTraced() {
    return trace != null;
  }

  void trace(Object what) {
    if (trace != null) {
      trace.accept(simulation.nowNanos() / DdpSchedule.MICRO + " us: " + what);
    }
  }
}
