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

/**
 * The replicated log of a partition within its datacenter, as one of its nodes sees it. Committed
 * entries come to {@link Partition#onEntry}, in their order. Of the partition's thread.
 */
public interface PartitionLog {
  /** Not an index: a command is refused. */
  long REFUSED = -1;

  /** Whether this node leads, as far as it knows. */
  boolean leads();

  /** The node that leads, -1 if that is not known. */
  int leader();

  /** The present term. */
  long term();

  /**
   * Appends a command, whose bytes nobody changes from now on.
   *
   * @return its index; {@link #REFUSED} if this node does not lead, or too much is not committed
   */
  long propose(byte[] command);

  /** The first entry that is still there. */
  long first();

  /** The command of an entry that is there; null if it has none. */
  byte[] command(long index);

  /** Hands the leadership to another node, if this one leads. */
  void transfer(int node);
}
