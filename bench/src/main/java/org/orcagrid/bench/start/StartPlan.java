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
package org.orcagrid.bench.start;

/**
 * What servers start with.
 *
 * @param znodes leaves of the tree
 * @param valueBytes of each of them
 * @param heapMegabytes the most that a server's heap may have
 * @param rounds starts of each system
 */
public record StartPlan(int znodes, int valueBytes, int heapMegabytes, int rounds) {
  private static final int ZNODES_MAX = 20_000_000;
  private static final int VALUE_BYTES_MAX = 100_000;
  private static final int HEAP_MEGABYTES_MIN = 64;
  private static final int HEAP_MEGABYTES_MAX = 1 << 20;
  private static final int ROUNDS_MAX = 100;

  /** Checks the bounds. */
  public StartPlan {
    require(znodes, 1, ZNODES_MAX, "--znodes");
    require(valueBytes, 0, VALUE_BYTES_MAX, "--value-bytes");
    require(heapMegabytes, HEAP_MEGABYTES_MIN, HEAP_MEGABYTES_MAX, "--heap-mb");
    require(rounds, 1, ROUNDS_MAX, "--rounds");
  }

  private static void require(int value, int least, int most, String name) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          name + " is " + least + " to " + most + ", not " + value + ".");
    }
  }
}
