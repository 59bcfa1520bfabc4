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
package org.orcagrid.cad.cluster;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.orcagrid.simulator.SimulatedClock;
import org.orcagrid.simulator.SimulatedNetwork;
import org.orcagrid.simulator.Simulation;
import org.orcagrid.simulator.checker.MonotonicReads;

/**
 * A cluster that runs the shipping decisions on virtual time, clients that read and write at every
 * server, and faults. First everything may fail (safety), then nothing does any more and every read
 * has to be answered (liveness).
 *
 * <p>Election and synchronisation are ZooKeeper's; here they are one step: a quorum of servers that
 * look for a leader and reach the one with the newest log follow it from then on.
 */
final class Cluster {
  private static final long MILLI = ClusterSettings.MILLI;
  private static final int KEYS = 12;

  final ClusterSettings settings;
  final Simulation sim;
  final SimulatedNetwork network;
  final MonotonicReads checker = new MonotonicReads();

  private final List<Server> servers = new ArrayList<>();
  private final Set<Entry> writes = new HashSet<>();
  private final double writePercent;
  private long epoch;

  /** Reads that were answered, and those that found no server to answer them. */
  int answered;

  int refused;
  private boolean clientsStopped;

  Cluster(long seed, ClusterSettings settings) {
    this.settings = settings;
    this.sim = new Simulation(seed);
    this.writePercent = sim.between(3, 25);
    this.network =
        new SimulatedNetwork(sim, settings.nodes(), 50_000, 500_000, sim.chance(50) ? 2 : 0);
    for (int id = 0; id < settings.nodes(); id++) {
      double rate =
          settings.rateMin()
              + sim.random().nextDouble() * (settings.rateMax() - settings.rateMin());
      if (sim.chance(30)) {
        rate = sim.chance(50) ? settings.rateMin() : settings.rateMax();
      }
      servers.add(
          new Server(this, id, new SimulatedClock(sim, sim.between(0, 1_000 * MILLI), rate)));
    }
  }

  /** Runs; returns what the checker found. */
  List<String> run() {
    every(20 * MILLI, this::elect);
    every(4 * MILLI, this::client);
    every(150 * MILLI, () -> any().snapshot());
    long at = 500 * MILLI;
    for (int n = 0; n < settings.faults(); n++) {
      at += sim.between(50, 1_500) * MILLI;
      sim.after(at, this::fault);
    }
    sim.runUntil(at + 500 * MILLI);
    repair();
    sim.runUntil(sim.nowNanos() + 10_000 * MILLI);
    List<String> found = new ArrayList<>(checker.violations());
    if (found.isEmpty()) {
      found.addAll(unfinished());
    }
    return found;
  }

  private void every(long nanos, Runnable action) {
    sim.after(
        nanos,
        () -> {
          action.run();
          every(nanos, action);
        });
  }

  private Server any() {
    return servers.get((int) sim.between(0, settings.nodes() - 1));
  }

  // ---- clients

  private void client() {
    Server server = any();
    String key = "k" + sim.between(0, KEYS - 1);
    if (clientsStopped || !server.up || server.role == null) {
      return;
    }
    if (sim.chance(writePercent)) {
      server.role.write(key);
    } else {
      server.role.read(key);
    }
  }

  void onWrite(Entry entry) {
    // What a deposed leader still accepts is lost from the start.
    if (entry.index() >>> 32 == epoch) {
      writes.add(entry);
      checker.onWrite(entry.key(), entry.index());
    }
  }

  void answer(PendingRead read) {
    answered++;
    checker.onRead(read.key(), read.shown(), read.beganNanos(), sim.nowNanos());
  }

  // ---- elections

  private void elect() {
    Server candidate = any();
    if (!candidate.electable()) {
      return;
    }
    for (Server server : servers) {
      if (server.role instanceof LeaderRole leader
          && leader.epoch() == epoch
          && network.connected(server.id, candidate.id)) {
        follow(candidate, leader);
        return;
      }
    }
    List<Server> quorum = new ArrayList<>();
    Server best = candidate;
    for (Server server : servers) {
      if (server.electable() && network.connected(candidate.id, server.id)) {
        quorum.add(server);
        best = newer(server, best) ? server : best;
      }
    }
    Server chosen = best;
    quorum.removeIf(server -> !network.connected(chosen.id, server.id));
    if (quorum.size() >= settings.nodes() / 2 + 1) {
      lead(chosen, quorum);
    }
  }

