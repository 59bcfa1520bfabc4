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
package org.orcagrid.ddp;

/** Sets of nodes as bit masks, and the majorities among them. */
public final class Quorum {
  /** As many as a mask has bits for, the sign left out. */
  public static final int NODES_MAX = 31;

  private Quorum() {}

  /** The mask of one node. */
  public static int of(int node) {
    return 1 << node;
  }

  /** The mask of the nodes 0 to {@code nodes - 1}. */
  public static int all(int nodes) {
    return (int) ((1L << nodes) - 1);
  }

  /** Whether a set is a majority of {@code nodes}. */
  public static boolean isMajority(int mask, int nodes) {
    return 2 * Integer.bitCount(mask) > nodes;
  }
}
