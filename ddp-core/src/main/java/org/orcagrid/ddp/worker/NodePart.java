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
package org.orcagrid.ddp.worker;

/** What a node hosts: it has an engine at each of the node's {@linkplain Workers workers}. */
public interface NodePart {

  /**
   * Makes the engine of a worker, before any of them runs; of the workers in their order.
   *
   * @param packets the engine's way to the peers
   */
  Engine engine(Worker worker, Packets packets);

  /**
   * The node fails for this reason: callers are to be told it from now on. Comes once, by any
   * thread, before any engine is ended.
   */
  default void onFailed(Throwable reason) {}

  /**
   * The workers have ended, but for one that closes its own node. May come twice, by a thread that
   * closes the node or by the last worker.
   */
  default void onEnded() {}
}
