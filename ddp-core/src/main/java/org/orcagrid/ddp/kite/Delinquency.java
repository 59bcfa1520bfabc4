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

/**
 * The delinquency bit-vector of a machine (section 4.2.1): for each node, whether it is suspected
 * to have missed a write, and whether it is just being told.
 *
 * <p>A bit is 0, 1, or in the transient state T with the id of the acquire that has found it. A
 * slow-release sets it to 1 from any state; an acquire takes it from 1 or T to its own T; a reset
 * takes it to 0 if it is in the T of that acquire. Messages come late and twice, so an acquire does
 * this at most once: else its second copy could take back to T what a slow-release has set in
 * between, and its reset would erase that.
 *
 * <p>Safe for use by many threads. That a node is not delinquent is told without a lock.
 */
final class Delinquency {
  private final int workers;
  private final boolean byAcquireId;

  private volatile int delinquent;

  // Guarded by this.
  private int view;

  /** Nodes that the grid has lost: they are delinquent for ever. */
  private int gone;

  private int transientNodes;
  private final int[] foundByWorker;
  private final long[] foundById;
  private final long[] lastFinder;

  Delinquency(int nodes, int workers, boolean byAcquireId) {
    this.workers = workers;
    this.byAcquireId = byAcquireId;
    this.foundByWorker = new int[nodes];
    this.foundById = new long[nodes];
    this.lastFinder = new long[nodes * workers];
  }

  /** An acquire by a worker of {@code node} asks whether it is delinquent. */
  boolean onAcquire(int node, int worker, long id) {
    return (delinquent & Quorum.of(node)) != 0 && find(node, worker, id);
  }

  private synchronized boolean find(int node, int worker, long id) {
    if ((delinquent & Quorum.of(node)) == 0) {
      return false;
    }
    int finder = node * workers + worker;
    if (id > lastFinder[finder]) {
      lastFinder[finder] = id;
      transientNodes |= Quorum.of(node);
      foundByWorker[node] = worker;
      foundById[node] = id;
    }
    return true;
  }

  /**
   * A worker enters a view, in which the grid has lost nodes. Nobody waits for them from then on,
   * nor tells of what they miss, while they may not know of it yet.
   *
   * @param parts the nodes of the view
   */
  synchronized void onView(int number, int parts, int lost) {
    if (number >= view) {
      view = number;
      gone = (gone | lost) & ~parts;
      delinquent |= lost;
    }
  }

  /** A slow-release names these nodes. */
  synchronized void onSlowRelease(int nodes) {
    delinquent |= nodes;
    transientNodes &= ~nodes;
  }

  /** The acquire has told its node, which has acted on it. */
  synchronized void onReset(int node, int worker, long id) {
    boolean found =
        (transientNodes & Quorum.of(node)) != 0
            && foundByWorker[node] == worker
            && foundById[node] == id;
    if ((found || !byAcquireId) && (gone & Quorum.of(node)) == 0) {
      delinquent &= ~Quorum.of(node);
      transientNodes &= ~Quorum.of(node);
    }
  }

  /** The nodes whose bits are 1 or T. */
  int nodes() {
    return delinquent;
  }
}
