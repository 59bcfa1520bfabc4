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
package org.orcagrid.cad;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Compares {@link UndurableChanges} with the whole history, for random changes and a durable-index
 * that follows them; and mutants that the same check must catch.
 */
class ShownChangesTest {
  private static final int SEEDS = 300;
  private static final int CHANGES = 200;
  private static final List<String> NAMES = List.of("/a", "/b", "/c", "/d");

  /** How the tree notes what it changes; overridden by the mutants. */
  private static class Notes {
    final UndurableChanges changes = new UndurableChanges();

    void created(String path, long index) {
      changes.onNodeChanged(path, index);
      changes.onChildrenChanged("/", index);
    }

    void deleted(String path, long index) {
      created(path, index);
    }

    void changed(String path, long index) {
      changes.onNodeChanged(path, index);
    }

    void durable(long index) {
      changes.onDurable(index);
    }
  }

  private static final class ForgetsDeletes extends Notes {
    @Override
    void deleted(String path, long index) {
      changes.onChildrenChanged("/", index);
    }
  }

  private static final class ForgetsTheParent extends Notes {
    @Override
    void created(String path, long index) {
      changes.onNodeChanged(path, index);
    }
  }

  private static final class PurgesTooEarly extends Notes {
    @Override
    void durable(long index) {
      changes.onDurable(index + 1);
    }
  }

  private static final class NeverPurges extends Notes {
    @Override
    void durable(long index) {}
  }

  @Test
  void everyPathNeedsItsLastChangeAndNothingMore() {
    assertEquals("", firstViolation(Notes::new));
  }

  @Test
  void theCheckCatchesNotesThatForgetDeletes() {
    assertNotEquals("", firstViolation(ForgetsDeletes::new));
  }

  @Test
  void theCheckCatchesNotesThatForgetTheParent() {
    assertNotEquals("", firstViolation(ForgetsTheParent::new));
  }

  @Test
  void theCheckCatchesNotesThatPurgeTooEarly() {
    assertNotEquals("", firstViolation(PurgesTooEarly::new));
  }

  @Test
  void theCheckCatchesNotesThatNeverPurge() {
    assertNotEquals("", firstViolation(NeverPurges::new));
  }

  private static String firstViolation(java.util.function.Supplier<Notes> notes) {
    for (long seed = 0; seed < SEEDS; seed++) {
      String violation = violation(new SplittableRandom(seed), notes.get());
      if (!violation.isEmpty()) {
        return "seed " + seed + ": " + violation;
      }
    }
    return "";
  }

  private static String violation(SplittableRandom random, Notes notes) {
    Map<String, Long> lastChange = new HashMap<>();
    long durable = 0;
    for (long index = 1; index <= CHANGES; index++) {
      String path = NAMES.get(random.nextInt(NAMES.size()));
      int kind = random.nextInt(3);
      switch (kind) {
        case 0 -> notes.created(path, index);
        case 1 -> notes.deleted(path, index);
        default -> notes.changed(path, index);
      }
      lastChange.put(path, index);
      if (kind != 2) {
        lastChange.put("/", index);
      }
      if (random.nextInt(4) == 0) {
        durable += random.nextLong(index - durable + 1);
        notes.durable(durable);
      }
      String violation = compare(notes.changes, lastChange, durable);
      if (!violation.isEmpty()) {
        return violation;
      }
    }
    return "";
  }

  private static String compare(
      UndurableChanges changes, Map<String, Long> lastChange, long durable) {
    long undurable = 0;
    for (Map.Entry<String, Long> each : lastChange.entrySet()) {
      long shown = changes.indexOfNode(each.getKey());
      long last = each.getValue();
      undurable += last > durable ? 1 : 0;
      // What is durable may be forgotten; what is not must be exact.
      if (last > durable ? shown != last : shown > durable) {
        return each.getKey() + " needs " + shown + ", not " + last + " (durable " + durable + ")";
      }
    }
    return changes.size() == undurable
        ? ""
        : changes.size() + " entries for " + undurable + " paths that are not durable";
  }
}
