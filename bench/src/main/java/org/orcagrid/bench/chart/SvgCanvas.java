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

import java.util.List;
import java.util.Locale;

/** Collects SVG elements. */
final class SvgCanvas {
  private final StringBuilder svg = new StringBuilder();

  /** Which side of a text its position is. */
  enum Anchor {
    START,
    MIDDLE,
    END
  }

  void line(double x1, double y1, double x2, double y2, String colour, double width) {
    add(
        "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\""
            + " stroke-width=\"%.1f\"/>",
        x1, y1, x2, y2, colour, width);
  }

  void polyline(List<Point> pixels, Style style) {
    StringBuilder points = new StringBuilder();
    for (Point pixel : pixels) {
      points.append(String.format(Locale.ROOT, "%.1f,%.1f ", pixel.x(), pixel.y()));
    }
    String dash = style.dash().isEmpty() ? "" : " stroke-dasharray=\"" + style.dash() + "\"";
    add(
        "<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\"%s/>",
        points.toString().trim(), style.colour(), dash);
  }

  void rectangle(Area area, String colour) {
    add(
        "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"/>",
        area.left(), area.top(), area.width(), area.height(), colour);
  }

  void marker(double x, double y, Style style) {
    switch (style.marker()) {
      case CIRCLE ->
          add("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\" fill=\"%s\"/>", x, y, style.colour());
      case SQUARE -> rectangle(new Area(x - 3.5, y - 3.5, 7, 7), style.colour());
      case TRIANGLE -> polygon(style, x, y - 5, x + 4.5, y + 3.5, x - 4.5, y + 3.5);
      case DIAMOND -> polygon(style, x, y - 5, x + 5, y, x, y + 5, x - 5, y);
    }
  }

  private void polygon(Style style, double... coordinates) {
    StringBuilder points = new StringBuilder();
    for (double coordinate : coordinates) {
      points.append(String.format(Locale.ROOT, "%.1f ", coordinate));
    }
    add("<polygon points=\"%s\" fill=\"%s\"/>", points.toString().trim(), style.colour());
  }

  void text(double x, double y, Anchor anchor, int size, String text) {
    add(
        "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" font-size=\"%d\">%s</text>",
        x, y, anchor.name().toLowerCase(Locale.ROOT), size, escape(text));
  }

  /** Writes text that is read from bottom to top, centred on its position. */
  void verticalText(double x, double y, int size, String text) {
    add(
        "<text transform=\"translate(%.1f %.1f) rotate(-90)\" text-anchor=\"middle\""
            + " font-size=\"%d\">%s</text>",
        x, y, size, escape(text));
  }

  String elements() {
    return svg.toString();
  }

  private void add(String format, Object... values) {
    svg.append(String.format(Locale.ROOT, format, values)).append('\n');
  }

  private static String escape(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}
