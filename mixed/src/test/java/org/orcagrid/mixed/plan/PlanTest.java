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

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.orcagrid.mixed.level.Causal;
import org.orcagrid.mixed.level.Eventual;
import org.orcagrid.mixed.level.Linearizable;

/** A split transaction does what the program says. */
class PlanTest {
  private static final int SEEDS = Integer.getInteger("seeds", 20_000);
  private static final int SEEDS_OF_A_MUTANT = 2_000;

  private static final StoredObject STRONG = RandomProgram.object(0, 0);
  private static final StoredObject WEAK = RandomProgram.object(1, 0);

  /** Plays one; what differs, null if nothing does. */
  private static String difference(long seed, Set<PlanRule> rules) {
    RandomProgram random = new RandomProgram(seed);
    MapAccess direct = random.stores();
    MapAccess split = new MapAccess(direct);
    Command program = random.program();
    Plan plan = Plan.of(program, rules);
    boolean fails = false;
    try {
      new Direct(direct).run(program);
    } catch (ArithmeticException e) {
      fails = true;
    }
    try {
      plan.evaluate(split);
    } catch (FunctionFailedException e) {
      return fails ? null : seed + " fails only when it is split: " + e.getMessage();
    } catch (RuntimeException e) {
      return seed + ": " + e;
    }
    if (fails) {
      // What fails is a strong variable's value behind a weaker condition, and nobody uses it.
      return null;
    }
    return direct.objects().equals(split.objects())
        ? null
        : seed + ": " + direct.objects() + " is not " + split.objects();
  }

  @Test
  void splitProgramsDoWhatTheySay() {
    for (long seed = 0; seed < SEEDS; seed++) {
      assertEquals(null, difference(seed, PlanRule.all()));
    }
  }

  @Test
  void whatIsMissingIsFoundAndAllIsDoneInTheEnd() {
    for (long seed = 0; seed < SEEDS; seed++) {
      RandomProgram random = new RandomProgram(seed);
      MapAccess near = random.stores();
      FarAccess far = new FarAccess(new MapAccess(near));
      Plan plan = Plan.of(random.program());
      try {
        plan.evaluate(near);
      } catch (FunctionFailedException e) {
        assertThrows(FunctionFailedException.class, () -> far.evaluated(plan), "seed " + seed);
        continue;
      }
      assertEquals(near.objects(), far.evaluated(plan), "seed " + seed);
    }
  }

