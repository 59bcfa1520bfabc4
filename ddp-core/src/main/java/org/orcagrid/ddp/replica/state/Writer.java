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
package org.orcagrid.ddp.replica.state;

import org.orcagrid.ddp.Timestamp;

/**
 * Who writes: a node in one of its lives, as the lower part of clocks. A node that has lost what it
 * had not persisted may use the same version numbers again, but as another writer.
 */
public final class Writer {
  /** A node has at most so many lives. */
  public static final int INCARNATION_MAX = 65_535;

  /** Nodes are numbered below this. */
  public static final int NODES_MAX = 16;

  private static final int NODE_BITS = 4;

  private Writer() {}

  /** The number of a node in one of its lives. */
  public static int of(int node, int incarnation) {
    return incarnation << NODE_BITS | node;
  }

  /** The node that has written a version. */
  public static int node(long clock) {
    return Timestamp.writer(clock) & (NODES_MAX - 1);
  }

  /** In which of its lives. */
  public static int incarnation(long clock) {
    return Timestamp.writer(clock) >>> NODE_BITS;
  }

  static String describe(long clock) {
    return node(clock) + "'" + incarnation(clock);
  }
}
