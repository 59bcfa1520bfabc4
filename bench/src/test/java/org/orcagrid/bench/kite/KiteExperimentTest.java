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
package org.orcagrid.bench.kite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.orcagrid.ddp.kite.OperationKind;

final class KiteExperimentTest {
  private static final KitePlan.Grid SMALL = new KitePlan.Grid(3, 2, 4, 50, 32);

  private static Map<OperationKind, Double> shares(Mix mix) {
    SplittableRandom random = new SplittableRandom(1);
    Map<OperationKind, Double> shares = new EnumMap<>(OperationKind.class);
    int count = 100_000;
    for (int i = 0; i < count; i++) {
      shares.merge(mix.choose(random), 100.0 / count, Double::sum);
    }
    return shares;
  }

  @Test
  void theSharesAreThoseOfThePapersExample() {
    Map<OperationKind, Double> shares = shares(new Mix(60, 50, 50));
    assertEquals(50, shares.get(OperationKind.GET_AND_SET), 1);
    assertEquals(5, shares.get(OperationKind.WRITE), 0.5);
    assertEquals(5, shares.get(OperationKind.RELEASE), 0.5);
    assertEquals(20, shares.get(OperationKind.READ), 1);
    assertEquals(20, shares.get(OperationKind.ACQUIRE), 1);
  }

  @Test
  void theProtocolsAloneHaveTheirOwnAccessesOnly() {
    assertEquals(
        java.util.Set.of(OperationKind.READ, OperationKind.WRITE),
        shares(Contender.ES.mix().withWrites(50)).keySet());
    assertEquals(
        java.util.Set.of(OperationKind.ACQUIRE, OperationKind.RELEASE),
        shares(Contender.ABD.mix().withWrites(50)).keySet());
    assertEquals(
        java.util.Set.of(OperationKind.ACQUIRE, OperationKind.GET_AND_SET),
        shares(Contender.PAXOS.mix().withWrites(50)).keySet());
    assertThrows(IllegalArgumentException.class, () -> new Mix(101, 0, 0));
  }

  @Test
  void allSystemsTakeTheirTurns() throws IOException, InterruptedException {
    List<Contender> all =
        List.of(
            Contender.ES,
            Contender.ABD,
            Contender.PAXOS,
            Contender.ZAB,
            Contender.kite("kite", "Kite", 5, 5));
    List<String> said = new ArrayList<>();
    KitePlan plan = new KitePlan(all, List.of(1.0, 100.0), SMALL, 2, 1, 0.1);
    KiteResult result = KiteExperiment.run(plan, said::add);
    assertEquals(List.of("warm-up", "round 1 of 2", "round 2 of 2"), said);
    for (Contender contender : all) {
      for (double writePercent : plan.writePercents()) {
        assertEquals(
            2, result.rates().get(new KiteResult.Place(contender.id(), writePercent)).size());
        assertTrue(
            result.throughput(contender, writePercent).orElseThrow().max() > 0,
            contender.title() + " did something");
      }
    }
  }
}
