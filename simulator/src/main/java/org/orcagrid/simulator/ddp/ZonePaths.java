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
package org.orcagrid.simulator.ddp;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.orcagrid.ddp.replica.state.ReplicaView;
import org.orcagrid.ddp.zone.ZoneRule;

/** The ways of all nodes into the zones of all others; none at all where zones are not used. */
final class ZonePaths {
  private final List<ZonePath> paths = new ArrayList<>();
  private final int nodes;
  private final boolean used;
  private final boolean losesDisk;

  /**
   * All ways.
   *
   * @param rules what zones keep to, null if there are none
   * @param losesDisk whether a node may lose what is durable
   */
  ZonePaths(DdpRun run, int nodes, Set<ZoneRule> rules, boolean losesDisk) {
    this.nodes = nodes;
    this.losesDisk = losesDisk;
    this.used = rules != null;
    for (int pair = 0; used && pair < nodes * nodes; pair++) {
      paths.add(new ZonePath(run, pair / nodes, pair % nodes, rules));
    }
  }

  boolean isUsed() {
    return used;
  }

  /** Whether what is durable is looked after: not where a disk may be lost. */
  boolean isChecked() {
    return used && !losesDisk;
  }

  ZonePath path(int from, int to) {
    return paths.get(from * nodes + to);
  }

  private List<ZonePath> into(int owner) {
    List<ZonePath> found = new ArrayList<>();
    for (int from = 0; used && from < nodes; from++) {
      if (from != owner) {
        found.add(path(from, owner));
      }
    }
    return found;
  }

  private List<ZonePath> outOf(int peer) {
    List<ZonePath> found = new ArrayList<>();
    for (int to = 0; used && to < nodes; to++) {
      if (to != peer) {
        found.add(path(peer, to));
      }
    }
    return found;
  }

  void ownerStarts(int owner, Consumer<ByteBuffer> found) {
    into(owner).forEach(path -> path.ownerStarts((map, record) -> found.accept(record)));
  }

  void peerStarts(int peer) {
    outOf(peer).forEach(ZonePath::peerStarts);
  }

  /** Tells what a loss of power would leave in an owner's zones at least. */
  void findDurable(int owner, Consumer<ByteBuffer> found) {
    into(owner).forEach(path -> path.findDurable((map, record) -> found.accept(record)));
  }

  void onCrash(int node) {
    into(node).forEach(ZonePath::ownerCrashes);
    outOf(node).forEach(ZonePath::peerCrashes);
  }

  void onLost(int node) {
    into(node).forEach(ZonePath::ownerLosesAll);
  }

  void ownerInstalls(int owner, ReplicaView view) {
    into(owner).forEach(path -> path.ownerInstalls(view));
  }
}
