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
package org.orcagrid.bench.reproduce;

import java.util.List;
import org.orcagrid.bench.kite.Contender;
import org.orcagrid.bench.kite.KitePlan;
import org.orcagrid.bench.kite.KiteResult;
import org.orcagrid.bench.report.Machine;

/** A figure of the paper of Kite that shows throughput. */
public sealed interface KiteFigure extends Reproduction permits KiteFig4, KiteFig5, KiteFig6 {

  /** Kite with the synchronization that the paper calls typical: 5 % of reads and of writes. */
  Contender KITE = Contender.kite("kite", "Kite, 5 % synchronization", 5, 0);

  /** The lines. */
  List<Contender> contenders();

  /** The shares of writes that are measured, in percent. */
  List<Double> writePercents();

  /**
   * Returns what is measured.
   *
   * @param quick whether to take the first and the last point only, and one short round
   */
  default KitePlan plan(KitePlan.Grid grid, boolean quick) {
    List<Double> all = writePercents();
    List<Double> points =
        quick && all.size() > 1 ? List.of(all.get(0), all.get(all.size() - 1)) : all;
    return quick
        ? new KitePlan(contenders(), points, grid, 1, 1, 0.2)
        : new KitePlan(contenders(), points, grid, 5, 2, 0.5);
  }

  /** Returns the page. */
  String page(KiteResult result, Machine machine);

  /** Returns the figures, one turn a line. */
  default String csv(KiteResult result) {
    return KitePages.csv(result);
  }

  /** Returns the chart. */
  String chart(KiteResult result, Machine machine);
}
