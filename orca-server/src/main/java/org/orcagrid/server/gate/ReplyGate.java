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
 * How far replies of one server may show the state: up to what is durable, and for a server that
 * reads through its leader up to what the leader has applied.
 *
 * <p>Safe for use by many threads. The two indexes never go back while the gate lives; a server
 * gets a new gate with each role that it takes.
 */
public final class ReplyGate {

  /** Where the gate asks for an index that a reply waits for. */
  @FunctionalInterface
  public interface Demand {

    /**
     * Both indexes are wanted soon; asked for again whenever a reply needs more than before.
     *
     * @param durable the index that should become durable, 0 for none
     * @param applied the index that the leader should have applied, 0 for none
     */
    void demand(long durable, long applied);
  }

  private final Set<HeldReplies> waiting = ConcurrentHashMap.newKeySet();
  private final Demand demand;
  private volatile long durable;
  private volatile long applied;

  /** A gate that is open up to the two indexes. */
  public ReplyGate(long durable, long applied, Demand demand) {
    this.durable = durable;
    this.applied = applied;
    this.demand = demand;
  }

  /** The index up to which the state is durable on a quorum. */
  public long durable() {
    return durable;
  }

  /** The index that the leader is known to have applied. */
  public long applied() {
    return applied;
  }

  /**
   * The index up to which no reply has to wait for anything: durable, and applied by the leader. A
   * learner's log can be durable before its leader has applied it.
   */
  public long settled() {
    return Math.min(durable, applied);
  }

  /** Whether a reply with these needs may leave now. */
  boolean permits(long needsDurable, long needsApplied) {
    return needsDurable <= durable && needsApplied <= applied;
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
