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
package org.orcagrid.bench.geostore;

import java.util.List;
import org.orcagrid.bench.report.MarkdownTable;
import org.orcagrid.bench.report.Numbers;

/**
 * A figure and its goal.
 *
 * @param what with its unit
 * @param goal for people
 * @param value what was measured
 * @param reached whether it is what was asked for
 */
public record GeoFigure(String what, String goal, double value, boolean reached) {
  static GeoFigure atMost(String what, double most, double value) {
    return new GeoFigure(what, "at most " + Numbers.setting(most), value, value <= most);
  }

  static GeoFigure atLeast(String what, double least, double value) {
    return new GeoFigure(what, "at least " + Numbers.setting(least), value, value >= least);
  }

  /** It as a sentence. */
  String line() {
    return what + ": " + Numbers.plain(value) + ", asked " + goal + (reached ? "" : ": missed");
  }

  /** Returns all of them as a table. */
  public static String table(List<GeoFigure> figures) {
    MarkdownTable table = new MarkdownTable(List.of("figure", "asked", "measured", "reached"));
    figures.forEach(
        each ->
            table.add(
                List.of(
                    each.what, each.goal, Numbers.plain(each.value), each.reached ? "yes" : "no")));
    return table.render();
  }
}
