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
package org.orcagrid.ddp.model;

import java.util.Locale;
import java.util.Set;

/** How much of something there is, as the papers' arrows say it. */
public enum Level {
  /** The paper's double arrow down. */
  VERY_LOW,
  /** An arrow down. */
  LOW,
  /** A flat arrow. */
  MEDIUM,
  /** An arrow up. */
  HIGH;

  /**
   * Returns the durability of what keeps these promises: high if what has completed survives,
   * medium if what was read does.
   */
  public static Level durability(Set<Promise> kept) {
    if (kept.contains(Promise.COMPLETED_SURVIVES)) {
      return HIGH;
    }
    return kept.contains(Promise.READ_SURVIVES) ? MEDIUM : LOW;
  }

  /** The level in words. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
