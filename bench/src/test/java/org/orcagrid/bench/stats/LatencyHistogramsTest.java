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
package org.orcagrid.bench.stats;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.orcagrid.bench.workload.OperationKind;

final class LatencyHistogramsTest {
  private static final long MILLI = 1_000_000;

  @Test
  void summarisesInMicroseconds() {
    LatencyHistograms histograms = new LatencyHistograms();
    for (int i = 1; i <= 1_000; i++) {
      histograms.record(OperationKind.READ, i * 10_000L);
    }
    LatencySummary summary = LatencySummary.of(histograms.of(OperationKind.READ));
    assertEquals(1_000, summary.count());
    assertEquals(5_005, summary.mean(), 10);
    assertEquals(5_000, summary.p50(), 10);
    assertEquals(9_500, summary.p95(), 15);
    assertEquals(9_900, summary.p99(), 15);
    assertEquals(9_990, summary.p999(), 15);
    assertEquals(10_000, summary.max(), 15);
  }

  @Test
  void givesZerosForAKindThatWasNotSeen() {
    LatencySummary summary = LatencySummary.of(new LatencyHistograms().of(OperationKind.UPDATE));
    assertEquals(new LatencySummary(0, 0, 0, 0, 0, 0, 0), summary);
  }

  @Test
  void countsAReadModifyWriteByItsTwoRequests() {
    LatencyHistograms histograms = new LatencyHistograms();
    histograms.record(OperationKind.READ, MILLI);
    histograms.record(OperationKind.UPDATE, MILLI);
    histograms.record(OperationKind.READ_MODIFY_WRITE, 2 * MILLI);
    assertEquals(2, histograms.requests());
    assertEquals(1, histograms.writes().getTotalCount());
  }

  @Test
  void addsAnotherClientsLatencies() {
    LatencyHistograms one = new LatencyHistograms();
    LatencyHistograms other = new LatencyHistograms();
    one.record(OperationKind.READ, MILLI);
    other.record(OperationKind.READ, 3 * MILLI);
    other.record(OperationKind.INSERT, MILLI);
    one.add(other);
    assertEquals(2, one.of(OperationKind.READ).getTotalCount());
    assertEquals(List.of(OperationKind.READ, OperationKind.INSERT), one.kinds());
  }

  @Test
  void countsAStallForTheOperationsThatWereNotSentMeanwhile() {
    LatencyHistograms histograms = new LatencyHistograms();
    for (int i = 0; i < 99; i++) {
      histograms.record(OperationKind.READ, MILLI);
    }
    histograms.record(OperationKind.READ, 100 * MILLI);
    LatencySummary seen = LatencySummary.of(histograms.of(OperationKind.READ));
    LatencySummary corrected = LatencySummary.of(histograms.corrected(OperationKind.READ, MILLI));
    assertEquals(100, seen.count());
    assertEquals(199, (double) corrected.count(), 2);
    assertTrue(seen.p95() < 1_100);
    assertTrue(corrected.p95() > 80_000, "p95: " + corrected.p95());
  }

  @Test
  void cutsWhatIsLongerThanAMinute() {
    LatencyHistograms histograms = new LatencyHistograms();
    histograms.record(OperationKind.READ, 600_000 * MILLI);
    histograms.record(OperationKind.READ, -5);
    assertEquals(6e7, LatencySummary.of(histograms.of(OperationKind.READ)).max(), 1e5);
  }
}
