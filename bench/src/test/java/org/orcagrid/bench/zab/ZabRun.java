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
package org.orcagrid.bench.zab;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.orcagrid.ddp.store.Bytes;
import org.orcagrid.ddp.store.KeyHash;
import org.orcagrid.ddp.store.Reading;
import org.orcagrid.ddp.store.ReplicaStore;
import org.orcagrid.ddp.wire.Message;
import org.orcagrid.simulator.SimulatedDatagrams;
import org.orcagrid.simulator.Simulation;

/**
 * One schedule of ZAB from a seed: packets are lost, doubled and reordered and links are cut, then
 * the faults end and all must finish; then the history and the stores are judged. At every moment
 * what a node has applied must be at a majority.
 */
public final class ZabRun {
  private static final long MICRO = 1_000;
  private static final long FAULTS_NANOS = 10_000 * MICRO;
  private static final long FINISH_NANOS = 2_000_000 * MICRO;
  private static final long POLL_NANOS_MAX = 40 * MICRO;
  private static final int PACKET_BYTES = 1024;

  private final Simulation simulation;
  private final SimulatedDatagrams network;
  private final int keys;
  private final List<Node> nodes = new ArrayList<>();
  private final List<TotalOrder.Event> history = new ArrayList<>();
  private final List<String> violations = new ArrayList<>();
  private int left;

  /**
   * What came of a run.
   *
   * @param violations what was wrong; empty if nothing was
   * @param operations operations that ended
   */
  public record Result(List<String> violations, int operations) {}

  private ZabRun(long seed, Set<ZabRule> rules) {
    this.simulation = new Simulation(seed);
    int count = 3 + 2 * simulation.random().nextInt(2);
    int sessions = 1 + simulation.random().nextInt(4);
    int operations = 10 + simulation.random().nextInt(30);
    this.keys = 1 + simulation.random().nextInt(4);
    this.network =
        new SimulatedDatagrams(
            simulation,
            count,
            new SimulatedDatagrams.Conditions(
                5 * MICRO,
                (10 + simulation.random().nextInt(40)) * MICRO,
                simulation.random().nextInt(10),
                simulation.random().nextInt(15),
                simulation.random().nextInt(10)));
    for (int node = 0; node < count; node++) {
      ZabSettings settings =
          new ZabSettings(count, node, sessions, (100 + simulation.random().nextInt(300)) * MICRO);
      nodes.add(new Node(settings, rules));
    }
    this.left = count * sessions * operations;
    nodes.forEach(node -> node.start(operations));
  }

  /** Runs a seed. */
  public static Result of(long seed, Set<ZabRule> rules) {
    ZabRun run = new ZabRun(seed, rules);
    run.planCuts();
    run.simulation.runUntil(FAULTS_NANOS);
    run.network.heal();
    for (long end = FAULTS_NANOS; end < FINISH_NANOS && !run.isFinished(); end += FAULTS_NANOS) {
      run.simulation.runUntil(end + FAULTS_NANOS);
    }
    return run.judge();
  }

  private void planCuts() {
    for (int cuts = simulation.random().nextInt(4); cuts > 0; cuts--) {
      int from = simulation.random().nextInt(nodes.size());
      int to = simulation.random().nextInt(nodes.size());
      long at = simulation.between(0, FAULTS_NANOS / 4);
      simulation.after(at, () -> network.cut(from, to));
      simulation.after(at + simulation.between(0, FAULTS_NANOS / 2), () -> network.join(from, to));
    }
  }

  private boolean isFinished() {
    long last = nodes.get(ZabSettings.LEADER).zab.received();
    return left == 0 && nodes.stream().allMatch(node -> node.zab.applied() == last);
  }

  private Result judge() {
    if (!isFinished()) {
      violations.add("Not everything has finished: " + left + " operations are left");
    }
    violations.addAll(TotalOrder.violations(history));
    for (int key = 0; key < keys; key++) {
      TotalOrder.Event first = nodes.get(0).content(key);
      for (Node node : nodes) {
        if (!node.content(key).equals(first)) {
          violations.add("The nodes differ: " + first + ", " + node.content(key));
        }
      }
    }
    return new Result(violations, history.size());
  }

  private void checkMajority(Node node) {
    long applied = node.zab.applied();
    long holders = nodes.stream().filter(each -> each.zab.received() >= applied).count();
    if (2 * holders <= nodes.size()) {
      violations.add("Write " + applied + " was applied while " + holders + " nodes had it");
    }
  }

