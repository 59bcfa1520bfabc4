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
import java.util.TreeSet;
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

  final ClusterSettings settings;
  private final int keys;
  final Simulation sim;
  final SimulatedNetwork network;
  final Configurations configurations;
  final MonotonicReads checker = new MonotonicReads();

  private final List<Server> servers = new ArrayList<>();
  private final Set<Entry> writes = new HashSet<>();
  private final double writePercent;
  private long epoch;

  /** Reads that were answered, and those that found no server to answer them. */
  int answered;

  int refused;
  private boolean clientsStopped;
  private boolean repaired;

  Cluster(long seed, ClusterSettings settings) {
    this.settings = settings;
    this.sim = new Simulation(seed);
    this.configurations = new Configurations(settings.nodes(), settings.voters());
    // Few keys, often written: what is shown in too early an epoch is soon shown old elsewhere.
    this.keys = settings.reconfigures() ? 2 : 12;
    this.writePercent = settings.reconfigures() ? sim.between(10, 40) : sim.between(3, 25);
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
    if (settings.reconfigures()) {
      every(20 * MILLI, this::handOver);
      every(150 * MILLI, this::reconfigure);
    }
    every(150 * MILLI, () -> any().snapshot());
    long at = 500 * MILLI;
    for (int n = 0; n < settings.faults(); n++) {
      at += sim.between(50, 1_500) * MILLI;
      sim.after(at, this::fault);
    }
    sim.runUntil(at + 500 * MILLI);
    repair();
    sim.runUntil(sim.nowNanos() + calmNanos() + 2_500 * MILLI);
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
    String key = "k" + sim.between(0, keys - 1);
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

  void onAcknowledged(long index) {
    checker.onAcknowledged(index, sim.nowNanos());
  }

  void answer(PendingRead read) {
    answered++;
    checker.onRead(read.key(), read.shown(), read.beganNanos(), sim.nowNanos());
  }

  // ---- elections

  private void elect() {
    Server candidate = any();
    for (Server server : servers) {
      if (server.role instanceof LeaderRole leader
          && leader.epoch() == epoch
          && candidate.mayAcknowledge(epoch)
          && !leader.hasSuccessor()
          && network.connected(server.id, candidate.id)) {
        follow(candidate, leader);
        return;
      }
    }
    if (!candidate.mayAcknowledge(epoch + 1)) {
      return;
    }
    List<Server> quorum = new ArrayList<>();
    for (Server server : servers) {
      if (server.mayAcknowledge(epoch + 1) && network.connected(candidate.id, server.id)) {
        quorum.add(server);
      }
    }
    if (settings.reconfigures()) {
      configurations.gossip(
          ids(quorum),
          ids(servers.stream().filter(each -> each.up && hears(candidate, each)).toList()));
    }
    Server best = null;
    for (Server server : quorum) {
      if (configurations.of(server.id).votesNowOrNext(server.id)
          && (best == null || newer(server, best))) {
        best = server;
      }
    }
    if (best == null) {
      return;
    }
    Server chosen = best;
    quorum.removeIf(server -> !network.connected(chosen.id, server.id));
    if (configurations.elects(chosen.id, ids(quorum))) {
      lead(chosen, quorum);
    }
  }

  private boolean hears(Server one, Server other) {
    return network.connected(one.id, other.id);
  }

  private static List<Integer> ids(List<Server> servers) {
    return servers.stream().map(server -> server.id).toList();
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
    configurations.complete(chosen.id);
    LeaderRole leader = new LeaderRole(chosen, epoch);
    chosen.role = leader;
    chosen.successor = Server.NOBODY;
    for (Server server : quorum) {
      if (server != chosen) {
        follow(server, leader);
      }
    }
    if (configurations.of(chosen.id).current().votes(chosen.id)) {
      leader.begin();
    } else {
      // It has completed a reconfiguration without itself.
      quorum.forEach(Server::look);
    }
  }

  private void follow(Server server, LeaderRole leader) {
    server.store.synchronise(List.copyOf(leader.server().store.log.entries()));
    server.store.epoch = leader.epoch();
    server.successor = Server.NOBODY;
    configurations.follow(server.id, leader.id());
    FollowerRole role = leader.connect(server);
    server.role = role;
    role.begin();
  }

  // ---- reconfigurations

  /** Those lead that were named, as soon as they are followed. */
  private void handOver() {
    for (Server successor : servers) {
      if (!successor.keepsPromiseTo(successor.id)) {
        continue;
      }
      List<Server> quorum = new ArrayList<>();
      for (Server server : servers) {
        if ((server.keepsPromiseTo(successor.id) || server.mayAcknowledge(epoch + 1))
            && network.connected(successor.id, server.id)
            && !newer(server, successor)) {
          quorum.add(server);
        }
      }
      if (configurations.elects(successor.id, ids(quorum))) {
        lead(successor, quorum);
      }
    }
  }

  private void reconfigure() {
    if (repaired || sim.chance(50)) {
      return;
    }
    for (Server server : servers) {
      if (server.role instanceof LeaderRole leader && leader.epoch() == epoch) {
        Set<Integer> voters = new TreeSet<>();
        boolean withoutLeader = sim.chance(70);
        int count = sim.chance(80) ? 3 : (int) sim.between(1, settings.nodes() - 1);
        while (voters.size() < count) {
          int id = any().id;
          if (!withoutLeader || id != server.id) {
            voters.add(id);
          }
        }
        if (leader.reconfigure(voters)) {
          switch ((int) sim.between(0, 9)) {
            case 0, 1, 2, 3 -> {
              leader.delayCommit();
              cutOff(server, voters);
            }
            case 4, 5 -> losePower(server);
            default -> {
              // Nothing is in its way.
            }
          }
        }
      }
    }
  }

  /** All but one of those that are to vote do not hear of the leader for a while. */
  private void cutOff(Server leader, Set<Integer> voters) {
    sim.after(
        sim.between(0, 150) * MILLI,
        () -> {
          if (repaired) {
            return;
          }
          int one =
              voters.stream().skip(sim.between(0, voters.size() - 1)).findFirst().orElseThrow();
          for (int id : voters) {
            if (id != leader.id && id != one) {
              network.cut(leader.id, id);
            }
          }
          sim.after(sim.between(1_000, 5_000) * MILLI, network::heal);
        });
  }

  /**
   * Those that voted until now, but for the leader, crash while their disks are slow, and hear of
   * nobody else when they come back.
   */
  private void losePower(Server leader) {
    List<Server> old =
        servers.stream()
            .filter(each -> each != leader)
            .filter(each -> configurations.of(leader.id).current().votes(each.id))
            .toList();
    old.forEach(each -> each.slowDisk = true);
    sim.after(
        sim.between(0, 200) * MILLI,
        () -> {
          old.forEach(each -> each.slowDisk = false);
          if (repaired) {
            return;
          }
          for (Server one : old) {
            crash(one);
            servers.stream()
                .filter(other -> !old.contains(other))
                .forEach(other -> cutBoth(one.id, other.id));
          }
          sim.after(sim.between(500, 4_000) * MILLI, network::heal);
        });
  }

  private void cutBoth(int one, int other) {
    network.cut(one, other);
    network.cut(other, one);
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
    repaired = true;
    network.heal();
    for (Server server : servers) {
      restart(server);
      server.slowDisk = false;
      server.lags = false;
    }
    sim.after(1_000 * MILLI, () -> clientsStopped = true);
    // The last reads are asked when all is well for a while, and time is left to answer them.
    sim.after(calmNanos(), this::askEverywhere);
  }

  /**
   * A reconfiguration that is decided already may take four seconds, and a successor a few more.
   */
  private long calmNanos() {
    return (settings.reconfigures() ? 10_000 : 7_500) * MILLI;
  }

  private void askEverywhere() {
    answered = 0;
    refused = 0;
    for (Server server : servers) {
      if (server.role != null) {
        for (int n = 0; n < keys; n++) {
          server.role.read("k" + n);
        }
      }
    }
  }

  private List<String> unfinished() {
    List<String> found = new ArrayList<>();
    int all = settings.nodes() * keys;
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
