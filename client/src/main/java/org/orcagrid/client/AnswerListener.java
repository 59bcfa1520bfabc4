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
package org.orcagrid.client;

/**
 * A callback for the end of an asynchronous operation, called once. The node's thread or the
 * connection's thread calls it, with no allocation and no other thread between. It must be quick
 * and must not wait: that node or connection does nothing else meanwhile. A callback that may wait
 * needs a form with a stage.
 *
 * <p>A relaxed read that the node's copy answers at once is told by the thread that has begun it,
 * before it goes on; but not what is begun in the listener itself, so that nothing goes ever
 * deeper.
 *
 * <p>If the session's time-out passes first, the session's {@link GridSession#executor} calls it.
 * The {@link Answer} has an {@link OutcomeUnknownException} then, or a {@link NotDoneException} if
 * the operation was not sent. Nobody is told when such an operation ends later.
 *
 * @param <V> the type of values
 */
@FunctionalInterface
public interface AnswerListener<V> {

  /**
   * The operation has ended. What this throws goes to the uncaught-exception handler of the thread.
   */
  void onAnswer(Answer<V> answer);
}
