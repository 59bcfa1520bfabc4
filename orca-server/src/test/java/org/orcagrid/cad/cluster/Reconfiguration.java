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
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.orcagrid.cad.LeaderLease;

/**
 * The reconfiguration that a leader has proposed. It commits once a quorum of both configurations
 * has it on disk and {@link LeaderLease#isKeptBy} allows it; then a leader that is to vote no more
 * names its successor. What is written meanwhile waits.
 */
final class Reconfiguration {
  private final Server server;
  private final long index;
  private final Configurations.Configuration next;
  private final Set<Integer> acknowledged = new TreeSet<>();
  private final List<String> writesBehind = new ArrayList<>();
  private boolean decided;

  Reconfiguration(Server server, long index, Configurations.Configuration next) {
    this.server = server;
    this.index = index;
    this.next = next;
  }

  Configurations.Configuration next() {
    return next;
  }

  long index() {
    return index;
  }

  void putBehind(String key) {
    writesBehind.add(key);
  }

  List<String> writesBehind() {
    return writesBehind;
  }

  /** This server has it on disk. */
  void onAcknowledged(int id) {
    acknowledged.add(id);
  }

  /** Returns true once: then it is to commit. */
  boolean decide(LeaderLease lease, long nowNanos) {
    boolean kept =
        lease.isKeptBy(next.rule(), nowNanos)
            || server.cluster.settings.broken(Mutation.RECONFIGURE_WITHOUT_HEARTBEAT);
    if (decided || !kept || !server.cluster.configurations.of(server.id).isQuorum(acknowledged)) {
      return false;
    }
    decided = true;
    return true;
  }

  /** Who leads from now on: the leader itself if it can, or one that has acknowledged. */
  int successor(Set<Integer> connected) {
    if (next.votes(server.id)) {
      return server.id;
    }
    List<Integer> able = acknowledged.stream().filter(next::votes).toList();
    List<Integer> best = able.stream().filter(connected::contains).toList();
    List<Integer> candidates = best.isEmpty() ? able : best;
    return candidates.get((int) server.cluster.sim.between(0, candidates.size() - 1));
  }
}
