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
 * <p>A demand that a round under way covers joins it. With a slow disk a demand above it starts
 * another one, up to {@link #RUNNING_MAX}: it would otherwise wait for the rest of a force that
 * does not help it. Where rounds are short that costs more processor time than it saves. Then, and
 * beyond the maximum, the demand waits for a round to end, and later entries are included.
 *
 * <p>Not thread-safe; the owner guards it. Times are nanoseconds of any monotonic clock.
 */
public final class FlushRounds {

  /** Returned where there is nothing to ask the servers for. */
  public static final long NONE = -1;

  /** How many rounds may be under way, as many as a server runs forces at once. */
  static final int RUNNING_MAX = FlushSchedule.RUNNING_MAX;

  /** A round that takes less is short. */
  static final long SHORT_NANOS = 1_500_000;

  /** How much of the mean a new round makes up. */
  private static final double WEIGHT = 0.125;

  /** Targets of the rounds under way, ascending, and when they were started. */
  private final long[] targets = new long[RUNNING_MAX];

  private final long[] startNanos = new long[RUNNING_MAX];
  private int running;

  /**
   * How long rounds took lately. Not the last one alone: one that a background flush covered ends
   * soon on a slow disk, too.
   */
  private double meanNanos;

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
   * @param nowNanos the time
   * @return the index to ask all servers to flush up to, or {@link #NONE}
   */
  public long onDemand(long index, long durable, long last, long nowNanos) {
    if (index <= durable || index <= target()) {
      return NONE;
    }
    endUpTo(durable, nowNanos);
    if (mustWait(nowNanos)) {
      waiting = Math.max(waiting, index);
      return NONE;
    }
    return start(Math.max(index, last), nowNanos);
  }

  private boolean mustWait(long nowNanos) {
    boolean areShort =
        running > 0 && meanNanos < SHORT_NANOS && nowNanos - startNanos[running - 1] < SHORT_NANOS;
    return areShort || running == RUNNING_MAX;
  }

  /**
   * The durable-index has moved, or time has passed.
   *
   * @return the index of the next round to ask for, or {@link #NONE}
   */
  public long onDurable(long durable, long last, long nowNanos) {
    endUpTo(durable, nowNanos);
    if (waiting <= durable) {
      waiting = NONE;
      return NONE;
    }
    return mustWait(nowNanos) ? NONE : start(Math.max(waiting, last), nowNanos);
  }

  private void endUpTo(long durable, long nowNanos) {
    int ended = 0;
    while (ended < running && targets[ended] <= durable) {
      meanNanos += WEIGHT * (nowNanos - startNanos[ended] - meanNanos);
      ended++;
    }
    running -= ended;
    System.arraycopy(targets, ended, targets, 0, running);
    System.arraycopy(startNanos, ended, startNanos, 0, running);
  }

  private long start(long upTo, long nowNanos) {
    // Who waits was counted with a log that may be longer than the caller knows.
    long target = Math.max(upTo, waiting);
    targets[running] = target;
    startNanos[running] = nowNanos;
    running++;
    waiting = NONE;
    started++;
    return target;
  }
}
