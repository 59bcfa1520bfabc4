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

import java.util.function.BiFunction;
import org.orcagrid.mixed.plan.Operation;

/**
 * Something that a store does to an object by itself (section 3.3, {@code do_op}), so that what
 * several do at once is merged.
 *
 * @param <T> of the object's value
 * @param <A> of the argument
 */
public final class Change<T, A> {
  private final String name;
  private final BiFunction<? super T, ? super A, ? extends T> function;

  private Change(String name, BiFunction<? super T, ? super A, ? extends T> function) {
    this.name = name;
    this.function = function;
  }

  /**
   * A change.
   *
   * @param name what the store calls it
   * @param function what it makes of a value, null if there is none, and of the argument; it leaves
   *     both as they are
   */
  public static <T, A> Change<T, A> of(
      String name, BiFunction<? super T, ? super A, ? extends T> function) {
    return new Change<>(name, function);
  }

  private record Named(String name, BiFunction<Object, Object, ?> function) implements Operation {
    @Override
    public Object apply(Object present, Object argument) {
      return function.apply(present, argument);
    }
  }

  /** What stores do, which keep transactions across crashes and find changes by their names. */
  public Operation operation() {
    @SuppressWarnings("unchecked")
    BiFunction<Object, Object, T> any = (BiFunction<Object, Object, T>) function;
    return new Named(name, any);
  }
}
