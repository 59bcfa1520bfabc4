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
package org.orcagrid.bench.compare;

import java.util.Map;
import java.util.OptionalDouble;
import org.orcagrid.bench.compare.process.Manner;

/** How many times the operations of another product we ask of ourselves, and where. */
final class Goals {
  private static final double FEW_WRITES = 5;
  private static final double MANY_WRITES = 50;

  /**
   * What is asked of a contender.
   *
   * @param few times the other's operations with 5 % writes
   * @param many the same with 50 %
   */
  private record Asked(Rival other, double few, double many) {}

  private static final Map<Rival, Asked> PIPELINED =
      Map.of(
          Rival.RELAXED_KEYS, new Asked(Rival.INFINISPAN_SYNC, 5, 15),
          Rival.SHARED_RELAXED, new Asked(Rival.INFINISPAN_SYNC, 5, 15),
          Rival.LINEARIZABLE_NONE, new Asked(Rival.INFINISPAN_SYNC, 4, 10),
          Rival.CAUSAL_NONE, new Asked(Rival.INFINISPAN_SYNC, 5, 10),
          Rival.LINEARIZABLE_SYNCHRONOUS, new Asked(Rival.INFINISPAN_SYNC_FORCED, 8, 10));

  private static final Map<Rival, Asked> ONE_AT_A_TIME =
      Map.of(
          Rival.KEYS_LINEARIZABLE, new Asked(Rival.INFINISPAN_SYNC, 5, 5),
          Rival.SHARED_KEYS_LINEARIZABLE, new Asked(Rival.INFINISPAN_SYNC, 5, 5),
          Rival.LINEARIZABLE_NONE, new Asked(Rival.INFINISPAN_SYNC, 5, 5));

  private Goals() {}

  /** What is asked of one beside another under a load; empty if nothing is. */
  static OptionalDouble asked(Rival ours, Rival other, Load load) {
    Asked asked = (load.manner() == Manner.PIPELINED ? PIPELINED : ONE_AT_A_TIME).get(ours);
    if (asked == null || asked.other != other) {
      return OptionalDouble.empty();
    }
    if (load.writePercent() == FEW_WRITES) {
      return OptionalDouble.of(asked.few);
    }
    return load.writePercent() == MANY_WRITES
        ? OptionalDouble.of(asked.many)
        : OptionalDouble.empty();
  }
}
