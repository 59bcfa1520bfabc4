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
package org.orcagrid.bench.report;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.orcagrid.bench.workload.Workload;

/**
 * Table 2 of the ORCA paper: five servers on separate machines with 20 cores, SSD and a 10 Gbps
 * network, 10 clients, reads only at the leader.
 */
public final class PaperTable2 {
  /** What to say of the two figures that are missing. */
  public static final String MISSING_FIGURES =
      "The async and CAD figures of workload A are not legible in our copy of the paper.";

  private static final List<Row> ROWS =
      List.of(
          new Row(Workload.A, 10.2, OptionalDouble.empty(), OptionalDouble.empty(), 5.1),
          new Row(Workload.B, 23.1, OptionalDouble.of(39.4), OptionalDouble.of(38.7), 0.83),
          new Row(Workload.D, 23.3, OptionalDouble.of(40.1), OptionalDouble.of(36.9), 4.32),
          new Row(Workload.F, 11.8, OptionalDouble.of(35.7), OptionalDouble.of(34.6), 4.07));

  private PaperTable2() {}

  /**
   * One row; throughputs are in thousand operations per second.
   *
   * @param workload the workload
   * @param sync with synchronous durability
   * @param async with asynchronous durability; empty where not legible
   * @param cad with CAD; empty where not legible
   * @param triggeringPercent reads that triggered durability in CAD
   */
  public record Row(
      Workload workload,
      double sync,
      OptionalDouble async,
      OptionalDouble cad,
      double triggeringPercent) {

    /** Returns the throughput of a system; empty if the table does not have it. */
    public OptionalDouble throughput(String system) {
      return switch (system) {
        case "sync" -> OptionalDouble.of(sync);
        case "async" -> async;
        case "cad" -> cad;
        default -> OptionalDouble.empty();
      };
    }
  }

  /** Returns the rows in the paper's order. */
  public static List<Row> rows() {
    return ROWS;
  }

  /** Returns the row of a workload; empty if the table does not have it. */
  public static Optional<Row> row(Workload workload) {
    return ROWS.stream().filter(row -> row.workload() == workload).findFirst();
  }
}
