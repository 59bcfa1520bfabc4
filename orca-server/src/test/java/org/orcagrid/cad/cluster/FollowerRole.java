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
import java.util.Iterator;
import java.util.List;
import org.orcagrid.cad.AskedReports;
import org.orcagrid.cad.MemberLease;
import org.orcagrid.simulator.SimulatedNetwork;

/** A follower: what comes from its leader, and the reads of its clients. */
final class FollowerRole implements Server.Role {
  /** A read that nobody confirms is given up; the client goes elsewhere. */
  private static final long CONFIRMATION_MAX_NANOS = 1_000 * ClusterSettings.MILLI;

  /** A read that the leader is asked about. */
  private static final class Asked {
    private final String key;
    private final long beganNanos;
    private long mustApply = Long.MAX_VALUE;
    private boolean executed;
    private long value;
    private boolean confirmed;

    private Asked(String key, long beganNanos) {
      this.key = key;
      this.beganNanos = beganNanos;
    }
  }

  private final Server server;
  private final LeaderRole leader;
  private final SimulatedNetwork.Channel toLeader;
  private final MemberLease lease;
  private final List<PendingRead> held = new ArrayList<>();
  private final List<Asked> asked = new ArrayList<>();
  private long committed;
  private long durable;
  private long applied;
  private final AskedReports reports = new AskedReports();
  private long heardNanos;

  /** The reconfiguration that is to be forced and then acknowledged, 0 for none. */
  private long toAcknowledge;

  FollowerRole(Server server, LeaderRole leader, SimulatedNetwork.Channel toLeader) {
    this.server = server;
    this.leader = leader;
    this.toLeader = toLeader;
    this.lease = new MemberLease();
    this.committed = leader.committedIndex();
    this.heardNanos = server.clock.nanos();
  }

  void begin() {
    for (int n = server.store.applied; n < server.store.log.entries().size(); n++) {
      server.applyLater();
    }
    watchLeader();
    toLeader.send(() -> leader.onHello(server.id, persistedToReport(), appliedToReport()));
  }

  private boolean broken(Mutation by) {
    return server.cluster.settings.broken(by);
  }

  private void watchLeader() {
    if (server.role != this) {
      return;
    }
    if (server.clock.nanos() - heardNanos > server.silenceMaxNanos) {
      server.look();
      return;
    }
    server.clock.after(50 * ClusterSettings.MILLI, server.guarded(this::watchLeader));
  }

  private long persistedToReport() {
    return broken(Mutation.COUNT_MEMORY_AS_PERSISTED)
        ? server.store.last()
        : server.store.persisted();
  }

  private long appliedToReport() {
    if (broken(Mutation.COUNT_EPOCH_AS_APPLIED)) {
      return Math.max(leader.epoch() << 32, server.store.appliedIndex());
    }
    return broken(Mutation.COUNT_LOGGED_AS_APPLIED)
        ? server.store.last()
        : server.store.appliedIndex();
  }

  private void report() {
    long persistedIndex = persistedToReport();
    long appliedIndex = appliedToReport();
    toLeader.send(() -> leader.onReport(server.id, persistedIndex, appliedIndex));
  }

  // ---- from the leader

  /** What arrives for a role that has ended is not read. */
  Runnable ifCurrent(Runnable action) {
    return () -> {
      if (server.role == this) {
        action.run();
      }
    };
  }

  /** The leader has closed the connection. */
  void onClosed() {
    server.look();
  }

  void onProposal(Entry entry, boolean late) {
    server.store.log.append(entry);
    if (late) {
      server.force();
    }
  }

  /** It is acknowledged when it is on disk, whatever holds for writes. */
  void onReconfiguration(Entry entry, Configurations.Configuration next) {
    known().onProposal(next);
    server.store.log.append(entry);
    toAcknowledge = entry.index();
    if (broken(Mutation.ACKNOWLEDGE_BEFORE_FORCED)) {
      toLeader.send(() -> leader.onAcknowledged(server.id, entry.index()));
    } else {
      known().onForced();
      server.force();
    }
  }

  private void acknowledgeIfForced() {
    long index = toAcknowledge;
    if (index != 0 && server.store.persisted() >= index) {
      toAcknowledge = 0;
      known().onForced();
      toLeader.send(() -> leader.onAcknowledged(server.id, index));
    }
  }

  void onActivate(long index, Configurations.Configuration next, int successor) {
    known().activate(next);
    onCommit(index, false);
    if (successor != leader.id()) {
      server.followSuccessor(successor);
    }
  }

  private Configurations.Known known() {
    return server.cluster.configurations.of(server.id);
  }

  void onPing() {
    heardNanos = server.clock.nanos();
    toLeader.send(() -> leader.onPong(server.id));
  }

