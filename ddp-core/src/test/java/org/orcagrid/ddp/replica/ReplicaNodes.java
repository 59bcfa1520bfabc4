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
package org.orcagrid.ddp.replica;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.orcagrid.ddp.model.Ddp;
import org.orcagrid.ddp.replica.consistency.Operation;
import org.orcagrid.ddp.replica.consistency.ReplicaSession;
import org.orcagrid.ddp.replica.log.LogRecord;
import org.orcagrid.ddp.replica.state.ReplicaRule;
import org.orcagrid.ddp.replica.state.ReplicaSettings;
import org.orcagrid.ddp.replica.state.ReplicaView;
import org.orcagrid.ddp.replica.wire.Packet;
import org.orcagrid.ddp.transfer.Progress;

/**
 * Replicas of a few nodes, between which packets go, and whose media force, when a test says so.
 */
final class ReplicaNodes {
  private final Ddp model;
  private final Set<ReplicaRule> rules;
  private final ReplicaSettings.Limits limits;
  private static final long LONGER_THAN_ANYTHING_WAITS = 10_000_000;

  private final List<Replica> replicas = new ArrayList<>();
  private final List<List<LogRecord>> logs = new ArrayList<>();
  private final List<Integer> lives = new ArrayList<>();

  /** How many records of each log are not there any more. */
  private final List<Integer> trimmed = new ArrayList<>();

  private final List<Progress> progress = new ArrayList<>();
  private final List<Sent> sent = new ArrayList<>();
  private int views;
  private long nowNanos;

  private record Sent(int from, int to, Packet packet) {}

  ReplicaNodes(String model, int nodes) {
    this(model, nodes, ReplicaRule.all());
  }

  ReplicaNodes(String model, int nodes, Set<ReplicaRule> rules) {
    this(model, nodes, rules, ReplicaSettings.Limits.DEFAULT);
  }

  ReplicaNodes(String model, int nodes, Set<ReplicaRule> rules, ReplicaSettings.Limits limits) {
    this.rules = rules;
    this.limits = limits;
    this.model = Ddp.parse(model);
    for (int node = 0; node < nodes; node++) {
      replicas.add(null);
      logs.add(new ArrayList<>());
      lives.add(0);
      trimmed.add(0);
      progress.add(Progress.NONE);
    }
    for (int node = 0; node < nodes; node++) {
      start(node);
    }
    view(List.copyOf(lives), (1 << nodes) - 1);
    settle();
  }

  /** Begins a life with what the log has. */
  void start(int node) {
    lives.set(node, lives.get(node) + 1);
    Replica replica =
        new Replica(
            new ReplicaSettings(
                replicas.size(),
                node,
                model,
                ReplicaSettings.Conflicts.ABORT,
                new ReplicaSettings.Times(Long.MAX_VALUE, Long.MAX_VALUE),
                100,
                limits),
            rules,
            new NodeEffects(node));
    Logs.recover(replica, logs.get(node).subList(trimmed.get(node), logs.get(node).size()));
    replicas.set(node, replica);
  }

  /** The next view, told to all its members. */
  void view(List<Integer> members, int serving) {
    ReplicaView view = new ReplicaView(++views, members, serving);
    for (int node = 0; node < replicas.size(); node++) {
      if (members.get(node) > 0) {
        replicas.get(node).onView(view);
        flush(node);
      }
    }
  }

  /** Sends what has gathered, and what may wait for the next packet, too. */
  private void flush(int node) {
    replicas.get(node).flush(nowNanos);
    nowNanos += LONGER_THAN_ANYTHING_WAITS;
    replicas.get(node).flush(nowNanos);
  }

  Replica replica(int node) {
    return replicas.get(node);
  }

  Operation submit(int node, ReplicaSession session, Operation operation) {
    replicas.get(node).submit(session, operation);
    flush(node);
    return operation;
  }

  /** What is on its way from a node to another one arrives, what is sent meanwhile included. */
  void deliver(int from, int to) {
    for (int each = 0; each < sent.size(); each++) {
      Sent next = sent.get(each);
      if (next.from() == from && next.to() == to) {
        sent.remove(each--);
        replicas.get(to).onPacket(from, next.packet());
        flush(to);
      }
    }
  }

  void force(int node) {
    replicas.get(node).onDurable(logs.get(node).size());
    flush(node);
  }

  /** How many records of a node's log are not there any more. */
  int trimmed(int node) {
    return trimmed.get(node);
  }

  /** How far a node is with catching up. */
  Progress progress(int node) {
    return progress.get(node);
  }

  List<LogRecord> log(int node) {
    return logs.get(node);
  }

  int life(int node) {
    return lives.get(node);
  }

  /** A node is gone, with what it had in memory and on its way. */
  void crash(int node) {
    replicas.set(node, null);
    sent.removeIf(each -> each.from() == node || each.to() == node);
  }

  /** Everything arrives and is forced. */
  void settle() {
    boolean again = true;
    while (again) {
      again = false;
      for (int node = 0; node < replicas.size(); node++) {
        if (replicas.get(node) != null) {
          force(node);
        }
      }
      while (!sent.isEmpty()) {
        again = true;
        Sent next = sent.remove(0);
        if (replicas.get(next.to()) != null) {
          replicas.get(next.to()).onPacket(next.from(), next.packet());
          flush(next.to());
        }
      }
    }
  }

  private final class NodeEffects implements Effects {
    private final int node;

    NodeEffects(int node) {
      this.node = node;
    }

    @Override
    public void send(int peer, Packet packet) {
      sent.add(new Sent(node, peer, packet));
    }

    @Override
    public long persist(LogRecord record, boolean eager) {
      logs.get(node).add(record);
      return logs.get(node).size();
    }

    @Override
    public void trim(long position, long live) {
      trimmed.set(node, (int) position - 1);
    }

    @Override
    public void progressed(Progress now) {
      progress.set(node, now);
    }

    @Override
    public void completed(Operation operation) {}

    @Override
    public void caughtUp(int view) {}
  }
}
