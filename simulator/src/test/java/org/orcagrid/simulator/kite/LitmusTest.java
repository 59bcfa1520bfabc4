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
package org.orcagrid.simulator.kite;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.orcagrid.ddp.kite.KiteSettings;
import org.orcagrid.ddp.kite.OperationKind;
import org.orcagrid.simulator.SimulatedDatagrams;
import org.orcagrid.simulator.checker.Access;

/**
 * The litmus tests of shared memory, one thread on each node: what must never be seen, and, so that
 * this is known to be worth something, what relaxed accesses do show. An outcome is what the reads
 * have returned, thread by thread; 0 is no value.
 */
class LitmusTest {
  private static final int SEEDS = 1_500;
  private static final int X = 0;
  private static final int Y = 1;

  private final KiteRun.Equipment equipment = new KiteRun.Equipment();

  private static Workload.Choice read(int key) {
    return Workload.Choice.read(OperationKind.READ, key);
  }

  private static Workload.Choice acquire(int key) {
    return Workload.Choice.read(OperationKind.ACQUIRE, key);
  }

  private static Workload.Choice write(int key, long value) {
    return Workload.Choice.write(OperationKind.WRITE, key, value);
  }

  private static Workload.Choice release(int key, long value) {
    return Workload.Choice.write(OperationKind.RELEASE, key, value);
  }

  private static Workload.Choice add(int key, long delta) {
    return Workload.Choice.write(OperationKind.GET_AND_ADD, key, delta);
  }

  private record Program(List<Workload.Choice> choices) {}

  private static Program thread(Workload.Choice... choices) {
    return new Program(List.of(choices));
  }

  private record Threads(List<Program> threads) implements Workload {
    @Override
    public int operations(int session) {
      return session < threads.size() ? threads.get(session).choices().size() : 0;
    }

    @Override
    public Choice choose(int session, int step, long lastRead, SplittableRandom random) {
      return threads.get(session).choices().get(step);
    }
  }

  /** All outcomes that were seen. */
  private Set<String> outcomes(Program... threads) {
    Threads workload = new Threads(List.of(threads));
    Set<String> seen = new TreeSet<>();
    for (long seed = 1; seed <= SEEDS; seed++) {
      KiteSchedule schedule = schedule(new SplittableRandom(seed), Math.max(3, threads.length));
      List<Access> history = KiteRun.history(seed, schedule, workload, equipment);
      seen.add(outcome(history));
    }
    return seen;
  }

  private static String outcome(List<Access> history) {
    return history.stream()
        .filter(
            access -> access.kind() != Access.Kind.WRITE && access.kind() != Access.Kind.RELEASE)
        .sorted((one, other) -> Integer.compare(one.session(), other.session()))
        .map(access -> access.read() == Access.ABSENT ? "0" : String.valueOf(access.read()))
        .collect(Collectors.joining(" "));
  }

  private static KiteSchedule schedule(SplittableRandom random, int nodes) {
    return new KiteSchedule(
        nodes,
        1,
        1,
        0,
        2,
        1,
        50,
        true,
        0,
        new SimulatedDatagrams.Conditions(
            5 * KiteSchedule.MICRO, 60 * KiteSchedule.MICRO, 20, random.nextInt(3) * 10, 5),
        new KiteSchedule.Faults(
            0,
            random.nextInt(2),
            0,
            0,
            random.nextInt(3),
            300 * KiteSchedule.MICRO,
            1.2,
            0,
            0,
            0,
            0),
        new KiteSettings.Times(
            80 * KiteSchedule.MICRO, 200 * KiteSchedule.MICRO, 30 * KiteSchedule.MICRO));
  }

  @Test
  void producerAndConsumer() {
    Set<String> seen =
        outcomes(thread(write(X, 1), release(Y, 1)), thread(acquire(Y), read(X)), thread());
    assertFalse(seen.contains("1 0"), seen::toString);
    assertTrue(seen.containsAll(Set.of("0 0", "1 1")), seen::toString);
  }

  @Test
  void producerAndConsumerWithoutSynchronizationMayMissTheData() {
    Set<String> seen =
        outcomes(thread(write(X, 1), write(Y, 1)), thread(read(Y), read(X)), thread());
    assertTrue(seen.contains("1 0"), seen::toString);
  }

  @Test
  void storeBuffering() {
    Set<String> seen =
        outcomes(thread(release(X, 1), acquire(Y)), thread(release(Y, 1), acquire(X)));
    assertFalse(seen.contains("0 0"), seen::toString);
    assertTrue(seen.contains("1 1"), seen::toString);
  }

  @Test
  void storeBufferingOfRelaxedAccessesMayShowNeither() {
    Set<String> seen = outcomes(thread(write(X, 1), read(Y)), thread(write(Y, 1), read(X)));
    assertTrue(seen.contains("0 0"), seen::toString);
  }

  @Test
  void independentReadsOfIndependentWrites() {
    Set<String> seen =
        outcomes(
            thread(release(X, 1)),
            thread(release(Y, 1)),
            thread(acquire(X), acquire(Y)),
            thread(acquire(Y), acquire(X)));
    assertFalse(seen.contains("1 0 1 0"), seen::toString);
  }

  @Test
  void independentReadsOfRelaxedWritesMayDisagree() {
    Set<String> seen =
        outcomes(
            thread(write(X, 1)),
            thread(write(Y, 1)),
            thread(read(X), read(Y)),
            thread(read(Y), read(X)));
    assertTrue(seen.contains("1 0 1 0"), seen::toString);
  }

  @Test
  void loadBuffering() {
    Set<String> seen = outcomes(thread(acquire(X), write(Y, 1)), thread(acquire(Y), write(X, 1)));
    assertFalse(seen.contains("1 1"), seen::toString);
  }

  @Test
  void messagePassingOverReadModifyWrites() {
    Set<String> seen =
        outcomes(thread(write(X, 1), add(Y, 1)), thread(add(Y, 0), read(X)), thread());
    assertFalse(seen.contains("0 1 0"), seen::toString);
    assertTrue(seen.contains("0 1 1"), seen::toString);
  }

  @Test
  void aChainOfThreeThreads() {
    Set<String> seen =
        outcomes(
            thread(write(X, 1), release(Y, 1)),
            thread(acquire(Y), release(Y, 2)),
            thread(acquire(Y), read(X)));
    assertFalse(seen.contains("1 2 0"), seen::toString);
    assertTrue(seen.contains("1 2 1"), seen::toString);
  }

  @Test
  void oneKeyNeverGoesBack() {
    Set<String> seen =
        outcomes(thread(write(X, 1), write(X, 2)), thread(read(X), read(X)), thread());
    assertFalse(
        seen.contains("2 1") || seen.contains("1 0") || seen.contains("2 0"), seen::toString);
    assertTrue(seen.contains("2 2"), seen::toString);
  }

  @Test
  void addsAreNeverLost() {
    Set<String> seen = outcomes(thread(add(X, 1)), thread(add(X, 1)), thread(add(X, 1)));
    for (String outcome : seen) {
      assertTrue(
          Set.of(outcome.split(" ")).equals(Set.of("0", "1", "2")), () -> outcome + " in " + seen);
    }
  }
}
