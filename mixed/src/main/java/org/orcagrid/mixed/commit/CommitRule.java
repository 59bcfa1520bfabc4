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
package org.orcagrid.mixed.commit;

import java.util.EnumSet;
import java.util.Set;

/** What the commit of a transaction stands on; a test takes each away. */
public enum CommitRule {
  /** All that can refuse have prepared before one decides. */
  PREPARED_BEFORE_DECIDED,
  /** Who does not know whether it is decided asks, and has it never be. */
  FENCED_BEFORE_ABORTED,
  /** A store that has prepared commits or gives up as it was decided. */
  PREPARED_FOLLOW_DECISION,
  /** An intent is kept until all of it is done. */
  CLOSED_WHEN_DONE,
  /** Who cannot wait leaves the rest to others, and does not call it off. */
  DECIDED_IS_FINISHED,
  /** A decision is remembered when its intent is closed. */
  CLOSED_IS_REMEMBERED,
  /** A group commits a part once: it keeps the id with it. */
  MARKED_ONCE,
  /** Ids are forgotten where what is older is refused. */
  FORGOTTEN_IS_REFUSED,
  /** Nothing as old is decided any more when groups begin to refuse it. */
  DECIDER_REFUSES_FIRST,
  /** And all that was decided is done. */
  REFUSED_WHEN_CLOSED;

  /** All of them. */
  public static Set<CommitRule> all() {
    return EnumSet.allOf(CommitRule.class);
  }

  /** All but one, for tests. */
  public static Set<CommitRule> without(CommitRule rule) {
    Set<CommitRule> others = all();
    others.remove(rule);
    return others;
  }
}