  void onCommit(long index, boolean isDurable) {
    committed = index;
    if (isDurable) {
      onSettled(index, 0);
    }
    server.applyLater();
  }

  @Override
  public void onApplied() {
    Store store = server.store;
    if (store.applied == store.log.entries().size()
        || store.log.entries().get(store.applied).index() > committed) {
      return;
    }
    store.applyNext();
    reportIfDone();
    serveAsked();
  }

  @Override
  public void onForced() {
    acknowledgeIfForced();
    forgetAnswered();
    report();
  }

  void onFlush(long target) {
    reports.askFlushed(target);
    server.force();
    reportIfDone();
  }

  void onAskApplied(long target) {
    reports.askApplied(target);
    reportIfDone();
  }

  private void reportIfDone() {
    if (forgetAnswered()) {
      report();
    }
  }

  private boolean forgetAnswered() {
    return reports.answer(server.store.persisted(), server.store.appliedIndex());
  }

  void onHeartbeat(long sentNanos) {
    heardNanos = server.clock.nanos();
    if (!broken(Mutation.JOIN_WITHOUT_PROMISE) || known().current().votes(server.id)) {
      server.promise(leader.epoch());
    }
    long stamp = server.clock.nanos();
    long persistedIndex = persistedToReport();
    long appliedIndex = appliedToReport();
    toLeader.send(() -> leader.onBeat(server.id, sentNanos, stamp, persistedIndex, appliedIndex));
  }

  void onGrant(long stamp) {
    lease.onGrant(
        broken(Mutation.LEASE_FROM_ARRIVAL) ? server.clock.nanos() : stamp,
        server.cluster.settings.times().markOutNanos());
  }

  void onMarkOut() {
    if (!broken(Mutation.MARK_OUT_IN_WORDS_ONLY)) {
      lease.onMarkOut(server.clock.nanos());
    }
    toLeader.send(() -> leader.onMarkedOut(server.id));
  }

  void onSettled(long durableIndex, long appliedIndex) {
    durable = Math.max(durable, durableIndex);
    applied = Math.max(applied, appliedIndex);
    release();
  }

  // ---- clients

  @Override
  public void read(String key) {
    if (lease.isValid(server.clock.nanos()) || broken(Mutation.SERVE_WITHOUT_LEASE)) {
      answer(key, valueOf(key), server.cluster.sim.nowNanos());
      return;
    }
    Asked read = new Asked(key, server.cluster.sim.nowNanos());
    asked.add(read);
    toLeader.send(
        () ->
            leader.onConfirm(
                server.id,
                index -> {
                  read.mustApply = index;
                  serveAsked();
                },
                () -> {
                  read.confirmed = true;
                  serveAsked();
                }));
    server.clock.after(
        CONFIRMATION_MAX_NANOS,
        server.guarded(
            () -> {
              if (asked.remove(read)) {
                server.cluster.refused++;
              }
            }));
  }

  /** What a read finds is what is there when its turn comes, however late the confirmation. */
  private void serveAsked() {
    for (Iterator<Asked> all = asked.iterator(); all.hasNext(); ) {
      Asked read = all.next();
      if (!read.executed && server.store.appliedIndex() >= read.mustApply) {
        read.executed = true;
        read.value = valueOf(read.key);
      }
      if (read.executed && read.confirmed) {
        all.remove();
        answer(read.key, read.value, read.beganNanos);
      }
    }
  }

  private long valueOf(String key) {
    return server.store.tree.getOrDefault(key, -1L);
  }

  private void answer(String key, long value, long beganNanos) {
    PendingRead read = new PendingRead(key, value, beganNanos, PendingRead.NO_LEASE);
    if (mayLeave(read)) {
      server.cluster.answer(read);
      return;
    }
    held.add(read);
    long shown = read.shown();
    long needsDurable = shown > durable ? shown : 0;
    long needsApplied = shown > applied ? shown : 0;
    toLeader.send(() -> leader.onLearnersDemand(needsDurable, needsApplied));
  }

  private boolean mayLeave(PendingRead read) {
    return (read.shown() <= durable || broken(Mutation.REPLY_BEFORE_DURABLE))
        && (read.shown() <= applied || broken(Mutation.REPLY_BEFORE_APPLIED));
  }

  private void release() {
    for (Iterator<PendingRead> all = held.iterator(); all.hasNext(); ) {
      PendingRead read = all.next();
      if (mayLeave(read)) {
        all.remove();
        server.cluster.answer(read);
      }
    }
  }

  @Override
  public void write(String key) {
    toLeader.send(() -> leader.write(key));
  }

  @Override
  public long settled() {
    return Math.min(durable, applied);
  }

  @Override
  public void end(boolean crashed) {
    server.cluster.refused += held.size() + asked.size();
    if (!crashed) {
      toLeader.send(() -> leader.disconnect(server.id, this));
    }
  }
}
