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
package org.orcagrid.geo.world;

import org.orcagrid.geo.partition.Moment;
import org.orcagrid.simulator.SimulatedClock;
import org.orcagrid.simulator.Simulation;

/**
 * A node's clocks. The wall clock is wrong by some time, and may jump. What it has shown is written
 * down now and then, and kept over a crash.
 */
final class WorldClock {
  private static final long MILLI = 1_000_000;
  private static final long EPOCH_MILLIS = 1_000_000;
  private static final long MARK_NANOS = 100 * MILLI;
  private static final long MARK_TAKES_NANOS = 5 * MILLI;

  private final Simulation simulation;
  private final SimulatedClock nanos;
  private long skewMillis;
  private long shownMillis;
  private long pastMillis;

  WorldClock(Simulation simulation, long skewMillis) {
    this.simulation = simulation;
    this.skewMillis = skewMillis;
    this.nanos =
        new SimulatedClock(
            simulation, simulation.between(0, 1L << 40), 0.98 + simulation.between(0, 4) / 100.0);
    mark();
  }

  /** The true time. */
  static long trueMillis(Simulation simulation) {
    return EPOCH_MILLIS + simulation.nowNanos() / MILLI;
  }

  private void mark() {
    long shown = wallMillis();
    simulation.after(MARK_TAKES_NANOS, () -> pastMillis = Math.max(pastMillis, shown));
    simulation.after(MARK_NANOS, this::mark);
  }

  private long wallMillis() {
    shownMillis = Math.max(shownMillis, trueMillis(simulation) + skewMillis);
    return shownMillis;
  }

  void jump(long bySkewMillis) {
    skewMillis = bySkewMillis;
  }

  long skewMillis() {
    return skewMillis;
  }

  /** The process has ended: the next one knows only what was written down. */
  void crash() {
    shownMillis = pastMillis;
  }

  Moment now() {
    return new Moment(nanos.nanos(), wallMillis(), pastMillis);
  }

  void after(long inNanos, Runnable action) {
    nanos.after(inNanos, action);
  }
}
