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
package org.orcagrid.server.gate;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * How far replies of one server may show the state: up to what is durable, and up to what every
 * server that may answer reads has applied; and on a leader, only for as long as its lease says
 * that it is the leader.
 *
 * <p>Safe for use by many threads. Neither the two indexes nor the lease go back while the gate
 * lives; a server gets a new gate with each role that it takes.
 */
public final class ReplyGate {

  /** Where the gate asks for an index that a reply waits for. */
  @FunctionalInterface
  public interface Demand {

    /**
     * Both indexes are wanted soon; asked for again whenever a reply needs more than before.
     *
     * @param durable the index that should become durable, 0 for none
     * @param applied the index that the readers should have applied, 0 for none
     */
    void demand(long durable, long applied);
  }

  private final Set<HeldReplies> waiting = ConcurrentHashMap.newKeySet();
  private final Demand demand;
  private volatile long durable;
  private volatile long applied;
  private volatile long leaseEnd;

  /** A gate that is open up to the two indexes, with a lease that has not begun. */
  public ReplyGate(long durable, long applied, Demand demand) {
    this.durable = durable;
    this.applied = applied;
    this.demand = demand;
  }

  /** The index up to which the state is durable on a quorum. */
  public long durable() {
    return durable;
  }

  /** The index that every server which may answer reads is known to have applied. */
  public long applied() {
    return applied;
  }

  /**
   * When the leader's own lease ends; on a learner, the number of the last answer which its leader
   * had withheld and then confirmed.
   */
  public long leaseEnd() {
    return leaseEnd;
  }

  /**
   * The index up to which no reply has to wait for anything: durable, and applied by all readers. A
   * log can be durable before it is applied.
   */
  public long settled() {
    return Math.min(durable, applied);
  }

  /** Whether a reply with these needs may leave now. */
  boolean permits(long needsDurable, long needsApplied, long needsLeaseEnd) {
    return needsDurable <= durable && needsApplied <= applied && needsLeaseEnd <= leaseEnd;
  }

  /** Opens the gate further and sends the replies that may leave. */
  public void advance(long newDurable, long newApplied) {
    synchronized (this) {
      boolean moved = false;
      if (newDurable > durable) {
        durable = newDurable;
        moved = true;
      }
      if (newApplied > applied) {
        applied = newApplied;
        moved = true;
      }
      if (!moved) {
        return;
      }
    }
    release();
  }

  /**
   * The leader's lease ends later than before, or a learner's leader confirms more than before;
   * sends the replies that may leave.
   */
  public void extendLease(long newLeaseEnd) {
    synchronized (this) {
      if (newLeaseEnd <= leaseEnd) {
        return;
      }
      leaseEnd = newLeaseEnd;
    }
    release();
  }

  private void release() {
    for (HeldReplies replies : waiting) {
      replies.release();
    }
  }

  /** A connection holds replies; the gate will call its {@link HeldReplies#release}. */
  void await(HeldReplies replies, long needsDurable, long needsApplied) {
    waiting.add(replies);
    demand.demand(
        needsDurable > durable ? needsDurable : 0, needsApplied > applied ? needsApplied : 0);
  }

  void forget(HeldReplies replies) {
    waiting.remove(replies);
  }

  /** How many replies are held, over all connections. */
  public int held() {
    int held = 0;
    for (HeldReplies replies : waiting) {
      held += replies.size();
    }
    return held;
  }
}
