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

/**
 * A version of a causal object.
 *
 * @param clock of the writes that it has, by the group of each
 * @param context what it stands on in other stores
 */
public record Version(Object value, VectorClock clock, Context context) {
  /** One that stands on nothing else. */
  public Version(Object value, VectorClock clock) {
    this(value, clock, Context.NONE);
  }
}
