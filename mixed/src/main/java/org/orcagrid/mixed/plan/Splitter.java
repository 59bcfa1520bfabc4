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

import java.util.ArrayList;
import java.util.List;
import org.orcagrid.mixed.level.Level;

/** Gives each place of a program a number, and the phase that it belongs to (section 5.2). */
final class Splitter {
  private final List<Class<? extends Level>> phases;
  private final List<Loop> around = new ArrayList<>();
  private final List<Site> endorsed = new ArrayList<>();
  private int tags;
  private int loops;

  /** A loop around a place, and the phase that decides how often it runs. */
  private record Loop(int number, int phase) {}

  Splitter(List<Class<? extends Level>> phases) {
    this.phases = phases;
  }

  /** How many loops there are. */
  int loops() {
    return loops;
  }

  /** What is evaluated before the first phase. */
  List<Site> endorsed() {
    return endorsed;
  }

  Step split(Command command) {
    if (command instanceof Command.Write write) {
      return write(write.target(), null, write.value());
    } else if (command instanceof Command.Change change) {
      return write(change.target(), change.operation(), change.argument());
    } else if (command instanceof Command.Assign assign) {
      return assign(assign.variable(), assign.value());
    } else if (command instanceof Command.Block block) {
      return new Step.Block(block.parts().stream().map(this::split).toList());
    } else if (command instanceof Command.Choice choice) {
      Site condition = site(choice.condition());
      return new Step.Choice(condition, split(choice.then()), split(choice.otherwise()));
    } else if (command instanceof Command.While loop) {
      return repeat(loop);
    } else if (command instanceof Command.ForEach loop) {
      return each(loop);
    }
    Command.Let let = (Command.Let) command;
    return new Step.Block(List.of(assign(let.variable(), let.initial()), split(let.body())));
  }

  private Step write(Target target, Operation operation, Term value) {
    int phase = phases.indexOf(target.level());
    if (target instanceof Target.Referenced referenced) {
      Site reference = site(referenced.reference());
      return new Step.Write(phase, target, reference, operation, site(value));
    }
    return new Step.Write(phase, target, null, operation, site(value));
  }

  private Step assign(Variable variable, Term value) {
    int phase = phases.indexOf(variable.level());
    return new Step.Assign(phase, variable, site(value));
  }

  private Step repeat(Command.While loop) {
    int number = loops++;
    around.add(new Loop(number, phase(loop.condition())));
    Step.While made = new Step.While(number, site(loop.condition()), split(loop.body()));
    around.remove(around.size() - 1);
    return made;
  }

  private Step each(Command.ForEach loop) {
    int number = loops++;
    Site items = site(loop.items());
    around.add(new Loop(number, items.phase()));
    int phase = phases.indexOf(loop.item().level());
    Step.ForEach made = new Step.ForEach(number, items, phase, loop.item(), split(loop.body()));
    around.remove(around.size() - 1);
    return made;
  }

  private int phase(Term term) {
    boolean isBefore = term instanceof Term.Constant || term instanceof Term.Endorsed;
    return isBefore ? Phases.BEFORE_ALL : phases.indexOf(term.level());
  }

  private Site site(Term term) {
    int tag = tags++;
    int phase = phase(term);
    List<Integer> own =
        around.stream()
            .filter(each -> each.phase() <= phase && phase != Phases.BEFORE_ALL)
            .map(Loop::number)
            .toList();
    List<Site> parts = parts(term).stream().map(this::site).toList();
    Site site = new Site(tag, term, phase, parts, own);
    if (term instanceof Term.Endorsed) {
      endorsed.add(site);
    }
    return site;
  }

  private static List<Term> parts(Term term) {
    if (term instanceof Term.Apply apply) {
      return apply.of();
    } else if (term instanceof Term.Weakened weakened) {
      return List.of(weakened.of());
    } else if (term instanceof Term.Endorsed endorsed) {
      return List.of(endorsed.of());
    } else if (term instanceof Term.Read read
        && read.target() instanceof Target.Referenced referenced) {
      return List.of(referenced.reference());
    }
    return List.of();
  }
}
