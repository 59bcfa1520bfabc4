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
import java.util.function.Function;
import java.util.function.Predicate;
import org.orcagrid.mixed.level.Level;
import org.orcagrid.mixed.plan.Term;

/**
 * An expression of a transaction. It is evaluated when the transaction runs, at each place where it
 * stands.
 *
 * @param <L> how consistent its value is, at least
 * @param <T> of its value
 */
public class Expr<L extends Level, T> {
  private final Term term;

  Expr(Term term) {
    this.term = term;
  }

  Term term() {
    return term;
  }

  /**
   * A function of the value, as consistent as that.
   *
   * @param function pure: it is called again when the transaction begins anew
   */
  public <R> Expr<L, R> map(Function<? super T, ? extends R> function) {
    @SuppressWarnings("unchecked")
    Function<Object, R> any = (Function<Object, R>) function;
    return new Expr<>(
        new Term.Apply(term.level(), List.of(term), values -> any.apply(values.get(0))));
  }

  /** Whether something holds of the value. */
  public Expr<L, Boolean> is(Predicate<? super T> predicate) {
    return map(predicate::test);
  }
}
