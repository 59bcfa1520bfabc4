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
package org.orcagrid.bench.load;

import java.util.concurrent.locks.LockSupport;

/** Tells a client that keeps a rate when its next operation is due. */
final class Pacer {
  private final double intervalNanos;
  private final long firstNanos;
  private long sent;

  /**
   * Makes the pacer of one client.
   *
   * @param perSecond the client's own rate
   * @param firstNanos when its first operation is due
   */
  Pacer(double perSecond, long firstNanos) {
    this.intervalNanos = 1e9 / perSecond;
    this.firstNanos = firstNanos;
  }

  /** Returns when the next operation is due; each call is one operation further. */
  long nextDueNanos() {
    long due = firstNanos + Math.round(sent * intervalNanos);
    sent++;
    return due;
  }

  /** Waits until the time has come; returns at once if it is past. */
  static void awaitTime(long nanos) throws InterruptedException {
    for (long left = nanos - System.nanoTime(); left > 0; left = nanos - System.nanoTime()) {
      if (Thread.interrupted()) {
        throw new InterruptedException("Interrupted while waiting to send an operation.");
      }
      LockSupport.parkNanos(left);
    }
  }
}
