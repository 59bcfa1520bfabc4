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
package org.orcagrid.server.log;

import org.apache.zookeeper.server.util.ZxidUtils;

/**
 * A whole transaction in a log file: its checksum is right and its end is marked.
 *
 * @param start where its checksum begins
 * @param end where the next transaction begins
 * @param checksum of its content
 */
record LogRecord(long start, long end, long zxid, long checksum) {

  /**
   * Whether nothing is missing between two transactions that stand behind each other in a log.
   *
   * <p>Within an epoch their numbers have no gaps, and an epoch begins with its number one. How
   * many transactions the epoch before had is not in the log. What goes back is no gap: the stock
   * server numbers a request that it cannot decode like the one before.
   */
  static boolean follows(long earlier, long later) {
    if (later <= earlier + 1) {
      return true;
    }
    return ZxidUtils.getEpochFromZxid(later) > ZxidUtils.getEpochFromZxid(earlier)
        && ZxidUtils.getCounterFromZxid(later) <= 1;
  }
}
