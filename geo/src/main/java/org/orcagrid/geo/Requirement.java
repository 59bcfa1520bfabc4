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
package org.orcagrid.geo;

/**
 * What a replica must have before it serves a request: hrv and hwv of Algorithm 1, joined.
 *
 * @param positions writes of each datacenter up to these positions
 * @param floor a hybrid timestamp: all writes that are not later, of any datacenter; 0 for none
 * @param told a bit for each datacenter of which the session knows that it was removed, and writes
 *     up to the floor with it
 */
public record Requirement(PositionVector positions, long floor, int told) {
  /** Nothing: eventual consistency. */
  public static final Requirement NONE = new Requirement(PositionVector.NONE, 0, 0);

  /** Positions alone. */
  public static Requirement of(PositionVector positions) {
    return new Requirement(positions, 0, 0);
  }

  /** Whether nothing is required. */
  public boolean isNone() {
    return positions.isNone() && floor == 0;
  }

  /** Both. */
  public Requirement and(Requirement other) {
    return new Requirement(
        positions.max(other.positions), Math.max(floor, other.floor), told & other.told);
  }
}
