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

import java.nio.file.Path;
import org.orcagrid.client.map.GridMaps;

/**
 * A manager's use of a grid, which ends when it is closed.
 *
 * @param grid the grid
 * @param folder where an embedded one is durable; null for another one
 * @param end what is done then
 */
record GridLease(GridMaps grid, Path folder, Runnable end) implements AutoCloseable {
  /** A grid of the program's, which stays open. */
  static GridLease given(GridMaps grid) {
    return new GridLease(grid, null, () -> {});
  }

  @Override
  public void close() {
    end.run();
  }
}
