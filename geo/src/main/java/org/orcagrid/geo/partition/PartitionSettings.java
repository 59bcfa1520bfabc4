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

/**
 * What a partition's node knows from the beginning.
 *
 * @param node its number
 * @param placement where the replicas are
 * @param epoch of the log of its datacenter's group
 * @param preferred the node of its datacenter that is to lead while it can, so that leaders are
 *     spread
 * @param waitingMax reads that may wait, and as many writes
 */
public record PartitionSettings(
    int node, Placement placement, int epoch, int preferred, int waitingMax) {
  /** Refuses a node that has no replica. */
  public PartitionSettings {
    if (placement.datacenter(node) < 0) {
      throw new IllegalArgumentException("Node " + node + " has no replica in " + placement);
    }
  }

  /** The node's datacenter. */
  public int datacenter() {
    return placement.datacenter(node);
  }
}
