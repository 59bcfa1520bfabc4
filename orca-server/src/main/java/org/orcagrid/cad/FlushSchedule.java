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
 * Decides when one server forces its log to disk: in the background at an interval, and at once
 * when a read or a leader demands it (sections 4.3.1 and 4.3.4).
 *
 * <p>A flush always takes everything that has been appended by the time it starts, so that later
 * entries are included (the optimisation at the end of section 4.3.4) and demands that arrive while
 * it runs share the next one.
 *
 * <p>Invariant: persisted &lt;= appended. A demand for an index that has not been appended yet
 * waits for it: the entry is still in a queue before the log.
 *
 * <p>Not thread-safe; the owner guards it. Times are nanoseconds of any monotonic clock.
 */
public final class FlushSchedule {

  private final long intervalNanos;
  private long appended;
  private long persisted;
  private long demandedFirst;
  private long demandedLast;
  private long lastStartNanos;
  private boolean running;

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

  /** Notes that the entries up to {@code index} are in the log, though not yet forced. */
  public void onAppended(long index) {
    appended = Math.max(appended, index);
  }

  /** Asks for everything up to {@code index} to be forced as soon as it is in the log. */
  public void onDemand(long index) {
    if (index <= persisted) {
      return;
    }
    demandedFirst = demandedFirst <= persisted ? index : Math.min(demandedFirst, index);
    demandedLast = Math.max(demandedLast, index);
  }

  /** Whether a flush is to start now. Never true while one runs. */
  public boolean isDue(long nowNanos) {
    return nanosUntilDue(nowNanos) == 0;
  }

  /**
   * How long until the next flush is due if nothing else happens: 0 for now, {@link Long#MAX_VALUE}
   * for not before the next event.
   */
  public long nanosUntilDue(long nowNanos) {
    if (running || appended == persisted) {
      return Long.MAX_VALUE;
    }
    if (demandedFirst > persisted && appended >= demandedFirst) {
      return 0;
    }
    return Math.max(0, intervalNanos - (nowNanos - lastStartNanos));
  }

  /** Notes that a flush has started. */
  public void onFlushStarted(long nowNanos) {
    running = true;
    lastStartNanos = nowNanos;
  }

  /**
   * Notes that the flush has ended and that everything up to {@code index} is on disk.
   *
   * @param index the last entry that was in the log when the flush started
   */
  public void onFlushed(long index) {
    running = false;
    persisted = Math.max(persisted, index);
    appended = Math.max(appended, persisted);
    if (demandedFirst <= persisted) {
      // What lies between was demanded by somebody too, or lets the rest wait no longer.
      demandedFirst = demandedLast;
    }
    Invariant.check(
        persisted <= appended,
        "persisted <= appended",
        "persisted",
        persisted,
        "appended",
        appended);
  }
}
