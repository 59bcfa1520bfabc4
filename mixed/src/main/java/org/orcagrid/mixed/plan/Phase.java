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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.orcagrid.mixed.level.Level;
import org.orcagrid.mixed.level.Levels;

/**
 * One pass through a program, in which the objects of one level are read and written (section 3.5).
 * What is stronger was found out before; what is weaker is left to later passes, but for the values
 * of this level that it will use.
 */
final class Phase {
  /** A loop runs so often at most. */
  static final int ITERATIONS_MAX = 100_000;

  private final int number;
  private final Split split;
  private final Values values;
  private final Access access;
  private final int[] iterations;
  private final Map<Variable, Object> variables = new HashMap<>();

  /** How many weaker conditions are around what is being done. */
  private int behind;

  private final Results results;

  /** Whether something was not there yet; the rest goes on, to find all that is missing. */
  private boolean missing;

  Phase(int number, Split split, Values values, Access access, Results results) {
    this.number = number;
    this.split = split;
    this.values = values;
    this.access = access;
    this.iterations = new int[split.loops()];
    this.results = results;
    values.beginPhase();
  }

  /**
   * Ends the phase.
   *
   * @throws MissingException if something was not there yet
   */
  void end() {
    if (missing) {
      throw new MissingException();
    }
  }

  // --- before the first phase --------------------------------------------------------------------

  /** Evaluates what is endorsed, from all stores at once. */
  void endorse(Site site) {
    keep(site, () -> at(site.parts().get(0)));
  }

  private Object at(Site site) {
    if (site.term() instanceof Term.Constant constant) {
      return constant.value();
    }
    if (site.term() instanceof Term.Read read) {
      Object reference = site.parts().isEmpty() ? null : at(site.parts().get(0));
      return access.read(object(read.target(), reference));
    }
    return computed(site, this::at);
  }

  // --- steps -------------------------------------------------------------------------------------

  void run(Step step) {
    if (step instanceof Step.Write write) {
      run(write);
    } else if (step instanceof Step.Assign assign) {
      if (assign.phase() == number) {
        set(assign.variable(), orMissing(() -> evaluate(assign.value())));
      } else if (assign.phase() > number) {
        prepare(assign.value());
      }
    } else if (step instanceof Step.Block block) {
      block.parts().forEach(this::run);
    } else if (step instanceof Step.Choice choice) {
      run(choice);
    } else if (step instanceof Step.While loop) {
      run(loop);
    } else if (step instanceof Step.ForEach loop) {
      run(loop);
    }
  }

  /** A variable whose value cannot be had: whoever uses it is told. */
  private record Failed(RuntimeException reason) {}

  private Object orFailure(Evaluation evaluation) {
    try {
      return evaluation.value();
    } catch (FunctionFailedException | IllegalTransactionException e) {
      if (mayIgnore()) {
        return new Failed(e);
      }
      throw e;
    }
  }

  /** What a variable gets. Nobody goes on with what is not there yet. */
  private Object orMissing(Evaluation evaluation) {
    try {
      return orFailure(evaluation);
    } catch (MissingException e) {
      missing = true;
      return new Failed(e);
    }
  }

  /** Behind a weaker condition it is not known whether anybody gets here. */
  private boolean mayIgnore() {
    return behind > 0 && split.rules().contains(PlanRule.FAILURES_COUNT_WHEN_USED);
  }

  private void set(Variable variable, Object value) {
    if (variable.isResult()) {
      results.set(variable, value);
    } else {
      variables.put(variable, value);
    }
  }

  private void run(Step.Write write) {
    if (write.phase() == number) {
      Object reference = write.reference() == null ? null : evaluate(write.reference());
      StoredObject object = object(write.target(), reference);
      try {
        write(object, write);
      } catch (MissingException e) {
        missing = true;
        access.unknown(object);
      }
    } else if (write.phase() > number) {
      if (write.reference() != null) {
        prepare(write.reference());
      }
      prepare(write.value());
    }
  }

  private void write(StoredObject object, Step.Write write) {
    Object value = evaluate(write.value());
    if (write.operation() == null) {
      access.write(object, value);
    } else {
      access.change(object, write.operation(), value);
    }
  }

  private void run(Step.Choice choice) {
    if (choice.condition().phase() <= number) {
      if (decided(choice.condition(), Phase::condition) instanceof Boolean holds) {
        run(holds ? choice.then() : choice.otherwise());
      }
      return;
    }
    prepare(choice.condition());
    behindWeaker(choice.then());
    behindWeaker(choice.otherwise());
  }

  /** Which way a later phase goes is not known: what is stronger is read for each. */
  private void behindWeaker(Step step) {
    if (split.rules().contains(PlanRule.READ_BEHIND_WEAKER)) {
      behind++;
      run(step);
      behind--;
    }
  }

  private void run(Step.While loop) {
    Site condition = loop.condition();
    if (condition.phase() > number) {
      prepare(condition);
      behindWeaker(loop.body());
      return;
    }
    iterations[loop.loop()] = 0;
    while (decided(condition, Phase::condition) instanceof Boolean goesOn && goesOn) {
      run(loop.body());
      iterations[loop.loop()]++;
      if (iterations[loop.loop()] >= ITERATIONS_MAX) {
        past(condition);
        return;
      }
    }
  }

