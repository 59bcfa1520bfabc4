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
package org.orcagrid.mixed.store;

import java.util.Map;
import org.orcagrid.mixed.commit.Answer;
import org.orcagrid.mixed.plan.StoredObject;
import org.orcagrid.mixed.track.Context;
import org.orcagrid.mixed.track.VectorClock;

/**
 * What a store answers to a transaction that commits.
 *
 * @param clock of the part that it has taken; of nothing in a store without clocks
 * @param together versions that it has decided
 */
public record Reply(Answer answer, VectorClock clock, Map<StoredObject, Context.Stamp> together) {
  /** An answer alone. */
  public static Reply of(Answer answer) {
    return new Reply(answer, VectorClock.NONE, Map.of());
  }

  /** A part was taken. */
  public static Reply taken(VectorClock clock) {
    return new Reply(Answer.DONE, clock, Map.of());
  }

  /** It is decided. */
  public static Reply decided(Map<StoredObject, Context.Stamp> together) {
    return new Reply(Answer.DONE, VectorClock.NONE, together);
  }
}
