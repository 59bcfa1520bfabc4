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

import org.orcagrid.mixed.track.Context;
import org.orcagrid.mixed.track.VectorClock;

/**
 * What a store has of an object.
 *
 * @param value null if there is none
 * @param version greater with each write, 0 for nothing; always 0 in a store that follows
 * @param clock of what was written to it, in a store that has one
 */
public record Found(Object value, long version, VectorClock clock, Context context) {
  /** Nothing. */
  public static final Found NOTHING = new Found(null, 0, VectorClock.NONE, Context.NONE);
}
