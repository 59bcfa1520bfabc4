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
import org.orcagrid.ddp.wire.Message;

/**
 * What every worker of a node knows. All nodes must have the same numbers of nodes, workers and
 * sessions.
 *
 * @param nodes replica nodes; the paper has 3 to 9
 * @param self this node, counted from 0
 * @param workers workers of each node
 * @param sessions sessions of each worker
 * @param pendingWrites writes of a worker that some node has not acknowledged, at most; a power of
 *     two, more than sessions
 * @param times how long to wait for what
 */
public record KiteSettings(
    int nodes, int self, int workers, int sessions, int pendingWrites, Times times) {
  /** The paper's deployments have up to 9 nodes; so have ours (section 2.1). */
  public static final int NODES_MAX = 9;

  /** Sessions of all nodes are numbered with so many bits: the numbers are part of ballots. */
  static final int SESSION_BITS = 20;

  private static final int PENDING_WRITES_MIN = 1024;
  private static final int SESSIONS_MAX = 1 << 16;

  /**
   * How long to wait for what.
   *
   * @param releaseNanos how long a release waits for acknowledgements of all nodes before it takes
   *     the slow path (section 4.2, <i>Time-out and availability</i>)
   * @param resendNanos when a message without an answer is sent again
   * @param backoffNanos how long a proposal that has met another one waits at first
   */
  public record Times(long releaseNanos, long resendNanos, long backoffNanos) {
    /**
     * 200 ms, 50 ms, 0.2 ms. A machine with more to do than processors keeps a thread waiting for
     * tens of milliseconds, and the slow path is not for that (section 7.4): each of its turns
     * renders keys out-of-epoch.
     */
    public static final Times DEFAULT = new Times(200_000_000, 50_000_000, 200_000);

    /** Refuses times that make no progress. */
    public Times {
      if (releaseNanos <= 0 || resendNanos <= 0 || backoffNanos <= 0) {
        throw new IllegalArgumentException(
            "Times must be positive: release "
                + releaseNanos
                + " ns, resend "
                + resendNanos
                + " ns, back off "
                + backoffNanos
                + " ns");
      }
    }
  }

  /** Settings with the usual times, and room for as many writes as its sessions may need. */
  public static KiteSettings of(int nodes, int self, int workers, int sessions) {
    int pendingWrites = Math.max(PENDING_WRITES_MIN, Integer.highestOneBit(sessions) * 4);
    return new KiteSettings(nodes, self, workers, sessions, pendingWrites, Times.DEFAULT);
  }

  /** The most bytes of a message where values have at most so many. */
  public static int messageBytesMax(int valueBytesMax) {
    return Message.bytes(Message.PAXOS_HEADER_BYTES, ReplicaStore.KEY_BYTES_MAX, valueBytesMax);
  }

  /** Refuses settings that cannot work. */
  public KiteSettings {
    if (nodes < 1 || nodes > NODES_MAX) {
      throw new IllegalArgumentException("A grid has 1 to " + NODES_MAX + " nodes, not " + nodes);
    }
    if (self < 0 || self >= nodes) {
      throw new IllegalArgumentException("There is no node " + self + " of " + nodes);
    }
    if (workers < 1 || sessions < 1 || sessions > SESSIONS_MAX) {
      throw new IllegalArgumentException(
          "A node has at least one worker, and a worker 1 to " + SESSIONS_MAX + " sessions");
    }
    if ((long) nodes * workers * sessions > 1L << SESSION_BITS) {
      throw new IllegalArgumentException(
          "A grid has at most "
              + (1 << SESSION_BITS)
              + " sessions, not "
              + (long) nodes * workers * sessions);
    }
    if (Integer.bitCount(pendingWrites) != 1 || pendingWrites <= sessions) {
      throw new IllegalArgumentException(
          "Pending writes must be a power of two above the "
              + sessions
              + " sessions, not "
              + pendingWrites);
    }
  }

  /** All nodes that there may be, as a mask. */
  int all() {
    return Quorum.all(nodes);
  }

  /** The number of a session among those of all nodes. */
  int globalSession(int node, int worker, int slot) {
    return (node * workers + worker) * sessions + slot;
  }

  /** How many sessions all nodes have. */
  int globalSessions() {
    return nodes * workers * sessions;
  }
}
