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
package org.orcagrid.ddp.map;

import java.io.IOException;
import java.util.function.BiConsumer;
import org.orcagrid.ddp.durable.DurableMedium;

/**
 * Opens the maps of a node with what their media hold. Needs no view that the node is in, only the
 * grid and the maps' definitions. Used by one thread at a time.
 */
final class MapOpener {
  private final MapSizes sizes;
  private final MapNode.Providers around;
  private final Watchers watchers;
  private final BiConsumer<MapDefinition, Integer> caughtUp;

  /**
   * Opens maps of a node.
   *
   * @param caughtUp is told of the views in which a map has caught up
   */
  MapOpener(
      MapSizes sizes,
      MapNode.Providers around,
      Watchers watchers,
      BiConsumer<MapDefinition, Integer> caughtUp) {
    this.sizes = sizes;
    this.around = around;
    this.watchers = watchers;
    this.caughtUp = caughtUp;
  }

  /**
   * Is told which grid the maps are of, before any of them is opened.
   *
   * @throws IOException if what is kept here is of another grid: nothing of it is touched
   */
  void use(long grid) throws IOException {
    around.media().use(grid);
    if (around.zones() != null) {
      around.zones().use(grid);
    }
  }

  /**
   * Opens a map and reads its log, before the worker knows of it.
   *
   * @param engine of the worker that is to have it
   * @param isFirst whether the worker has no view yet in this life of the node
   * @throws IOException if it cannot be opened; its medium is closed then
   */
  HostedMap open(MapDefinition map, MapsEngine engine, boolean isFirst) throws IOException {
    DurableMedium medium = around.media().open(map);
    try {
      return new HostedMap(
          map,
          sizes.ofReplica(map, medium.recordBytesMax()),
          engine,
          medium,
          isFirst,
          inView -> caughtUp.accept(map, inView),
          around.wall(),
          watchers);
    } catch (IOException | RuntimeException e) {
      try {
        medium.close();
      } catch (IOException closing) {
        e.addSuppressed(closing);
      }
      throw e;
    }
  }
}
