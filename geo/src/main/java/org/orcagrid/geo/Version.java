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
package org.orcagrid.geo;

/**
 * Which write of a key this is. Of two, the one with the later time wins, and of the same time that
 * of the greater datacenter.
 *
 * @param time the write's hybrid timestamp, 0 for none
 * @param datacenter where it was written
 * @param position of the write in the log of its datacenter's group
 */
public record Version(long time, int datacenter, long position) {
  /** A key that was never written, or whose deletion nobody remembers. */
  public static final Version NONE = new Version(0, 0, Positions.NONE);

  /** Whether this is a write. */
  public boolean isThere() {
    return time != 0;
  }

  /** Whether this one wins. */
  public boolean wins(Version other) {
    return wins(time, datacenter, other.time, other.datacenter);
  }

  /** Whether the first one wins (Algorithm 2, line 3); the same does not. */
  public static boolean wins(long time, int datacenter, long otherTime, int otherDatacenter) {
    return time > otherTime || (time == otherTime && datacenter > otherDatacenter);
  }
}
