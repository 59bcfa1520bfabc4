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
package org.orcagrid.mixed.run;

import java.util.EnumSet;
import java.util.Set;

/** What running transactions stands on, besides the rules of its parts; a test takes each away. */
public enum RunRule {
  /** A version says where the rest of its transaction follows. */
  VERSIONS_NAME_THE_REST,
  /** Who reads a weak version has not read what is older than it of its transaction. */
  TOGETHER_IS_SEEN_TOGETHER,
  /** Weaker stores are read when all else has answered, or once more. */
  WEAK_IS_READ_LAST,
  /** What was read of strong objects is still there when others are written. */
  READS_ARE_CHECKED,
  /** What is read of several strong objects, and nothing written, was there at one moment. */
  READERS_ARE_CHECKED,
  /** A function that fails may have seen what never was: what it has read is checked first. */
  FAILURES_ARE_CHECKED;

  /** All of them. */
  public static Set<RunRule> all() {
    return EnumSet.allOf(RunRule.class);
  }

  /** All but one, for tests. */
  public static Set<RunRule> without(RunRule rule) {
    Set<RunRule> others = all();
    others.remove(rule);
    return others;
  }
}
