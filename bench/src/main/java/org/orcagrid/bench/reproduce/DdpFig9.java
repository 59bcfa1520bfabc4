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

import java.util.ArrayList;
import java.util.List;
import org.orcagrid.bench.ddp.TimingCase;
import org.orcagrid.bench.ddp.TimingFindings;
import org.orcagrid.ddp.model.Consistency;
import org.orcagrid.ddp.model.Ddp;
import org.orcagrid.ddp.model.Persistency;
import org.orcagrid.simulator.timing.TimingSettings;

/** DDP's Figure 9: throughput with 5, 50 and 95 % writes. */
public record DdpFig9() implements DdpFigure {
  private static final String READS = "workload B";
  private static final String WRITES = "workload W";
  private static final DdpSweep SWEEP =
      new DdpSweep(
          List.of(
              new DdpSweep.Point(READS, READS, writes(5)),
              new DdpSweep.Point(DEFAULT, "workload A", writes(50)),
              new DdpSweep.Point(WRITES, WRITES, writes(95))));

  private static final String WHY =
      """
      With workload B hardly a version is on its way when its record is read, so hardly anybody waits
      for anything. With workload W the NVM is the limit of whatever waits for it. The longer versions
      may wait for a bank, the more of them are combined there: models in which nobody waits for a write
      make more of them than the NVM could write one by one.
      """;

  private static TimingSettings writes(int percent) {
    TimingSettings paper = TimingSettings.PAPER;
    return paper.with(paper.load().withWrites(percent));
  }

  @Override
  public String id() {
    return "ddp-fig9";
  }

  @Override
  public String title() {
    return "DDP, Figure 9: throughput of workloads B, A and W";
  }

  @Override
  public List<TimingCase> cases(TimingSettings.Span span) {
    return SWEEP.cases(span);
  }

  @Override
  public String page(TimingFindings findings) {
    return DdpPages.opening(this, findings)
        + "5 % of the requests of workload B are writes, 50 % of A's and 95 % of W's.\n\n"
        + SWEEP.table(findings)
        + DdpPages.beside(claims(findings), WHY);
  }

  private static List<DdpPages.Claim> claims(TimingFindings findings) {
    List<DdpPages.Claim> claims = new ArrayList<>();
    double few = range(findings, READS);
    double half = range(findings, DEFAULT);
    double most = range(findings, WRITES);
    claims.add(
        new DdpPages.Claim(
            "the fastest of the ten models to the slowest, with B, A and W",
            "the more reads, the less",
            String.join(", ", DdpPages.number(few), DdpPages.number(half), DdpPages.number(most)),
            few < half && half < most));
    return claims;
  }

  private static double range(TimingFindings findings, String point) {
    double[] all =
        Persistency.ofPaper().stream()
            .flatMap(
                persistency ->
                    List.of(
                        Ddp.of(Consistency.LINEARIZABLE, persistency),
                        Ddp.of(Consistency.CAUSAL, persistency))
                        .stream())
            .mapToDouble(model -> SWEEP.median(findings, point, model))
            .sorted()
            .toArray();
    return all[all.length - 1] / all[0];
  }

  @Override
  public String chart(TimingFindings findings) {
    return SWEEP.chart(title(), findings);
  }
}
