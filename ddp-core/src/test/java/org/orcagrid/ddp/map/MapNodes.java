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
import org.orcagrid.ddp.transfer.Budget;
import org.orcagrid.ddp.worker.Workers;

/** Nodes of maps alone, for tests. */
public final class MapNodes {
  private MapNodes() {}

  /** Starts a node without keys, which joins. */
  public static HostedMaps start(
      MapSizes sizes, HostedMaps.Providers providers, Workers.Environment environment)
      throws IOException, InterruptedException {
    Workers workers = Workers.open(sizes.nodes(), sizes.workers(), environment);
    try {
      HostedMaps node = HostedMaps.on(workers, sizes, providers, Budget.UNBOUNDED);
      workers.start();
      node.join();
      return node;
    } catch (IOException | RuntimeException e) {
      workers.close();
      throw e;
    }
  }
}
