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

import java.util.Locale;
import java.util.Optional;
import org.orcagrid.bench.stats.Spread;

/** Prints figures alike in every locale. */
public final class Numbers {
  /** Stands for a figure that was not or cannot be measured. */
  public static final String NOT_AVAILABLE = "n/a";

  private Numbers() {}

  /** Returns a number with one to three significant decimals, by its size. */
  public static String plain(double value) {
    double magnitude = Math.abs(value);
    String format = magnitude >= 100 ? "%.0f" : magnitude >= 10 ? "%.1f" : "%.2f";
    return String.format(Locale.ROOT, format, value);
  }

  /** Returns the number without decimals if it has none: for settings such as delays. */
  public static String setting(double value) {
    return value == Math.rint(value)
        ? String.format(Locale.ROOT, "%.0f", value)
        : Double.toString(value);
  }

  /** Returns median and range, such as {@code 10.2 (9.8..11.0)}; the median alone if all agree. */
  public static String spread(Spread spread, double unit) {
    String median = plain(spread.median() / unit);
    if (spread.min() == spread.max()) {
      return median;
    }
    return median + " (" + plain(spread.min() / unit) + ".." + plain(spread.max() / unit) + ")";
  }

  /** Returns median and range, or that there is none. */
  public static String spread(Optional<Spread> spread, double unit) {
    return spread.map(s -> spread(s, unit)).orElse(NOT_AVAILABLE);
  }
}
