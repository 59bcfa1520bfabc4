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
package org.orcagrid.jcache;

import javax.cache.CacheException;
import org.orcagrid.client.Grid;
import org.orcagrid.client.RemoteGrid;

/** Grids in other processes, to which managers connect by themselves: each has its connection. */
final class ConnectedGrids {
  private ConnectedGrids() {}

  /**
   * Connects to a grid.
   *
   * @throws CacheException if no node can be reached, saying why
   */
  static GridLease connect(RemoteGrid.Settings settings) {
    try {
      RemoteGrid grid = Grid.connect(settings);
      return new GridLease(grid, null, grid::close);
    } catch (IllegalStateException e) {
      throw new CacheException(
          "The grid of a cache manager cannot be reached; check "
              + ManagerSettings.PREFIX
              + "connect, and that its nodes run: "
              + e.getMessage(),
          e);
    }
  }
}
