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
package org.orcagrid.bench.command;

import java.util.List;
import java.util.Locale;
import org.orcagrid.bench.ddp.TimingCase;
import org.orcagrid.bench.ddp.TimingFindings;
import org.orcagrid.bench.ddp.TimingSurvey;
import org.orcagrid.bench.reproduce.DdpFigure;
import org.orcagrid.simulator.timing.TimingResult;
import org.orcagrid.simulator.timing.TimingSettings;

/** Times the models of a figure, with progress. */
final class TimingExperiment {
  private static final double MILLION = 1e6;

  private final DdpFigure figure;
  private final int seeds;
  private final boolean quick;

  TimingExperiment(DdpFigure figure, int seeds, boolean quick) {
    this.figure = figure;
    this.seeds = seeds;
    this.quick = quick;
  }

  TimingFindings run(Progress progress) throws InterruptedException {
    List<TimingCase> cases =
        figure.cases(quick ? TimingSettings.Span.QUICK : TimingSettings.Span.FULL);
    return TimingSurvey.run(cases, seeds, (place, results) -> progress.say(line(place, results)));
  }

  private static String line(TimingCase.Place place, List<TimingResult> results) {
    return String.format(
        Locale.ROOT,
        "%-32s %-28s %6.1f million requests/s",
        place.setting(),
        place.model().id(),
        results.stream().mapToDouble(TimingResult::perSecond).average().orElse(0) / MILLION);
  }
}
