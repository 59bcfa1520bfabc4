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
package org.orcagrid.geo.partition;

import java.util.ArrayList;
import java.util.List;

/**
 * Where a partition's replicas are.
 *
 * @param nodes the nodes' numbers, by datacenter; of each datacenter at least one
 */
public record Placement(List<List<Integer>> nodes) {
  /** Refuses one that is empty. */
  public Placement {
    nodes = nodes.stream().map(List::copyOf).toList();
    if (nodes.isEmpty() || nodes.stream().anyMatch(List::isEmpty)) {
      throw new IllegalArgumentException("A partition has a replica in each datacenter: " + nodes);
    }
  }

  /** How many datacenters there are. */
  public int datacenters() {
    return nodes.size();
  }

  /** The datacenter of a node, -1 if it has no replica. */
  public int datacenter(int node) {
    for (int i = 0; i < nodes.size(); i++) {
      if (nodes.get(i).contains(node)) {
        return i;
      }
    }
    return -1;
  }

  /** All nodes but one. */
  public List<Integer> others(int self) {
    List<Integer> others = new ArrayList<>();
    nodes.forEach(each -> others.addAll(each));
    others.remove(Integer.valueOf(self));
    return others;
  }
}
