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
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.orcagrid.ddp.Quorum;
import org.orcagrid.ddp.Timestamp;
import org.orcagrid.ddp.kite.KiteNode;
import org.orcagrid.ddp.kite.KiteRule;
import org.orcagrid.ddp.kite.KiteSettings;
import org.orcagrid.ddp.kite.KiteView;
import org.orcagrid.ddp.membership.GridView;
import org.orcagrid.ddp.store.Bytes;
import org.orcagrid.ddp.store.KeyHash;
import org.orcagrid.ddp.store.ReplicaStore;
import org.orcagrid.ddp.transfer.Budget;
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
  private static final long BYTES_PER_SECOND = 1_000_000;
  private static final int STORE_CHUNK_BITS = 16;
  private static final int KEYS_MAX = 32;

  /** No workload has more keys; a store with as many others is crowded. */
  private static final int CROWDED_ROOM = 8;

  /** Where clocks have room for the number of lives that a key has had. */
  private static final int LIFE_SHIFT = 56;

  private static final long LOOK_NANOS = KiteSchedule.MILLI / 10;

  private final Simulation simulation;
  private final KiteSchedule schedule;
  private final Workload workload;
  private final SimulatedDatagrams network;
  private final List<SimulatedNode> nodes = new ArrayList<>();

  /** By the view in which memory began: what was before is lost, and told by nobody after it. */
  private final Map<Integer, Epoch> epochs = new TreeMap<>();

  private final Packets packets;
  private final Consumer<String> trace;
  private final Set<KiteRule> rules;
  private final Equipment equipment;

  /** Nodes that others have followed. */
  private final List<SimulatedNode> former = new ArrayList<>();

  private final ViewChanges changes;
  private final List<Purge> purges = new ArrayList<>();
  private int refused;

  /** A view in which nodes forget keys, and the versions that those had. */
  private record Purge(int number, int memorySince, Map<Integer, Timestamp> keys) {}

  /** What was done while memory went on. */
  private record Epoch(List<Access> history, SynchronizingAccesses synchronizing) {
    private Epoch() {
      this(new ArrayList<>(), new SynchronizingAccesses());
    }
  }

  /** What is used again from run to run, since memory outside the heap is dear to make. */
  public static final class Equipment {
    private final List<ReplicaStore> stores = new ArrayList<>();
    private final Packets packets = new Packets();
    private final Bytes filler = new Bytes(Short.BYTES);
    private int used;

    /** Another run begins. */
    private void giveBack() {
      packets.giveBack();
      used = 0;
    }

    /** A store that no other node of this run has: those that were followed may go on. */
    private ReplicaStore nextStore() {
      return store(used++);
    }

    /** A store that has room for so many keys only. */
    private ReplicaStore storeFor(int room) {
      ReplicaStore store = nextStore();
      for (int key = 0; key < KEYS_MAX - room; key++) {
        // Shorter than any key of a workload.
        filler.room(Short.BYTES).putShort(0, (short) key);
        filler.length(Short.BYTES);
        long hash = KeyHash.hash(filler.buffer(), 0, Short.BYTES);
        long record = store.findOrCreate(filler.buffer(), 0, Short.BYTES, hash);
        // With a value: a removed key would make room.
        store.lock(record);
        store.set(record, 1, 0, filler.buffer(), 0, Short.BYTES);
        store.unlock(record);
      }
      return store;
    }

    private ReplicaStore store(int node) {
      while (stores.size() <= node) {
        stores.add(
            new ReplicaStore(new ReplicaStore.Limits(KEYS_MAX, 1024, 1 << 20), STORE_CHUNK_BITS));
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
   * @param refused operations for which there was no room
   * @param slowReleases slow releases
   * @param epochs how often a node went to the slow path
   * @param newNodes nodes that followed others, or were added, and have caught up
   * @param added how many nodes were added
   * @param removed how many places the grid has lost
   * @param anew how often memory began anew
   * @param forgotten keys that nodes have forgotten
   */
  public record Result(
      List<String> violations,
      List<String> notLinearizable,
      int operations,
      int judgedTwice,
      int undecided,
      int refused,
      long slowReleases,
      long epochs,
      int newNodes,
      int added,
      int removed,
      int anew,
      long forgotten) {
    /** Of a run that ended before its time. */
    static Result failed(String reason) {
      return new Result(List.of(reason), List.of(), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    }
  }

  private KiteRun(
      Simulation simulation,
      KiteSchedule schedule,
      Workload workload,
      Set<KiteRule> rules,
      Equipment equipment,
      Consumer<String> trace) {
    this.simulation = simulation;
    this.schedule = schedule;
    this.workload = workload;
    this.network = new SimulatedDatagrams(simulation, schedule.nodes(), schedule.network());
    this.packets = equipment.packets;
    equipment.giveBack();
    this.trace = trace;
    this.rules = rules;
    this.equipment = equipment;
    int size = schedule.nodes() - schedule.faults().added();
    this.changes = new ViewChanges(this, schedule.nodes(), size);
    KiteView view = KiteView.of(changes.last());
    for (int node = 0; node < size; node++) {
      KiteNode kite =
          new KiteNode(settings(node), equipment.storeFor(room(node)), view, rules, budget());
      nodes.add(
          new SimulatedNode(this, kite, changes.last().places().get(node).memory().process()));
    }
  }

  /** Runs a seed. */
  public static Result of(long seed, int nodesMax, Set<KiteRule> rules, Equipment equipment) {
    return explain(seed, nodesMax, rules, equipment, null);
  }

  /** Runs a seed again and tells what happens. */
  public static Result explain(
      long seed, int nodesMax, Set<KiteRule> rules, Equipment equipment, Consumer<String> trace) {
    return of(seed, nodesMax, schedule -> schedule, rules, equipment, trace);
  }

  /** Runs a seed with another schedule than the one that it decides. */
  static Result of(
      long seed,
      int nodesMax,
      UnaryOperator<KiteSchedule> change,
      Set<KiteRule> rules,
      Equipment equipment,
      Consumer<String> trace) {
    Simulation simulation = new Simulation(seed);
    KiteSchedule schedule =
        change.apply(
            KiteSchedule.of(simulation.random(), nodesMax)
                .perhapsFull(new SplittableRandom(~seed))
                .perhapsChanging(new SplittableRandom(~seed + 1))
                .perhapsRemoving(new SplittableRandom(~seed + 2))
                .perhapsGrowing(new SplittableRandom(~seed + 3))
                .perhapsShrinking(new SplittableRandom(~seed + 4)));
    return new KiteRun(simulation, schedule, new RandomWorkload(schedule), rules, equipment, trace)
        .run();
  }

  /** Runs a schedule with a workload of its own, and returns the history, which is judged, too. */
  static List<Access> history(
      long seed, KiteSchedule schedule, Workload workload, Equipment equipment) {
    KiteRun run =
        new KiteRun(new Simulation(seed), schedule, workload, KiteRule.all(), equipment, null);
    Result result = run.run();
    if (!result.violations().isEmpty()) {
      throw new IllegalStateException("Seed " + seed + ": " + result.violations());
    }
    return run.epochs.get(1).history();
  }

  /** For how many keys a node has room. */
  private int room(int node) {
    if (schedule.removesPercent() > 0) {
      return CROWDED_ROOM;
    }
    int missing = node < schedule.faults().full() ? 1 + node % 2 : 0;
    return missing == 0 ? KEYS_MAX : schedule.keys() - missing;
  }

  private KiteSettings settings(int node) {
    return new KiteSettings(
        schedule.nodes(), node, schedule.workers(), schedule.sessions(), 16, schedule.times());
  }

  /** In some runs a node tells others that catch up a key in the time in which those ask again. */
  private Budget budget() {
    return schedule.dataKeys() % 2 == 0 ? new Budget(BYTES_PER_SECOND, 0) : Budget.UNBOUNDED;
  }

  private Result run() {
    trace(schedule);
    nodes.forEach(SimulatedNode::start);
    planFaults();
    changes.plan(schedule.faults().changes(), FAULTS_NANOS / 2, simulation.random().split());
    if (schedule.faults().added() > 0) {
      changes.planToAdd(FAULTS_NANOS / 2, simulation.random().split());
    }
    if (schedule.faults().removed() > 0) {
      changes.planToRemove(
          schedule.faults().removed(), FAULTS_NANOS / 2, simulation.random().split());
    }
    if (schedule.removesPercent() > 0
        || schedule.faults().added() > 0
        || schedule.faults().removed() > 0) {
      changes.agreeAgain();
    }
    simulation.runUntil(FAULTS_NANOS);
    network.heal();
    nodes.forEach(SimulatedNode::wake);
    former.forEach(SimulatedNode::wake);
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
    former.forEach(SimulatedNode::addOpen);
    List<String> notLinearizable = new ArrayList<>();
    int operations = 0;
    int judgedTwice = 0;
    int undecided = 0;
    for (Map.Entry<Integer, Epoch> epoch : epochs.entrySet()) {
      violations.addAll(
          ReleaseConsistency.violations(epoch.getValue().history(), forgotten(epoch.getKey())));
      SynchronizingAccesses.Judgement judgement = epoch.getValue().synchronizing().judge();
      notLinearizable.addAll(judgement.violations());
      operations += (int) epoch.getValue().history().stream().filter(Access::ended).count();
      judgedTwice += judgement.operations();
      undecided += judgement.undecided();
    }
    violations.addAll(notLinearizable);
    List<SimulatedNode> serving = nodes.stream().filter(node -> node.kite().isServing()).toList();
    return new Result(
        violations,
        notLinearizable,
        operations,
        judgedTwice,
        undecided,
        refused,
        nodes.stream().mapToLong(SimulatedNode::slowReleases).sum(),
        serving.stream().mapToLong(node -> node.kite().epoch()).sum(),
        (int) serving.stream().filter(SimulatedNode::isNew).count(),
        schedule.faults().added(),
        changes.removed(),
        epochs.size() - 1,
        nodes.stream().mapToLong(node -> node.kite().forgottenKeys()).sum());
  }

  private boolean isFinished() {
    return nodes.size() == schedule.nodes()
        && nodes.stream().allMatch(SimulatedNode::isFinished)
        && changes.areRemoved();
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
      long at = simulation.between(0, FAULTS_NANOS / 4);
      if (i < faults.followed()) {
        planFollower(i, at);
      } else {
        simulation.after(at, nodes.get(i)::crash);
      }
    }
  }

  /**
   * A node is lost, or only taken for lost; another one follows it. When that one has caught up, a
   * node that had served until then may be lost for good: what it knew must not be lost with it.
   */
  private void planFollower(int place, long at) {
    boolean lost = simulation.random().nextInt(3) > 0;
    boolean another = simulation.random().nextBoolean();
    if (lost) {
      simulation.after(at, nodes.get(place)::crash);
    }
    simulation.after(
        at + simulation.between(0, FAULTS_NANOS / 8),
        () -> {
          changes.follow(Quorum.of(place), false);
          if (another && schedule.faults().crashes() == 1) {
            loseWhenServing(place, nodes.size() - 1);
          }
        });
  }

  private void loseWhenServing(int follower, int lost) {
    if (nodes.get(follower).kite().isServing()) {
      nodes.get(lost).crash();
    } else {
      simulation.after(LOOK_NANOS, () -> loseWhenServing(follower, lost));
    }
  }

  /** A process begins at this place with nothing: another one, or the same when all begin anew. */
  void begin(int place, long process, KiteView view) {
    trace("view " + view.number() + ": process " + process + " begins at " + place);
    KiteNode kite =
        new KiteNode(settings(place), equipment.storeFor(room(place)), view, rules, budget());
    SimulatedNode next = new SimulatedNode(this, kite, process);
    if (has(place)) {
      former.add(nodes.set(place, next));
    } else {
      nodes.add(next);
    }
    next.start();
  }

  /** Whether there has been a node at a place. */
  boolean has(int place) {
    return place < nodes.size();
  }

  /** The node that has a place, or had it last. */
  SimulatedNode node(int place) {
    return nodes.get(place);
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

  void ended(SimulatedNode node, Access access) {
    epoch(node).history().add(access);
    trace(access);
  }

  /** There is a view in which nodes forget the keys that are marked at this one. */
  void purged(GridView view, SimulatedNode first) {
    Map<Integer, Timestamp> keys = new TreeMap<>();
    for (KiteNode.MarkedKey each : first.kite().marked()) {
      if (each.key().capacity() == Long.BYTES) {
        keys.put((int) each.key().getLong(0), new Timestamp(each.clock(), each.rmw()));
      }
    }
    purges.add(new Purge(view.number(), view.memorySince(), keys));
    trace("purged: " + keys);
  }

  /** How often a node has forgotten a key: the versions of a new life come after the old ones'. */
  private long lives(SimulatedNode node, int key) {
    return purges.stream()
        .filter(each -> each.memorySince() == node.memorySince())
        .filter(each -> each.keys().containsKey(key) && node.kite().isIn(each.number()))
        .count();
  }

  /** The clock of a version with the life that it is of. */
  long clockInLife(SimulatedNode node, int key, long clock) {
    return lives(node, key) << LIFE_SHIFT | clock;
  }

  /** What the first version of each life stands for: the removal that ended the one before. */
  private List<ReleaseConsistency.Forgotten> forgotten(int memorySince) {
    List<ReleaseConsistency.Forgotten> forgotten = new ArrayList<>();
    Map<Integer, Long> lives = new TreeMap<>();
    for (Purge purge : purges) {
      if (purge.memorySince() == memorySince) {
        purge
            .keys()
            .forEach(
                (key, last) -> {
                  long life = lives.merge(key, 1L, Long::sum);
                  forgotten.add(
                      new ReleaseConsistency.Forgotten(
                          key,
                          life << LIFE_SHIFT,
                          (life - 1) << LIFE_SHIFT | last.clock(),
                          last.rmw()));
                });
      }
    }
    return forgotten;
  }

  /** There was no room for an operation; nothing came of it. */
  void refused() {
    refused++;
  }

  /** What never ended. */
  void open(SimulatedNode node, Access access) {
    epoch(node).history().add(access);
  }

  SynchronizingAccesses synchronizing(SimulatedNode node) {
    return epoch(node).synchronizing();
  }

  private Epoch epoch(SimulatedNode node) {
    return epochs.computeIfAbsent(node.memorySince(), any -> new Epoch());
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
