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
import java.util.SplittableRandom;
import org.orcagrid.mixed.level.Causal;
import org.orcagrid.mixed.level.Eventual;
import org.orcagrid.mixed.level.Level;
import org.orcagrid.mixed.level.Levels;
import org.orcagrid.mixed.level.Linearizable;

/** A program that keeps the typing rules, from a seed: loops, conditions, variables, failures. */
final class RandomProgram {
  static final List<Class<? extends Level>> LEVELS =
      List.of(Linearizable.class, Causal.class, Eventual.class);

  private static final int OBJECTS = 3;
  private static final int UNLUCKY = 13;

  private final SplittableRandom random;
  private final List<Variable> scope = new ArrayList<>();

  private record Add() implements Operation {
    @Override
    public String name() {
      return "add";
    }

    @Override
    public Object apply(Object present, Object argument) {
      return (Integer) present + (Integer) argument;
    }
  }

  private record To(StoredObject object) implements Reference {}

  RandomProgram(long seed) {
    random = new SplittableRandom(seed);
  }

  static StoredObject object(int level, int number) {
    return new StoredObject("store" + level, LEVELS.get(level), number);
  }

  /** What its objects hold at first. */
  MapAccess stores() {
    MapAccess stores = new MapAccess();
    for (int level = 0; level < LEVELS.size(); level++) {
      for (int i = 0; i < OBJECTS; i++) {
        stores.with(object(level, i), random.nextInt(4));
      }
    }
    return stores;
  }

  Command program() {
    return block(3, 0);
  }

  private Command block(int depth, int pc) {
    List<Command> parts = new ArrayList<>();
    for (int left = 1 + random.nextInt(3); left > 0; left--) {
      parts.add(statement(depth, pc));
    }
    return new Command.Block(parts);
  }

  /** Some level that a program counter of this one may write. */
  private int weaker(int pc) {
    return pc + random.nextInt(LEVELS.size() - pc);
  }

  private static int index(Class<? extends Level> level) {
    return LEVELS.indexOf(level);
  }

  private Command statement(int depth, int pc) {
    int kind = random.nextInt(depth > 0 ? 8 : 3);
    int level = weaker(pc);
    return switch (kind) {
      case 0 -> new Command.Write(target(level), number(2, level));
      case 1 -> new Command.Change(target(level), new Add(), number(2, level));
      case 2 -> assign(pc);
      case 3, 4 -> choice(depth, pc);
      case 5 -> forEach(depth, pc);
      case 6 -> counted(depth, pc);
      default -> let(depth, pc);
    };
  }

  private Target target(int level) {
    StoredObject object = object(level, random.nextInt(OBJECTS));
    if (random.nextInt(3) > 0) {
      return new Target.Named(object);
    }
    Term choice = number(1, level);
    Term reference =
        new Term.Apply(
            choice.level(),
            List.of(choice),
            values -> new To(object(level, Math.floorMod((Integer) values.get(0), OBJECTS))));
    return new Target.Referenced(LEVELS.get(level), reference);
  }

  private Command assign(int pc) {
    List<Variable> may = scope.stream().filter(each -> index(each.level()) >= pc).toList();
    if (may.isEmpty()) {
      return new Command.Write(target(weaker(pc)), new Term.Constant(random.nextInt(4)));
    }
    Variable variable = may.get(random.nextInt(may.size()));
    return new Command.Assign(variable, number(2, index(variable.level())));
  }

  private Command choice(int depth, int pc) {
    Term number = number(2, random.nextInt(LEVELS.size()));
    Term condition =
        new Term.Apply(number.level(), List.of(number), all -> (Integer) all.get(0) % 2 == 0);
    int behind = Math.max(pc, index(number.level()));
    return new Command.Choice(condition, block(depth - 1, behind), block(depth - 1, behind));
  }

  private Command forEach(int depth, int pc) {
    Term number = number(1, random.nextInt(LEVELS.size()));
    Term items =
        new Term.Apply(
            number.level(),
            List.of(number),
            all ->
                List.of(all.get(0), 1, 2).subList(0, Math.floorMod((Integer) all.get(0), 4) % 4));
    Variable item = Variable.bound(items.level());
    scope.add(item);
    Command body = block(depth - 1, Math.max(pc, index(items.level())));
    scope.remove(item);
    return new Command.ForEach(items, item, body);
  }

  /** A loop with a counter that nothing else assigns. */
  private Command counted(int depth, int pc) {
    int level = weaker(pc);
    Variable count = Variable.bound(LEVELS.get(level));
    Term read = new Term.Local(count);
    int times = random.nextInt(4);
    Command body = block(depth - 1, level);
    Command next =
        new Command.Assign(
            count, new Term.Apply(count.level(), List.of(read), all -> (Integer) all.get(0) + 1));
    Term condition =
        new Term.Apply(count.level(), List.of(read), all -> (Integer) all.get(0) < times);
    return new Command.Let(
        count,
        new Term.Constant(0),
        new Command.While(condition, new Command.Block(List.of(body, next))));
  }

  private Command let(int depth, int pc) {
    Variable variable = Variable.bound(LEVELS.get(weaker(0)));
    Term initial = number(2, index(variable.level()));
    scope.add(variable);
    Command body = block(depth - 1, pc);
    scope.remove(variable);
    return new Command.Let(variable, initial, body);
  }

  /** A number that is as consistent as a level. */
  private Term number(int depth, int level) {
    int kind = random.nextInt(depth > 0 ? 7 : 3);
    int stronger = random.nextInt(level + 1);
    return switch (kind) {
      case 0 -> new Term.Constant(random.nextInt(4));
      case 1 -> new Term.Read(new Target.Named(object(stronger, random.nextInt(OBJECTS))));
      case 2 -> local(level);
      case 3 -> new Term.Weakened(LEVELS.get(level), number(depth - 1, level));
      case 4 -> endorsed(stronger);
      default -> sum(number(depth - 1, level), number(depth - 1, level), random.nextInt(6) == 0);
    };
  }

  private Term local(int level) {
    List<Variable> may = scope.stream().filter(each -> index(each.level()) <= level).toList();
    return may.isEmpty()
        ? new Term.Constant(random.nextInt(4))
        : new Term.Local(may.get(random.nextInt(may.size())));
  }

  private Term endorsed(int level) {
    int any = random.nextInt(LEVELS.size());
    Term read = new Term.Read(new Target.Named(object(any, random.nextInt(OBJECTS))));
    return new Term.Endorsed(LEVELS.get(level), read, "a test");
  }

  /** Some sums fail for some arguments. */
  private static Term sum(Term one, Term other, boolean fails) {
    return new Term.Apply(
        Levels.common(one.level(), other.level()),
        List.of(one, other),
        all -> {
          int sum = (Integer) all.get(0) + (Integer) all.get(1);
          if (fails && sum % 5 == 4) {
            throw new ArithmeticException("unlucky");
          }
          return sum % UNLUCKY;
        });
  }
}
