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

/** DDP's Figure 8: throughput with round trips of 0.5, 1 and 2 µs. */
public record DdpFig8() implements DdpFigure {
  private static final String SLOW = "2 us";
  private static final DdpSweep SWEEP =
      new DdpSweep(
          List.of(
              new DdpSweep.Point("0.5 us", "0.5 us", roundTrip(500)),
              new DdpSweep.Point(DEFAULT, "1 us", roundTrip(1000)),
              new DdpSweep.Point(SLOW, SLOW, roundTrip(2000))));

  private static final String WHY =
      """
      Of what linearizable/synchronous takes with 100 clients, most is waiting for hot records and their
      banks. A longer round trip keeps a version on its way for longer, and so adds to that as well.

      **Causal/strict is affected**: a strict write waits until all nodes have it durable, so a round
      trip is part of each write by definition. Read-enforced persistency moves within what two seeds
      differ by: the NVM is its limit.
      """;

  private static TimingSettings roundTrip(long nanos) {
    TimingSettings paper = TimingSettings.PAPER;
    return paper.with(paper.machine().withRoundTrip(nanos));
  }

  @Override
  public String id() {
    return "ddp-fig8";
  }

  @Override
  public String title() {
    return "DDP, Figure 8: throughput with round trips of 0.5, 1 and 2 us";
  }

  @Override
  public List<TimingCase> cases(TimingSettings.Span span) {
    return SWEEP.cases(span);
  }

  @Override
  public String page(TimingFindings findings) {
    return DdpPages.opening(this, findings)
        + SWEEP.table(findings)
        + DdpPages.beside(claims(findings), WHY);
  }

  private static List<DdpPages.Claim> claims(TimingFindings findings) {
    List<DdpPages.Claim> claims = new ArrayList<>();
    double loss = SWEEP.median(findings, SLOW, DdpPages.BASE);
    claims.add(
        new DdpPages.Claim(
            DdpPages.BASE.id() + ", 2 us to 1 us",
            "-12 %",
            DdpPages.change(loss),
            loss >= 0.84 && loss <= 0.92));
    for (Persistency persistency : Persistency.ofPaper()) {
      Ddp model = Ddp.of(Consistency.CAUSAL, persistency);
      double ratio = SWEEP.median(findings, SLOW, model) / SWEEP.median(findings, DEFAULT, model);
      claims.add(
          new DdpPages.Claim(
              model.id() + ", 2 us to 1 us",
              "barely affected",
              DdpPages.change(ratio),
              Math.abs(ratio - 1) <= 0.05));
    }
    return claims;
  }

  @Override
  public String chart(TimingFindings findings) {
    return SWEEP.chart(title(), findings);
  }
}
