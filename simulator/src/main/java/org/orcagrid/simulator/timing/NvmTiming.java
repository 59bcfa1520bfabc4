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
package org.orcagrid.simulator.timing;

/**
 * Non-volatile memory of a server.
 *
 * @param banks each writes one line after the other (Table 5: 2 channels of 8)
 * @param writeNanos for a line (Table 5: 400)
 * @param lineBytes what is written at once: a cache line
 * @param placement where a version goes
 * @param combines whether a write joins one of the same line that waits for its bank, as in the
 *     write queue of a memory controller
 */
public record NvmTiming(
    int banks, long writeNanos, int lineBytes, Placement placement, boolean combines) {

  /** Where the versions of a record go. */
  public enum Placement {
    /** Each record has its lines, in which its versions replace each other, as in the paper. */
    IN_PLACE,
    /** One behind the other, round all banks, as our media have it. */
    LOG
  }

  /** As in the paper's Table 5; that it combines is ours. */
  public static final NvmTiming TABLE_5 = new NvmTiming(16, 400, 64, Placement.IN_PLACE, true);

  /** Refuses what cannot be. */
  public NvmTiming {
    if (banks < 1 || writeNanos < 0 || lineBytes < 1) {
      throw new IllegalArgumentException(
          "No memory has " + banks + " banks, " + writeNanos + " ns and " + lineBytes + " bytes");
    }
  }

  /** The same with the versions elsewhere. */
  public NvmTiming with(Placement other) {
    return new NvmTiming(banks, writeNanos, lineBytes, other, combines);
  }

  /** The same, each write on its own. */
  public NvmTiming withoutCombining() {
    return new NvmTiming(banks, writeNanos, lineBytes, placement, false);
  }

  int lines(int bytes) {
    return Math.max(1, (bytes + lineBytes - 1) / lineBytes);
  }
}
