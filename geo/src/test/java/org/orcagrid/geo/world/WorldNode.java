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
package org.orcagrid.geo.world;

import java.util.ArrayList;
import java.util.List;
import org.orcagrid.geo.partition.Moment;
import org.orcagrid.geo.partition.Placement;

/** A node: its clocks, and a replica of each partition. */
final class WorldNode {
  private static final long TICK_NANOS = 20_000_000;

  private final int number;
  private final WorldClock clock;
  private final List<WorldReplica> replicas = new ArrayList<>();
  private int life;
  private boolean up;

  WorldNode(GeoRun run, int number, Placement placement, long skewMillis) {
    this.number = number;
    this.clock = new WorldClock(run.simulation(), skewMillis);
    for (int i = 0; i < run.shape().partitions(); i++) {
      replicas.add(new WorldReplica(run, this, i, placement));
    }
  }

  int number() {
    return number;
  }

  boolean isUp() {
    return up;
  }

  int life() {
    return life;
  }

  Moment now() {
    return clock.now();
  }

  WorldClock clock() {
    return clock;
  }

  WorldReplica replica(int partition) {
    return replicas.get(partition);
  }

  List<WorldReplica> replicas() {
    return replicas;
  }

  void start() {
    life++;
    up = true;
    replicas.forEach(WorldReplica::start);
    tickLater(life);
  }

  void crash() {
    life++;
    up = false;
    clock.crash();
    replicas.forEach(WorldReplica::crash);
  }

  private void tickLater(int ofLife) {
    clock.after(
        TICK_NANOS,
        () -> {
          if (life == ofLife) {
            replicas.forEach(WorldReplica::tick);
            tickLater(ofLife);
          }
        });
  }
}