  /** A loop is past its bound, perhaps where nobody gets to. */
  private void past(Site condition) {
    FunctionFailedException failure =
        new FunctionFailedException(
            "A loop of the transaction ran " + ITERATIONS_MAX + " times; split it up", null);
    if (!mayIgnore()) {
      throw failure;
    }
    if (condition.phase() == number) {
      values.fail(condition, iterations, failure);
    }
  }

  private void run(Step.ForEach loop) {
    if (loop.items().phase() > number) {
      prepare(loop.items());
      behindWeaker(loop.body());
      return;
    }
    if (!(decided(loop.items(), Phase::items) instanceof Items items)) {
      return;
    }
    iterations[loop.loop()] = 0;
    for (Object item : items.all()) {
      if (loop.phase() == number) {
        set(loop.item(), item);
      }
      run(loop.body());
      iterations[loop.loop()]++;
    }
  }

  /**
   * What decides the way. If it fails where perhaps nobody gets to, it is {@link Failed}, and a
   * later phase fails there if it does.
   */
  private Object decided(Site site, UnaryOperator<Object> checked) {
    if (site.term() instanceof Term.Constant constant) {
      return orFailure(() -> checked.apply(constant.value()));
    }
    if (site.phase() == number) {
      keep(site, () -> checked.apply(here(site)));
      return orFailure(values::last);
    }
    return orFailure(() -> checked.apply(values.get(site, iterations)));
  }

  private static Object condition(Object value) {
    if (value instanceof Boolean) {
      return value;
    }
    throw new FunctionFailedException(
        "A condition is " + value + ", neither true nor false; map it to one of them", null);
  }

  /** What a loop goes through, in all phases the same. */
  private record Items(List<Object> all) {}

  private static Object items(Object value) {
    if (value instanceof Items) {
      return value;
    }
    if (!(value instanceof Iterable<?> some)) {
      throw new FunctionFailedException(
          "What a loop goes through is " + value + "; map it to something Iterable", null);
    }
    List<Object> all = new ArrayList<>();
    try {
      some.forEach(all::add);
    } catch (RuntimeException e) {
      throw new FunctionFailedException("What a loop goes through has failed: " + e, e);
    }
    if (all.size() > ITERATIONS_MAX) {
      throw new FunctionFailedException(
          "A loop of the transaction goes through "
              + all.size()
              + " values, where "
              + ITERATIONS_MAX
              + " are the most; split it up",
          null);
    }
    return new Items(all);
  }

  // --- values ------------------------------------------------------------------------------------

  /** What a place has; of this phase, or an earlier one. */
  private Object evaluate(Site site) {
    if (site.term() instanceof Term.Constant constant) {
      return constant.value();
    }
    if (site.phase() < number) {
      return values.get(site, iterations);
    }
    if (site.phase() > number) {
      throw new IllegalStateException("A later phase evaluates " + site.term());
    }
    return here(site);
  }

  private Object here(Site site) {
    if (site.term() instanceof Term.Read read) {
      Object reference = site.parts().isEmpty() ? null : evaluate(site.parts().get(0));
      return access.read(object(read.target(), reference));
    } else if (site.term() instanceof Term.Local local) {
      Object value = variables.get(local.variable());
      if (value instanceof Failed failed) {
        throw failed.reason();
      }
      return value;
    }
    return computed(site, this::evaluate);
  }

  /** Finds out what a later phase will use. */
  private void prepare(Site site) {
    if (site.phase() > number) {
      site.parts().forEach(this::prepare);
    } else if (site.phase() == number) {
      keep(site, () -> here(site));
    }
  }

  private interface Evaluation {
    Object value();
  }

  private void keep(Site site, Evaluation evaluation) {
    Object value;
    try {
      value = evaluation.value();
    } catch (FunctionFailedException | IllegalTransactionException e) {
      if (!split.rules().contains(PlanRule.FAILURES_COUNT_WHEN_USED)) {
        throw e;
      }
      values.fail(site, iterations, e);
      return;
    } catch (MissingException e) {
      missing = true;
      values.fail(site, iterations, e);
      return;
    }
    values.put(site, iterations, value);
  }

  private interface Part {
    Object of(Site site);
  }

  private static Object computed(Site site, Part part) {
    if (site.term() instanceof Term.Apply apply) {
      List<Object> arguments = arguments(site, part);
      try {
        return apply.function().apply(arguments);
      } catch (RuntimeException e) {
        throw new FunctionFailedException("A function of the transaction has failed: " + e, e);
      }
    }
    return part.of(site.parts().get(0));
  }

  /** All of them are looked for, so that what is missing is asked for at once. */
  private static List<Object> arguments(Site site, Part part) {
    List<Object> arguments = new ArrayList<>();
    MissingException missing = null;
    for (Site each : site.parts()) {
      try {
        arguments.add(part.of(each));
      } catch (MissingException e) {
        missing = e;
      }
    }
    if (missing != null) {
      throw missing;
    }
    return arguments;
  }

  private StoredObject object(Target target, Object reference) {
    if (target instanceof Target.Named named) {
      return named.object();
    }
    if (!(reference instanceof Reference named)) {
      throw new FunctionFailedException(
          "What is to name an object is " + reference + "; a Handle does", null);
    }
    StoredObject object = named.object();
    Class<? extends Level> known = split.stores().get(object.store());
    if (!object.level().equals(target.level())
        || (known != null && !known.equals(target.level()))) {
      throw new IllegalTransactionException(
          "A reference leads to "
              + object
              + ", where "
              + Levels.name(target.level())
              + " is expected; keep references to stores of one level in one place");
    }
    return object;
  }
}
