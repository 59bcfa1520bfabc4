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

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Lines over two numeric axes; also used for cumulative distributions.
 *
 * @param title what the panel shows
 * @param x the horizontal axis
 * @param y the vertical axis
 * @param series the lines; one drawn later covers one drawn earlier
 */
public record LineChart(String title, Axis x, Axis y, List<Series> series) implements Panel {

  /** Keeps a copy of the series. */
  public LineChart {
    series = List.copyOf(series);
  }

  @Override
  public Map<String, Style> legend() {
    Map<String, Style> legend = new LinkedHashMap<>();
    series.forEach(s -> legend.put(s.name(), s.style()));
    return legend;
  }

  @Override
  public void draw(SvgPart part) {
    SvgCanvas canvas = part.canvas();
    Frame frame = new Frame(canvas, part.area(), y);
    frame.drawTicks(x);
    frame.drawBase(title, x.label());
    for (Series s : series) {
      List<Point> pixels =
          s.points().stream()
              .map(p -> new Point(frame.pixelX(x, p.x()), frame.pixelY(p.y())))
              .toList();
      canvas.polyline(pixels, s.style());
      if (s.markers()) {
        pixels.forEach(p -> canvas.marker(p.x(), p.y(), s.style()));
      }
    }
  }
}