  @Test
  void whatIsIndependentIsAskedForAtOnce() {
    List<Command> writes = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      writes.add(write(RandomProgram.object(1, i), read(RandomProgram.object(1, i + 3))));
    }
    FarAccess far = new FarAccess(new MapAccess());
    far.evaluated(Plan.of(new Command.Block(writes)));
    assertEquals(2, far.rounds());
  }

  @ParameterizedTest
  @EnumSource(
      value = PlanRule.class,
      names = {"FOUND_BY_ITERATION", "READ_BEHIND_WEAKER", "FAILURES_COUNT_WHEN_USED"})
  void seedsFindWhatIsMissing(PlanRule rule) {
    for (long seed = 0; seed < SEEDS_OF_A_MUTANT; seed++) {
      if (difference(seed, PlanRule.without(rule)) != null) {
        return;
      }
    }
    throw new AssertionError("No seed has found that " + rule + " is missing");
  }

  private static Term read(StoredObject object) {
    return new Term.Read(new Target.Named(object));
  }

  private static Command write(StoredObject object, Term value) {
    return new Command.Write(new Target.Named(object), value);
  }

  private static Term isPositive(Term number) {
    return new Term.Apply(number.level(), List.of(number), all -> (Integer) all.get(0) > 0);
  }

  @Test
  void strongestPhaseIsFirst() {
    Command program =
        new Command.Block(
            List.of(
                write(RandomProgram.object(2, 0), read(STRONG)),
                write(WEAK, read(STRONG)),
                write(STRONG, new Term.Constant(5))));
    MapAccess stores = new MapAccess().with(STRONG, 1);
    Plan plan = Plan.of(program);
    assertEquals(List.of(Linearizable.class, Causal.class, Eventual.class), plan.levels());
    plan.evaluate(stores);
    assertEquals(List.of("Linearizable", "Causal", "Eventual"), stores.levels());
    assertEquals(1, stores.objects().get(WEAK), "what it was when the statement was reached");
  }

  @Test
  void whatIsStrongIsReadOnceBehindAWeakLoop() {
    Variable count = Variable.bound(Causal.class);
    Term left = new Term.Local(count);
    Command program =
        new Command.Let(
            count,
            new Term.Constant(3),
            new Command.While(
                isPositive(left),
                new Command.Block(
                    List.of(
                        write(WEAK, read(STRONG)),
                        new Command.Assign(
                            count,
                            new Term.Apply(
                                Causal.class, List.of(left), all -> (Integer) all.get(0) - 1))))));
    MapAccess stores = new MapAccess().with(STRONG, 1);
    Plan.of(program).evaluate(stores);
    assertEquals(1 + 3, stores.reads(), "one read, three writes");
  }

  /** For each of 1, 2 and 3: if it is what a weak object says, it is written to another one. */
  private static Command skippingBranches() {
    Variable item = Variable.bound(Linearizable.class);
    Term isIt =
        new Term.Apply(
            Causal.class,
            List.of(new Term.Local(item), read(WEAK)),
            all -> all.get(0).equals(all.get(1)));
    Term items =
        new Term.Apply(Linearizable.class, List.of(read(STRONG)), all -> List.of(1, 2, all.get(0)));
    return new Command.ForEach(
        items,
        item,
        new Command.Choice(
            isIt,
            write(RandomProgram.object(1, 1), new Term.Local(item)),
            new Command.Block(List.of())));
  }

  @Test
  void branchThatWasSkippedDoesNotShiftValues() {
    MapAccess stores = new MapAccess().with(STRONG, 3).with(WEAK, 3);
    Plan.of(skippingBranches()).evaluate(stores);
    assertEquals(3, stores.objects().get(RandomProgram.object(1, 1)));
    MapAccess shifted = new MapAccess().with(STRONG, 3).with(WEAK, 3);
    Plan.of(skippingBranches(), PlanRule.without(PlanRule.FOUND_BY_ITERATION)).evaluate(shifted);
    assertEquals(1, shifted.objects().get(RandomProgram.object(1, 1)), "as section 5.2 has it");
  }

  @Test
  void weakValueDoesNotGetIntoAStrongVariable() {
    Variable variable = Variable.bound(Linearizable.class);
    Command program =
        new Command.Let(variable, read(STRONG), new Command.Assign(variable, read(WEAK)));
    assertRefused(program, PlanRule.ASSIGNED_IS_AS_STRONG);
    assertDoesNotThrow(() -> Plan.of(program, PlanRule.without(PlanRule.ASSIGNED_IS_AS_STRONG)));
  }

  @Test
  void weakConditionDoesNotDecideAStrongVariable() {
    Variable variable = Variable.bound(Linearizable.class);
    Command program =
        new Command.Let(
            variable,
            read(STRONG),
            new Command.Choice(
                isPositive(read(WEAK)),
                new Command.Assign(variable, new Term.Constant(1)),
                new Command.Block(List.of())));
    assertRefused(program, PlanRule.CONDITIONS_ARE_AS_STRONG);
    assertDoesNotThrow(() -> Plan.of(program, PlanRule.without(PlanRule.CONDITIONS_ARE_AS_STRONG)));
  }

  private static void assertRefused(Command program, PlanRule rule) {
    IllegalTransactionException refused =
        assertThrows(IllegalTransactionException.class, () -> Plan.of(program), rule::name);
    assertTrue(refused.getMessage().contains("Causal only"), refused.getMessage());
  }

  @Test
  void theRestIsRefusedToo() {
    refused(write(STRONG, read(WEAK)), "what is written is Causal only, and decides store0/0");
    refused(
        new Command.Choice(
            isPositive(read(WEAK)),
            write(STRONG, new Term.Constant(1)),
            new Command.Block(List.of())),
        "the condition that it is behind is Causal only");
    Variable variable = Variable.bound(Causal.class);
    refused(write(WEAK, new Term.Local(variable)), "outside of its let");
    refused(new Command.Assign(variable, read(WEAK)), "outside of its let");
    Term endorsed = new Term.Endorsed(Linearizable.class, new Term.Local(variable), "none");
    refused(
        new Command.Let(variable, read(WEAK), write(STRONG, endorsed)),
        "What is endorsed uses a variable");
    Term weakReference = new Term.Read(new Target.Referenced(Linearizable.class, read(WEAK)));
    refused(write(WEAK, weakReference), "the reference is Causal only");
  }

  private static void refused(Command program, String why) {
    IllegalTransactionException refused =
        assertThrows(IllegalTransactionException.class, () -> Plan.of(program));
    assertTrue(refused.getMessage().contains(why), refused.getMessage());
  }

  @Test
  void referencesAreLookedAtWhenTheyAreUsed() {
    Reference toStrong = () -> STRONG;
    Command program =
        write(
            WEAK, new Term.Read(new Target.Referenced(Causal.class, new Term.Constant(toStrong))));
    IllegalTransactionException refused =
        assertThrows(
            IllegalTransactionException.class, () -> Plan.of(program).evaluate(new MapAccess()));
    assertTrue(refused.getMessage().contains("leads to store0/0 (Linearizable)"));
    Command none =
        write(WEAK, new Term.Read(new Target.Referenced(Causal.class, new Term.Constant(null))));
    assertThrows(FunctionFailedException.class, () -> Plan.of(none).evaluate(new MapAccess()));
  }

  /** What the strong phase cannot evaluate does not matter where nobody gets to. */
  @Test
  void noFailureBehindAConditionThatDoesNotHold() {
    Term never = isPositive(read(WEAK));
    Command write = write(RandomProgram.object(1, 1), new Term.Constant(1));
    Command nothing = new Command.Block(List.of());
    Term always = new Term.Apply(Linearizable.class, List.of(read(STRONG)), all -> true);
    for (Command fails :
        List.of(
            new Command.Choice(read(STRONG), write, nothing),
            new Command.While(read(STRONG), write),
            new Command.While(always, write),
            new Command.ForEach(read(STRONG), Variable.bound(Linearizable.class), write))) {
      MapAccess not = new MapAccess().with(WEAK, 0);
      Plan.of(new Command.Choice(never, fails, nothing)).evaluate(not);
      assertEquals(null, not.objects().get(RandomProgram.object(1, 1)));
      Plan reached = Plan.of(new Command.Choice(never, fails, nothing));
      MapAccess stores = new MapAccess().with(WEAK, 1);
      assertThrows(FunctionFailedException.class, () -> reached.evaluate(stores));
    }
  }

  @Test
  void loopGoesThroughTheSameInAllPhases() {
    StoredObject sum = RandomProgram.object(1, 1);
    Term once =
        new Term.Apply(
            Linearizable.class,
            List.of(read(STRONG)),
            all -> {
              Iterator<Object> some = List.of(all.get(0), (Object) 2).iterator();
              return (Iterable<Object>) () -> some;
            });
    Variable item = Variable.bound(Linearizable.class);
    Command program =
        new Command.ForEach(
            once,
            item,
            new Command.Block(
                List.of(write(STRONG, new Term.Local(item)), write(sum, new Term.Local(item)))));
    MapAccess stores = new MapAccess().with(STRONG, 1);
    Plan.of(program).evaluate(stores);
    assertEquals(2, stores.objects().get(sum));
  }

  @Test
  void storeHasOneLevelAndATransactionIsNotEndless() {
    StoredObject forged = new StoredObject(WEAK.store(), Linearizable.class, "other");
    refused(
        new Command.Block(List.of(write(WEAK, read(STRONG)), write(STRONG, read(forged)))),
        "The store store1 is Causal in one place and Linearizable in another");
    Reference toForged = () -> forged;
    Term byReference =
        new Term.Read(new Target.Referenced(Linearizable.class, new Term.Constant(toForged)));
    Command program =
        new Command.Block(List.of(write(WEAK, read(STRONG)), write(STRONG, byReference)));
    assertThrows(
        IllegalTransactionException.class, () -> Plan.of(program).evaluate(new MapAccess()));
    Term doubled = read(STRONG);
    for (int i = 0; i < 40; i++) {
      doubled = new Term.Apply(Linearizable.class, List.of(doubled, doubled), all -> all.get(0));
    }
    refused(write(STRONG, doubled), "use let for what is used often");
  }

  @Test
  void loopsHaveABound() {
    Command program =
        new Command.While(new Term.Constant(true), write(STRONG, new Term.Constant(1)));
    FunctionFailedException failed =
        assertThrows(
            FunctionFailedException.class, () -> Plan.of(program).evaluate(new MapAccess()));
    assertTrue(failed.getMessage().contains(Phase.ITERATIONS_MAX + " times"), failed.getMessage());
  }

  @Test
  void endorsementsAreToldAndReadBeforeAllElse() {
    Command program =
        new Command.Block(
            List.of(
                write(WEAK, new Term.Constant(9)),
                write(STRONG, new Term.Endorsed(Linearizable.class, read(WEAK), "a bonus"))));
    MapAccess stores = new MapAccess().with(WEAK, 4);
    Plan plan = Plan.of(program);
    plan.evaluate(stores);
    assertEquals(4, stores.objects().get(STRONG));
    assertEquals(List.of(new Plan.Endorsement(Linearizable.class, "a bonus")), plan.endorsements());
  }
}
