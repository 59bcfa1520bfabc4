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
package org.orcagrid.simulator.checker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.orcagrid.simulator.checker.KeyOperation.Kind;
import org.orcagrid.simulator.checker.Linearizability.Answer;
import org.orcagrid.simulator.checker.Linearizability.Verdict;

/** Histories that must pass, ones that must fail, and many small ones against all orders. */
class LinearizabilityTest {
  private static final long NOTHING = Access.ABSENT;
  private static final List<Kind> KINDS = List.of(Kind.values());

  private final List<KeyOperation> history = new ArrayList<>();

  private void operation(Kind kind, long begin, long end, long argument, long result) {
    history.add(new KeyOperation(history.size(), kind, begin, end, argument, NOTHING, result));
  }

  private void read(long begin, long end, long result) {
    operation(Kind.READ, begin, end, NOTHING, result);
  }

  private void write(long begin, long end, long value) {
    operation(Kind.WRITE, begin, end, value, NOTHING);
  }

  private void add(long begin, long end, long delta, long result) {
    operation(Kind.GET_AND_ADD, begin, end, delta, result);
  }

  private void compareAndSet(long begin, long end, long expected, long value, boolean done) {
    history.add(
        new KeyOperation(
            history.size(), Kind.COMPARE_AND_SET, begin, end, value, expected, done ? 1 : 0));
  }

  private void assertPasses() {
    assertEquals(new Verdict(Answer.LINEARIZABLE, ""), Linearizability.judge(history));
  }

  private void assertFails(String explanation) {
    Verdict verdict = Linearizability.judge(history);
    assertEquals(Answer.NOT_LINEARIZABLE, verdict.answer());
    assertEquals(explanation, verdict.explanation());
  }

  @Test
  void nothingIsLinearizable() {
    assertPasses();
  }

  @Test
  void oneAfterTheOther() {
    read(0, 1, NOTHING);
    write(2, 3, 7);
    read(4, 5, 7);
    compareAndSet(6, 7, 7, 8, true);
    compareAndSet(8, 9, 7, 9, false);
    operation(Kind.GET_AND_SET, 10, 11, 3, 8);
    add(12, 13, 4, 3);
    read(14, 15, 7);
    assertPasses();
  }

  @Test
  void overlappingReadsMayTakeEffectInAnyOrder() {
    write(0, 10, 1);
    read(2, 5, 1);
    read(1, 6, NOTHING);
    assertPasses();
  }

  @Test
  void anOrderThatTheBeginsDoNotShow() {
    write(0, 100, 1);
    write(10, 90, 2);
    read(20, 30, 2);
    read(40, 50, 1);
    assertPasses();
  }

  @Test
  void whatTouchesOverlaps() {
    write(0, 5, 1);
    read(5, 6, NOTHING);
    assertPasses();
  }

  @Test
  void aStaleRead() {
    write(0, 1, 1);
    write(2, 3, 2);
    read(4, 5, 1);
    assertFails(
        "no order explains the read by session 2, 4..5 ns, which found 1; the key could have"
            + " 2 (write of 2 by session 1, 2..3 ns)");
  }

  @Test
  void aLostUpdate() {
    add(0, 10, 1, NOTHING);
    add(1, 11, 1, NOTHING);
    assertFails(
        "no order explains the get-and-add of 1 by session 1, 1..11 ns, which found no value; the"
            + " key could have 1");
  }

  @Test
  void aCompareAndSetThatIsNotAtomic() {
    write(0, 1, 1);
    compareAndSet(2, 10, 1, 2, true);
    compareAndSet(3, 11, 1, 3, true);
    assertFails(
        "no order explains the compare-and-set from 1 to 3 by session 2, 3..11 ns, which has"
            + " written; the key could have 2 (compare-and-set from 1 to 2 by session 1, 2..10"
            + " ns, which has written)");
  }

  @Test
  void aReadFromTheFuture() {
    read(0, 1, 5);
    write(2, 3, 5);
    assertFails(
        "no order explains the read by session 0, 0..1 ns, which found 5; the key could have no"
            + " value");
  }

  @Test
  void aValueThatComesBack() {
    write(0, 1, 1);
    write(2, 20, 2);
    read(3, 4, 2);
    read(5, 6, 1);
    assertFails(
        "no order explains the read by session 3, 5..6 ns, which found 1; the key could have 2"
            + " (write of 2 by session 1, 2..20 ns)");
  }

  @Test
  void whatNeverEndedMayTakeEffectLate() {
    write(0, Access.NEVER, 1);
    read(1, 2, NOTHING);
    read(3, 4, 1);
    assertPasses();
  }

