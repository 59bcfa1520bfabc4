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
import org.orcagrid.cad.MemberLease;
import org.orcagrid.simulator.SimulatedNetwork;

/** A follower: what comes from its leader, and the reads of its clients. */
final class FollowerRole implements Server.Role {
  /** A read that nobody confirms is given up; the client goes elsewhere. */
  private static final long CONFIRMATION_MAX_NANOS = 1_000 * ClusterSettings.MILLI;

  /** A read that the leader has confirmed and that waits for what it confirmed. */
  private record Confirmed(String key, long beganNanos, long mustApply) {}

  private final Server server;
  private final LeaderRole leader;
  private final SimulatedNetwork.Channel toLeader;
  private final MemberLease lease;
  private final List<PendingRead> held = new ArrayList<>();
  private final List<Confirmed> confirmed = new ArrayList<>();
  private long committed;
  private long durable;
  private long applied;
  private long flushTarget;
  private long heardNanos;

  FollowerRole(Server server, LeaderRole leader, SimulatedNetwork.Channel toLeader) {
    this.server = server;
    this.leader = leader;
    this.toLeader = toLeader;
    this.lease = new MemberLease(server.cluster.settings.times());
    this.committed = server.store.last();
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

  void onProposal(Entry entry) {
    server.store.log.append(entry);
  }

  void onCommit(long index) {
    committed = index;
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
    if (flushTarget != 0 && store.appliedIndex() >= flushTarget) {
      reportIfDone();
    }
    serveConfirmed();
  }

  @Override
  public void onForced() {
    report();
  }

  void onFlush(long target) {
    flushTarget = Math.max(flushTarget, target);
    server.force();
    reportIfDone();
  }

  private void reportIfDone() {
    if (server.store.appliedIndex() >= flushTarget) {
      flushTarget = 0;
      report();
    }
  }

  void onHeartbeat(long sentNanos) {
    heardNanos = server.clock.nanos();
    server.promise();
    long stamp = server.clock.nanos();
    long persistedIndex = persistedToReport();
    long appliedIndex = appliedToReport();
    toLeader.send(() -> leader.onBeat(server.id, sentNanos, stamp, persistedIndex, appliedIndex));
  }

  void onGrant(long stamp) {
    lease.onGrant(broken(Mutation.LEASE_FROM_ARRIVAL) ? server.clock.nanos() : stamp);
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
      execute(key, server.cluster.sim.nowNanos());
      return;
    }
    long began = server.cluster.sim.nowNanos();
    boolean[] answered = {false};
    toLeader.send(
        () ->
            leader.onConfirm(
                server.id,
                index -> {
                  answered[0] = true;
                  confirmed.add(new Confirmed(key, began, index));
                  serveConfirmed();
                }));
    server.clock.after(
        CONFIRMATION_MAX_NANOS,
        server.guarded(
            () -> {
              if (!answered[0]) {
                server.cluster.refused++;
              }
            }));
  }

  private void serveConfirmed() {
    for (Iterator<Confirmed> all = confirmed.iterator(); all.hasNext(); ) {
      Confirmed read = all.next();
      if (server.store.appliedIndex() >= read.mustApply()) {
        all.remove();
        execute(read.key(), read.beganNanos());
      }
    }
  }

  private void execute(String key, long beganNanos) {
    PendingRead read =
        new PendingRead(
            key, server.store.tree.getOrDefault(key, -1L), beganNanos, PendingRead.NO_LEASE);
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
    server.cluster.refused += held.size() + confirmed.size();
    if (!crashed) {
      toLeader.send(() -> leader.disconnect(server.id, this));
    }
  }
}
