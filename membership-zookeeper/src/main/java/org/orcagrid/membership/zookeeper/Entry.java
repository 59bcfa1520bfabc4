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
package org.orcagrid.membership.zookeeper;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.KeeperException;
import org.orcagrid.ddp.map.AgreedView;
import org.orcagrid.ddp.map.MembershipProvider;

/**
 * What a node finds in the ensemble when it enters a grid.
 *
 * @param newest the newest view; null if there is none
 * @param grid the grid's number
 * @param place the place of the node's folder
 */
record Entry(AgreedView newest, long grid, int place) {

  /**
   * Connects, and takes the place of a folder.
   *
   * @throws IOException if there is none for it, or the ensemble knows less than the folder does
   */
  static Entry of(GridRegistry registry, PlaceFolder folder, MembershipProvider.Place at)
      throws KeeperException, IOException, InterruptedException {
    registry.connect();
    registry.sync();
    AgreedView newest = registry.newest().orElse(null);
    // Before anything is made: what is gone is not made anew.
    long found = registry.find().map(GridRegistry.Grid::number).orElse(0L);
    folder.requireNotBehind(registry.toString(), found, newest == null ? 0 : newest.number());
    if (newest != null && newest.nodes().grid() != found) {
      throw new IOException(
          "%s has views of grid %d, and says that it is grid %d: bring back the ensemble's data"
              .formatted(registry, newest.nodes().grid(), found));
    }
    GridRegistry.Grid there =
        registry.grid(at.size(), TimeUnit.NANOSECONDS.toMillis(at.times().leaseNanos()));
    registry.removals().requireNotGone(folder.identity(), newest);
    int place = registry.place(folder.identity(), there);
    registry.hosted().note(place, at.hosted());
    return new Entry(newest, there.number(), place);
  }
}