  @Test
  void whatNeverEndedMayTakeNoEffect() {
    write(0, Access.NEVER, 1);
    compareAndSet(0, Access.NEVER, NOTHING, 2, true);
    read(1, 2, NOTHING);
    assertPasses();
  }

  @Test
  void butNotBeforeItBegan() {
    read(0, 1, 1);
    write(2, Access.NEVER, 1);
    assertEquals(Answer.NOT_LINEARIZABLE, Linearizability.judge(history).answer());
  }

  @Test
  void andNotTwice() {
    write(0, Access.NEVER, 1);
    read(1, 2, 1);
    write(3, 4, 2);
    read(5, 6, 1);
    assertEquals(Answer.NOT_LINEARIZABLE, Linearizability.judge(history).answer());
  }

  @Test
  void aCompareAndSetThatNeverEndedWritesOnlyOverWhatItExpects() {
    write(0, 1, 1);
    compareAndSet(2, Access.NEVER, 5, 2, true);
    read(3, 4, 2);
    assertEquals(Answer.NOT_LINEARIZABLE, Linearizability.judge(history).answer());
  }

  @Test
  void aSearchThatTakesTooLongIsGivenUp() {
    for (int writer = 0; writer < 12; writer++) {
      write(0, 100, writer);
    }
    compareAndSet(101, 102, 99, 1, true);
    assertEquals(Answer.UNDECIDED, Linearizability.judge(history, 1000).answer());
    assertEquals(Answer.NOT_LINEARIZABLE, Linearizability.judge(history).answer());
  }

  @Test
  void aLongHistoryTakesNoStack() {
    for (int i = 0; i < 20_000; i++) {
      add(10L * i, 10L * i + 15, 1, i == 0 ? NOTHING : i);
    }
    assertPasses();
  }

  @Test
  void smallHistoriesAreJudgedAsByTryingAllOrders() {
    int linearizable = 0;
    int seeds = 60_000;
    for (int seed = 0; seed < seeds; seed++) {
      List<KeyOperation> random = random(new SplittableRandom(seed));
      boolean expected = isLinearizable(new ArrayList<>(random), NOTHING);
      Answer answer = Linearizability.judge(random).answer();
      assertEquals(
          expected ? Answer.LINEARIZABLE : Answer.NOT_LINEARIZABLE,
          answer,
          () -> random.toString());
      linearizable += expected ? 1 : 0;
    }
    assertTrue(
        linearizable > seeds / 10 && linearizable < seeds - seeds / 10, "both: " + linearizable);
  }

  /** Few operations with few values, so that many of them explain each other. */
  private static List<KeyOperation> random(SplittableRandom random) {
    List<KeyOperation> operations = new ArrayList<>();
    int count = 2 + random.nextInt(5);
    for (int i = 0; i < count; i++) {
      Kind kind = KINDS.get(random.nextInt(KINDS.size()));
      long begin = random.nextInt(20);
      long end = random.nextInt(6) == 0 ? Access.NEVER : begin + random.nextInt(12);
      long result = kind == Kind.COMPARE_AND_SET ? random.nextInt(2) : value(random);
      long argument = random.nextInt(3);
      operations.add(new KeyOperation(i, kind, begin, end, argument, value(random), result));
    }
    return operations;
  }

  private static long value(SplittableRandom random) {
    int value = random.nextInt(4);
    return value == 3 ? NOTHING : value;
  }

  /** Tries every order, with no cleverness at all. */
  private static boolean isLinearizable(List<KeyOperation> left, long value) {
    if (left.stream().noneMatch(KeyOperation::ended)) {
      return true;
    }
    for (KeyOperation first : List.copyOf(left)) {
      boolean mayBeFirst =
          left.stream()
              .allMatch(other -> other.equals(first) || other.endNanos() >= first.beginNanos());
      if (mayBeFirst && explains(first, value)) {
        List<KeyOperation> rest = new ArrayList<>(left);
        rest.remove(first);
        if (isLinearizable(rest, effect(first, value))) {
          return true;
        }
      }
    }
    return false;
  }

  private static boolean explains(KeyOperation operation, long value) {
    if (!operation.ended() || operation.kind() == Kind.WRITE) {
      return true;
    }
    if (operation.kind() == Kind.COMPARE_AND_SET) {
      return operation.result() == (value == operation.expected() ? 1 : 0);
    }
    return operation.result() == value;
  }

  private static long effect(KeyOperation operation, long value) {
    return switch (operation.kind()) {
      case READ -> value;
      case WRITE, GET_AND_SET -> operation.argument();
      case GET_AND_ADD -> operation.argument() + (value == NOTHING ? 0 : value);
      case COMPARE_AND_SET, COMPARE_AND_EXCHANGE ->
          operation.expected() == value ? operation.argument() : value;
    };
  }
}
