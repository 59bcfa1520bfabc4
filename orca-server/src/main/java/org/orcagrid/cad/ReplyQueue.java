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

import java.util.ArrayDeque;

/**
 * The replies of one connection that may not leave yet, in the order in which they were produced.
 *
 * <p>A reply leaves when the state that it shows is durable, when every server that may answer
 * reads has applied it, and, on a leader whose lease had run out, when the lease covers the time at
 * which the reply was made. Order is kept: a reply that needs nothing waits behind one that does,
 * as the client expects its answers in the order of its requests, and a watch event before the
 * reply that shows what it announced.
 *
 * <p>Not thread-safe; the owner guards it.
 *
 * @param <R> what is held
 */
public final class ReplyQueue<R> {

  private final ArrayDeque<Held<R>> held = new ArrayDeque<>();

  /**
   * A reply and what it waits for.
   *
   * @param reply the reply
   * @param durable the index that must be durable, 0 for none
   * @param applied the index that the readers must have applied, 0 for none
   * @param leaseEnd when the lease must end at the earliest, 0 for no lease
   * @param sinceNanos when it was held
   */
  public record Held<R>(R reply, long durable, long applied, long leaseEnd, long sinceNanos) {}

  /** Whether nothing is held. */
  public boolean isEmpty() {
    return held.isEmpty();
  }

  /** How many replies are held. */
  public int size() {
    return held.size();
  }

  /** Adds a reply behind those that wait. */
  public void hold(R reply, long durable, long applied, long leaseEnd, long nowNanos) {
    held.addLast(new Held<>(reply, durable, applied, leaseEnd, nowNanos));
  }

  /**
   * Takes the first reply if it may leave.
   *
   * @param durable the durable-index
   * @param applied the index that the readers have applied
   * @param leaseEnd when the leader's lease ends
   * @return the reply, or null if the first one still waits or there is none
   */
  public Held<R> pollReady(long durable, long applied, long leaseEnd) {
    Held<R> first = held.peekFirst();
    if (first == null
        || first.durable > durable
        || first.applied > applied
        || first.leaseEnd > leaseEnd) {
      return null;
    }
    return held.pollFirst();
  }

  /** Drops everything, for a connection that is closed. */
  public void clear() {
    held.clear();
  }
}
