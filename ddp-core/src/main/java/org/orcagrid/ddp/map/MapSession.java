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
package org.orcagrid.ddp.map;

import java.util.concurrent.CompletableFuture;
import org.orcagrid.ddp.replica.consistency.Operation;

/**
 * A session of a map: its operations are done one after the other, in the order in which they were
 * submitted. Safe for use by many threads, whose operations have some order then.
 */
public interface MapSession extends AutoCloseable {

  /**
   * Submits an operation.
   *
   * @return the same when it has ended, completed by a thread that must not wait for the map:
   *     {@link SessionEndedException} if what came of it is not known and never will be, {@link
   *     java.util.concurrent.RejectedExecutionException} if too much is under way, and what the
   *     model refuses. It is {@link Withdrawable}, if it is not made of another one
   * @throws IllegalStateException if it was submitted before
   */
  CompletableFuture<Operation> submit(Operation operation);

  /**
   * Answers a read or an acquire in the calling thread, if this node's copy may answer at once and
   * all that was submitted before has ended.
   *
   * @return whether it has ended; if not it is as it was, and to be submitted
   */
  default boolean answerNow(Operation read) {
    return false;
  }

  /**
   * Opens another session of the same client, for other keys: a read of all keys in any of them
   * waits for what all of them have written.
   */
  MapSession openBeside();

  /**
   * Whether the session has ended by itself: its node does not have the map any more, has begun
   * another life, or cannot be reached.
   */
  boolean isEnded();

  /**
   * Gives up the session: what has not begun is not done, and its transaction or scope is given up
   * unless it is decided.
   */
  @Override
  void close();
}
