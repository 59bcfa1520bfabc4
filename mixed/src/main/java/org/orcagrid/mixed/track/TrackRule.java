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

import java.util.EnumSet;
import java.util.Set;

/** What tracking stands on; a test takes each away. */
public enum TrackRule {
  /** Who has read a strong object has seen what its writer had, and says so when it writes. */
  CARRIED_IS_SEEN,
  /** What changes a strong object carries what that carried: its past is in the value. */
  CHANGES_KEEP_THE_PAST,
  /** A replica that has less than the client has seen is waited for: it may be another one. */
  REPLICA_HAS_SEEN,
  /** What is told is used only if the teller has seen what is asked about. */
  TELLER_HAS_SEEN,
  /** What one has fetched is no causal closure: what is not in it is waited for. */
  UNFETCHED_WAITS,
  /** Who is asked tells what it knows by now: others' writes came before what it has read. */
  TOLD_AS_OF_NOW,
  /** A client writes nothing causally before its replica has all that the client has seen. */
  CAUSAL_WRITES_WAIT,
  /** Of two versions that know nothing of each other, none is dropped. */
  CONCURRENT_IS_MERGED,
  /** Where the part of a decided transaction follows, who has seen the one waits for the other. */
  PENDING_IS_WAITED_FOR,
  /** And tells others that they are to wait, too. */
  PENDING_IS_CARRIED,
  /** Nothing is forgotten before all replicas have it, those that do not answer, too. */
  FORGOTTEN_WHEN_EVERYWHERE;

  /** All of them. */
  public static Set<TrackRule> all() {
    return EnumSet.allOf(TrackRule.class);
  }

  /** All but one, for tests. */
  public static Set<TrackRule> without(TrackRule rule) {
    Set<TrackRule> others = all();
    others.remove(rule);
    return others;
  }
}