  private static boolean newer(Server one, Server other) {
    return one.store.epoch != other.store.epoch
        ? one.store.epoch > other.store.epoch
        : one.store.last() > other.store.last();
  }

  private void lead(Server chosen, List<Server> quorum) {
    epoch++;
    Store store = chosen.store;
    store.synchronise(List.copyOf(store.log.entries()));
    store.applyAll();
    store.epoch = epoch;
    Set<Entry> survivors = new HashSet<>(store.log.entries());
    for (Entry entry : List.copyOf(writes)) {
      if (!survivors.contains(entry)) {
        writes.remove(entry);
        checker.onLost(entry.key(), entry.index());
      }
    }
    LeaderRole leader = new LeaderRole(chosen, epoch);
    chosen.role = leader;
    for (Server server : quorum) {
      if (server != chosen) {
        follow(server, leader);
      }
    }
    leader.begin();
  }

  private void follow(Server server, LeaderRole leader) {
    server.store.synchronise(List.copyOf(leader.server().store.log.entries()));
    server.store.epoch = leader.epoch();
    FollowerRole role = leader.connect(server);
    server.role = role;
    role.begin();
  }

  // ---- faults

  private void fault() {
    switch ((int) sim.between(0, 13)) {
      case 0, 1 -> crash(any());
      case 2 -> {
        for (Server server : servers) {
          if (sim.chance(60)) {
            crash(server);
          }
        }
      }
      case 3 ->
          servers.stream().filter(each -> each.role instanceof LeaderRole).forEach(this::crash);
      case 4 ->
          servers.stream()
              .filter(each -> each.role instanceof LeaderRole)
              .forEach(each -> network.isolate(each.id));
      case 5 -> network.isolate(any().id);
      case 6 -> {
        for (int n = 0; n < settings.nodes(); n++) {
          network.cut(any().id, any().id);
        }
      }
      case 7 -> network.heal();
      case 8 -> any().slowDisk ^= true;
      case 9 -> any().lags ^= true;
      case 10 ->
          servers.stream()
              .filter(each -> each.role instanceof LeaderRole)
              .forEach(each -> makeDeaf(each.id));
      default -> split();
    }
    if (sim.chance(30)) {
      sim.after(sim.between(20, 2_500) * MILLI, network::heal);
    }
  }

  /** What others send to it stalls, while they hear it. */
  private void makeDeaf(int id) {
    for (Server other : servers) {
      if (other.id != id) {
        network.cut(other.id, id);
      }
    }
  }

  /** Two groups that do not reach each other; the leader is in the smaller one or not. */
  private void split() {
    int inFirst = (int) sim.between(1, settings.nodes() - 1);
    int start = any().id;
    for (int n = 0; n < settings.nodes(); n++) {
      for (int m = 0; m < settings.nodes(); m++) {
        boolean first = (n - start + settings.nodes()) % settings.nodes() < inFirst;
        boolean second = (m - start + settings.nodes()) % settings.nodes() < inFirst;
        if (first != second) {
          network.cut(n, m);
        }
      }
    }
  }

  private void crash(Server server) {
    if (!server.up) {
      return;
    }
    server.crash();
    sim.after(sim.between(1, 700) * MILLI, () -> restart(server));
  }

  private static void restart(Server server) {
    if (!server.up) {
      server.restart();
    }
  }

  private void repair() {
    network.heal();
    for (Server server : servers) {
      restart(server);
      server.slowDisk = false;
      server.lags = false;
    }
    sim.after(1_000 * MILLI, () -> clientsStopped = true);
    // The last reads are asked when all is well for a while, and time is left to answer them.
    sim.after(7_500 * MILLI, this::askEverywhere);
  }

  private void askEverywhere() {
    answered = 0;
    refused = 0;
    for (Server server : servers) {
      if (server.role != null) {
        for (int n = 0; n < KEYS; n++) {
          server.role.read("k" + n);
        }
      }
    }
  }

  private List<String> unfinished() {
    List<String> found = new ArrayList<>();
    int all = settings.nodes() * KEYS;
    if (answered < all) {
      found.add(
          "Of " + all + " reads after all faults had ended only " + answered + " were answered");
    }
    for (Server server : servers) {
      if (server.role == null) {
        found.add("Server " + server.id + " found no leader");
      }
    }
    return found;
  }
}
