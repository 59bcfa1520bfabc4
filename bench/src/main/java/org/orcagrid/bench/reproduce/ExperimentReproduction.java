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

import org.orcagrid.bench.ExperimentPlan;
import org.orcagrid.bench.ExperimentResult;
import org.orcagrid.bench.report.Machine;

/** A table or figure that shows the measurements of an experiment. */
public sealed interface ExperimentReproduction extends Reproduction
    permits OrcaFig5, OrcaFig6, OrcaFig7ReadOnly, OrcaFig7Ycsb, OrcaTable2 {

  /** Returns the experiment behind it. */
  ExperimentPlan plan(Effort effort);

  /** Returns a Markdown page with our figures beside the paper's. */
  String page(ExperimentResult result, Machine machine);

  /** Returns the chart as SVG. */
  String chart(ExperimentResult result, Machine machine);
}
