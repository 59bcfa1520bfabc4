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
package org.orcagrid.simulator.timing;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.orcagrid.ddp.Quorum;
import org.orcagrid.ddp.model.Ddp;
import org.orcagrid.ddp.replica.state.Key;
import org.orcagrid.ddp.replica.state.ReplicaRule;
import org.orcagrid.ddp.replica.state.ReplicaSettings;
import org.orcagrid.ddp.replica.state.ReplicaView;
import org.orcagrid.simulator.Simulation;

/**
 * How fast a model is on machines that are not there: the replicas that ship, on the paper's
 * servers in virtual time (DDP, section 7).
 *
 * <p>The same seed is the same run, on any machine.
 */
public final class TimingRun {
  /** So much that no writer is ever made to wait: the paper's have no such limit. */
  private static final int BACKLOG_MAX = 1 << 30;

  /** By then the servers have said hello to each other. */
  private static final long SETTLED_NANOS = 20_000;

  private static final long SAMPLE_NANOS = 1_000;
  private static final double NANOS_PER_SECOND = 1e9;

  private final Simulation simulation;
  private final Ddp model;
  private final TimingSettings settings;
  private final KeyChoice.Draw records;
  private final List<TimedNode> nodes = new ArrayList<>();
  private final List<Key> keys = new ArrayList<>();

  /** Records lie in the NVM one after the other. */
  private final Map<Key, Integer> places = new HashMap<>();

  private final byte[] value;

  private boolean measures;
  private final LatencyRecorder reads = new LatencyRecorder();
  private final LatencyRecorder writes = new LatencyRecorder();
  private long readsAsked;
  private long readsStalled;
  private long transactions;
  private long transactionsConflicted;
  private long attemptsAborted;
  private long bytes;
  private long samples;
  private long held;
  private long linesBefore;

  private TimingRun(long seed, Ddp model, TimingSettings settings, Set<ReplicaRule> rules) {
    this.simulation = new Simulation(seed);
    this.model = model;
    this.settings = settings;
    TimingSettings.Records of = settings.load().records();
    this.records = of.choice().over(of.count());
    this.value = new byte[settings.load().valueBytes()];
    for (int record = 0; record < of.count(); record++) {
      keys.add(Key.of("user" + record));
      places.put(keys.get(record), record);
    }
    for (int node = 0; node < settings.machine().servers(); node++) {
      nodes.add(new TimedNode(this, node, replica(node), rules));
    }
  }

  /** Runs a model. */
  public static TimingResult of(long seed, Ddp model, TimingSettings settings) {
    return without(Set.of(), seed, model, settings);
  }

  /** Runs a model that leaves rules of its protocol out: what they cost. */
  public static TimingResult without(
      Set<ReplicaRule> left, long seed, Ddp model, TimingSettings settings) {
    List<ReplicaRule> rules = new ArrayList<>(ReplicaRule.all());
    rules.removeAll(left);
    return new TimingRun(seed, model, settings, Set.copyOf(rules)).run();
  }

  private ReplicaSettings replica(int node) {
    return new ReplicaSettings(
        settings.machine().servers(),
        node,
        model,
        settings.load().grouping().conflicts(),
        TimedNode.TIMES,
        BACKLOG_MAX);
  }

  private TimingResult run() {
    int servers = nodes.size();
    ReplicaView view = new ReplicaView(1, Collections.nCopies(servers, 1), Quorum.all(servers));
    nodes.forEach(node -> node.start(view));
    simulation.runUntil(SETTLED_NANOS);
    for (int client = 0; client < settings.load().clients(); client++) {
      TimedClient started = new TimedClient(this, nodes.get(client % servers));
      simulation.after(
          simulation.between(0, settings.machine().processor().requestNanos()), started::start);
    }
    long begin = SETTLED_NANOS + settings.span().warmUpNanos();
    simulation.runUntil(begin);
    measures = true;
    linesBefore = lines();
    sample();
    simulation.runUntil(begin + settings.span().measuredNanos());
    return result();
  }

  private long lines() {
    return nodes.stream().mapToLong(node -> node.nvm().lines()).sum();
  }

  private void sample() {
    samples++;
    nodes.forEach(node -> held += node.replica().held());
    simulation.after(SAMPLE_NANOS, this::sample);
  }

  private TimingResult result() {
    NvmTiming nvm = settings.machine().nvm();
    double nanos = settings.span().measuredNanos();
    TimingResult.Latency read = reads.summary();
    TimingResult.Latency written = writes.summary();
    return new TimingResult(
        (read.count() + written.count()) / nanos * NANOS_PER_SECOND,
        read,
        written,
        new TimingResult.Waits(
            share(readsStalled, readsAsked),
            share(transactionsConflicted, transactions),
            share(attemptsAborted, transactions),
            (double) held / samples / nodes.size()),
        new TimingResult.Use(
            (lines() - linesBefore) * nvm.writeNanos() / (nanos * nvm.banks() * nodes.size()),
            bytes / (nanos * settings.machine().bytesPerNano() * nodes.size())));
  }

  private static double share(long of, long all) {
    return all == 0 ? 0 : (double) of / all;
  }

  // --- for the nodes and the clients -------------------------------------------------------------

  Simulation simulation() {
    return simulation;
  }

  Ddp model() {
    return model;
  }

  TimingSettings settings() {
    return settings;
  }

  int nextRecord() {
    return records.next(simulation.random());
  }

  Key key(int record) {
    return keys.get(record);
  }

  int place(Key key) {
    return places.get(key);
  }

  byte[] value() {
    return value;
  }

  TimedNode node(int number) {
    return nodes.get(number);
  }

  void answered(boolean write, long nanos) {
    if (measures) {
      (write ? writes : reads).add(nanos);
    }
  }

  void read(boolean stalled) {
    if (measures) {
      readsAsked++;
      readsStalled += stalled ? 1 : 0;
    }
  }

  void committed(boolean conflicted) {
    if (measures) {
      transactions++;
      transactionsConflicted += conflicted ? 1 : 0;
    }
  }

  void aborted() {
    attemptsAborted += measures ? 1 : 0;
  }

  void sent(int packetBytes) {
    bytes += measures ? packetBytes : 0;
  }
}
