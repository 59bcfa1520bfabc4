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

import java.util.Collection;

/**
 * What most, nearly all and all of many values are at most.
 *
 * @param median half of them
 * @param p90 nine of ten of them
 * @param max all of them
 */
public record Tail(double median, double p90, double max) {

  /**
   * Returns that of the values; each figure is one of them.
   *
   * @throws IllegalArgumentException if there are none
   */
  public static Tail of(Collection<Double> values) {
    if (values.isEmpty()) {
      throw new IllegalArgumentException("A tail needs at least one value; run a round first.");
    }
    double[] sorted = values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    return new Tail(at(sorted, 0.5), at(sorted, 0.9), sorted[sorted.length - 1]);
  }

  private static double at(double[] sorted, double share) {
    return sorted[(int) Math.ceil(share * sorted.length) - 1];
  }
}
