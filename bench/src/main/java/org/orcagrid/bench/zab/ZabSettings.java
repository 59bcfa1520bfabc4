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
package org.orcagrid.bench.zab;

/**
 * What a node knows. All nodes must have the same numbers. A node has one worker: with several, the
 * order of all writes would have to be kept across them.
 *
 * @param nodes replica nodes
 * @param self this node, counted from 0; node {@link #LEADER} leads
 * @param sessions sessions of each node
 * @param resendNanos when a message without an answer is sent again
 */
public record ZabSettings(int nodes, int self, int sessions, long resendNanos) {
  /** The node that leads, for ever. */
  public static final int LEADER = 0;

  private static final int NODES_MAX = 9;
  private static final int SESSIONS_MAX = 1 << 14;

  /** Refuses settings that cannot work. */
  public ZabSettings {
    if (nodes < 1 || nodes > NODES_MAX || self < 0 || self >= nodes) {
      throw new IllegalArgumentException(
          "There are 1 to " + NODES_MAX + " nodes, counted from 0; not " + self + " of " + nodes);
    }
    if (sessions < 1 || sessions > SESSIONS_MAX) {
      throw new IllegalArgumentException(
          "A node has 1 to " + SESSIONS_MAX + " sessions, not " + sessions);
    }
    if (resendNanos <= 0) {
      throw new IllegalArgumentException(
          "The time to send again must be positive, not " + resendNanos + " ns");
    }
  }

  boolean isLeader() {
    return self == LEADER;
  }

  int majority() {
    return nodes / 2 + 1;
  }

  /**
   * How many writes a node remembers: all that can be under way at once, as a session has one, and
   * as many again for a node that is behind. A power of two.
   */
  int window() {
    return Integer.highestOneBit(2 * nodes * sessions) * 2;
  }

  /** How many writes of this node can be under way, rounded up to a power of two. */
  int ownWindow() {
    return Integer.highestOneBit(sessions) * 2;
  }
}
