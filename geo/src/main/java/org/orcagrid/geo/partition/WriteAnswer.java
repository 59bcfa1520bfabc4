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
package org.orcagrid.geo.partition;

import org.orcagrid.geo.PositionVector;
import org.orcagrid.geo.replica.Outcome;

/** What a node answers to a write. */
public sealed interface WriteAnswer {

  /**
   * What came of it.
   *
   * @param everywhere what all replicas of all datacenters have
   */
  record Done(Outcome outcome, PositionVector everywhere) implements WriteAnswer {}

  /**
   * This node does not lead, or not any more. A write that it has begun may take effect; it is to
   * be tried again at the leader.
   *
   * @param leader who does, -1 if that is not known
   */
  record NotLeading(int leader) implements WriteAnswer {}

  /**
   * The session depends on a time that is too far ahead of this node's clock.
   *
   * @param millis how far
   */
  record ClockAhead(long millis) implements WriteAnswer {}

  /** The node's own datacenter was removed; the write has no effect. */
  record Removed() implements WriteAnswer {}

  /** Too much is under way; the write has no effect. */
  record Overloaded() implements WriteAnswer {}

  /** What the session has seen did not come in time; the write has no effect. */
  record NotMet(Lag lag) implements WriteAnswer {}
}
