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
import org.orcagrid.ddp.durable.DurableMedium;

/** Where a node's maps keep what is durable. Used by one thread at a time. */
public interface MapMedia {
  /** Of a node that can have no maps. */
  MapMedia NONE = new NoMedia();

  /** Media that there are not. */
  final class NoMedia implements MapMedia {
    private NoMedia() {}

    @Override
    public void use(long grid) {
      // There is nothing of another grid here.
    }

    @Override
    public DurableMedium open(MapDefinition map) throws IOException {
      throw new IOException(
          "This grid has no folder where the map '" + map.name() + "' would be durable");
    }

    @Override
    public void retain(Iterable<MapDefinition> there) {
      // Nothing was opened.
    }
  }

  /**
   * Is told which grid the maps are of, before anything else.
   *
   * @throws IOException if what is kept here is of another grid: nothing of it is touched
   */
  void use(long grid) throws IOException;

  /**
   * Opens the medium of a map, which nobody else has open.
   *
   * @throws IOException if it cannot be opened; the message says what to do
   */
  DurableMedium open(MapDefinition map) throws IOException;

  /**
   * Removes media of maps that are not there any more.
   *
   * @param there the maps that are
   * @throws IOException if one cannot be removed
   */
  void retain(Iterable<MapDefinition> there) throws IOException;
}
