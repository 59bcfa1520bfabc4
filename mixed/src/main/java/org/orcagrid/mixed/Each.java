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

/** Values that a loop goes through. */
public final class Each<L extends Level, T> {
  private final Term items;

  Each(Term items) {
    this.items = items;
  }

  /** What is done with each of them. */
  public Stmt<L> then(Function<? super Expr<L, T>, ? extends Stmt<? super L>> body) {
    Variable item = Variable.bound(items.level());
    return new Stmt<>(
        new Command.ForEach(items, item, body.apply(new Expr<>(new Term.Local(item))).command()));
  }
}
