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

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.orcagrid.ddp.loopback.LoopbackNetwork;
import org.orcagrid.ddp.transport.Transport;
import org.orcagrid.ddp.zone.ZoneMemory;

/** In one JVM, whose nodes copy. */
@Timeout(60)
class ZonedMapsTest extends ZonedMapsContract {
  private final LoopbackNetwork network = new LoopbackNetwork(NODES, 1, 16 * 1024);
  private final List<ZoneMemory> memories = new ArrayList<>();

  ZonedMapsTest() {
    super(20);
    for (int node = 0; node < NODES; node++) {
      memories.add(ordinaryMemory());
    }
  }

  @Override
  protected Transport transport(int node) {
    return network.transport(node);
  }

  @Override
  protected ZoneMemory memory(int node) {
    return memories.get(node);
  }
}
