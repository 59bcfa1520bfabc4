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
import org.orcagrid.bench.ddp.TimingCase;
import org.orcagrid.bench.ddp.TimingFindings;
import org.orcagrid.simulator.timing.TimingSettings;

/** A figure of the paper of the DDP models that shows how fast they are. */
public sealed interface DdpFigure extends Reproduction permits DdpFig6, DdpFig7, DdpFig8, DdpFig9 {

  /** What the paper's figures say where nothing is other than by default. */
  String DEFAULT = "default";

  /** What is timed. */
  List<TimingCase> cases(TimingSettings.Span span);

  /** Returns the page. */
  String page(TimingFindings findings);

  /** Returns the figures, one case and seed a line. */
  default String csv(TimingFindings findings) {
    return DdpPages.csv(findings);
  }

  /** Returns the chart. */
  String chart(TimingFindings findings);
}
