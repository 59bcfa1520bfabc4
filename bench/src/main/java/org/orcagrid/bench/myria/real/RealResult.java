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
package org.orcagrid.bench.myria.real;

import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * What was measured.
 *
 * @param settings of the instances
 * @param rounds of which rates are medians
 * @param calls of stores a second, by what is called; empty if they were not measured
 * @param rows for each load
 */
public record RealResult(
    List<String> settings, int rounds, Map<String, Double> calls, Map<RealLoad, Row> rows) {
  /**
   * A load's.
   *
   * @param mixed rates of rounds, a second
   * @param jdbc the same
   * @param mixedLatencies by operation, in microseconds
   * @param jdbcLatencies the same
   */
  public record Row(
      List<Double> mixed,
      List<Double> jdbc,
      Map<Operation, Histogram> mixedLatencies,
      Map<Operation, Histogram> jdbcLatencies) {}
}
