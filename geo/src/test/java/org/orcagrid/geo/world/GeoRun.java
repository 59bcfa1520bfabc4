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
package org.orcagrid.geo.world;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import org.orcagrid.geo.GeoRule;
import org.orcagrid.geo.partition.Placement;
import org.orcagrid.simulator.Simulation;

/**
 * A store over several datacenters under one schedule from a seed: first everything may fail, then
 * the faults end and all must finish.
 *
 * <p>Messages are lost, doubled and overtaken; links and datacenters are cut off; nodes crash and
 * lose what was not durable; wall clocks are wrong and jump; leaders change; logs are compacted. In
 * some seeds a node, or a whole datacenter, does not come back; a datacenter is removed then, or
 * while it is well.
 */
public final class GeoRun {
  private static final long MILLI = 1_000_000;

  private final Simulation simulation;
  private final GeoShape shape;
  private final Set<GeoRule> rules;
  private final List<WorldNode> nodes = new ArrayList<>();
  private final List<WorldClient> clients = new ArrayList<>();
  private final GeoJudge judge;
  private final boolean[][] cut;
  private final double lossPercent;
  private final long diskNanosMax;
  private final long paceNanos;

  /** Who does not come back: a mask. */
  private int lost;

  /** Which datacenter is removed, -1 for none; it may be well. */
  private int removed = -1;

  private boolean faults = true;
  private String wrong;

  /** What a run has seen. */
  public record Result(Optional<String> wrong, GeoJudge.Figures figures) {}

  private GeoRun(long seed, GeoShape shape, Set<GeoRule> rules) {
    this.simulation = new Simulation(seed);
    this.shape = shape;
    this.rules = rules;
    this.cut = new boolean[shape.nodes()][shape.nodes()];
    this.lossPercent = simulation.chance(50) ? 0 : simulation.between(1, 10);
    this.diskNanosMax = simulation.chance(60) ? 3 * MILLI : simulation.between(MILLI, 60 * MILLI);
    this.paceNanos = simulation.chance(50) ? 300 * MILLI : simulation.between(30, 120) * MILLI;
    List<List<Integer>> places = new ArrayList<>();
    for (int i = 0; i < shape.datacenters(); i++) {
      List<Integer> there = new ArrayList<>();
      for (int j = 0; j < shape.replicas(); j++) {
        there.add(i * shape.replicas() + j);
      }
      places.add(there);
    }
    Placement placement = new Placement(places);
    this.judge = new GeoJudge(this, placement);
    boolean isSkewed = simulation.chance(60);
    for (int i = 0; i < shape.nodes(); i++) {
      long skew = isSkewed ? simulation.between(-200, 200) : 0;
      nodes.add(new WorldNode(this, i, placement, skew));
    }
    if (simulation.chance(15)) {
      nodes.get(simulation.random().nextInt(shape.nodes())).clock().jump(5_000);
    }
    for (int i = 0; i < shape.clients(); i++) {
      clients.add(new WorldClient(this, placement, i + 1));
    }
  }

  /** Plays the schedule of a seed. */
  public static Result of(long seed, GeoShape shape, Set<GeoRule> rules) {
    GeoRun run = new GeoRun(seed, shape, rules);
    try {
      run.play();
    } catch (IllegalStateException | GeoJudge.Broken e) {
      run.wrong = e.getMessage();
    }
    return new Result(Optional.ofNullable(run.wrong), run.judge.figures());
  }

  private void play() {
    nodes.forEach(WorldNode::start);
    clients.forEach(WorldClient::begin);
    simulation.after(300 * MILLI, this::fault);
    if (simulation.chance(10) && shape.datacenters() > 2) {
      int datacenter = simulation.random().nextInt(shape.datacenters());
      long atNanos = simulation.between(shape.faultsMillis() / 2, shape.faultsMillis()) * MILLI;
      simulation.after(atNanos, () -> remove(datacenter));
    }
    simulation.runUntil(shape.faultsMillis() * MILLI);
    faults = false;
    heal();
    loseSome();
    for (WorldNode each : nodes) {
      if (!each.isUp() && !isLost(each.number())) {
        each.start();
      }
      if (each.clock().skewMillis() < 0 || each.clock().skewMillis() > 300) {
        // A clock that is ahead for good stays so.
        each.clock().jump(Math.max(0, each.clock().skewMillis()));
      }
    }
    long end = shape.faultsMillis() + shape.finishMillis();
    simulation.runUntil((end - 3_000) * MILLI);
    clients.forEach(WorldClient::stop);
    simulation.runUntil(end * MILLI);
    judge.finish(clients);
  }

  /** Who is gone for good when the faults end. */
  private void loseSome() {
    int kind = simulation.random().nextInt(10);
    if (kind < 2) {
      lost = 1 << simulation.random().nextInt(shape.nodes());
    } else if (kind < 4 && shape.datacenters() > 2) {
      int datacenter = removed < 0 ? simulation.random().nextInt(shape.datacenters()) : removed;
      lost = ((1 << shape.replicas()) - 1) << (datacenter * shape.replicas());
      if (simulation.chance(60) && removed < 0) {
        simulation.after(simulation.between(MILLI, 1_500 * MILLI), () -> remove(datacenter));
      }
    }
    for (WorldNode each : nodes) {
      if (isLost(each.number()) && each.isUp()) {
        each.crash();
      }
    }
  }

