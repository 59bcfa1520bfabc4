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
import java.util.Optional;
import org.orcagrid.bench.chart.SvgCanvas.Anchor;
import org.orcagrid.bench.stats.Spread;

/**
 * Bars in groups, each with a line from the smallest to the largest round.
 *
 * @param title what the panel shows
 * @param categories the groups, from left to right
 * @param categoryLabel what the groups are
 * @param y the vertical axis; starts at 0
 * @param bars one entry per colour
 */
public record BarChart(
    String title, List<String> categories, String categoryLabel, Axis y, List<Bars> bars)
    implements Panel {
  private static final double GROUP_SHARE = 0.8;

  /** Keeps copies of the lists. */
  public BarChart {
    categories = List.copyOf(categories);
    bars = List.copyOf(bars);
  }

  /**
   * The bars of one colour.
   *
   * @param name what the legend says
   * @param style only its colour is used
   * @param values one per category; an empty one is written as n/a
   */
  public record Bars(String name, Style style, List<Optional<Spread>> values) {

    /** Keeps a copy of the values. */
    public Bars {
      values = List.copyOf(values);
    }
  }

  @Override
  public Map<String, Style> legend() {
    Map<String, Style> legend = new LinkedHashMap<>();
    bars.forEach(b -> legend.put(b.name(), b.style()));
    return legend;
  }

  @Override
  public void draw(SvgPart part) {
    Frame frame = new Frame(part.canvas(), part.area(), y);
    frame.drawBase(title, categoryLabel);
    double groupWidth = frame.plot().width() / categories.size();
    double barWidth = groupWidth * GROUP_SHARE / bars.size();
    for (int category = 0; category < categories.size(); category++) {
      double start = frame.plot().left() + groupWidth * category;
      frame.drawCategory(start + groupWidth / 2, categories.get(category));
      double left = start + groupWidth * (1 - GROUP_SHARE) / 2;
      for (Bars of : bars) {
        Optional<Spread> value = of.values().get(category);
        if (value.isPresent()) {
          drawBar(part.canvas(), frame, left, barWidth, value.get(), of.style());
        } else {
          part.canvas()
              .text(left + barWidth / 2, frame.plot().bottom() - 4, Anchor.MIDDLE, 10, "n/a");
        }
        left += barWidth;
      }
    }
  }

  private static void drawBar(
      SvgCanvas canvas, Frame frame, double left, double width, Spread value, Style style) {
    double top = frame.pixelY(value.median());
    canvas.rectangle(
        new Area(left + 1, top, width - 2, frame.plot().bottom() - top), style.colour());
    double middle = left + width / 2;
    if (value.max() > value.min()) {
      canvas.line(
          middle, frame.pixelY(value.max()), middle, frame.pixelY(value.min()), "#222222", 1.5);
    }
  }
}
