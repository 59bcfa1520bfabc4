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

import org.orcagrid.ddp.Invariant;

/**
 * Decides when one server forces its log to disk: in the background at an interval, and at once
 * when a read or a leader demands it (sections 4.3.1 and 4.3.4).
 *
 * <p>A flush always takes everything that has been appended by the time it starts, so that later
 * entries are included (the optimisation at the end of section 4.3.4). A demand for what a running
 * flush does not cover starts another beside it, up to {@link #RUNNING_MAX}: a read would otherwise
 * wait for the rest of a force that does not help it.
 *
 * <p>The background flush comes sooner on a slow disk. A force costs the processor the same however
 * long the disk takes, and what it saves is a reader's wait for the disk; so the interval shrinks
 * by {@link #FORCES_PER_INTERVAL} times the duration of the last force, until one force follows the
 * other.
 *
 * <p>Invariant: persisted &lt;= covered &lt;= appended. A demand for an index that has not been
 * appended yet waits for it: the entry is still in a queue before the log.
 *
 * <p>Not thread-safe; the owner guards it. Times are nanoseconds of any monotonic clock.
 */
public final class FlushSchedule {

  /** How many flushes may run at once. */
  public static final int RUNNING_MAX = 3;

  /** A disk that needs a third of the interval or more for a force is kept busy. */
  static final int FORCES_PER_INTERVAL = 3;

  private static final long NO_DEMAND = 0;

  private final long intervalNanos;
  private long appended;
  private long persisted;

  /** What the flushes that run will have put on disk. */
  private long covered;

  private long demandedFirst = NO_DEMAND;
  private long demandedLast = NO_DEMAND;
  private long lastStartNanos;
  private long lastDurationNanos;
  private int running;

  /**
   * A schedule for a log that is wholly on disk.
   *
   * @param intervalNanos longest time that an appended entry waits for the background flush to
   *     start
   * @param persisted the index up to which the log is on disk
   * @param nowNanos the time now
   */
  public FlushSchedule(long intervalNanos, long persisted, long nowNanos) {
    this.intervalNanos = intervalNanos;
    this.appended = persisted;
    this.persisted = persisted;
    this.covered = persisted;
    this.lastStartNanos = nowNanos;
  }

  /** The index up to which the log is on disk: this server's persisted-index. */
  public long persisted() {
    return persisted;
  }

  /** The index of the last entry that was appended to the log. */
  public long appended() {
    return appended;
  }

  /** Whether nothing has been appended since the last flush started. */
  public boolean isClean() {
    return appended == covered;
  }

  /** Notes that the entries up to {@code index} are in the log, though not yet forced. */
  public void onAppended(long index) {
    appended = Math.max(appended, index);
  }

  /** Asks for everything up to {@code index} to be forced as soon as it is in the log. */
  public void onDemand(long index) {
    if (index <= covered) {
      return;
    }
    demandedFirst = demandedFirst == NO_DEMAND ? index : Math.min(demandedFirst, index);
    demandedLast = Math.max(demandedLast, index);
  }

  /** Whether a flush is to start now. */
  public boolean isDue(long nowNanos) {
    return nanosUntilDue(nowNanos) == 0;
  }

  /**
   * How long until the next flush is due if nothing else happens: 0 for now, {@link Long#MAX_VALUE}
   * for not before the next event.
   */
  public long nanosUntilDue(long nowNanos) {
    if (isClean() || running == RUNNING_MAX) {
      return Long.MAX_VALUE;
    }
    if (demandedFirst != NO_DEMAND && appended >= demandedFirst) {
      return 0;
    }
    if (running > 0) {
      return Long.MAX_VALUE;
    }
    long interval = Math.max(0, intervalNanos - FORCES_PER_INTERVAL * lastDurationNanos);
    return Math.max(0, interval - (nowNanos - lastStartNanos));
  }

  /** Notes that a flush has started, of everything that is appended. */
  public void onFlushStarted(long nowNanos) {
    running++;
    lastStartNanos = nowNanos;
    cover(appended);
  }

  /**
   * Notes that a flush has ended and that everything up to {@code index} is on disk.
   *
   * @param index the last entry that was in the log when the flush started
   * @param durationNanos how long it took
   */
  public void onFlushed(long index, long durationNanos) {
    running--;
    lastDurationNanos = durationNanos;
    persisted = Math.max(persisted, index);
    appended = Math.max(appended, persisted);
    cover(persisted);
    Invariant.check(
        running >= 0 && persisted <= covered && covered <= appended,
        "0 <= running and persisted <= covered <= appended",
        "covered",
        covered,
        "appended",
        appended);
  }

  private void cover(long index) {
    covered = Math.max(covered, index);
    if (demandedLast <= covered) {
      demandedFirst = NO_DEMAND;
      demandedLast = NO_DEMAND;
    } else if (demandedFirst <= covered) {
      // What lies between was demanded by somebody too, or lets the rest wait no longer.
      demandedFirst = demandedLast;
    }
  }
}
