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
package org.orcagrid.mixed.track;

import java.util.HashMap;
import java.util.Map;

/**
 * How many writes of each group something has, or stands for. It does not change.
 *
 * @param counts by group; none of 0
 */
public record VectorClock(Map<String, Long> counts) {
  /** Nothing. */
  public static final VectorClock NONE = new VectorClock(Map.of());

  /** A clock with a copy of these counts. */
  public VectorClock {
    counts = Map.copyOf(counts);
  }

  /** Up to so many writes of a group. */
  public static VectorClock of(String group, long count) {
    return new VectorClock(Map.of(group, count));
  }

  /** How many writes of a group. */
  public long of(String group) {
    return counts.getOrDefault(group, 0L);
  }

  /** Both together. */
  public VectorClock join(VectorClock other) {
    Map<String, Long> all = new HashMap<>(counts);
    other.counts.forEach((group, count) -> all.merge(group, count, Math::max));
    return new VectorClock(all);
  }

  /** What both have. */
  public VectorClock meet(VectorClock other) {
    Map<String, Long> both = new HashMap<>();
    counts.forEach(
        (group, count) -> {
          long common = Math.min(count, other.of(group));
          if (common > 0) {
            both.put(group, common);
          }
        });
    return new VectorClock(both);
  }

  /** What another one does not have of it. */
  public VectorClock without(VectorClock other) {
    Map<String, Long> left = new HashMap<>(counts);
    left.entrySet().removeIf(each -> each.getValue() <= other.of(each.getKey()));
    return new VectorClock(left);
  }

  /** Whether another one has all that this has. */
  public boolean isIn(VectorClock other) {
    return counts.entrySet().stream().allMatch(each -> each.getValue() <= other.of(each.getKey()));
  }
}
