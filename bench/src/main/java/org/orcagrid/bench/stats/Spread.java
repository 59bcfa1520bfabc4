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

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * One measure over several rounds.
 *
 * @param median the middle value; the mean of the two middle ones if their number is even
 * @param min the smallest
 * @param max the largest
 */
public record Spread(double median, double min, double max) {

  /**
   * Returns the spread of the values.
   *
   * @throws IllegalArgumentException if there are none
   */
  public static Spread of(Collection<Double> values) {
    if (values.isEmpty()) {
      throw new IllegalArgumentException("A spread needs at least one value; run a round first.");
    }
    double[] sorted = values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    int middle = sorted.length / 2;
    double median =
        sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    return new Spread(median, sorted[0], Arrays.stream(sorted).max().orElseThrow());
  }

  /** Returns the spread of a measure over the rounds; empty if there are none. */
  public static <T> Optional<Spread> of(List<T> rounds, ToDoubleFunction<? super T> what) {
    return rounds.isEmpty()
        ? Optional.empty()
        : Optional.of(of(rounds.stream().map(what::applyAsDouble).toList()));
  }

  /**
   * Returns the spread of the ratio of two measures, each round's own, so that what disturbs a
   * round disturbs both; empty if there is no round of both.
   */
  public static <T> Optional<Spread> ofRatios(
      List<T> ones, List<T> others, ToDoubleFunction<? super T> what) {
    List<Double> ratios =
        IntStream.range(0, Math.min(ones.size(), others.size()))
            .mapToObj(
                round ->
                    what.applyAsDouble(ones.get(round)) / what.applyAsDouble(others.get(round)))
            .toList();
    return of(ratios, ratio -> ratio);
  }
}
