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
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.orcagrid.cad.FlushRounds;
import org.orcagrid.cad.QuorumIndex;
import org.orcagrid.simulator.Simulation;

/**
 * Servers that answer writes by the rules that ship, sessions at all of them that write a few nodes
 * in common, and losses of power: of all servers, of some, of the leader. Nothing that an answer
 * tells may be undone: a number that was given, a change by another session, a comparison with a
 * version, a refusal. What only its own session was told may be lost.
 *
 * <p>The leader commits what it proposes at once ({@code orca.replication=async}); whoever elects
 * takes the newest log of some majority.
 */
final class WriteCluster {
  static final String PARENT = "/p";
  private static final String NUMBERED = PARENT + "/n";
  private static final long MILLI = 1_000_000;
  private static final int EPOCH_BITS = 32;
  private static final int SESSIONS = 5;
  private static final int NODES = 3;

  /** What the leader knows of a node, what is proposed and not yet executed included. */
  private static final class Node {
    private boolean there;
    private int version;
    private int session = -1;
    private long last;
    private long others;

    private void changed(WriteChange change) {
      if (session != change.session()) {
        others = last;
        session = change.session();
      }
      last = change.index();
    }

    private long othersThan(int asking) {
      return session == asking ? others : last;
    }
  }

  final Simulation sim;
  final ReplyMutation mutation;
  private final List<WriteServer> servers = new ArrayList<>();
  private final int majority;
  private final boolean flushing;
  private final boolean slowDisks;
  private final Map<String, Node> tree = new HashMap<>();
  private final boolean[] busy = new boolean[SESSIONS];
  private final TreeSet<Long> told = new TreeSet<>();
  private final TreeSet<Long> acknowledged = new TreeSet<>();
  private final Set<Long> numbers = new HashSet<>();
  private final List<String> violations = new ArrayList<>();
  private QuorumIndex durable = new QuorumIndex(0);
  private FlushRounds rounds = new FlushRounds();
  private WriteServer leader;
  private long epoch;
  private long counter;
  private long nextNumber;

  /** When what was sent last on a link arrives, so that nothing overtakes it. */
  private final long[] arrives;

  private boolean faults = true;
  int answers;

  WriteCluster(long seed, ReplyMutation mutation) {
    this.sim = new Simulation(seed);
    this.mutation = mutation;
    int count = sim.chance(50) ? 3 : 5;
    this.majority = count / 2 + 1;
    this.flushing = sim.chance(50);
    this.slowDisks = sim.chance(30);
    this.arrives = new long[count];
    for (int id = 0; id < count; id++) {
      servers.add(new WriteServer(this, id));
    }
  }

  /** Runs; returns what was undone. */
  List<String> run() {
    every(10 * MILLI, this::elect);
    every(MILLI / 2, this::write);
    if (flushing) {
      every(10 * MILLI, () -> servers.forEach(this::force));
    }
    for (int n = 0; n < 6; n++) {
      sim.after((n + 1L) * 100 * MILLI + sim.between(0, 90 * MILLI), this::losePower);
    }
    sim.runUntil(800 * MILLI);
    faults = false;
    sim.runUntil(3_000 * MILLI);
    if (violations.isEmpty() && servers.stream().anyMatch(server -> !server.idle())) {
      violations.add("Answers are held for ever");
    }
    return violations;
  }

  private void every(long nanos, Runnable action) {
    sim.after(
        nanos,
        () -> {
          action.run();
          every(nanos, action);
        });
  }

  private WriteServer any() {
    return servers.get((int) sim.between(0, servers.size() - 1));
  }

  // ---- sessions

  private void write() {
    int session = (int) sim.between(0, SESSIONS - 1);
    WriteServer at = any();
    if (!faults || busy[session] || leader == null || !at.inSync) {
      return;
    }
    busy[session] = true;
    WriteChange.Kind[] kinds = WriteChange.Kind.values();
    WriteChange.Kind kind = kinds[(int) sim.between(0, kinds.length - 1)];
    String path = PARENT + "/" + sim.between(0, NODES - 1);
    sim.after(sim.between(10_000, MILLI), inEpoch(() -> propose(kind, path, session, at)));
  }

