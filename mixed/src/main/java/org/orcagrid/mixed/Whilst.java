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

/** A condition that is asked again and again. */
public final class Whilst<L extends Level> {
  private final Term condition;

  Whilst(Term condition) {
    this.condition = condition;
  }

  /** As often as it holds. */
  public Again<L> then(Stmt<? super L> body) {
    return new Again<>(condition, body.command());
  }

  /** What is done again and again. */
  public static final class Again<L extends Level> extends Stmt<L> {
    private final Term condition;
    private final Command body;

    Again(Term condition, Command body) {
      super(new Command.While(condition, body));
      this.condition = condition;
      this.body = body;
    }

    /** This as well, each time. */
    public Again<L> then(Stmt<? super L> next) {
      return new Again<>(condition, Mixed.both(body, next.command()));
    }
  }
}
