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

/** How a series looks: colour, dash and marker all differ, so that any one of them is enough. */
public enum Style {
  /** Blue, solid, circle. */
  BLUE("#0072B2", "", Marker.CIRCLE),
  /** Vermilion, dashed, square. */
  VERMILION("#D55E00", "7 3", Marker.SQUARE),
  /** Green, dotted, triangle. */
  GREEN("#009E73", "2 3", Marker.TRIANGLE),
  /** Purple, dash-dotted, diamond. */
  PURPLE("#CC79A7", "8 3 2 3", Marker.DIAMOND),
  /** Orange, long dashes, circle. */
  ORANGE("#E69F00", "12 4", Marker.CIRCLE),
  /** Sky blue, short dashes, square. */
  SKY("#56B4E9", "4 2", Marker.SQUARE),
  /** Yellow, dashes and two dots, triangle. */
  YELLOW("#F0E442", "6 2 1 2 1 2", Marker.TRIANGLE),
  /** Grey, for figures that were not measured here. */
  GREY("#777777", "3 3", Marker.DIAMOND);

  private final String colour;
  private final String dash;
  private final Marker marker;

  Style(String colour, String dash, Marker marker) {
    this.colour = colour;
    this.dash = dash;
    this.marker = marker;
  }

  /** The sign at a point. */
  enum Marker {
    CIRCLE,
    SQUARE,
    TRIANGLE,
    DIAMOND
  }

  String colour() {
    return colour;
  }

  /** Returns SVG's dash pattern; empty for a solid line. */
  String dash() {
    return dash;
  }

  Marker marker() {
    return marker;
  }

  /** Returns the style for the n-th series, starting again after the last. */
  public static Style at(int index) {
    int withoutGrey = values().length - 1;
    return values()[Math.floorMod(index, withoutGrey)];
  }
}
