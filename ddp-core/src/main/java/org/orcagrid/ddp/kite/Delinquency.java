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
 * slow-release sets it to 1 from any state; an acquire takes it from 1 to its own T; a reset takes
 * it to 0 if it is in the T of that acquire. Messages come late and twice, so an acquire does this
 * at most once: else its second copy could take back to T what a slow-release has set in between,
 * and its reset would erase that.
 *
 * <p>Safe for use by many threads. That a node is not delinquent is told without a lock.
 */
final class Delinquency {
  /** After so many later acquires the one that was to reset a bit is replaced. */
  private static final int FINDS_MAX = 32;

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
  private final int[] finds;
  private final long[] lastFinder;

  /** For each node the keys that it has missed. */
  private final MissedKeys[] missed;

  Delinquency(int nodes, int workers, boolean byAcquireId) {
    this.workers = workers;
    this.byAcquireId = byAcquireId;
    this.foundByWorker = new int[nodes];
    this.foundById = new long[nodes];
    this.finds = new int[nodes];
    this.lastFinder = new long[nodes * workers];
    this.missed = new MissedKeys[nodes];
    for (int node = 0; node < nodes; node++) {
      missed[node] = new MissedKeys();
    }
  }

  /**
   * Handles an acquire by a worker of {@code node}.
   *
   * @param into receives the keys that the node has missed, if it is delinquent
   * @return whether the node is delinquent
   */
  boolean onAcquire(int node, int worker, long id, MissedKeys into) {
    return (delinquent & Quorum.of(node)) != 0 && find(node, worker, id, into);
  }

  private synchronized boolean find(int node, int worker, long id, MissedKeys into) {
    if ((delinquent & Quorum.of(node)) == 0) {
      return false;
    }
    int finder = node * workers + worker;
    if (id > lastFinder[finder]) {
      lastFinder[finder] = id;
      note(node, worker, id);
    }
    into.addAll(missed[node]);
    return true;
  }

  /**
   * Chooses the acquire that resets the bit: the first one since the last slow-release, whose reset
   * arrives first. A later acquire replaces it after {@link #FINDS_MAX} others, since its reset may
   * be lost.
   */
  private void note(int node, int worker, long id) {
    boolean waits = (transientNodes & Quorum.of(node)) != 0;
    finds[node] = waits ? finds[node] + 1 : 0;
    if (!waits || finds[node] == FINDS_MAX) {
      finds[node] = 0;
      transientNodes |= Quorum.of(node);
      foundByWorker[node] = worker;
      foundById[node] = id;
    }
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
      addEverything(lost);
    }
  }

  /** Handles a slow-release: these nodes have missed these keys. */
  synchronized void onSlowRelease(int nodes, MissedKeys keys) {
    for (int left = nodes; left != 0; left &= left - 1) {
      missed[Integer.numberOfTrailingZeros(left)].addAll(keys);
    }
    delinquent |= nodes;
    transientNodes &= ~nodes;
  }

  /** Takes over bits of another node, which has not told the keys. */
  synchronized void onLearned(int nodes) {
    addEverything(nodes);
    delinquent |= nodes;
    transientNodes &= ~nodes;
  }

  /** Whether each of these nodes counts as having missed every key. */
  synchronized boolean haveMissedAll(int nodes) {
    for (int left = nodes; left != 0; left &= left - 1) {
      if (!missed[Integer.numberOfTrailingZeros(left)].isDense()) {
        return false;
      }
    }
    return true;
  }

  private void addEverything(int nodes) {
    for (int left = nodes; left != 0; left &= left - 1) {
      missed[Integer.numberOfTrailingZeros(left)].addEverything();
    }
  }

  /** The acquire has told its node, which has acted on it. */
  synchronized void onReset(int node, int worker, long id) {
    boolean found =
        (transientNodes & Quorum.of(node)) != 0
            && foundByWorker[node] == worker
            && foundById[node] == id;
    if ((found || !byAcquireId) && (gone & Quorum.of(node)) == 0) {
      delinquent &= ~Quorum.of(node);
      missed[node].clear();
      transientNodes &= ~Quorum.of(node);
    }
  }

  /** The nodes whose bits are 1 or T. */
  int nodes() {
    return delinquent;
  }
}
