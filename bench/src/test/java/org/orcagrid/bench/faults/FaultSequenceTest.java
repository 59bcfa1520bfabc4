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
package org.orcagrid.bench.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.orcagrid.examples.ensemble.FaultyEnsemble;

class FaultSequenceTest {

  @Test
  void aMajorityIsAlwaysUpAndAllAreAtBothEnds() {
    for (long seed = 0; seed < 2_000; seed++) {
      FaultSequence sequence = FaultSequence.of(seed, 5);
      List<FaultSequence.Stage> stages = sequence.stages();
      assertTrue(stages.size() >= 5 && stages.size() <= 7, sequence::toString);
      assertEquals(5, stages.get(0).up().size(), sequence::toString);
      assertEquals(5, stages.get(stages.size() - 1).up().size(), sequence::toString);
      for (FaultSequence.Stage stage : stages) {
        int alone = stage.lagging() == FaultyEnsemble.NOBODY ? 0 : 1;
        assertTrue(stage.up().size() - alone >= 3, sequence::toString);
        assertTrue(alone == 0 || stage.up().contains(stage.lagging()), sequence::toString);
      }
    }
  }

  @Test
  void theSameSeedIsTheSameSequenceAndManyDiffer() {
    assertEquals(FaultSequence.of(7, 5), FaultSequence.of(7, 5));
    Set<FaultSequence> all = new HashSet<>();
    for (long seed = 0; seed < 500; seed++) {
      all.add(FaultSequence.of(seed, 5));
    }
    assertTrue(all.size() > 450, "of 500 differ " + all.size());
  }

  @Test
  void itIsWrittenAsInThePaper() {
    FaultSequence sequence =
        new FaultSequence(
            3,
            List.of(
                new FaultSequence.Stage(List.of(1, 2, 3), 1),
                new FaultSequence.Stage(List.of(2, 3), FaultyEnsemble.NOBODY)));
    assertEquals("(1)23 > 23", sequence.toString());
  }
}
