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
package org.orcagrid.ddp.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ExplanationTest {
  @Test
  void saysWhatAModelPromisesAndWhatNot() {
    assertEquals(
        """
        causal/synchronous

        A write is visible at the writer's node at once, at another one some time after everything \
        that happened before it: neither reads nor writes wait for other nodes.
        It is durable at each node when it becomes visible there.
        A crash, of one node or of all at once, can take writes that have completed, as long as \
        nobody has read them.

        Promised:
          - what was read survives
          - a client's reads never go back

        Not promised:
          - what has completed may be lost
          - a read may show less than somebody else has read before
          - a read may miss what was completed before it

        It is row 4 of the paper's Table 4.
        All this holds if the nodes that served last come back with their durable media.
        """,
        Ddp.parse("causal/synchronous").explain());
  }

  @Test
  void scopesSurviveOnceTheyArePersisted() {
    String text = Ddp.parse("linearizable/scope").explain();
    assertTrue(text.contains("  - a scope that was persisted survives whole\n"), text);
    assertTrue(text.contains("  - what was read may be lost\n"), text);
    assertTrue(text.contains("It is row 9 of the paper's Table 4.\n"), text);
  }

  @Test
  void releasesPromiseMoreThanOtherWrites() {
    String text = Ddp.parse("release/synchronous").explain();
    assertTrue(text.contains("  - what has completed may be lost\n"), text);
    assertTrue(text.contains("when a release has completed, it survives, and all"), text);
    assertTrue(
        Ddp.parse("release/eventual").explain().contains("as long as not all nodes lose power"));
  }

  @Test
  void memoryOnlyPromisesNothingForTheLossOfAllAndIsNamedAsOurs() {
    for (Consistency consistency : Consistency.values()) {
      Ddp model = Ddp.of(consistency, Persistency.NONE);
      assertEquals(Set.of(), Promise.of(model));
      assertEquals("nothing", new Explanation(model).survives());
      assertTrue(model.explain().contains("It is durable nowhere"), model.explain());
      assertTrue(
          model.explain().contains("Memory only is ours, beside the paper's five persistencies."),
          model.explain());
    }
    assertTrue(
        Ddp.parse("linearizable/none")
            .explain()
            .contains("While one is left: nothing that has completed, and nothing that was read."));
    assertEquals(5, Persistency.ofPaper().size());
  }

  @Test
  void noTwoModelsAreExplainedAlike() {
    Set<String> explanations = new HashSet<>();
    for (Ddp model : Ddp.all()) {
      assertTrue(explanations.add(model.explain().replace(model.id(), "")), model.explain());
    }
  }

  @Test
  void everyModelIsFoundByItsName() {
    for (Ddp model : Ddp.all()) {
      assertEquals(model, Ddp.parse(model.id()));
    }
    String sentence =
        assertThrows(IllegalArgumentException.class, () -> Ddp.parse("causal")).getMessage();
    assertTrue(sentence.contains("'causal'") && sentence.contains("scope"), sentence);
    assertTrue(sentence.contains("none"), sentence);
  }
}
