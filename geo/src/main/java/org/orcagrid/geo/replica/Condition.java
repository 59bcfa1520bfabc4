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
package org.orcagrid.geo.replica;

import org.orcagrid.geo.Version;

/**
 * What a write asks of the present version of its key.
 *
 * @param time of the version that must be there, 0 for no value
 * @param datacenter of that version
 */
public record Condition(long time, int datacenter) {
  /** The key must have no value. */
  public static final Condition ABSENT = new Condition(0, 0);

  /** That version must be there. */
  public static Condition is(Version version) {
    return new Condition(version.time(), version.datacenter());
  }

  /** Whether it holds of a key with this version. */
  boolean holds(Version present, boolean hasValue) {
    if (time == 0) {
      return !hasValue;
    }
    return present.time() == time && present.datacenter() == datacenter;
  }
}
