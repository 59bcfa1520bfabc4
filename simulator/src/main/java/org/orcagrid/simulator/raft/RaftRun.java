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
package org.orcagrid.simulator.raft;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.orcagrid.ddp.Quorum;
import org.orcagrid.ddp.raft.Members;
import org.orcagrid.ddp.raft.Raft;
import org.orcagrid.ddp.raft.RaftMessage;
import org.orcagrid.ddp.raft.RaftRule;
import org.orcagrid.simulator.Simulation;

/**
 * A group of Raft under one schedule from a seed: first everything may fail, then the faults end
 * and all must finish.
 *
 * <p>Messages are lost, doubled and overtaken; links are cut, in one direction too; nodes crash and
 * lose what was not durable; clocks run up to a tenth too fast or too slow; members change,
 * leadership is handed over, logs are compacted.
 *
 * <p>The judge: a term has one leader at most; all nodes apply the same entry at an index, in
 * order; a state does not go back; in the end a leader commits, and all its members apply it.
 */
public final class RaftRun {
  private static final long MILLI = 1_000_000;
  private static final long FAULTS_NANOS = 2_500 * MILLI;
  private static final long FINISH_NANOS = 2_500 * MILLI;
  private static final int NODES = 5;

  private final Simulation simulation;
  private final Set<RaftRule> rules;
  private final List<RaftNode> nodes = new ArrayList<>();
  private final boolean[][] cut = new boolean[NODES][NODES];
  private final double lossPercent;

  /** How long a disk takes at most, and how soon something else happens. */
  private final long diskNanosMax;

  private final long paceNanos;
  private final Map<Long, Integer> leaders = new HashMap<>();
  private final Map<Long, Long> entries = new HashMap<>();
  private String wrong;
  private boolean faults = true;
  private long commands;
  private int snapshots;

