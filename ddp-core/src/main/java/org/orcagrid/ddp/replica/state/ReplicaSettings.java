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
package org.orcagrid.ddp.replica.state;

import org.orcagrid.ddp.model.Ddp;

/**
 * What a replica knows from the beginning. All nodes have the same but for {@code self}.
 *
 * @param nodes how many there are
 * @param self this one
 * @param model when writes become visible and durable
 * @param conflicts what a transaction does that meets another one
 * @param times the time-outs
 * @param backlogMax messages that wait for one node, and updates that not all nodes have, at most:
 *     writes wait then
 * @param limits how large messages and records become
 */
public record ReplicaSettings(
    int nodes,
    int self,
    Ddp model,
    Conflicts conflicts,
    Times times,
    int backlogMax,
    Limits limits) {

  /** What a transaction does that needs what another one has. */
  public enum Conflicts {
    /** It is aborted. */
    ABORT,
    /** It waits if it is the older one, or else is aborted: so that none waits in a circle. */
    WAIT
  }

  /**
   * The time-outs.
   *
   * @param resendNanos when what was not acknowledged is sent again
   * @param progressNanos how often a node says what it shows, where others have to know
   */
  public record Times(long resendNanos, long progressNanos) {}

  /**
   * How large messages and records become.
   *
   * @param pageBytes keys and values in a message that tells another node what this one has, and in
   *     a packet; more only if that is one version
   * @param batchBytesMax keys and values of a write, and of all writes of a transaction or scope
   *     together: they are in one message and one record
   * @param entriesPerTick how many entries a checkpoint writes at once; the next ones when those
   *     are durable and time has passed
   */
  public record Limits(int pageBytes, int batchBytesMax, int entriesPerTick) {
    /** A record of a medium has at most 1 MB. */
    public static final Limits DEFAULT = new Limits(64 << 10, 512 << 10, 1000);

    /** Refuses what cannot work. */
    public Limits {
      if (pageBytes < 1 || batchBytesMax < 1 || entriesPerTick < 1) {
        throw new IllegalArgumentException(
            "pageBytes, batchBytesMax and entriesPerTick are at least 1, not "
                + pageBytes
                + ", "
                + batchBytesMax
                + " and "
                + entriesPerTick);
      }
    }
  }

  /** With the usual limits. */
  public ReplicaSettings(
      int nodes, int self, Ddp model, Conflicts conflicts, Times times, int backlogMax) {
    this(nodes, self, model, conflicts, times, backlogMax, Limits.DEFAULT);
  }

  /** Refuses what cannot work. */
  public ReplicaSettings {
    if (nodes < 1 || nodes > Writer.NODES_MAX || self < 0 || self >= nodes) {
      throw new IllegalArgumentException(
          "There are 1 to "
              + Writer.NODES_MAX
              + " nodes, of which one is "
              + self
              + ", not "
              + nodes);
    }
    if (backlogMax < 1) {
      throw new IllegalArgumentException("backlogMax is at least 1, not " + backlogMax);
    }
  }
}
