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
package org.orcagrid.mixed.plan;

import java.util.List;

/** A command at one place of a program. */
sealed interface Step {
  /**
   * An object is written, or changed if there is an operation.
   *
   * @param reference names the object; null if it is known
   * @param operation null for a write
   */
  record Write(int phase, Target target, Site reference, Operation operation, Site value)
      implements Step {}

  /** A variable is set. */
  record Assign(int phase, Variable variable, Site value) implements Step {}

  /** One after the other. */
  record Block(List<Step> parts) implements Step {}

  /** The one or the other. */
  record Choice(Site condition, Step then, Step otherwise) implements Step {}

  /** Again while a condition holds. */
  record While(int loop, Site condition, Step body) implements Step {}

  /** For each of several values; {@code phase} is the item's. */
  record ForEach(int loop, Site items, int phase, Variable item, Step body) implements Step {}
}
