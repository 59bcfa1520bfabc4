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
package org.orcagrid.cad;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The decisions together, under faults, and mutants that the same checks must catch. */
class DurabilityModelTest {
  private static final int SEEDS = 2_000;

  @Test
  void noDemandIsLostAndNothingIsCalledDurableThatAQuorumHasNotPersisted() {
    List<String> violations = violations(DurabilityParts.shipping()).toList();

    if (!violations.isEmpty()) {
      fail(violations.size() + " of " + SEEDS + " seeds, the first: " + violations.get(0));
    }
  }

  @ParameterizedTest
  @MethodSource("mutants")
  void theChecksCatchTheMutant(DurabilityParts mutant) {
    assertTrue(violations(mutant).findAny().isPresent());
  }

  static Stream<Named<DurabilityParts>> mutants() {
    DurabilityParts shipping = DurabilityParts.shipping();
    return Stream.of(
        Named.of(
            "that reports what is appended as persisted",
            shipping.withSchedules(AppendedIsPersisted::new)),
        Named.of(
            "that takes entries as flushed which came while the flush ran",
            shipping.withSchedules(FlushTakesLateEntries::new)),
        Named.of(
            "that drops a demand for an entry which is still before the log",
            shipping.withSchedules(DropsEarlyDemand::new)),
        Named.of(
            "of which a round forgets the demands that wait",
            shipping.withRounds(ForgetsWaiting::new)),
        Named.of("of which a round never ends", shipping.withRounds(NeverEnds::new)),
        Named.of(
            "whose quorum is half of the servers",
            shipping.withIndexes(
                servers ->
                    new DurabilityParts.ShippingIndex((ids, count) -> count >= servers / 2))),
        Named.of(
            "whose durable-index is the highest report",
            shipping.withIndexes(
                servers -> new DurabilityParts.ShippingIndex((ids, count) -> true))),
        Named.of(
            "whose durable-index goes back when a server restarts",
            shipping.withIndexes(servers -> new LastReportCounts(servers / 2 + 1))));
  }

  private static Stream<String> violations(DurabilityParts parts) {
    return LongStream.range(0, SEEDS)
        .mapToObj(seed -> violation(seed, parts))
        .flatMap(Optional::stream);
  }

  private static Optional<String> violation(long seed, DurabilityParts parts) {
    try {
      new DurabilityModel(seed, parts).run();
      return Optional.empty();
    } catch (DurabilityModel.Violation e) {
      return Optional.of("seed " + seed + ": " + e.getMessage());
    }
  }

  private static final class AppendedIsPersisted extends DurabilityParts.ShippingSchedule {
    AppendedIsPersisted(long intervalNanos, long persisted, long nowNanos) {
      super(intervalNanos, persisted, nowNanos);
    }

    @Override
    public long persisted() {
      return appended();
    }
  }

  private static final class FlushTakesLateEntries extends DurabilityParts.ShippingSchedule {
    FlushTakesLateEntries(long intervalNanos, long persisted, long nowNanos) {
      super(intervalNanos, persisted, nowNanos);
    }

    @Override
    public void onFlushed(long index) {
      super.onFlushed(appended());
    }
  }

  private static final class DropsEarlyDemand extends DurabilityParts.ShippingSchedule {
    DropsEarlyDemand(long intervalNanos, long persisted, long nowNanos) {
      super(intervalNanos, persisted, nowNanos);
    }

    @Override
    public void onDemand(long index) {
      if (index <= appended()) {
        super.onDemand(index);
      }
    }
  }

  private static final class ForgetsWaiting extends DurabilityParts.ShippingRounds {
    @Override
    public long onDurable(long durable, long last) {
      super.onDurable(durable, last);
      return FlushRounds.NONE;
    }
  }

  private static final class NeverEnds extends DurabilityParts.ShippingRounds {
    @Override
    public long onDurable(long durable, long last) {
      return FlushRounds.NONE;
    }

    @Override
    public long onDemand(long index, long durable, long last) {
      return super.onDemand(index, 0, last);
    }
  }

  /** Keeps the last report of a server, also where it is below an earlier one. */
  private static final class LastReportCounts implements DurabilityParts.Index {
    private final java.util.Map<Long, Long> reports = new java.util.HashMap<>();
    private final int majority;
    private long value;

    LastReportCounts(int majority) {
      this.majority = majority;
    }

    @Override
    public long value() {
      return value;
    }

    @Override
    public boolean onReport(long serverId, long index) {
      reports.put(serverId, index);
      value =
          reports.values().stream()
              .sorted(java.util.Comparator.reverseOrder())
              .skip(majority - 1L)
              .findFirst()
              .orElse(0L);
      return true;
    }
  }
}
