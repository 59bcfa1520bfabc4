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
package org.orcagrid.mixed.run;

import java.util.concurrent.atomic.LongAdder;

/** Counts what a client's transactions did. */
final class Counts {
  final LongAdder committed = new LongAdder();
  final LongAdder pending = new LongAdder();
  final LongAdder aborted = new LongAdder();
  final LongAdder unknown = new LongAdder();
  final LongAdder conflicts = new LongAdder();
  final LongAdder waits = new LongAdder();
  final LongAdder failures = new LongAdder();

  MixedMetrics metrics() {
    return new MixedMetrics(
        committed.sum(),
        pending.sum(),
        aborted.sum(),
        unknown.sum(),
        conflicts.sum(),
        waits.sum(),
        failures.sum());
  }
}
