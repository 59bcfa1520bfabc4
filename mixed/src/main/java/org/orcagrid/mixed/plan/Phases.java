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

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.orcagrid.mixed.level.Level;
import org.orcagrid.mixed.level.Levels;

/** The levels of a program, strongest first: the phases it is split into (section 3.5). */
final class Phases {
  /** What is known, or evaluated, before the first phase. */
  static final int BEFORE_ALL = -1;

  private final Set<Class<? extends Level>> found = new LinkedHashSet<>();

  private Phases() {}

  static List<Class<? extends Level>> of(Command program) {
    Phases phases = new Phases();
    phases.add(program);
    return List.copyOf(Levels.strongestFirst(phases.found));
  }

  private void add(Command command) {
    if (command instanceof Command.Write write) {
      add(write.target());
      add(write.value());
    } else if (command instanceof Command.Change change) {
      add(change.target());
      add(change.argument());
    } else if (command instanceof Command.Assign assign) {
      found.add(assign.variable().level());
      add(assign.value());
    } else if (command instanceof Command.Block block) {
      block.parts().forEach(this::add);
    } else if (command instanceof Command.Choice choice) {
      add(choice.condition());
      add(choice.then());
      add(choice.otherwise());
    } else if (command instanceof Command.While loop) {
      add(loop.condition());
      add(loop.body());
    } else if (command instanceof Command.ForEach loop) {
      found.add(loop.item().level());
      add(loop.items());
      add(loop.body());
    } else if (command instanceof Command.Let let) {
      found.add(let.variable().level());
      add(let.initial());
      add(let.body());
    }
  }

  private void add(Target target) {
    found.add(target.level());
    if (target instanceof Target.Referenced referenced) {
      add(referenced.reference());
    }
  }

  private void add(Term term) {
    if (term instanceof Term.Read read) {
      add(read.target());
    } else if (term instanceof Term.Local local) {
      found.add(local.variable().level());
    } else if (term instanceof Term.Apply apply) {
      found.add(apply.level());
      apply.of().forEach(this::add);
    } else if (term instanceof Term.Weakened weakened) {
      found.add(weakened.level());
      add(weakened.of());
    }
  }
}