  /** Thrown out of a step when a rule of the judge is broken. */
  private static final class Broken extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private Broken(String message) {
      super(message);
    }
  }

  /**
   * What a run has seen.
   *
   * @param wrong what was wrong, empty if nothing was
   * @param terms terms that had a leader
   * @param applied entries that some node has applied
   * @param snapshots snapshots that a node has got from another one
   */
  public record Result(Optional<String> wrong, int terms, int applied, int snapshots) {}

  private RaftRun(long seed, Set<RaftRule> rules) {
    this.simulation = new Simulation(seed);
    this.rules = rules;
    this.lossPercent = simulation.chance(50) ? 0 : simulation.between(1, 20);
    this.diskNanosMax = simulation.chance(50) ? 2 * MILLI : simulation.between(MILLI, 60 * MILLI);
    this.paceNanos =
        simulation.chance(50) ? 150 * MILLI : simulation.between(5 * MILLI, 50 * MILLI);
    Members first = Members.of(Quorum.all((int) simulation.between(1, 4)));
    for (int node = 0; node < NODES; node++) {
      nodes.add(new RaftNode(this, node, simulation, first.isVoter(node) ? first : Members.NONE));
    }
  }

  /** Plays the schedule of a seed by these rules. */
  public static Result of(long seed, Set<RaftRule> rules) {
    RaftRun run = new RaftRun(seed, rules);
    try {
      run.play();
    } catch (IllegalStateException | Broken e) {
      run.wrong = e.getMessage();
    }
    return new Result(
        Optional.ofNullable(run.wrong), run.leaders.size(), run.entries.size(), run.snapshots);
  }

  private void play() {
    simulation.after(0, this::load);
    simulation.after(0, this::fault);
    simulation.runUntil(FAULTS_NANOS);
    faults = false;
    heal();
    nodes.stream().filter(each -> !each.isUp()).forEach(RaftNode::start);
    simulation.runUntil(FAULTS_NANOS + FINISH_NANOS);
    finish();
  }

  private void finish() {
    RaftNode leader =
        nodes.stream()
            .filter(each -> each.raft().role() == Raft.Role.LEADER)
            .max((one, other) -> Long.compare(one.raft().term(), other.raft().term()))
            .orElse(null);
    check(leader != null, "there is no leader");
    long before = leader.raft().log().lastIndex();
    leader.propose(++commands);
    simulation.runUntil(FAULTS_NANOS + 2 * FINISH_NANOS);
    check(leader.raft().committed() > before, "nothing is committed any more");
    for (int node = 0; node < NODES; node++) {
      if ((leader.raft().members().all() & Quorum.of(node)) != 0) {
        check(nodes.get(node).state().size() > before, node + " has not caught up");
      }
    }
  }

  // --- what nodes do -----------------------------------------------------------------------------

  Set<RaftRule> rules() {
    return rules;
  }

  long diskNanosMax() {
    return faults ? diskNanosMax : 2 * MILLI;
  }

  void send(int from, int to, RaftMessage message) {
    if (message instanceof RaftMessage.Snapshot snapshot && snapshot.part().isLast()) {
      snapshots++;
    }
    int copies = faults && simulation.chance(3) ? 2 : 1;
    for (int copy = 0; copy < copies; copy++) {
      long delay = simulation.between(MILLI / 10, 3 * MILLI);
      if (faults && simulation.chance(3)) {
        delay *= simulation.between(2, 60);
      }
      if (!faults || !simulation.chance(lossPercent)) {
        simulation.after(delay, () -> arrive(from, to, message));
      }
    }
  }

  private void arrive(int from, int to, RaftMessage message) {
    if (!cut[from][to]) {
      nodes.get(to).receive(from, message);
    }
  }

  void check(boolean holds, String rule) {
    if (!holds) {
      throw new Broken(rule);
    }
  }

  /** A node has done a step. */
  void looked(int node, Raft raft) {
    if (raft.role() == Raft.Role.LEADER) {
      Integer first = leaders.putIfAbsent(raft.term(), node);
      check(first == null || first == node, "term " + raft.term() + " has two leaders");
    }
  }

  /** A node has applied an entry. */
  void applied(int node, long index, long fingerprint) {
    Long first = entries.putIfAbsent(index, fingerprint);
    check(
        first == null || first == fingerprint,
        node + " applies another entry than others at " + index);
  }

  // --- what happens to them ----------------------------------------------------------------------

  private void load() {
    if (!faults) {
      return;
    }
    for (RaftNode each : nodes) {
      if (each.isUp() && each.raft().role() == Raft.Role.LEADER) {
        for (long left = simulation.between(0, 3); left > 0; left--) {
          each.propose(++commands);
        }
      }
    }
    simulation.after(simulation.between(MILLI, 20 * MILLI), this::load);
  }

  private void fault() {
    if (!faults) {
      return;
    }
    RaftNode node = nodes.get(simulation.random().nextInt(NODES));
    switch (simulation.random().nextInt(10)) {
      case 0, 1 -> crash(node);
      case 2 -> isolate(simulation.random().nextInt(NODES));
      case 3 -> cut[simulation.random().nextInt(NODES)][simulation.random().nextInt(NODES)] = true;
      case 4, 5 -> heal();
      case 6 -> leaders().forEach(each -> each.transfer(simulation.random().nextInt(NODES)));
      case 7, 8 -> leaders().forEach(this::change);
      default -> {
        if (node.isUp()) {
          node.compact();
        }
      }
    }
    simulation.after(simulation.between(MILLI, paceNanos), this::fault);
  }

  private List<RaftNode> leaders() {
    return nodes.stream()
        .filter(each -> each.isUp() && each.raft().role() == Raft.Role.LEADER)
        .toList();
  }

  private void crash(RaftNode node) {
    if (node.isUp()) {
      node.crash();
      simulation.after(
          simulation.between(MILLI, 3 * paceNanos),
          () -> {
            if (!node.isUp()) {
              node.start();
            }
          });
    }
  }

  private void isolate(int node) {
    for (int other = 0; other < NODES; other++) {
      cut[node][other] = true;
      cut[other][node] = true;
    }
  }

  private void heal() {
    for (boolean[] each : cut) {
      java.util.Arrays.fill(each, false);
    }
  }

  /** Any members; what the rules do not allow is refused. */
  private void change(RaftNode leader) {
    Members present = leader.raft().members();
    int node = Quorum.of(simulation.random().nextInt(NODES));
    Members next =
        switch (simulation.random().nextInt(5)) {
          case 0 -> new Members(present.voters() & ~node, present.learners() & ~node);
          case 1 -> new Members(present.voters() & ~node, present.learners() | node);
          case 2, 3 -> new Members(present.voters() | node, present.learners() & ~node);
          default -> Members.of((int) simulation.between(1, Quorum.all(NODES)));
        };
    try {
      leader.change(next);
    } catch (IllegalArgumentException e) {
      // Refused, as it should be.
      check(e.getMessage() != null, "a refusal says why");
    }
  }
}
