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

import java.util.concurrent.atomic.LongAdder;
import org.orcagrid.bench.stats.LatencyHistograms;
import org.orcagrid.bench.workload.OperationKind;

/**
 * What one client has seen. Written by one thread: the client's own in closed loop, its session's
 * event thread otherwise; read after that thread has ended, except the shared operation count.
 */
final class ClientTally {
  private static final int MAX_CONSECUTIVE_ERRORS = 1_000;

  private final MeasuredInterval interval;
  private final LongAdder completed;
  private final LatencyHistograms latencies = new LatencyHistograms();
  private long missing;
  private long errors;
  private int consecutiveErrors;
  private String firstError = "";
  private volatile boolean broken;

  /**
   * Makes an empty tally.
   *
   * @param interval which operations count
   * @param completed counts every answered request of all clients, for the progress display
   */
  ClientTally(MeasuredInterval interval, LongAdder completed) {
    this.interval = interval;
    this.completed = completed;
  }

  /** An operation was answered; the record may have been absent. */
  void answered(OperationKind kind, long startNanos, long endNanos, boolean found) {
    consecutiveErrors = 0;
    if (kind != OperationKind.READ_MODIFY_WRITE) {
      completed.increment();
    }
    if (interval.holds(endNanos)) {
      latencies.record(kind, endNanos - startNanos);
      if (!found) {
        missing++;
      }
    }
  }

  /** An operation failed. */
  void failed(OperationKind kind, Exception error) {
    errors++;
    if (firstError.isEmpty()) {
      firstError = kind.label() + ": " + error;
    }
    consecutiveErrors++;
    if (consecutiveErrors >= MAX_CONSECUTIVE_ERRORS) {
      broken = true;
    }
  }

  /** Returns whether so many operations failed in a row that going on makes no sense. */
  boolean isBroken() {
    return broken;
  }

  LatencyHistograms latencies() {
    return latencies;
  }

  long missing() {
    return missing;
  }

  long errors() {
    return errors;
  }

  String firstError() {
    return firstError;
  }
}
