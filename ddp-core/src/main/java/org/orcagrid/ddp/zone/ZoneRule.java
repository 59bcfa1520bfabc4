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
package org.orcagrid.ddp.zone;

import java.util.EnumSet;
import java.util.Set;

/** What zones keep to. Production keeps all; tests leave one out and see that it is missed. */
public enum ZoneRule {
  /** What nobody has told of goes when the zone is closed. */
  STRAYS_GO,
  /** What is in a zone after a crash is found. */
  FOUND_AFTER_CRASH;

  /** All of them. */
  public static Set<ZoneRule> all() {
    return EnumSet.allOf(ZoneRule.class);
  }
}
