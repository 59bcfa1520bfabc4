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

import java.util.List;
import java.util.function.BiFunction;
import org.orcagrid.mixed.level.Level;
import org.orcagrid.mixed.level.Levels;
import org.orcagrid.mixed.plan.Term;

/** Two values, for a function of both. */
public final class Both<L extends Level, A, B> {
  private final Term one;
  private final Term other;

  Both(Term one, Term other) {
    this.one = one;
    this.other = other;
  }

  /**
   * A function of both, as consistent as the weaker one.
   *
   * @param function pure: it is called again when the transaction begins anew
   */
  public <R> Expr<L, R> map(BiFunction<? super A, ? super B, ? extends R> function) {
    @SuppressWarnings("unchecked")
    BiFunction<Object, Object, R> any = (BiFunction<Object, Object, R>) function;
    return new Expr<>(
        new Term.Apply(
            Levels.common(one.level(), other.level()),
            List.of(one, other),
            values -> any.apply(values.get(0), values.get(1))));
  }
}
