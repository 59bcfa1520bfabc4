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
package org.orcagrid.simulator;

/**
 * The monotonic clock of one node: starts anywhere and runs a little fast or slow, for ever by the
 * same share.
 */
public final class SimulatedClock {

  private final Simulation simulation;
  private final long offsetNanos;
  private final double rate;

  /**
   * A clock.
   *
   * @param offsetNanos what it shows when the run begins
   * @param rate how fast it runs; 1 is right, 1.01 gains 1 %
   */
  public SimulatedClock(Simulation simulation, long offsetNanos, double rate) {
    if (!(rate > 0)) {
      throw new IllegalArgumentException("rate=" + rate + " is not above 0");
    }
    this.simulation = simulation;
    this.offsetNanos = offsetNanos;
    this.rate = rate;
  }

  /** What the clock shows now. */
  public long nanos() {
    return offsetNanos + (long) (simulation.nowNanos() * rate);
  }

  /** Does {@code action} once the clock has gained {@code nanos}. */
  public void after(long nanos, Runnable action) {
    simulation.after((long) Math.ceil(nanos / rate), action);
  }
}
