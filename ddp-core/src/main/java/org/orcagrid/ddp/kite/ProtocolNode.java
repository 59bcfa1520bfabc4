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
package org.orcagrid.ddp.kite;

import org.orcagrid.ddp.Quorum;
import org.orcagrid.ddp.store.ReplicaStore;
import org.orcagrid.ddp.transfer.Progress;
import org.orcagrid.ddp.wire.Outbox;

/**
 * A node's part of a protocol of keys: what its workers share. {@link KiteNode} is the one that
 * grids have; a benchmark may bring another one.
 */
public interface ProtocolNode {

  /**
   * How large a node is, and how patient.
   *
   * @param nodes replica nodes that there may be
   * @param self this node
   * @param workers its workers
   * @param sessions sessions of each worker
   * @param heldBackNanosMax how long new work waits for a node that takes nothing
   * @param sleepNanosMax how long a worker sleeps at most while something is under way
   */
  record Sizes(
      int nodes, int self, int workers, int sessions, long heldBackNanosMax, long sleepNanosMax) {}

  /** How large it is. */
  Sizes sizes();

  /** The other nodes that there are now, as a mask; any thread. */
  default int others() {
    return Quorum.all(sizes().nodes()) & ~Quorum.of(sizes().self());
  }

  /** All keys. */
  ReplicaStore store();

  /** Makes a worker. */
  ProtocolWorker worker(int number, Outbox outbox, ProtocolWorker.Completions completions);

  /** Accesses to this node's copy for the thread of one session. */
  LocalCopy localCopy();

  /** Whether the node has caught up, and its sessions are served. */
  boolean isServing();

  /** How far the node is with catching up; any thread. */
  default Progress progress() {
    return Progress.NONE;
  }

  /**
   * The view in which all processes have marked removed keys, and which a purge view is to follow;
   * 0 if none; any thread.
   */
  default int purgeWanted() {
    return 0;
  }

  /**
   * The view in which a place began to leave the grid, since which this node has what a majority
   * had acknowledged before; 0 if none; any thread.
   */
  default int refreshed() {
    return 0;
  }

  /** How often the node has gone to a slow path; any thread. */
  default int slowPaths() {
    return 0;
  }
}
