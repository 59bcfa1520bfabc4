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
package org.orcagrid.geo.node;

import java.util.ArrayList;
import java.util.List;
import org.orcagrid.geo.forward.Forwarder;
import org.orcagrid.geo.partition.Lag;
import org.orcagrid.geo.partition.Partition;

/**
 * A partition at a node, at one moment.
 *
 * @param logEntries that its log still has
 * @param aheadMillis how far its hybrid clock is ahead of the node's
 * @param fenced datacenters that are being removed, or are: a bit for each
 * @param removed those that are removed
 * @param lags what is missing of each datacenter's writes
 * @param behind what others have not acknowledged, as the one who forwards knows; else empty
 */
record PartitionState(
    int number,
    boolean leads,
    boolean serves,
    boolean forwards,
    long term,
    int keys,
    int deletions,
    int waiting,
    int proposed,
    long missed,
    long gaps,
    long logEntries,
    long aheadMillis,
    int fenced,
    int removed,
    List<Lag> lags,
    List<Forwarder.Behind> behind) {

  /** Looks at one, in its worker's thread. */
  static PartitionState of(HostedPartition hosted, int datacenters) {
    Partition partition = hosted.partition();
    List<Lag> lags = new ArrayList<>();
    for (int i = 0; i < datacenters; i++) {
      lags.add(partition.lag(i));
    }
    return new PartitionState(
        hosted.number(),
        partition.leads(),
        partition.serves(),
        partition.forwarder() != null,
        hosted.term(),
        partition.replica().keys(),
        partition.replica().deletions(),
        partition.waiting(),
        partition.proposed(),
        partition.missedDeadlines(),
        partition.gapsFound(),
        Math.max(0, partition.replica().applied() - hosted.first() + 1),
        partition.aheadMillis(),
        partition.replica().fenced(),
        partition.replica().removed(),
        lags,
        partition.forwarder() == null ? List.of() : partition.forwarder().behind());
  }
}
