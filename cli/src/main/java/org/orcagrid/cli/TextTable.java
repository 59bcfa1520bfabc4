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
package org.orcagrid.cli;

import java.util.ArrayList;
import java.util.List;

/** Rows of text in columns as wide as their widest cell. */
final class TextTable {
  private final List<List<String>> rows = new ArrayList<>();

  TextTable(List<String> head) {
    rows.add(List.copyOf(head));
  }

  /** Adds a row with as many cells as the head has. */
  void add(List<String> row) {
    if (row.size() != rows.get(0).size()) {
      throw new IllegalArgumentException("cells=" + row.size() + " head=" + rows.get(0).size());
    }
    rows.add(List.copyOf(row));
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int column = 0; column < row.size(); column++) {
        line.append(row.get(column));
        line.append(" ".repeat(width(column) - row.get(column).length() + 2));
      }
      text.append(line.toString().stripTrailing()).append('\n');
    }
    return text.toString();
  }

  /** Returns the rows as a table for a page in Markdown. */
  String toMarkdown() {
    StringBuilder text = new StringBuilder();
    for (int row = 0; row < rows.size(); row++) {
      text.append("| ").append(String.join(" | ", rows.get(row))).append(" |\n");
      if (row == 0) {
        text.append("|---".repeat(rows.get(0).size())).append("|\n");
      }
    }
    return text.toString();
  }

  private int width(int column) {
    return rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(0);
  }
}
