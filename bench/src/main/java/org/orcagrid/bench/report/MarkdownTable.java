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

import java.util.ArrayList;
import java.util.List;

/** A table whose columns are as wide as their content, readable as text too. */
public final class MarkdownTable {
  private final List<List<String>> rows = new ArrayList<>();

  /** Starts a table with its column headings. */
  public MarkdownTable(List<String> headings) {
    rows.add(List.copyOf(headings));
  }

  /**
   * Adds a row.
   *
   * @throws IllegalArgumentException if it has another number of columns than the headings
   */
  public void add(List<String> cells) {
    if (cells.size() != rows.get(0).size()) {
      throw new IllegalArgumentException(
          "A row of " + cells.size() + " cells does not fit under " + rows.get(0) + ".");
    }
    rows.add(List.copyOf(cells));
  }

  /** Returns the table; the first column is aligned left, the others right. */
  public String render() {
    int columns = rows.get(0).size();
    int[] widths = new int[columns];
    for (List<String> row : rows) {
      for (int i = 0; i < columns; i++) {
        widths[i] = Math.max(Math.max(widths[i], 3), row.get(i).length());
      }
    }
    StringBuilder table = new StringBuilder();
    for (int r = 0; r < rows.size(); r++) {
      table.append('|');
      for (int i = 0; i < columns; i++) {
        String padding = " ".repeat(widths[i] - rows.get(r).get(i).length());
        String cell = rows.get(r).get(i);
        table.append(' ').append(i == 0 ? cell + padding : padding + cell).append(" |");
      }
      table.append('\n');
      if (r == 0) {
        table.append('|');
        for (int i = 0; i < columns; i++) {
          table.append(i == 0 ? ":" : "-").append("-".repeat(widths[i]));
          table.append(i == 0 ? "-|" : ":|");
        }
        table.append('\n');
      }
    }
    return table.toString();
  }
}
