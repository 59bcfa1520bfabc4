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

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.orcagrid.mixed.level.Level;
import org.orcagrid.mixed.level.Levels;
import org.orcagrid.mixed.level.Linearizable;

/**
 * The typing rules of section 3.4, by tokens: raw types and casts get past the compiler, and it
 * does not see where a variable ends.
 */
final class Checker {
  private static final int PLACES_MAX = 10_000;

  private final Set<PlanRule> rules;
  private final Set<Variable> inScope = new HashSet<>();
  private final Map<String, Class<? extends Level>> stores = new HashMap<>();
  private int places;

  Checker(Set<PlanRule> rules) {
    this.rules = rules;
  }

  /** Refuses a transaction in which something weak decides something strong. */
  void check(Command program) {
    check(program, Linearizable.class);
  }

  /** The stores that it names, and what each promises. */
  Map<String, Class<? extends Level>> stores() {
    return stores;
  }

  /** Expressions that are used twice are two places: they might be doubled again and again. */
  private void count() {
    places++;
    if (places > PLACES_MAX) {
      throw new IllegalTransactionException(
          "The transaction has more than "
              + PLACES_MAX
              + " places; use let for what is used often, or several transactions");
    }
  }

  private void check(Command command, Class<? extends Level> pc) {
    count();
    if (command instanceof Command.Write write) {
      checkWrite(write.target(), write.value(), pc);
    } else if (command instanceof Command.Change change) {
      checkWrite(change.target(), change.argument(), pc);
    } else if (command instanceof Command.Assign assign) {
      checkAssign(assign.variable(), assign.value(), pc);
    } else if (command instanceof Command.Block block) {
      block.parts().forEach(each -> check(each, pc));
    } else if (command instanceof Command.Choice choice) {
      check(choice.condition());
      Class<? extends Level> behind = Levels.common(pc, choice.condition().level());
      check(choice.then(), behind);
      check(choice.otherwise(), behind);
    } else if (command instanceof Command.While loop) {
      check(loop.condition());
      check(loop.body(), Levels.common(pc, loop.condition().level()));
    } else if (command instanceof Command.ForEach loop) {
      check(loop.items());
      require(loop.items().level(), loop.item().level(), "the items", "a loop's variable");
      within(loop.item(), loop.body(), Levels.common(pc, loop.items().level()));
    } else if (command instanceof Command.Let let) {
      check(let.initial());
      require(let.initial().level(), let.variable().level(), "its first value", "a variable");
      within(let.variable(), let.body(), pc);
    }
  }

  private void within(Variable variable, Command body, Class<? extends Level> pc) {
    if (!inScope.add(variable)) {
      throw new IllegalTransactionException("One variable is bound twice, one within the other");
    }
    check(body, pc);
    inScope.remove(variable);
  }

  private void checkWrite(Target target, Term value, Class<? extends Level> pc) {
    check(target);
    check(value);
    require(value.level(), target.level(), "what is written", name(target));
    require(pc, target.level(), "the condition that it is behind", name(target));
  }

  private static String name(Target target) {
    return target instanceof Target.Named named
        ? named.object().store() + "/" + named.object().key()
        : "what a reference names";
  }

  private void checkAssign(Variable variable, Term value, Class<? extends Level> pc) {
    check(value);
    if (!variable.isResult() && !inScope.contains(variable)) {
      throw new IllegalTransactionException(
          "A variable is assigned outside of its let or its loop; declare it further out");
    }
    if (rules.contains(PlanRule.ASSIGNED_IS_AS_STRONG)) {
      require(value.level(), variable.level(), "what is assigned", variable.kind());
    }
    if (rules.contains(PlanRule.CONDITIONS_ARE_AS_STRONG)) {
      require(pc, variable.level(), "the condition that it is behind", variable.kind());
    }
  }

  private void check(Target target) {
    if (target instanceof Target.Named named) {
      StoredObject object = named.object();
      Class<? extends Level> known = stores.putIfAbsent(object.store(), object.level());
      if (known != null && !known.equals(object.level())) {
        throw new IllegalTransactionException(
            "The store "
                + object.store()
                + " is "
                + Levels.name(known)
                + " in one place and "
                + Levels.name(object.level())
                + " in another; make its StoreName once");
      }
    } else if (target instanceof Target.Referenced referenced) {
      check(referenced.reference());
      require(
          referenced.reference().level(), referenced.level(), "the reference", name(referenced));
    }
  }

  private void check(Term term) {
    count();
    if (term instanceof Term.Read read) {
      check(read.target());
    } else if (term instanceof Term.Local local) {
      if (!inScope.contains(local.variable())) {
        throw new IllegalTransactionException(
            "A variable is used outside of its let or its loop; use an Out for what is returned");
      }
    } else if (term instanceof Term.Apply apply) {
      for (Term each : apply.of()) {
        check(each);
        require(each.level(), apply.level(), "an argument", "a function's value");
      }
    } else if (term instanceof Term.Weakened weakened) {
      check(weakened.of());
      require(weakened.of().level(), weakened.level(), "the value", "what it is weakened to");
    } else if (term instanceof Term.Endorsed endorsed) {
      check(endorsed.of());
      requireNoVariable(endorsed.of());
    }
  }

  /** It is evaluated before the first phase, when no variable has a value. */
  private static void requireNoVariable(Term term) {
    if (term instanceof Term.Local) {
      throw new IllegalTransactionException(
          "What is endorsed uses a variable; endorse the expression that the variable gets");
    } else if (term instanceof Term.Apply apply) {
      apply.of().forEach(Checker::requireNoVariable);
    } else if (term instanceof Term.Weakened weakened) {
      requireNoVariable(weakened.of());
    } else if (term instanceof Term.Endorsed endorsed) {
      requireNoVariable(endorsed.of());
    } else if (term instanceof Term.Read read
        && read.target() instanceof Target.Referenced referenced) {
      requireNoVariable(referenced.reference());
    }
  }

  private static void require(
      Class<? extends Level> is, Class<? extends Level> asked, String what, String of) {
    if (!Levels.isAtLeast(is, asked)) {
      throw new IllegalTransactionException(
          what
              + " is "
              + Levels.name(is)
              + " only, and decides "
              + of
              + ", which is "
              + Levels.name(asked)
              + "; have something weaker there (a variable: let(level, ...)), or endorse what"
              + " decides it with a reason");
    }
  }
}
