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
package org.orcagrid.ddp.transfer;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Bounds what a node tells others that catch up, over all of its maps and keys: a token bucket in
 * virtual time. Each page moves on the moment at which all that was told is paid for, and no page
 * is told before that moment. What was not told for a while may be told later, but only as much as
 * the burst.
 *
 * <p>So in any {@code t} no more is told than the rate times {@code t} plus the burst, and a page.
 * Safe for use by many threads, of which each may be a page ahead.
 */
public final class Budget {
  /** A rate that leaves a 1 Gbit/s link half to others: 64 MB/s. */
  public static final long DEFAULT_BYTES_PER_SECOND = 64L << 20;

  /** Whatever is asked for is told at once. */
  public static final Budget UNBOUNDED = of(0);

  /** No worker sleeps longer than that. */
  private static final long BURST_NANOS = 20_000_000;

  private static final double SECOND_NANOS = 1e9;
  private static final long NOTHING_TOLD = Long.MIN_VALUE;

  private final long bytesPerSecond;
  private final long burstNanos;

  /** When all that was told is paid for. */
  private final AtomicLong paidNanos = new AtomicLong(NOTHING_TOLD);

  /**
   * A budget of which nothing was used.
   *
   * @param bytesPerSecond 0 for no bound
   * @param burstNanos the longest time without a page that is made up for
   */
  public Budget(long bytesPerSecond, long burstNanos) {
    if (bytesPerSecond < 0 || burstNanos < 0) {
      throw new IllegalArgumentException(
          "Bytes a second and burst are at least 0, not " + bytesPerSecond + " and " + burstNanos);
    }
    this.bytesPerSecond = bytesPerSecond;
    this.burstNanos = burstNanos;
  }

  /** A budget with the usual burst; 0 for no bound. */
  public static Budget of(long bytesPerSecond) {
    return new Budget(bytesPerSecond, BURST_NANOS);
  }

  /** Whether a page may be told now. */
  public boolean allows(long nowNanos) {
    long paid = paidNanos.get();
    return bytesPerSecond == 0 || paid == NOTHING_TOLD || paid - nowNanos <= 0;
  }

  /** How long it is until a page may be told, if no other is; 0 if one may be told now. */
  public long nanosToAllow(long nowNanos) {
    return allows(nowNanos) ? 0 : Math.max(0, paidNanos.get() - nowNanos);
  }

  /** A page of so many bytes is told now. */
  public void take(long bytes, long nowNanos) {
    if (bytesPerSecond > 0) {
      long cost = (long) (bytes * SECOND_NANOS / bytesPerSecond);
      paidNanos.accumulateAndGet(cost, (paid, more) -> from(paid, nowNanos) + more);
    }
  }

  private long from(long paid, long nowNanos) {
    long first = nowNanos - burstNanos;
    return paid == NOTHING_TOLD || paid - first < 0 ? first : paid;
  }
}
