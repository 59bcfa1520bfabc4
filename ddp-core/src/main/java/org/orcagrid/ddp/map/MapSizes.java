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

import org.orcagrid.ddp.replica.log.SharedLog;
import org.orcagrid.ddp.replica.state.ReplicaSettings;
import org.orcagrid.ddp.replica.state.Writer;

/**
 * What a node of maps is made of.
 *
 * @param nodes places for nodes
 * @param self this one's
 * @param workers threads that do the work; a map belongs to one of them
 * @param backlogMax messages that wait for one node, and updates that not all nodes have, at most;
 *     writes wait then
 * @param resendNanos when what was not acknowledged is sent again
 * @param progressNanos how often a node says what it shows, where others have to know
 */
public record MapSizes(
    int nodes, int self, int workers, int backlogMax, long resendNanos, long progressNanos) {
  /** What a record of a log has beside keys and values, at most. */
  private static final int RECORD_BYTES_BESIDE = 64;

  /** A log of small records is a small log: it has a checkpoint after so many of the largest. */
  private static final int RECORDS_OF_A_CHECKPOINT = 16;

  /** One worker, a backlog of 8192; 100 ms and 2 ms. */
  public static MapSizes of(int nodes, int self) {
    return new MapSizes(nodes, self, 1, 8192, 100_000_000, 2_000_000);
  }

  /** Refuses what cannot work. */
  public MapSizes {
    if (nodes < 1 || nodes > Writer.NODES_MAX || self < 0 || self >= nodes) {
      throw new IllegalArgumentException(
          "A grid of maps has 1 to "
              + Writer.NODES_MAX
              + " nodes, of which one is "
              + self
              + ", not "
              + nodes);
    }
    if (workers < 1 || backlogMax < 1 || resendNanos < 1 || progressNanos < 1) {
      throw new IllegalArgumentException(
          "Workers, backlog and times are positive: "
              + workers
              + ", "
              + backlogMax
              + ", "
              + resendNanos
              + ", "
              + progressNanos);
    }
  }

  /** Those of a journal whose medium's records have so many bytes at most. */
  static SharedLog.Limits ofJournal(int recordBytesMax) {
    SharedLog.Limits usual = SharedLog.Limits.DEFAULT;
    return new SharedLog.Limits(
        Math.min(usual.bytesMin(), (long) RECORDS_OF_A_CHECKPOINT * recordBytesMax),
        usual.multiple());
  }

  /** Those of a map's replica whose records have so many bytes at most. */
  ReplicaSettings ofReplica(MapDefinition map, int recordBytesMax) {
    ReplicaSettings.Limits usual = ReplicaSettings.Limits.DEFAULT;
    int room = recordBytesMax - RECORD_BYTES_BESIDE;
    return new ReplicaSettings(
        nodes,
        self,
        map.model(),
        map.conflicts(),
        new ReplicaSettings.Times(resendNanos, progressNanos),
        backlogMax,
        new ReplicaSettings.Limits(
            Math.min(usual.pageBytes(), room / 2),
            Math.min(usual.batchBytesMax(), room),
            usual.entriesPerTick()));
  }
}
