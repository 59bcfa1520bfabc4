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
import org.orcagrid.mixed.plan.Results;
import org.orcagrid.mixed.plan.Term;
import org.orcagrid.mixed.plan.Variable;

/** What a transaction returns. It does not change, and may be used by several threads. */
public final class Out<L extends Level, T> implements WriteAccess<L, T> {
  private final Variable variable;

  /** One that gets nothing weaker than this. */
  public Out(Class<L> level) {
    this.variable = Variable.result(level);
  }

  @Override
  public Stmt<L> set(Expr<? extends L, ? extends T> value) {
    return new Stmt<>(new Command.Assign(variable, value.term()));
  }

  /** What a transaction has returned, null if it has set nothing. */
  @SuppressWarnings("unchecked")
  public T of(Results results) {
    return (T) results.get(variable);
  }

  /** The same for another transaction, where it is as consistent as it was. */
  public Expr<L, T> again(Results results) {
    return new Expr<>(
        new Term.Weakened(variable.level(), new Term.Constant(results.get(variable))));
  }
}
