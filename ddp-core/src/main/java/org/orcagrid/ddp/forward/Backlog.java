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
package org.orcagrid.ddp.forward;

import java.util.concurrent.RejectedExecutionException;
import org.orcagrid.ddp.replica.consistency.Operation;

/** Bounds what waits at a node until homes of its maps are found. Safe for use by many threads. */
final class Backlog {
  static final int OPERATIONS_MAX = 1 << 13;
  static final long BYTES_MAX = 64L << 20;

  private int operations;
  private long bytes;

  /**
   * Has one more operation wait.
   *
   * @throws RejectedExecutionException if too much waits already
   */
  synchronized void add(Operation operation) {
    if (operations == OPERATIONS_MAX || bytes + bytes(operation) > BYTES_MAX) {
      throw new RejectedExecutionException(
          "More than "
              + OPERATIONS_MAX
              + " operations or "
              + (BYTES_MAX >> 20)
              + " MB wait at this node for nodes that have their maps");
    }
    operations++;
    bytes += bytes(operation);
  }

  /** One that was added waits no more. */
  synchronized void remove(Operation operation) {
    operations--;
    bytes -= bytes(operation);
  }

  synchronized int operations() {
    return operations;
  }

  private static int bytes(Operation operation) {
    return operation.value() == null ? 0 : operation.value().length;
  }
}
