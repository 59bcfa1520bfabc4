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

/**
 * The leader's side of making data durable (section 4.3.4): which index it asks all servers to
 * flush, so that reads that wait together share one flush.
 *
 * <p>At most one round is under way. A demand that the round covers joins it; a demand above it
 * waits and starts the next round when this one has ended, at the then last index, later entries
 * included.
 *
 * <p>Not thread-safe; the owner guards it.
 */
public final class FlushRounds {

  /** Returned where there is nothing to ask the servers for. */
  public static final long NONE = -1;

  private long roundTarget = NONE;
  private long waiting = NONE;
  private long started;

  /** How many rounds have been started. */
  public long started() {
    return started;
  }

  /** The index that the round under way asks for, or {@link #NONE}. */
  public long target() {
    return roundTarget;
  }

  /**
   * A read (or a request for immediate durability) needs {@code index} to be durable.
   *
   * @param index what has to become durable, above {@code durable}
   * @param durable the durable-index now
   * @param last the index of the last entry of the log
   * @return the index to ask all servers to flush up to, or {@link #NONE}
   */
  public long onDemand(long index, long durable, long last) {
    if (index <= durable || index <= roundTarget) {
      return NONE;
    }
    if (roundTarget > durable) {
      waiting = Math.max(waiting, index);
      return NONE;
    }
    return start(Math.max(index, last));
  }

  /**
   * The durable-index has moved.
   *
   * @return the index of the next round to ask for, or {@link #NONE}
   */
  public long onDurable(long durable, long last) {
    if (roundTarget > durable) {
      return NONE;
    }
    roundTarget = NONE;
    if (waiting <= durable) {
      waiting = NONE;
      return NONE;
    }
    return start(Math.max(waiting, last));
  }

  private long start(long target) {
    roundTarget = target;
    waiting = NONE;
    started++;
    return target;
  }
}
