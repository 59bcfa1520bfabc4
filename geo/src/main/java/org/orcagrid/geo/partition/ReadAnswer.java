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
import org.orcagrid.geo.replica.Found;

/** What a replica answers to a read. */
public sealed interface ReadAnswer {

  /**
   * The present version.
   *
   * @param position what the session has read up to; the version's own
   * @param everywhere what all replicas of all datacenters have
   * @param lag what is missing of what was asked for; {@link Lag#NONE} unless it is older
   */
  record Value(Found found, long position, PositionVector everywhere, Lag lag)
      implements ReadAnswer {}

  /** What was asked for did not come in time. */
  record NotMet(Lag lag) implements ReadAnswer {}

  /** The replica has started and does not know yet what it has missed; another one may serve. */
  record NotServing() implements ReadAnswer {}

  /**
   * A datacenter was removed, and with it writes that the session has seen. It is to ask again
   * without these.
   *
   * @param cut the position up to which the datacenter's writes are left
   * @param entries of its log that the session has seen behind that, about; 0 if it only may have
   */
  record Lost(int datacenter, long cut, long entries) implements ReadAnswer {}

  /** The replica's own datacenter was removed. */
  record Removed() implements ReadAnswer {}

  /** Too many requests wait here. */
  record Overloaded() implements ReadAnswer {}
}
