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

/** A statement. */
public sealed interface Command {
  /** An object gets another value. */
  record Write(Target target, Term value) implements Command {}

  /** A store does something to an object. */
  record Change(Target target, Operation operation, Term argument) implements Command {}

  /** A variable gets another value. */
  record Assign(Variable variable, Term value) implements Command {}

  /** One after the other. */
  record Block(List<Command> parts) implements Command {}

  /** The one or the other. */
  record Choice(Term condition, Command then, Command otherwise) implements Command {}

  /** Again while a condition holds. */
  record While(Term condition, Command body) implements Command {}

  /** For each of several values, in turn. */
  record ForEach(Term items, Variable item, Command body) implements Command {}

  /** With a variable, which is only known in the body. */
  record Let(Variable variable, Term initial, Command body) implements Command {}
}
