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

import java.util.function.Function;
import org.orcagrid.mixed.level.Level;
import org.orcagrid.mixed.plan.Command;
import org.orcagrid.mixed.plan.Term;
import org.orcagrid.mixed.plan.Variable;

/** A variable's first value. */
public final class Let<L extends Level, T> {
  private final Class<? extends Level> level;
  private final Term initial;

  Let(Class<? extends Level> level, Term initial) {
    this.level = level;
    this.initial = initial;
  }

  /** What is done with the variable, which is not known elsewhere. */
  public <W extends Level> Stmt<W> in(Function<? super Var<L, T>, Stmt<W>> body) {
    Variable variable = Variable.bound(level);
    return new Stmt<>(
        new Command.Let(variable, initial, body.apply(new Var<>(variable)).command()));
  }
}
