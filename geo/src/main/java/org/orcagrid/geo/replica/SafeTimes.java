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
package org.orcagrid.geo.replica;

import java.util.Set;
import org.orcagrid.geo.GeoRule;
import org.orcagrid.geo.Positions;

/**
 * Up to which time a replica has all writes of each datacenter. The leaders tell: behind a
 * position, their datacenter has no write that is not later than a time. Volatile: what is
 * forgotten is told again.
 */
final class SafeTimes {
  private final boolean waits;
  private final long[] times = new long[Positions.DATACENTERS_MAX];

  // What is to hold when the replica has come to a position: first that, then the latest.
  private final long[] nextPositions = new long[Positions.DATACENTERS_MAX];
  private final long[] nextTimes = new long[Positions.DATACENTERS_MAX];
  private final long[] lastPositions = new long[Positions.DATACENTERS_MAX];
  private final long[] lastTimes = new long[Positions.DATACENTERS_MAX];

  SafeTimes(Set<GeoRule> rules) {
    this.waits = rules.contains(GeoRule.SAFE_TIME_WAITS_FOR_POSITION);
  }

  /** All writes of a datacenter that are not later than this are here. */
  long time(int datacenter) {
    return times[datacenter];
  }

  /** Behind a position, a datacenter has later writes only. */
  void told(int datacenter, long position, long time, long reached) {
    if (time > lastTimes[datacenter]) {
      lastPositions[datacenter] = position;
      lastTimes[datacenter] = time;
    }
    if (nextTimes[datacenter] <= times[datacenter]) {
      nextPositions[datacenter] = position;
      nextTimes[datacenter] = time;
    }
    reached(datacenter, reached);
  }

  /** The replica has all writes of a datacenter up to a position. */
  void reached(int datacenter, long position) {
    if (nextPositions[datacenter] <= position || !waits) {
      times[datacenter] = Math.max(times[datacenter], nextTimes[datacenter]);
      nextPositions[datacenter] = lastPositions[datacenter];
      nextTimes[datacenter] = lastTimes[datacenter];
      if (nextPositions[datacenter] <= position) {
        times[datacenter] = Math.max(times[datacenter], nextTimes[datacenter]);
      }
    }
  }
}
