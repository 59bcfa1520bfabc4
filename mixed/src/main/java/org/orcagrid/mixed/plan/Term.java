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
import java.util.function.Function;
import org.orcagrid.mixed.level.Level;
import org.orcagrid.mixed.level.Linearizable;

/** An expression. */
public sealed interface Term {
  /** The weakest consistency of what it is computed from (section 3.4). */
  Class<? extends Level> level();

  /** A value that the program has. */
  record Constant(Object value) implements Term {
    @Override
    public Class<? extends Level> level() {
      return Linearizable.class;
    }
  }

  /** What an object holds, null if there is none. */
  record Read(Target target) implements Term {
    @Override
    public Class<? extends Level> level() {
      return target.level();
    }
  }

  /** What a variable holds. */
  record Local(Variable variable) implements Term {
    @Override
    public Class<? extends Level> level() {
      return variable.level();
    }
  }

  /**
   * A function of other terms.
   *
   * @param function of their values; pure, as it is called again when a transaction begins anew
   */
  record Apply(Class<? extends Level> level, List<Term> of, Function<List<Object>, Object> function)
      implements Term {}

  /** A term that is taken for less consistent than it is. */
  record Weakened(Class<? extends Level> level, Term of) implements Term {}

  /**
   * A term that is taken for more consistent than it is, on the program's responsibility. It is
   * evaluated before the first phase.
   *
   * @param reason which {@link Plan#endorsements} tells
   */
  record Endorsed(Class<? extends Level> level, Term of, String reason) implements Term {}
}
