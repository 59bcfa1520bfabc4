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
import org.orcagrid.bench.ExperimentPlan;

/** One table or figure of a paper. */
public sealed interface Reproduction
    permits DdpFigure,
        DdpTable4,
        ExperimentReproduction,
        GridFailover,
        KiteFigure,
        KiteFig7,
        KiteFig8,
        ModelFigure,
        MyriaFigure,
        NukvFigure,
        OrcaFig7,
        OrcaFig8,
        OrcaOutage,
        OrcaScaling,
        OrcaTable3,
        OrcaTable4 {

  /** Returns the name used on the command line and as the folder of the results. */
  String id();

  /** Returns what it shows, in one line. */
  String title();

  /** Returns every reproduction there is. */
  static List<Reproduction> all() {
    return List.of(
        new OrcaFig5(),
        new OrcaFig6(),
        new OrcaFig7(),
        new OrcaFig8(),
        new OrcaTable2(),
        new OrcaTable3(),
        new OrcaTable4(),
        new OrcaOutage(),
        new OrcaScaling(),
        new KiteFig4(),
        new KiteFig5(),
        new KiteFig6(),
        new KiteFig7(),
        new KiteFig8(),
        new DdpTable1(),
        new DdpTable4(),
        new DdpFig6(),
        new DdpFig7(),
        new DdpFig8(),
        new DdpFig9(),
        new DdpReal(),
        new GridFailover(),
        NukvFigure.FIG2,
        NukvFigure.FIG3,
        NukvFigure.FIG4,
        NukvFigure.FIG5,
        NukvFigure.FIG6,
        NukvFigure.FIG7,
        MyriaFigure.FIG7,
        MyriaFigure.FIG8,
        MyriaFigure.FIG9);
  }

  /**
   * How much to measure.
   *
   * @param quick whether to take few points and one short round, for about a minute in total
   * @param fsyncDelaysMs milliseconds added to each fsync, one set of figures for each
   * @param servers what every ensemble is made of
   */
  record Effort(boolean quick, List<Double> fsyncDelaysMs, ExperimentPlan.Servers servers) {

    /** Keeps a copy of the delays. */
    public Effort {
      fsyncDelaysMs = List.copyOf(fsyncDelaysMs);
    }
  }
}