  boolean isLost(int node) {
    return (lost & (1 << node)) != 0;
  }

  /** Whether it is lost, or of a datacenter that is removed. */
  boolean isOut(int node) {
    return isLost(node) || datacenter(node) == removed;
  }

  /** Which datacenter is removed, -1 for none. */
  int removed() {
    return removed;
  }

  /** An operator removes a datacenter: some leader of another one hears of it sooner or later. */
  private void remove(int datacenter) {
    removed = datacenter;
    boolean[] isTold = {false};
    for (WorldNode each : nodes) {
      if (each.isUp() && datacenter(each.number()) != datacenter) {
        for (WorldReplica at : each.replicas()) {
          at.step(
              () -> {
                at.partition().remove(1 << datacenter);
                isTold[0] |= at.partition().replica().isFenced(datacenter);
              });
        }
      }
    }
    if (!isTold[0]) {
      simulation.after(500 * MILLI, () -> remove(datacenter));
    }
  }

  Simulation simulation() {
    return simulation;
  }

  GeoShape shape() {
    return shape;
  }

  Set<GeoRule> rules() {
    return rules;
  }

  GeoJudge judge() {
    return judge;
  }

  List<WorldNode> nodes() {
    return nodes;
  }

  long diskNanosMax() {
    return faults ? diskNanosMax : 2 * MILLI;
  }

  // --- the network -------------------------------------------------------------------------------

  private int datacenter(int node) {
    return node / shape.replicas();
  }

  /** Sends something to a partition's replica at a node. */
  void send(int from, int to, int partition, Consumer<WorldReplica> arrival) {
    // Links are connections: what was sent to a process does not come to the next one.
    int life = nodes.get(to).life();
    carry(
        datacenter(from) == datacenter(to),
        () -> {
          if (nodes.get(to).life() == life) {
            arrive(from, to, partition, arrival);
          }
        });
  }

  private void arrive(int from, int to, int partition, Consumer<WorldReplica> arrival) {
    if (!cut[from][to] && nodes.get(to).isUp()) {
      arrival.accept(nodes.get(to).replica(partition));
    }
  }

  /** Has something happen after the time that a packet takes, if it is not lost. */
  void carry(boolean isNear, Runnable arrival) {
    int copies = faults && simulation.chance(2) ? 2 : 1;
    for (int copy = 0; copy < copies; copy++) {
      long delay =
          isNear ? simulation.between(MILLI / 10, 2 * MILLI) : simulation.between(7, 9) * MILLI;
      if (faults && simulation.chance(3)) {
        delay *= simulation.between(2, 30);
      }
      if (!faults || !simulation.chance(lossPercent)) {
        simulation.after(delay, arrival);
      }
    }
  }

  // --- faults ------------------------------------------------------------------------------------

  private void fault() {
    if (!faults) {
      return;
    }
    WorldNode node = nodes.get(simulation.random().nextInt(shape.nodes()));
    switch (simulation.random().nextInt(13)) {
      case 0, 1 -> crash(node);
      case 2 -> isolate(each -> each == node.number());
      case 3 -> isolate(each -> datacenter(each) == datacenter(node.number()));
      case 4 -> cut[node.number()][simulation.random().nextInt(shape.nodes())] = true;
      case 5, 6 -> heal();
      case 7 -> node.clock().jump(simulation.between(-400, 400));
      case 8 -> transfer(node);
      case 9 -> {
        int datacenter = datacenter(node.number());
        nodes.stream().filter(each -> datacenter(each.number()) == datacenter).forEach(this::crash);
      }
      default -> node.replicas().forEach(WorldReplica::compact);
    }
    simulation.after(simulation.between(MILLI, paceNanos), this::fault);
  }

  private void transfer(WorldNode node) {
    for (WorldReplica each : node.replicas()) {
      int datacenter = datacenter(node.number());
      int to = datacenter * shape.replicas() + simulation.random().nextInt(shape.replicas());
      each.step(() -> each.transfer(to));
    }
  }

  private void crash(WorldNode node) {
    if (node.isUp()) {
      node.crash();
      simulation.after(
          simulation.between(MILLI, 4 * paceNanos),
          () -> {
            if (!node.isUp() && !isLost(node.number())) {
              node.start();
            }
          });
    }
  }

  private void isolate(IntPredicate inside) {
    for (int one = 0; one < shape.nodes(); one++) {
      for (int other = 0; other < shape.nodes(); other++) {
        cut[one][other] |= inside.test(one) != inside.test(other);
      }
    }
  }

  private void heal() {
    for (boolean[] each : cut) {
      Arrays.fill(each, false);
    }
  }
}
