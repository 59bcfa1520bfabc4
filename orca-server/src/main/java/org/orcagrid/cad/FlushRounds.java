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
 * <p>A demand that a round under way covers joins it. A demand above it starts another one, up to
 * {@link #RUNNING_MAX}: with a slow disk it would otherwise wait for the rest of a force that does
 * not help it. Beyond that it waits for the first to end, and later entries are included.
 *
 * <p>Not thread-safe; the owner guards it.
 */
public final class FlushRounds {

  /** Returned where there is nothing to ask the servers for. */
  public static final long NONE = -1;

  /** How many rounds may be under way, as many as a server runs forces at once. */
  static final int RUNNING_MAX = FlushSchedule.RUNNING_MAX;

  /** Targets of the rounds under way, ascending. */
  private final long[] targets = new long[RUNNING_MAX];

  private int running;
  private long waiting = NONE;
  private long started;

  /** How many rounds have been started. */
  public long started() {
    return started;
  }

  /** The highest index that a round under way asks for, or {@link #NONE}. */
  public long target() {
    return running == 0 ? NONE : targets[running - 1];
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
    if (index <= durable || index <= target()) {
      return NONE;
    }
    endUpTo(durable);
    if (running == RUNNING_MAX) {
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
    endUpTo(durable);
    if (waiting <= durable) {
      waiting = NONE;
      return NONE;
    }
    return running == RUNNING_MAX ? NONE : start(Math.max(waiting, last));
  }

  private void endUpTo(long durable) {
    int ended = 0;
    while (ended < running && targets[ended] <= durable) {
      ended++;
    }
    running -= ended;
    System.arraycopy(targets, ended, targets, 0, running);
  }

  private long start(long target) {
    targets[running++] = target;
    waiting = NONE;
    started++;
    return target;
  }
}
