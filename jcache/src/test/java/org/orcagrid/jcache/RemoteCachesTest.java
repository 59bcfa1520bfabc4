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

import java.util.ArrayList;
import java.util.List;
import org.orcagrid.client.Grid;
import org.orcagrid.client.RemoteGrid;

/** From outside: two clients of one node, and one of another. */
class RemoteCachesTest extends GridCachesContract {
  private final List<RemoteGrid> clients = new ArrayList<>();
  private MemberNodes nodes;

  @Override
  List<RemoteGrid> start() throws Exception {
    nodes = new MemberNodes(NODES, folder);
    for (int node : new int[] {0, 0, 1}) {
      clients.add(Grid.connect(nodes.address(node)));
    }
    return clients;
  }

  @Override
  void stop() throws Exception {
    clients.forEach(RemoteGrid::close);
    nodes.close();
  }
}
