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
 * Is told of the end of an asynchronous operation, once, by the thread that does the session's
 * work: the node's, or that of the connection. It allocates nothing and hands nothing over; so it
 * must be quick, and must not wait: meanwhile that node or connection does nothing else. A callback
 * that may wait is for the forms with a stage.
 *
 * <p>When the session's time-out passes first, an {@link Answer} with an {@link
 * OutcomeUnknownException}, or a {@link NotDoneException} if it was not sent, is told by the
 * session's {@link GridSession#executor} instead, and the end, when it comes, to nobody.
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