  private Runnable inEpoch(Runnable action) {
    long scheduledIn = epoch;
    return () -> {
      if (leader != null && epoch == scheduledIn) {
        action.run();
      }
    };
  }

  private void propose(WriteChange.Kind kind, String path, int session, WriteServer at) {
    WriteChange change = result(kind, path, session, at.id, (epoch << EPOCH_BITS) + ++counter);
    know(change);
    for (WriteServer server : servers) {
      if (server.inSync) {
        deliver(server, change);
      }
    }
  }

  private WriteChange result(
      WriteChange.Kind kind, String path, int session, int origin, long index) {
    Node node = tree.computeIfAbsent(path, any -> new Node());
    boolean numbered = kind == WriteChange.Kind.CREATE_SEQUENTIAL;
    boolean failed =
        switch (kind) {
          case SET, DELETE -> !node.there;
          case SET_VERSIONED -> !node.there || sim.chance(30);
          case CREATE -> node.there;
          case CREATE_SEQUENTIAL -> false;
        };
    return new WriteChange(
        index,
        kind,
        numbered ? NUMBERED : path,
        session,
        origin,
        failed,
        node.version + 1,
        numbered ? nextNumber : -1,
        numbered ? 0 : node.othersThan(session));
  }

  private void know(WriteChange change) {
    if (change.failed()) {
      return;
    }
    if (change.kind() == WriteChange.Kind.CREATE_SEQUENTIAL) {
      nextNumber = change.name() + 1;
      return;
    }
    Node node = tree.computeIfAbsent(change.path(), any -> new Node());
    node.there = change.kind() != WriteChange.Kind.DELETE;
    node.version = change.version();
    node.changed(change);
  }

  private void deliver(WriteServer server, WriteChange change) {
    long arrival =
        server == leader
            ? sim.nowNanos()
            : Math.max(arrives[server.id], sim.nowNanos() + sim.between(50_000, 2 * MILLI));
    arrives[server.id] = arrival;
    int life = server.life;
    Runnable append =
        inEpoch(
            () -> {
              if (server.inSync && server.life == life) {
                server.append(change);
                sim.after(0, inEpoch(() -> applyIf(server, life)));
              }
            });
    if (server == leader) {
      append.run();
    } else {
      sim.after(arrival - sim.nowNanos(), append);
    }
  }

  private static void applyIf(WriteServer server, int life) {
    if (server.inSync && server.life == life) {
      server.applyNext();
    }
  }

  /** A session is told what became of its write. */
  void answer(WriteChange change) {
    answers++;
    busy[change.session()] = false;
    acknowledged.add(change.index());
    if (change.name() >= 0 && !numbers.add(change.name())) {
      violations.add("Number " + change.name() + " is given twice: " + change);
    }
    if (change.failed() || change.kind() == WriteChange.Kind.SET_VERSIONED) {
      told.add(change.index());
    } else if (change.others() > 0) {
      told.add(change.others());
    }
  }

  // ---- durability

  /** An answer waits for this. */
  void demand(long index) {
    sim.after(
        sim.between(10_000, MILLI),
        inEpoch(
            () -> flush(rounds.onDemand(index, durable.value(), leader.last(), sim.nowNanos()))));
  }

  private void flush(long target) {
    if (target != FlushRounds.NONE) {
      servers.forEach(
          server ->
              sim.after(sim.between(10_000, MILLI), inEpoch(() -> forceUpTo(server, target))));
    }
  }

  /** What is asked for may still be on its way: a flush comes behind the entries. */
  private void forceUpTo(WriteServer server, long target) {
    if (server.inSync && server.last() < target) {
      sim.after(MILLI, inEpoch(() -> forceUpTo(server, target)));
    } else {
      force(server);
    }
  }

