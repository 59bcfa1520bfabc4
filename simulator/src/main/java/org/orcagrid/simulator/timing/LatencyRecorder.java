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
package org.orcagrid.simulator.timing;

import java.util.Arrays;

/** Collects how long requests took, each as it was. */
final class LatencyRecorder {
  private static final int FIRST_CAPACITY = 1024;
  private static final double TAIL = 0.95;

  private long[] nanos = new long[FIRST_CAPACITY];
  private int count;
  private long sum;

  void add(long took) {
    if (count == nanos.length) {
      nanos = Arrays.copyOf(nanos, 2 * count);
    }
    nanos[count++] = took;
    sum += took;
  }

  TimingResult.Latency summary() {
    if (count == 0) {
      return TimingResult.Latency.NONE;
    }
    long[] sorted = Arrays.copyOf(nanos, count);
    Arrays.sort(sorted);
    int tail = (int) Math.ceil(count * TAIL) - 1;
    return new TimingResult.Latency(count, (double) sum / count, sorted[tail]);
  }
}
