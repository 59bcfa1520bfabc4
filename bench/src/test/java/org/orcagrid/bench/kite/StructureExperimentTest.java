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
import java.util.List;
import org.junit.jupiter.api.Test;
import org.orcagrid.client.Codec;
import org.orcagrid.client.EmbeddedGrid;
import org.orcagrid.client.Grid;
import org.orcagrid.client.GridSession;
import org.orcagrid.client.concurrent.GridQueue;

final class StructureExperimentTest {
  private static final KitePlan.Grid SMALL = new KitePlan.Grid(3, 2, 4, 50, 32);

  @Test
  void allStructuresTakeTheirTurnsAndNothingIsWrong() throws IOException, InterruptedException {
    StructurePlan plan = new StructurePlan(Structure.ALL, SMALL, 2, 1, 1, 0.02);
    List<String> said = new ArrayList<>();
    StructureResult result = StructureExperiment.run(plan, said::add);
    assertEquals(List.of("warm-up", "round 1 of 1"), said);
    assertEquals(0, result.violations());
    assertTrue(result.checks() > 0, "objects were looked at");
    for (Structure structure : Structure.ALL) {
      for (StructureResult.Line line : StructureResult.Line.values()) {
        assertEquals(
            1,
            result.rates().get(new StructureResult.Place(structure, line)).size(),
            structure.title() + " " + line);
      }
    }
  }

  @Test
  void theAccessesAreThoseOfTheCode() {
    Structure stack = new Structure(Structure.Kind.TS, 4);
    assertEquals("TS-4", stack.title());
    // Push: read the top, write the node, set the top. Pop: read the top and the node, set the top.
    assertEquals(7, stack.accesses());
    assertEquals(50, stack.writePercent());
    Structure list = new Structure(Structure.Kind.HML, 32);
    assertEquals(35.5, list.accesses());
    assertEquals(100 * 36 / 71.0, list.writePercent(), 1e-9);
  }

  @Test
  void anObjectThatWasNotPutInThereIsFound() {
    try (EmbeddedGrid grid = Grid.embedded();
        GridSession session = grid.openSession();
        GridSession intruder = grid.openSession()) {
      StructureClient client = new StructureClient(session, 0, 1);
      client.choose(new Structure(Structure.Kind.MSQ, 4), false);
      assertEquals(2, client.once());
      assertEquals(1, client.checks());
      assertEquals(0, client.violations());
      // An object without fields is the first in the queue now.
      new GridQueue<>(intruder, "0", Codec.LONG).offer(77L);
      client.once();
      assertEquals(1, client.violations());
    }
  }

  @Test
  void plansThatCannotBeMeasuredAreRefused() {
    assertThrows(
        IllegalArgumentException.class,
        () -> new StructurePlan(Structure.ALL, SMALL, 0, 1, 1, 0.1));
    assertThrows(
        IllegalArgumentException.class,
        () -> new StructurePlan(Structure.ALL, SMALL, 1, 0, 1, 0.1));
  }
}
