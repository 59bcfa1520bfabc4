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

/** Where a node's workers keep what is durable of their maps. Used by one thread at a time. */
public interface MapMedia {
  /** Of a node whose maps are all in memory only. */
  MapMedia NONE = new NoMedia();

  /** Media that there are not. */
  final class NoMedia implements MapMedia {
    private NoMedia() {}

    @Override
    public void use(long grid, int workers) {
      // There is nothing of another grid here.
    }

    @Override
    public DurableMedium open(int worker) {
      return null;
    }

    @Override
    public boolean isThere() {
      return false;
    }
  }

  /** Whether maps can be durable here; if not, they are in memory only. */
  default boolean isThere() {
    return true;
  }

  /**
   * Is told which grid the maps are of, and how many workers share them, before anything else.
   *
   * @throws IOException if what is kept here is of another grid, or was written by another number
   *     of workers: nothing of it is touched
   */
  void use(long grid, int workers) throws IOException;

  /**
   * Opens the medium of a worker, which nobody else has open; null if there are no media.
   *
   * @throws IOException if it cannot be opened; the message says what to do
   */
  DurableMedium open(int worker) throws IOException;
}