  private static Bytes set(Bytes bytes, long value) {
    bytes.room(Long.BYTES).putLong(0, value);
    bytes.length(Long.BYTES);
    return bytes;
  }

  /** A node: its worker, its sessions, and the packets that it fills. */
  private final class Node {
    private final ZabSettings settings;
    private final ReplicaStore store =
        new ReplicaStore(new ReplicaStore.Limits(32, 64, 1 << 16), 14);
    private final ZabWorker zab;
    private final ByteBuffer[] filling = new ByteBuffer[5];
    private final Message received = new Message();
    private final int[] operationsLeft;
    private final int[] keyOf;

    private Node(ZabSettings settings, Set<ZabRule> rules) {
      this.settings = settings;
      this.zab = new ZabWorker(settings, store, rules, this::claim, this::onCompleted);
      this.operationsLeft = new int[settings.sessions()];
      this.keyOf = new int[settings.sessions()];
    }

    private void start(int operations) {
      for (int slot = 0; slot < settings.sessions(); slot++) {
        operationsLeft[slot] = operations;
        think(slot);
      }
      pollAgain();
    }

    private long now() {
      return simulation.nowNanos();
    }

    private void think(int slot) {
      simulation.after(simulation.between(1, 60 * MICRO), () -> begin(slot));
    }

    private int global(int slot) {
      return settings.self() * settings.sessions() + slot;
    }

    private void begin(int slot) {
      ZabSession session = zab.session(slot);
      keyOf[slot] = simulation.random().nextInt(keys);
      set(session.key(), keyOf[slot]);
      if (simulation.chance(50)) {
        session.value().length(Reading.ABSENT);
        zab.beginRead(session);
        return;
      }
      set(session.value(), (long) (global(slot) + 1) << 32 | operationsLeft[slot]);
      if (!zab.beginWrite(session, now())) {
        think(slot);
      }
      flush();
    }

    private void onCompleted(ZabSession session) {
      int slot = session.slot();
      boolean write = session.value().length() > 0;
      Bytes content = write ? session.value() : session.result();
      long value = content.length() > 0 ? content.buffer().getLong(0) : 0;
      history.add(new TotalOrder.Event(global(slot), write, keyOf[slot], value, session.zxid()));
      checkMajority(this);
      left--;
      if (--operationsLeft[slot] > 0) {
        think(slot);
      }
    }

    private TotalOrder.Event content(int key) {
      Bytes name = set(new Bytes(Long.BYTES), key);
      Bytes value = new Bytes(Long.BYTES);
      Reading reading = new Reading();
      long record =
          store.find(name.buffer(), 0, Long.BYTES, KeyHash.hash(name.buffer(), 0, Long.BYTES));
      if (record == ReplicaStore.NONE) {
        return new TotalOrder.Event(-1, false, key, 0, 0);
      }
      store.read(record, value, reading);
      return new TotalOrder.Event(-1, false, key, value.buffer().getLong(0), reading.clock);
    }

    private void pollAgain() {
      zab.poll(now());
      flush();
      simulation.after(simulation.between(POLL_NANOS_MAX / 4, POLL_NANOS_MAX), this::pollAgain);
    }

    private boolean claim(int peer, int bytes, Message into) {
      if (filling[peer] != null && filling[peer].position() + bytes > PACKET_BYTES) {
        flush();
      }
      if (filling[peer] == null) {
        filling[peer] = ByteBuffer.allocateDirect(PACKET_BYTES).order(ByteOrder.LITTLE_ENDIAN);
      }
      into.wrap(filling[peer], filling[peer].position());
      filling[peer].position(filling[peer].position() + bytes);
      return true;
    }

    private void flush() {
      for (int peer = 0; peer < filling.length; peer++) {
        if (filling[peer] != null) {
          ByteBuffer packet = filling[peer];
          filling[peer] = null;
          int to = peer;
          network.send(settings.self(), to, () -> nodes.get(to).receive(settings.self(), packet));
        }
      }
    }

    private void receive(int from, ByteBuffer packet) {
      int end = packet.position();
      for (int at = 0; at < end; ) {
        received.wrap(packet, at);
        if (!received.isWhole(end)) {
          throw new IllegalStateException("A packet of node " + from + " is broken at " + at);
        }
        at += received.bytes();
        zab.onMessage(from, received, now());
      }
      checkMajority(this);
      if (simulation.chance(50)) {
        zab.poll(now());
      }
      flush();
    }
  }
}
