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
package org.orcagrid.bench.chart;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * One axis: a label with its unit, and a range.
 *
 * @param label what is measured, with its unit
 * @param scale how values are spread
 * @param min the value at its start; above 0 on a logarithmic scale
 * @param max the value at its end
 */
public record Axis(String label, Scale scale, double min, double max) {
  private static final double WANTED_TICKS = 5;
  private static final double SMALL_RANGE_DECADES = 1.5;

  /** How values are spread along an axis. */
  public enum Scale {
    /** Evenly. */
    LINEAR,
    /** By powers of ten. */
    LOGARITHMIC
  }

  /** Checks the range. */
  public Axis {
    if (!(max > min) || (scale == Scale.LOGARITHMIC && !(min > 0))) {
      throw new IllegalArgumentException(
          "An axis cannot go from " + min + " to " + max + " on a " + scale + " scale.");
    }
  }

  /** Returns a linear axis from 0 to a little above the largest value. */
  public static Axis fromZero(String label, double largest) {
    return new Axis(label, Scale.LINEAR, 0, largest > 0 ? largest * 1.08 : 1);
  }

  /** Returns a logarithmic axis that holds the smallest and the largest value; both above 0. */
  public static Axis logarithmic(String label, double smallest, double largest) {
    double low = smallest > 0 ? smallest * 0.8 : 1;
    return new Axis(label, Scale.LOGARITHMIC, low, Math.max(largest * 1.25, low * 2));
  }

  /** Returns where a value lies, from 0 at the start to 1 at the end; values outside are cut. */
  double position(double value) {
    double share =
        switch (scale) {
          case LINEAR -> (value - min) / (max - min);
          case LOGARITHMIC -> Math.log(Math.max(value, min) / min) / Math.log(max / min);
        };
    return Math.min(1, Math.max(0, share));
  }

  /** Returns the values that get a label, all within the range. */
  List<Double> ticks() {
    return switch (scale) {
      case LINEAR -> linearTicks();
      case LOGARITHMIC -> logarithmicTicks();
    };
  }

  private List<Double> linearTicks() {
    double rough = (max - min) / WANTED_TICKS;
    double magnitude = Math.pow(10, Math.floor(Math.log10(rough)));
    double step = magnitude;
    for (double factor : new double[] {1, 2, 5, 10}) {
      if (factor * magnitude >= rough) {
        step = factor * magnitude;
        break;
      }
    }
    List<Double> ticks = new ArrayList<>();
    for (long i = (long) Math.ceil(min / step - 1e-9); i * step <= max * (1 + 1e-9); i++) {
      ticks.add(i * step);
    }
    return ticks;
  }

  private List<Double> logarithmicTicks() {
    boolean few = Math.log10(max / min) < SMALL_RANGE_DECADES;
    List<Double> ticks = new ArrayList<>();
    int first = (int) Math.floor(Math.log10(min));
    int last = (int) Math.ceil(Math.log10(max));
    for (int exponent = first; exponent <= last; exponent++) {
      for (double factor : few ? new double[] {1, 2, 5} : new double[] {1}) {
        double tick = factor * Math.pow(10, exponent);
        if (tick >= min && tick <= max) {
          ticks.add(tick);
        }
      }
    }
    return ticks;
  }

  /** Returns how a tick is written: thousands as k, millions as M, no needless digits. */
  static String tickLabel(double value) {
    double magnitude = Math.abs(value);
    if (magnitude >= 1e6) {
      return plain(value / 1e6) + "M";
    }
    if (magnitude >= 10_000) {
      return plain(value / 1e3) + "k";
    }
    return plain(value);
  }

  private static String plain(double value) {
    String text = String.format(Locale.ROOT, "%.3f", value);
    return text.contains(".") ? text.replaceAll("0+$", "").replaceAll("\\.$", "") : text;
  }
}
