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
 * No answer has come in time, or the waiting thread was interrupted. The operation goes on: it may
 * take effect later, once, or never. What the session does next waits for it.
 */
public final class OutcomeUnknownException extends GridException {
  private static final long serialVersionUID = 1L;

  private OutcomeUnknownException(String why, String needs) {
    super(why + "; the operation may still take effect. " + needs);
  }

  OutcomeUnknownException(String why) {
    this(why, "A grid needs a majority of its nodes");
  }

  /** Of an operation on a map, for this reason. */
  public static OutcomeUnknownException ofMap(String why) {
    return new OutcomeUnknownException(
        why, "A map needs the nodes that served last, until it is agreed that one is left out");
  }
}
