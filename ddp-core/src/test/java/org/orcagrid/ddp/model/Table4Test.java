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

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Beside the paper's own rows, as they are laid out in the notes on it. */
class Table4Test {
  private static final String PAPER =
      """
      | 1 Linearizable, Synchronous | ⇑ | ✘ | ✘ | ⇔ | ⇓ | ✔ | ✔ | ⇑ | ⇑ | ⇑ |
      | 2 Read-Enforced, Synchronous | ⇔ | ✔ | ✘ | ⇔ | ⇔ | ✔ | ✘ | ⇔ | ⇑ | ⇑ |
      | 3 Transactional, Synchronous | ⇑ | ✔ | ✔ | ⇑ | ⇑ | ✔ | ✔ | ⇑ | ⇓ | ⇓ |
      | 4 Causal, Synchronous | ⇔ | ✔ | ✔ | ⇑ | ⇑ | ✔ | ✘ | ⇔ | ⇑ | ⇓ |
      | 5 Eventual, Synchronous | ⇓ | ✔ | ✔ | ⇓ | ⇑ | ✘ | ✘ | ⇓ | ⇑ | ⇑ |
      | 6 Linearizable, Read-Enforced | ⇔ | ✔ | ✘ | ⇑ | ⇔ | ✔ | ✘ | ⇔ | ⇑ | ⇑ |
      | 7 Causal, Read-Enforced | ⇔ | ✔ | ✘ | ⇑ | ⇑ | ✔ | ✘ | ⇔ | ⇑ | ⇓ |
      | 8 Linearizable, Eventual | ⇓ | ✔ | ✔ | ⇓ | ⇑ | ✘ | ✘ | ⇓ | ⇑ | ⇑ |
      | 9 Linearizable, Scope | ⇑ | ✔ | ✔ | ⇑ | ⇑ | ✘ | ✘ | ⇑ | ⇓ | ⇓ |
      | 10 Transactional, Scope | ⇑ | ✔ | ✔ | ⇑ | ⇑ | ✘ | ✘ | ⇑ | ⇓⇓ | ⇓⇓ |
      """;

  private static String written(Table4 row) {
    Table4.Performance performance = row.performance();
    Table4.Intuition intuition = row.intuition();
    List<String> cells =
        List.of(
            row.number() + " " + capitals(row.model()),
            arrow(row.durability()),
            mark(performance.writesOptimized()),
            mark(performance.readsOptimized()),
            arrow(performance.traffic()),
            arrow(performance.overall()),
            mark(intuition.monotonicReads()),
            mark(intuition.nonStaleReads()),
            arrow(intuition.overall()),
            arrow(row.effort().programmability()),
            arrow(row.effort().implementability()));
    return "| " + String.join(" | ", cells) + " |";
  }

  private static String capitals(Ddp model) {
    return name(model.consistency().id()) + ", " + name(model.persistency().id());
  }

  private static String name(String id) {
    String name = id.substring(0, 1).toUpperCase(Locale.ROOT) + id.substring(1);
    return name.replace("-enforced", "-Enforced");
  }

  private static String mark(boolean yes) {
    return yes ? "✔" : "✘";
  }

  private static String arrow(Level level) {
    return switch (level) {
      case VERY_LOW -> "⇓⇓";
      case LOW -> "⇓";
      case MEDIUM -> "⇔";
      case HIGH -> "⇑";
    };
  }

  @Test
  void isThePapers() {
    assertEquals(PAPER.lines().toList(), Table4.rows().stream().map(Table4Test::written).toList());
  }

  @Test
  void hasTenOfAll() {
    assertEquals(10, Ddp.all().stream().map(Table4::of).flatMap(Optional::stream).count());
    assertEquals(Optional.empty(), Table4.of(Ddp.parse("release/strict")));
    assertEquals(Optional.empty(), Table4.of(Ddp.parse("linearizable/none")));
    assertEquals(25, Ddp.ofPaper().size());
  }

  @Test
  void oursIsAtLeastWhatThePaperHas() {
    for (Table4 row : Table4.rows()) {
      boolean stronger = row.model().id().equals("eventual/synchronous");
      assertEquals(
          stronger ? Level.MEDIUM : row.durability(),
          Level.durability(Promise.of(row.model())),
          row.model() + ", durability");
      assertEquals(
          row.intuition().monotonicReads(),
          Promise.MONOTONIC_READS.isMadeBy(row.model()),
          row.model() + ", monotonic reads");
      assertEquals(
          row.intuition().nonStaleReads(),
          Promise.NON_STALE_READS.isMadeBy(row.model()),
          row.model() + ", reads that are not stale");
    }
  }
}
