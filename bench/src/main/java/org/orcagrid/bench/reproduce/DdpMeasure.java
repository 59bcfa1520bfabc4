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
package org.orcagrid.bench.reproduce;

import java.util.function.ToDoubleFunction;
import org.orcagrid.simulator.timing.TimingResult;

/** What Figure 6 of the DDP paper shows, plot by plot. */
enum DdpMeasure {
  THROUGHPUT("(a) Throughput"),
  READ_MEAN("(b) Mean read latency"),
  WRITE_MEAN("(c) Mean write latency"),
  ACCESS_MEAN("(d) Mean access latency"),
  READ_TAIL("(e) 95th percentile read latency"),
  WRITE_TAIL("(f) 95th percentile write latency");

  private final String title;

  DdpMeasure(String title) {
    this.title = title;
  }

  String title() {
    return title;
  }

  ToDoubleFunction<TimingResult> of() {
    return switch (this) {
      case THROUGHPUT -> TimingResult::perSecond;
      case READ_MEAN -> result -> result.reads().meanNanos();
      case WRITE_MEAN -> result -> result.writes().meanNanos();
      case ACCESS_MEAN -> TimingResult::meanNanos;
      case READ_TAIL -> result -> result.reads().tailNanos();
      case WRITE_TAIL -> result -> result.writes().tailNanos();
    };
  }
}
