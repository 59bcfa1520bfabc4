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

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.orcagrid.mixed.level.Level;
import org.orcagrid.mixed.level.Levels;
import org.orcagrid.mixed.level.Linearizable;
import org.orcagrid.mixed.plan.Command;
import org.orcagrid.mixed.plan.IllegalTransactionException;
import org.orcagrid.mixed.plan.Plan;
import org.orcagrid.mixed.plan.Target;
import org.orcagrid.mixed.plan.Term;

/**
 * The statements and expressions of transactions (MyriaStore, section 3.3). They are to be imported
 * statically.
 *
 * <p>Levels are types: what decides a write is at least as consistent as what is written, or the
 * program does not compile (section 3.4). Types do not see whether something ends: a function of
 * weak data that fails keeps the whole transaction from being done.
 */
public final class Mixed {
  static final Command NOTHING = new Command.Block(List.of());

  private Mixed() {}

  static Command both(Command one, Command other) {
    return new Command.Block(List.of(one, other));
  }

  // --- expressions -------------------------------------------------------------------------------

  /**
   * A value that the program has. The types take it for linearizable: what came out of another
   * transaction is given on with {@link Out#again}.
   */
  public static <T> Expr<Linearizable, T> value(T constant) {
    return new Expr<>(new Term.Constant(constant));
  }

  /** Two values, for a function of both. */
  public static <L extends Level, A, B> Both<L, A, B> both(
      Expr<? extends L, A> one, Expr<? extends L, B> other) {
    return new Both<>(one.term(), other.term());
  }

  /** What an object holds that a value names. */
  public static <L extends Level, R extends L, T> Expr<L, T> read(
      Class<L> level, Expr<R, ? extends ReadAccess<L, T>> reference) {
    return new Expr<>(new Term.Read(new Target.Referenced(level, reference.term())));
  }

  /** An object that a value names, to be written. */
  public static <L extends Level, R extends L, T> WriteAccess<L, T> at(
      Class<L> level, Expr<R, ? extends WriteAccess<L, T>> reference) {
    Target target = new Target.Referenced(level, reference.term());
    return value -> new Stmt<>(new Command.Write(target, value.term()));
  }

  /** A change of an object that a value names. */
  public static <L extends Level, R extends L, T, A> Stmt<L> change(
      Class<L> level,
      Expr<R, Handle<L, T>> reference,
      Change<T, A> change,
      Expr<? extends L, ? extends A> argument) {
    Target target = new Target.Referenced(level, reference.term());
    return new Stmt<>(new Command.Change(target, change.operation(), argument.term()));
  }

  /** A value, taken for less consistent than it is. */
  public static <L extends Level, T> Expr<L, T> weaken(Class<L> to, Expr<? extends L, T> value) {
    return new Expr<>(new Term.Weakened(to, value.term()));
  }

  /**
   * A value, taken for more consistent than it is, on the program's responsibility. It is evaluated
   * before all others, and uses no variable.
   *
   * @param reason why that is right, which {@link Plan#endorsements} tells
   */
  public static <L extends Level, T> Expr<L, T> endorse(
      Class<L> to, Expr<?, T> value, String reason) {
    if (reason.isBlank()) {
      throw new IllegalArgumentException("What is endorsed has a reason; say why it is right");
    }
    return new Expr<>(new Term.Endorsed(to, value.term(), reason));
  }

  // --- statements --------------------------------------------------------------------------------

  /** One after the other. */
  @SafeVarargs
  public static <W extends Level> Stmt<W> block(Stmt<? super W>... statements) {
    return new Stmt<>(blockOf(statements));
  }

  private static Command blockOf(Stmt<?>... statements) {
    return new Command.Block(Arrays.stream(statements).map(Stmt::command).toList());
  }

  /** If all of these hold. Each is evaluated, also where one before does not hold. */
  @SafeVarargs
  public static <L extends Level> When<L> when(Expr<? extends L, Boolean>... all) {
    if (all.length == 0) {
      throw new IllegalTransactionException("when has no condition; give one at least");
    }
    if (all.length == 1) {
      return new When<>(all[0].term());
    }
    List<Term> terms = new ArrayList<>();
    Class<? extends Level> level = Linearizable.class;
    for (Expr<? extends L, Boolean> each : all) {
      terms.add(each.term());
      level = Levels.common(level, each.term().level());
    }
    return new When<>(new Term.Apply(level, terms, Mixed::allHold));
  }

  private static Object allHold(List<Object> conditions) {
    if (conditions.contains(null)) {
      throw new IllegalArgumentException("one of several conditions is null");
    }
    return conditions.stream().allMatch(Boolean.TRUE::equals);
  }

  /** As long as this holds. */
  public static <L extends Level> Whilst<L> whilst(Expr<L, Boolean> condition) {
    return new Whilst<>(condition.term());
  }

  /** For each of these. */
  public static <L extends Level, T> Each<L, T> forEach(Expr<L, ? extends Iterable<T>> items) {
    return new Each<>(items.term());
  }

  /** With a variable that is as consistent as its first value; for weaker ones, say the level. */
  public static <L extends Level, T> Let<L, T> let(Expr<L, T> initial) {
    return new Let<>(initial.term().level(), initial.term());
  }

  /** With a variable that may get weaker values than its first one. */
  public static <L extends Level, T> Let<L, T> let(Class<L> level, Expr<? extends L, T> initial) {
    return new Let<>(level, initial.term());
  }

  /**
   * Checks a transaction and splits it.
   *
   * @throws IllegalTransactionException if something weak would decide something strong, which the
   *     compiler does not see through raw types and casts, or if a variable has left its {@code
   *     let}
   */
  public static Plan plan(Stmt<?>... statements) {
    return Plan.of(blockOf(statements));
  }
}
