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
package org.orcagrid.mixed;

import org.orcagrid.mixed.level.Level;
import org.orcagrid.mixed.plan.Command;
import org.orcagrid.mixed.plan.Term;

/** A condition, which what stands behind it must not be stronger than. */
public final class When<L extends Level> {
  private final Term condition;

  When(Term condition) {
    this.condition = condition;
  }

  /** If it holds. */
  public Then<L> then(Stmt<? super L> body) {
    return new Then<>(condition, body.command(), Mixed.NOTHING);
  }

  /** What is done if a condition holds, and what if not. */
  public static final class Then<L extends Level> extends Stmt<L> {
    private final Term condition;
    private final Command then;
    private final Command otherwise;

    Then(Term condition, Command then, Command otherwise) {
      super(new Command.Choice(condition, then, otherwise));
      this.condition = condition;
      this.then = then;
      this.otherwise = otherwise;
    }

    /** If it holds, this as well. */
    public Then<L> then(Stmt<? super L> next) {
      return new Then<>(condition, Mixed.both(then, next.command()), otherwise);
    }

    /** If it does not hold; several of these one after the other. */
    public Then<L> otherwise(Stmt<? super L> next) {
      return new Then<>(condition, then, Mixed.both(otherwise, next.command()));
    }
  }
}
