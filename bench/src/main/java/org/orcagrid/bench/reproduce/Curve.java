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
package org.orcagrid.bench.reproduce;

import java.util.Comparator;
import java.util.List;
import java.util.OptionalDouble;
import org.orcagrid.bench.chart.Point;

/**
 * A latency-against-throughput curve; x is throughput, y is latency.
 *
 * @param points in the order of growing load
 */
record Curve(List<Point> points) {

  /** Keeps a copy. */
  Curve {
    points = List.copyOf(points);
  }

  /**
   * Returns the point with the highest throughput.
   *
   * @throws IllegalArgumentException if the curve is empty
   */
  Point peak() {
    return points.stream()
        .max(Comparator.comparingDouble(Point::x))
        .orElseThrow(() -> new IllegalArgumentException("An empty curve has no peak."));
  }

  /**
   * Returns the latency at a throughput, on a straight line between the neighbouring points; below
   * the first point the first point's; empty if the curve never gets there.
   */
  OptionalDouble latencyAt(double throughput) {
    Point before = null;
    for (Point point : points) {
      if (point.x() >= throughput) {
        if (before == null || point.x() == before.x()) {
          return OptionalDouble.of(point.y());
        }
        double share = (throughput - before.x()) / (point.x() - before.x());
        return OptionalDouble.of(before.y() + share * (point.y() - before.y()));
      }
      before = point;
    }
    return OptionalDouble.empty();
  }
}