  private void force(WriteServer server) {
    if (!server.inSync) {
      return;
    }
    int covered = server.log.entries().size();
    int life = server.life;
    sim.after(
        sim.between(100_000, (slowDisks ? 100 : 3) * MILLI),
        inEpoch(
            () -> {
              if (server.life == life && server.inSync) {
                server.log.force(covered);
                long persisted = server.persisted();
                sim.after(
                    sim.between(10_000, MILLI), inEpoch(() -> onReport(server.id, persisted)));
              }
            }));
  }

  private void onReport(int id, long persisted) {
    if (durable.onReport(id, persisted, (ids, count) -> count >= majority)) {
      long value = durable.value();
      for (WriteServer server : servers) {
        int life = server.life;
        sim.after(
            sim.between(10_000, MILLI),
            inEpoch(
                () -> {
                  if (server.inSync && server.life == life) {
                    server.onDurable(value);
                  }
                }));
      }
      flush(rounds.onDurable(value, leader.last(), sim.nowNanos()));
    }
  }

  // ---- faults

  private void losePower() {
    boolean all = sim.chance(60);
    boolean onlyLeader = !all && sim.chance(50);
    for (WriteServer server : servers) {
      boolean hit = all || (onlyLeader ? server == leader : sim.chance(40));
      if (server.up && hit) {
        server.losePower();
        sim.after(sim.between(1, 60) * MILLI, () -> server.up = true);
      }
    }
    long left = servers.stream().filter(server -> server.inSync).count();
    if (leader != null && (!leader.inSync || left < majority)) {
      leader = null;
      servers.forEach(server -> server.inSync = false);
    }
    // What became of what was asked nobody is told; sessions go on at another server.
    Arrays.fill(busy, false);
  }

  private void elect() {
    if (leader != null) {
      for (WriteServer server : servers) {
        if (server.up && !server.inSync) {
          server.synchronise(List.copyOf(leader.log.entries()));
          onReport(server.id, server.persisted());
        }
      }
      return;
    }
    List<WriteServer> electors =
        new ArrayList<>(servers.stream().filter(server -> server.up).toList());
    if (electors.size() < majority) {
      return;
    }
    Collections.shuffle(electors, new Random(sim.between(0, Long.MAX_VALUE - 1)));
    lead(electors.subList(0, majority));
  }

  private void lead(List<WriteServer> electors) {
    WriteServer newest = electors.get(0);
    for (WriteServer server : electors) {
      newest = server.last() > newest.last() ? server : newest;
    }
    List<WriteChange> survived = List.copyOf(newest.log.entries());
    judge(survived);
    tree.clear();
    nextNumber = 0;
    survived.forEach(this::know);
    epoch++;
    counter = 0;
    leader = newest;
    durable = new QuorumIndex(0);
    rounds = new FlushRounds();
    for (WriteServer server : electors) {
      server.synchronise(survived);
    }
    for (WriteServer server : electors) {
      onReport(server.id, server.persisted());
    }
  }

  /** What was told is there; what is lost fits into the window. */
  private void judge(List<WriteChange> survived) {
    Set<Long> there = new HashSet<>();
    survived.forEach(change -> there.add(change.index()));
    for (long index : told) {
      if (!there.contains(index)) {
        violations.add("Was told of and is lost: 0x" + Long.toHexString(index));
      }
    }
    long end = survived.isEmpty() ? 0 : survived.get(survived.size() - 1).index();
    long ofEpoch = epoch << EPOCH_BITS;
    Long lost = acknowledged.isEmpty() ? null : acknowledged.last();
    if (lost != null && lost > end && lost > ofEpoch) {
      long entries = lost - Math.max(end, ofEpoch);
      if (entries * WriteServer.ENTRY_BYTES > WriteServer.WINDOW_BYTES) {
        violations.add(entries + " entries are lost, and the last of them was acknowledged");
      }
    }
    acknowledged.clear();
  }
}
