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
package org.orcagrid.ddp.node;

import org.orcagrid.ddp.transfer.Progress;

/** A node of this process that opens sessions on Kite's keys. Safe for use by many threads. */
public interface SessionHost extends AutoCloseable {

  /**
   * Opens a session at the worker with the most free ones.
   *
   * @param depth operations under way at most: a power of two, at most {@link RequestQueue#DEPTH}
   * @throws IllegalStateException if all are in use, or the node does not serve keys
   */
  LocalSession openSession(int depth);

  /** Opens a session with as many operations under way as there can be. */
  default LocalSession openSession() {
    return openSession(RequestQueue.DEPTH);
  }

  /** The most bytes of a value. */
  int valueBytesMax();

  /** Slow releases of this node's sessions since its keys have begun. */
  long slowReleases();

  /** How often the node has gone to the slow path since its keys have begun. */
  int epoch();

  /** Messages of keys that found no room in their link and were sent again. */
  long droppedMessages();

  /** How far this node is with catching up. */
  Progress progress();

  /** Ends the node, with all that it hosts. What was under way has an unknown outcome. */
  @Override
  void close();
}
