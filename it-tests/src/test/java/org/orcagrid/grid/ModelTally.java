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
package org.orcagrid.grid;

import java.util.EnumMap;
import java.util.Map;
import org.orcagrid.ddp.model.Consistency;
import org.orcagrid.ddp.model.Ddp;
import org.orcagrid.ddp.model.Promise;

/**
 * What was looked for with a model, how often, and how often it was not so. Safe for use by many
 * threads.
 */
final class ModelTally {

  /** What a model may promise as long as nobody loses its memory, or also then. */
  enum Claim {
    /** Whoever sees the later of two writes sees the earlier, which its writer had seen. */
    ORDER("later without earlier"),
    /** Nobody sees less than somebody else had seen before. */
    FOR_ALL("less than another saw"),
    /** What has completed at one node is seen at the others. */
    COMPLETED_SEEN("completed, not seen"),
    /** What has completed at a node that was killed is there when it is back. */
    COMPLETED_SURVIVES("completed, gone"),
    /** What was read at a node that was killed is there when it is back. */
    READ_SURVIVES("read, gone");

    private final String otherwise;

    Claim(String otherwise) {
      this.otherwise = otherwise;
    }

    /** Whether a model promises it. With release consistency of acquires, where that matters. */
    boolean isMadeBy(Ddp model) {
      Consistency consistency = model.consistency();
      boolean agreed = consistency == Consistency.LINEARIZABLE;
      boolean together = agreed || consistency == Consistency.TRANSACTIONAL;
      boolean acquired = consistency == Consistency.RELEASE;
      return switch (this) {
        case ORDER -> consistency != Consistency.EVENTUAL;
        case FOR_ALL -> together || acquired || consistency == Consistency.READ_ENFORCED;
        case COMPLETED_SEEN -> together || acquired || Promise.NON_STALE_READS.isMadeBy(model);
        case COMPLETED_SURVIVES -> Promise.COMPLETED_SURVIVES.isMadeBy(model);
        case READ_SURVIVES -> Promise.READ_SURVIVES.isMadeBy(model);
      };
    }
  }

  private static final class Count {
    private int looks;
    private int failed;
  }

  private final Ddp model;
  private final Map<Claim, Count> counts = new EnumMap<>(Claim.class);

  ModelTally(Ddp model) {
    this.model = model;
  }

  /** Somebody has looked whether something is so. */
  synchronized void look(Claim claim, boolean held) {
    Count count = counts.computeIfAbsent(claim, key -> new Count());
    count.looks++;
    count.failed += held ? 0 : 1;
  }

  /** Whether all that the model promises was so. */
  synchronized boolean isKept() {
    return counts.entrySet().stream()
        .noneMatch(each -> each.getKey().isMadeBy(model) && each.getValue().failed > 0);
  }

  /** A line; what is in brackets is not promised. */
  @Override
  public synchronized String toString() {
    StringBuilder line = new StringBuilder(String.format("%-30s", model.id()));
    counts.forEach(
        (claim, count) -> {
          String numbers = count.failed + " of " + count.looks;
          String shown = claim.isMadeBy(model) ? numbers : "(" + numbers + ")";
          line.append(String.format(" %s: %-14s", claim.otherwise, shown));
        });
    return line + (isKept() ? "" : "  BROKEN");
  }
}
