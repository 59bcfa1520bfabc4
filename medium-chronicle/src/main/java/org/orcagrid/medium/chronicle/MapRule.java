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
package org.orcagrid.medium.chronicle;

import java.util.EnumSet;
import java.util.Set;

/**
 * The rules on which durability rests. A medium keeps all of them; a test takes one away and sees
 * the power cuts find it.
 */
enum MapRule {
  /** The file that counts is not changed: a power cut may leave any part of a change. */
  LEAVE_CURRENT_ALONE,
  /** A file is forced before it counts. */
  FORCE_BEFORE_MANIFEST,
  /** The log is trimmed only behind what counts. */
  MANIFEST_BEFORE_TRIM,
  /** After a start nobody knows what is in the other file: it is made anew. */
  COPY_AFTER_START,
  /** Files take turns: each is given what only the other one has got so far. */
  CATCH_UP,
  /**
   * What a start has found is made durable before anything relies on it: a process may have ended
   * between the manifest's change of name and the sync of the folder.
   */
  FORCE_REPLAYED,
  /** The map is never ahead of the log, which would give a position a second time. */
  ONLY_DURABLE,
  /** A map that lacks something is refused. */
  REFUSE_DAMAGE;

  private static final Set<MapRule> ALL = Set.copyOf(EnumSet.allOf(MapRule.class));

  /** All of them: what a product keeps. */
  static Set<MapRule> all() {
    return ALL;
  }

  /** All but one. */
  static Set<MapRule> without(MapRule broken) {
    return EnumSet.complementOf(EnumSet.of(broken));
  }
}
