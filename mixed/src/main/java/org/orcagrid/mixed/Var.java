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
import org.orcagrid.mixed.plan.Variable;

/** A variable of a transaction, which is known within its {@code let}. */
public final class Var<L extends Level, T> extends Expr<L, T> implements WriteAccess<L, T> {
  private final Variable variable;

  Var(Variable variable) {
    super(new Term.Local(variable));
    this.variable = variable;
  }

  @Override
  public Stmt<L> set(Expr<? extends L, ? extends T> value) {
    return new Stmt<>(new Command.Assign(variable, value.term()));
  }
}
