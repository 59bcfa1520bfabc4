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

import org.orcagrid.bench.chart.SvgCanvas.Anchor;

/** Draws what panels share: title, grid, axes and their labels; maps values to pixels. */
final class Frame {
  private static final String INK = "#222222";
  private static final String GRID = "#dddddd";
  private static final int LABEL_SIZE = 13;
  private static final int TICK_SIZE = 12;

  private final SvgCanvas canvas;
  private final Area plot;
  private final Axis y;

  /** Makes the frame of a panel, leaving room for labels around the plot. */
  Frame(SvgCanvas canvas, Area panel, Axis y) {
    this.canvas = canvas;
    this.plot =
        new Area(panel.left() + 68, panel.top() + 28, panel.width() - 88, panel.height() - 82);
    this.y = y;
  }

  Area plot() {
    return plot;
  }

  double pixelY(double value) {
    return plot.bottom() - y.position(value) * plot.height();
  }

  double pixelX(Axis x, double value) {
    return plot.left() + x.position(value) * plot.width();
  }

  void drawBase(String title, String xLabel) {
    canvas.text(middleX(), plot.top() - 10, Anchor.MIDDLE, 14, title);
    for (double tick : y.ticks()) {
      double at = pixelY(tick);
      canvas.line(plot.left(), at, plot.right(), at, GRID, 1);
      canvas.text(plot.left() - 7, at + 4, Anchor.END, TICK_SIZE, Axis.tickLabel(tick));
    }
    canvas.line(plot.left(), plot.top(), plot.left(), plot.bottom(), INK, 1);
    canvas.line(plot.left(), plot.bottom(), plot.right(), plot.bottom(), INK, 1);
    canvas.text(middleX(), plot.bottom() + 40, Anchor.MIDDLE, LABEL_SIZE, xLabel);
    canvas.verticalText(plot.left() - 52, plot.top() + plot.height() / 2, LABEL_SIZE, y.label());
  }

  void drawTicks(Axis x) {
    for (double tick : x.ticks()) {
      double at = pixelX(x, tick);
      canvas.line(at, plot.top(), at, plot.bottom(), GRID, 1);
      canvas.line(at, plot.bottom(), at, plot.bottom() + 4, INK, 1);
      canvas.text(at, plot.bottom() + 18, Anchor.MIDDLE, TICK_SIZE, Axis.tickLabel(tick));
    }
  }

  void drawCategory(double at, String name) {
    canvas.text(at, plot.bottom() + 18, Anchor.MIDDLE, TICK_SIZE, name);
  }

  private double middleX() {
    return plot.left() + plot.width() / 2;
  }
}
