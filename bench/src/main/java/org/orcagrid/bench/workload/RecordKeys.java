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
package org.orcagrid.bench.workload;

import site.ycsb.generator.AcknowledgedCounterGenerator;
import site.ycsb.generator.NumberGenerator;
import site.ycsb.generator.ScrambledZipfianGenerator;
import site.ycsb.generator.SkewedLatestGenerator;
import site.ycsb.generator.UniformLongGenerator;

/**
 * The numbers of the records that exist, shared by all clients of a run. Safe for many threads.
 *
 * <p>A record is offered to readers only after its insert was acknowledged.
 */
public final class RecordKeys {
  private final long preloaded;
  private final AcknowledgedCounterGenerator counter;

  /**
   * Starts with the records 0 to {@code preloaded - 1}.
   *
   * @throws IllegalArgumentException if there are fewer than two records, which leaves nothing to
   *     choose from
   */
  public RecordKeys(long preloaded) {
    if (preloaded < 2) {
      throw new IllegalArgumentException(
          "A workload needs at least 2 records, not " + preloaded + "; raise --records.");
    }
    this.preloaded = preloaded;
    this.counter = new AcknowledgedCounterGenerator(preloaded);
  }

  /** Returns the number of the next record to insert; each number is handed out once. */
  public long nextInsert() {
    return counter.nextValue();
  }

  /** Says that the record exists, so that readers may be sent to it. */
  public void acknowledge(long key) {
    counter.acknowledge(key);
  }

  /**
   * Returns a generator of existing record numbers for one client thread. It draws from that
   * thread's own random source (YCSB's generators cannot be seeded).
   */
  NumberGenerator chooser(KeyChoice choice) {
    return switch (choice) {
      case UNIFORM -> new UniformLongGenerator(0, preloaded - 1);
      case ZIPFIAN -> new ScrambledZipfianGenerator(0, preloaded - 1);
      case LATEST -> new SkewedLatestGenerator(counter);
    };
  }
}
