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
package org.orcagrid.cad;

import java.util.Arrays;

/**
 * The highest index that a quorum of servers has reported, such as the durable-index (section
 * 4.3.3: "the index up to which at least a majority of nodes have persisted").
 *
 * <p>Each server reports a single index, its persisted-index; the leader keeps the last report of
 * each. Used twice: once for what is persisted (the durable-index) and once for what is replicated
 * in memory (the bound of the unreplicated window).
 *
 * <p>Invariants:
 *
 * <ol>
 *   <li>the value never goes back: what was once durable on a quorum stays so in this epoch;
 *   <li>the value is never above what a quorum reported.
 * </ol>
 *
 * <p>Not thread-safe; the owner guards it. A report allocates nothing.
 */
public final class QuorumIndex {

  private long[] serverIds = new long[8];
  private long[] reported = new long[8];
  private long[] reachedIds = new long[8];
  private int count;
  private long value;

  /**
   * Starts at what is known to be on a quorum already.
   *
   * @param start the index that the quorum which formed this epoch has agreed on
   */
  public QuorumIndex(long start) {
    this.value = start;
  }

  /** The highest index that a quorum has reported. */
  public long value() {
    return value;
  }

  /** The last index that {@code serverId} reported, or -1 if it has not reported yet. */
  public long reportedBy(long serverId) {
    int slot = slotOf(serverId);
    return slot < 0 ? -1 : reported[slot];
  }

  /**
   * Takes one server's report. A report below an earlier one of the same server is stale (it was
   * overtaken on its way) and changes nothing.
   *
   * @return whether {@link #value()} has advanced
   */
  public boolean onReport(long serverId, long index, QuorumRule rule) {
    int slot = slotOf(serverId);
    if (slot < 0) {
      slot = addServer(serverId);
    }
    if (index <= reported[slot]) {
      return false;
    }
    reported[slot] = index;
    return index > value && advance(rule);
  }

  /**
   * Looks again after the configuration has changed, with the reports that are known.
   *
   * @return whether {@link #value()} has advanced
   */
  public boolean onConfigurationChange(QuorumRule rule) {
    return advance(rule);
  }

  private boolean advance(QuorumRule rule) {
    long best = value;
    for (int candidate = 0; candidate < count; candidate++) {
      long index = reported[candidate];
      if (index > best && isReached(index, rule)) {
        best = index;
      }
    }
    if (best == value) {
      return false;
    }
    value = best;
    return true;
  }

  /** Whether a quorum by {@code rule} has reported {@code index} or a later one. */
  public boolean isReached(long index, QuorumRule rule) {
    int reached = 0;
    for (int slot = 0; slot < count; slot++) {
      if (reported[slot] >= index) {
        reachedIds[reached++] = serverIds[slot];
      }
    }
    return rule.isQuorum(reachedIds, reached);
  }

  private int slotOf(long serverId) {
    for (int slot = 0; slot < count; slot++) {
      if (serverIds[slot] == serverId) {
        return slot;
      }
    }
    return -1;
  }

  private int addServer(long serverId) {
    if (count == serverIds.length) {
      serverIds = Arrays.copyOf(serverIds, count * 2);
      reported = Arrays.copyOf(reported, count * 2);
      reachedIds = new long[count * 2];
    }
    serverIds[count] = serverId;
    reported[count] = -1;
    return count++;
  }
}
