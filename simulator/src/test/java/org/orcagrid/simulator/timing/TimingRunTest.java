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
package org.orcagrid.simulator.timing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.orcagrid.ddp.model.Ddp;
import org.orcagrid.ddp.replica.state.ReplicaRule;

final class TimingRunTest {
  private static final TimingSettings SHORT =
      TimingSettings.PAPER.with(new TimingSettings.Span(40_000, 60_000));
  private static final Ddp STRICTEST = Ddp.parse("linearizable/synchronous");
  private static final Ddp FASTEST = Ddp.parse("eventual/eventual");

  /** One client that writes, each request of which takes 1000 ns of its core. */
  private static final TimingSettings ALONE =
      SHORT
          .with(SHORT.machine().with(new TimingSettings.Processor(1000, 0)))
          .with(SHORT.load().withClients(1).withWrites(100));

  static List<Ddp> models() {
    return Ddp.ofPaper();
  }

  private static TimingResult run(Ddp model, TimingSettings settings) {
    return TimingRun.of(1, model, settings);
  }

  @Test
  void aSeedIsARunAndAnotherSeedAnother() {
    assertEquals(run(STRICTEST, SHORT), run(STRICTEST, SHORT));
    assertNotEquals(run(STRICTEST, SHORT), TimingRun.of(2, STRICTEST, SHORT));
  }

  /** Little's law: all time of the clients is some request's. */
  @ParameterizedTest
  @MethodSource("models")
  void allTimeOfTheClientsIsSomeRequests(Ddp model) {
    TimingSettings settings =
        SHORT
            .with(new TimingSettings.Span(50_000, 100_000))
            .with(
                SHORT
                    .load()
                    .withClients(20)
                    .with(new TimingSettings.Records(5000, KeyChoice.UNIFORM)));
    TimingResult result = run(model, settings);
    assertEquals(20, result.perSecond() * result.meanNanos() / 1e9, 1, result::toString);
    assertTrue(result.use().network() < 1, result::toString);
  }

  @Test
  void aWriteAloneTakesWhatItIsMadeOf() {
    double relaxed = run(Ddp.parse("causal/eventual"), ALONE).writes().meanNanos();
    assertEquals(1000, relaxed, 0.1);
    double visible = run(Ddp.parse("linearizable/eventual"), ALONE).writes().meanNanos();
    // Both ways through the NICs as well, and a few bytes.
    double messages = visible - 1000 - 1000 - 2 * 19;
    assertTrue(messages > 0 && messages < 100, "visible " + visible);
    double durable = run(STRICTEST, ALONE).writes().meanNanos();
    assertEquals(visible + 400, durable, 1);
  }

  @Test
  void aNetworkThatIsSlowerCostsThoseWhoWaitForIt() {
    TimingSettings slow = ALONE.with(ALONE.machine().withRoundTrip(3000));
    assertEquals(
        run(STRICTEST, ALONE).writes().meanNanos() + 2000,
        run(STRICTEST, slow).writes().meanNanos(),
        1);
    assertEquals(
        run(FASTEST, ALONE).writes().meanNanos(), run(FASTEST, slow).writes().meanNanos(), 0.1);
  }

  @Test
  void whereNothingTakesTimeAllModelsWithoutConflictsAreAlike() {
    TimingSettings.Machine free =
        new TimingSettings.Machine(
            5,
            0,
            1_000_000,
            0,
            new NvmTiming(16, 0, 64, NvmTiming.Placement.IN_PLACE, true),
            SHORT.machine().processor());
    double fastest = run(FASTEST, SHORT.with(free)).perSecond();
    double strictest = run(STRICTEST, SHORT.with(free)).perSecond();
    assertTrue(strictest > 0.97 * fastest, strictest + " and " + fastest);
    assertTrue(run(STRICTEST, SHORT).perSecond() < 0.5 * strictest);
  }

  @Test
  void weakerIsFaster() {
    double before = 0;
    for (String model :
        List.of(
            "linearizable/synchronous",
            "linearizable/eventual",
            "causal/synchronous",
            "causal/eventual")) {
      double now = run(Ddp.parse(model), SHORT).perSecond();
      assertTrue(now > before, model + ": " + now + " after " + before);
      before = now;
    }
  }

  @Test
  void transactionsConflictByWhatTheyAreAbout() {
    Ddp model = Ddp.parse("transactional/synchronous");
    TimingSettings apart =
        SHORT.with(SHORT.load().with(new TimingSettings.Records(1_000_000, KeyChoice.UNIFORM)));
    TimingSettings together =
        SHORT.with(
            SHORT.load().withClients(10).with(new TimingSettings.Records(3, KeyChoice.UNIFORM)));
    assertTrue(run(model, apart).waits().conflicted() < 0.01);
    TimingResult result = run(model, together);
    assertTrue(result.waits().conflicted() > 0.5, result::toString);
    assertTrue(result.waits().abortsPerTransaction() > 1, result::toString);
  }

  @Test
  void readsWaitWhereTheModelSaysSo() {
    assertTrue(run(Ddp.parse("read-enforced/read-enforced"), SHORT).waits().readsStalled() > 0.2);
    assertEquals(0, run(Ddp.parse("eventual/synchronous"), SHORT).waits().readsStalled());
  }

  @Test
  void updatesAreHeldBackUntilTheyAreDurable() {
    assertTrue(run(Ddp.parse("causal/synchronous"), SHORT).waits().held() > 10);
    assertTrue(run(Ddp.parse("causal/eventual"), SHORT).waits().held() < 1);
  }

  @Test
  void aRuleThatIsLeftOutCostsNothing() {
    Ddp model = Ddp.parse("causal/synchronous");
    TimingResult without = TimingRun.without(Set.of(ReplicaRule.OWN_WRITES), 1, model, SHORT);
    assertEquals(0, without.waits().readsStalled());
    assertTrue(without.perSecond() > run(model, SHORT).perSecond());
  }
}
