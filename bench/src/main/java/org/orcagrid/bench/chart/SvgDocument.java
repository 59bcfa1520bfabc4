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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.orcagrid.bench.chart.SvgCanvas.Anchor;

/**
 * A whole picture: title, one legend, panels in rows, notes underneath.
 *
 * @param title the heading
 * @param panels from left to right, at most three in a row
 * @param notes lines under the panels: settings, added delays, machine
 */
public record SvgDocument(String title, List<Panel> panels, List<String> notes) {
  private static final double PANEL_WIDTH = 460;
  private static final double WIDE_PANEL_WIDTH = 720;
  private static final int COLUMNS_MAX = 3;
  private static final double PANEL_HEIGHT = 360;
  private static final double HEADER_HEIGHT = 70;
  private static final double LEGEND_ROW_HEIGHT = 20;
  private static final double LEGEND_SIGN_WIDTH = 50;
  private static final double NOTE_HEIGHT = 17;
  private static final double LETTER_WIDTH = 7.5;
  private static final double NOTE_LETTER_WIDTH = 6;

  /** Keeps copies of the lists. */
  public SvgDocument {
    panels = List.copyOf(panels);
    notes = List.copyOf(notes);
  }

  /** Returns the picture as an SVG document. */
  public String render() {
    double panelWidth = panels.size() == 1 ? WIDE_PANEL_WIDTH : PANEL_WIDTH;
    int columns = Math.min(panels.size(), COLUMNS_MAX);
    int rows = (panels.size() + columns - 1) / columns;
    double width = panelWidth * columns;
    List<List<Map.Entry<String, Style>>> legend = legend(width);
    double header = HEADER_HEIGHT + LEGEND_ROW_HEIGHT * (legend.size() - 1);
    double notesTop = header + PANEL_HEIGHT * rows;
    List<String> noteLines =
        notes.stream()
            .flatMap(note -> wrap(note, (int) ((width - 32) / NOTE_LETTER_WIDTH)).stream())
            .toList();
    double height = notesTop + NOTE_HEIGHT * noteLines.size() + 12;
    SvgCanvas canvas = new SvgCanvas();
    canvas.rectangle(new Area(0, 0, width, height), "#ffffff");
    canvas.text(width / 2, 26, Anchor.MIDDLE, 17, title);
    for (int row = 0; row < legend.size(); row++) {
      drawLegend(canvas, legend.get(row), width, 50 + LEGEND_ROW_HEIGHT * row);
    }
    for (int i = 0; i < panels.size(); i++) {
      int row = i / columns;
      double left = i % columns * panelWidth;
      double top = header + row * PANEL_HEIGHT;
      panels.get(i).draw(new SvgPart(canvas, new Area(left, top, panelWidth, PANEL_HEIGHT)));
    }
    for (int i = 0; i < noteLines.size(); i++) {
      canvas.text(16, notesTop + NOTE_HEIGHT * i + 10, Anchor.START, 11, noteLines.get(i));
    }
    return String.format(
                Locale.ROOT,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\" width=\"%.0f\""
                    + " height=\"%.0f\" font-family=\"Helvetica, Arial, sans-serif\""
                    + " fill=\"#222222\">%n",
                width,
                height,
                width,
                height)
            .replace("\r\n", "\n")
        + canvas.elements()
        + "</svg>\n";
  }

  private static List<String> wrap(String text, int letters) {
    List<String> lines = new ArrayList<>();
    StringBuilder line = new StringBuilder();
    for (String word : text.split(" ")) {
      if (line.length() > 0 && line.length() + 1 + word.length() > letters) {
        lines.add(line.toString());
        line.setLength(0);
      }
      line.append(line.length() > 0 ? " " : "").append(word);
    }
    lines.add(line.toString());
    return lines;
  }

  /** The legend, in as many rows as it needs; at least one. */
  private List<List<Map.Entry<String, Style>>> legend(double width) {
    Map<String, Style> entries = new LinkedHashMap<>();
    panels.forEach(panel -> panel.legend().forEach(entries::putIfAbsent));
    List<List<Map.Entry<String, Style>>> rows = new ArrayList<>();
    rows.add(new ArrayList<>());
    double used = 0;
    for (Map.Entry<String, Style> entry : entries.entrySet()) {
      if (used > 0 && used + width(entry) > width) {
        rows.add(new ArrayList<>());
        used = 0;
      }
      rows.get(rows.size() - 1).add(entry);
      used += width(entry);
    }
    return rows;
  }

  private static double width(Map.Entry<String, Style> entry) {
    return LEGEND_SIGN_WIDTH + entry.getKey().length() * LETTER_WIDTH;
  }

  private static void drawLegend(
      SvgCanvas canvas, List<Map.Entry<String, Style>> entries, double width, double y) {
    double x = (width - entries.stream().mapToDouble(SvgDocument::width).sum()) / 2;
    for (Map.Entry<String, Style> entry : entries) {
      canvas.polyline(List.of(new Point(x, y), new Point(x + 26, y)), entry.getValue());
      canvas.marker(x + 13, y, entry.getValue());
      canvas.text(x + 32, y + 4, Anchor.START, 13, entry.getKey());
      x += width(entry);
    }
  }
}
