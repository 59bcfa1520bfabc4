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
package org.orcagrid.bench.myria;

import java.util.PriorityQueue;
import org.orcagrid.simulator.Simulation;

/** A database's processors: calls wait until one is free, in their order. */
final class Station {
  private final Simulation simulation;
  private final PriorityQueue<Long> free = new PriorityQueue<>();

  Station(Simulation simulation, int workers) {
    this.simulation = simulation;
    for (int i = 0; i < workers; i++) {
      free.add(0L);
    }
  }

  /** Does something after the processor was busy for as long; that varies exponentially. */
  void serve(long meanMicros, Runnable done) {
    double factor = -Math.log(1 - simulation.random().nextDouble());
    long begin = Math.max(free.remove(), simulation.nowNanos());
    long end = begin + (long) (meanMicros * 1_000 * factor);
    free.add(end);
    simulation.after(end - simulation.nowNanos(), done);
  }
}
