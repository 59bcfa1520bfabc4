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

import java.util.SplittableRandom;
import site.ycsb.generator.NumberGenerator;

/**
 * The endless operations of one client. Not safe for several threads: each client has its own.
 *
 * <p>The order of operation kinds follows from the seed; the records do not, because YCSB's
 * generators draw from the calling thread.
 */
public final class OperationStream {
  private final Workload workload;
  private final RecordKeys keys;
  private final NumberGenerator chooser;
  private final SplittableRandom random;

  /**
   * Makes the stream of one client.
   *
   * @param workload the mix and the access pattern
   * @param keys the records, shared by the clients of the run
   * @param seed determines the order of operation kinds
   */
  public OperationStream(Workload workload, RecordKeys keys, long seed) {
    this.workload = workload;
    this.keys = keys;
    this.chooser = keys.chooser(workload.keyChoice());
    this.random = new SplittableRandom(seed);
  }

  /** Returns the next operation. An insert has a number that no other operation gets. */
  public Operation next() {
    OperationKind kind = workload.kindAt(random.nextInt(100));
    long key = kind == OperationKind.INSERT ? keys.nextInsert() : chooser.nextValue().longValue();
    return new Operation(kind, key);
  }
}
