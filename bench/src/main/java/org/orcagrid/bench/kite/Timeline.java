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
package org.orcagrid.bench.kite;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * How much a node has done in each millisecond. The worker counts itself: a thread that looks from
 * outside would not get the processor in time on a busy machine.
 *
 * <p>Reset and read while the node's sessions are idle; they publish what the worker has counted.
 */
final class Timeline {
  private static final long SLOT_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private final int[] slots;
  private long originNanos;

  Timeline(int millis) {
    this.slots = new int[millis];
  }

  void reset(long nowNanos) {
    Arrays.fill(slots, 0);
    originNanos = nowNanos;
  }

  /** So much was done now; the worker's thread only. */
  void add(int made, long nowNanos) {
    long slot = (nowNanos - originNanos) / SLOT_NANOS;
    if (slot < slots.length) {
      slots[(int) slot] += made;
    }
  }

  /**
   * Returns what was done per second, bin by bin.
   *
   * @param fromNanos where the first bin begins, to the millisecond
   */
  List<Double> perSecond(long fromNanos, int binMs, int bins) {
    int from = (int) Math.max(0, (fromNanos - originNanos) / SLOT_NANOS);
    List<Double> rates = new ArrayList<>();
    for (int bin = 0; bin < bins; bin++) {
      long made = 0;
      for (int ms = 0; ms < binMs; ms++) {
        int slot = from + bin * binMs + ms;
        made += slot < slots.length ? slots[slot] : 0;
      }
      rates.add((double) made * TimeUnit.SECONDS.toMillis(1) / binMs);
    }
    return rates;
  }
}
