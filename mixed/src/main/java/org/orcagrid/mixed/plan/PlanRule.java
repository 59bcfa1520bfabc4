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
package org.orcagrid.mixed.plan;

import java.util.EnumSet;
import java.util.Set;

/** Where we do other than the paper, or where it says nothing; a test takes away each. */
enum PlanRule {
  /**
   * A variable is at most as strong as what it gets. Figure 3 compares the value with the program
   * counter alone, so that a weak value gets into a strong variable.
   */
  ASSIGNED_IS_AS_STRONG,
  /** A variable is at most as strong as the conditions that decide whether it is assigned. */
  CONDITIONS_ARE_AS_STRONG,
  /**
   * A value is found again by its place and the iterations of the loops around it. Section 5.2
   * counts visits, which goes wrong after a branch was skipped in a loop.
   */
  FOUND_BY_ITERATION,
  /** What is strong behind a weaker condition is read, whichever way the condition goes. */
  READ_BEHIND_WEAKER,
  /** A failure of such a function counts only if its value is used. */
  FAILURES_COUNT_WHEN_USED;

  /** All of them: a transaction as it is run. */
  static Set<PlanRule> all() {
    return EnumSet.allOf(PlanRule.class);
  }

  /** All but one, for tests. */
  static Set<PlanRule> without(PlanRule rule) {
    Set<PlanRule> others = all();
    others.remove(rule);
    return others;
  }
}
