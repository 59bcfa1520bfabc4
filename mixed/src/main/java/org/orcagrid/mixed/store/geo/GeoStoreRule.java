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
package org.orcagrid.mixed.store.geo;

import java.util.EnumSet;
import java.util.Set;

/** What a store on the geo store stands on; a test takes each away. */
public enum GeoStoreRule {
  /** An object keeps the ids of transactions that have changed it: who repeats one skips it. */
  OBJECTS_KEEP_IDS,
  /**
   * An id that an object has dropped is looked for in its record, as new as when it was dropped.
   */
  DROPPED_IDS_ARE_RECORDED,
  /** A transaction is recorded, with its token, when all its objects are written. */
  RECORDED_WHEN_ALL_IS_WRITTEN,
  /** Who reads asks for what the tokens name that it has met. */
  TOKENS_ARE_ASKED_FOR;

  /** All of them. */
  public static Set<GeoStoreRule> all() {
    return EnumSet.allOf(GeoStoreRule.class);
  }

  /** All but one, for tests. */
  public static Set<GeoStoreRule> without(GeoStoreRule rule) {
    Set<GeoStoreRule> others = all();
    others.remove(rule);
    return others;
  }
}
