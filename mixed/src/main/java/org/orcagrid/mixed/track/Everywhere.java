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
import java.util.Set;

/**
 * What all replicas of a causal store have: the global minimum of section 4.4. Its members are
 * agreed on; one that does not answer holds it back.
 */
public final class Everywhere {
  private final Set<String> members;
  private final Set<TrackRule> rules;
  private final Map<String, VectorClock> clocks = new HashMap<>();

  /** Of these replicas. */
  public Everywhere(Set<String> members) {
    this(members, TrackRule.all());
  }

  Everywhere(Set<String> members, Set<TrackRule> rules) {
    this.members = Set.copyOf(members);
    this.rules = rules;
  }

  /** A replica has told what it has. */
  public void onClock(String member, VectorClock clock) {
    clocks.merge(member, clock, VectorClock::join);
  }

  /** What all have. */
  public VectorClock clock() {
    boolean isOfAll = clocks.keySet().containsAll(members);
    if (!isOfAll && rules.contains(TrackRule.FORGOTTEN_WHEN_EVERYWHERE)) {
      return VectorClock.NONE;
    }
    return clocks.values().stream().reduce(VectorClock::meet).orElse(VectorClock.NONE);
  }
}
