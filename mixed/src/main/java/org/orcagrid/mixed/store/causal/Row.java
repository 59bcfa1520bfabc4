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
package org.orcagrid.mixed.store.causal;

import org.orcagrid.mixed.track.Context;
import org.orcagrid.mixed.track.VectorClock;

/**
 * What one instance has written to an object, with all that it had there before.
 *
 * @param sequence of the write, in its instance
 * @param clock of its instance, with the write
 */
public record Row(String group, long sequence, VectorClock clock, Object value, Context context) {
  /** Whether another row is written by somebody who had this one. */
  boolean isIn(Row other) {
    return sequence <= other.clock().of(group);
  }
}
