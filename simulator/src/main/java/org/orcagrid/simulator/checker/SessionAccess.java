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
package org.orcagrid.simulator.checker;

/**
 * A read or a write of a session, as its client has seen it. Versions are ordered by time, and of
 * the same time by datacenter.
 *
 * @param session whose it is
 * @param write whether it is a write that was answered
 * @param key of what
 * @param time of the version that was read or written, 0 if there was none
 * @param datacenter where that was written
 * @param present whether that version has a value; a deletion has none
 * @param afterReads whether it asked for what the session had read before
 * @param afterWrites whether it asked for what the session had written before
 */
public record SessionAccess(
    long session,
    boolean write,
    String key,
    long time,
    int datacenter,
    boolean present,
    boolean afterReads,
    boolean afterWrites) {

  /** Whether its version is later than another one's. */
  boolean isLater(SessionAccess other) {
    return time > other.time || (time == other.time && datacenter > other.datacenter);
  }

  /** Whether it is the same version. */
  boolean isSame(SessionAccess other) {
    return time == other.time && datacenter == other.datacenter;
  }
}
