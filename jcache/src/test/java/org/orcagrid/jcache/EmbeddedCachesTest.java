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

import java.util.List;
import java.util.stream.IntStream;
import org.orcagrid.client.EmbeddedGrid;
import org.orcagrid.client.Grid;
import org.orcagrid.client.map.GridMaps;

/** At three nodes of a grid that is all in this process. */
class EmbeddedCachesTest extends GridCachesContract {
  private EmbeddedGrid grid;

  @Override
  List<GridMaps> start() {
    grid = Grid.embedded(EmbeddedGrid.Settings.DEFAULT.withNodes(NODES).withFolder(folder));
    return IntStream.range(0, NODES).mapToObj(grid::maps).toList();
  }

  @Override
  void stop() {
    grid.close();
  }
}
