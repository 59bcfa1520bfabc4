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

import java.util.SplittableRandom;
import org.orcagrid.ddp.kite.OperationKind;
import org.orcagrid.simulator.checker.Access;

/**
 * Random accesses to a few keys: relaxed ones to the keys for data, synchronizing ones to the
 * others, or all to all. Every value is written once, so that it tells who has written it.
 */
final class RandomWorkload implements Workload {
  private final KiteSchedule schedule;

  RandomWorkload(KiteSchedule schedule) {
    this.schedule = schedule;
  }

  @Override
  public int operations(int session) {
    return schedule.operations();
  }

  @Override
  public Choice choose(int session, int step, long lastRead, SplittableRandom random) {
    boolean data = random.nextInt(100) >= schedule.synchronizingPercent();
    int key = key(data, random);
    // The last key is for adds only: sums and marks do not mix.
    boolean sums = key == schedule.keys() - 1 && schedule.keys() - schedule.dataKeys() > 1;
    OperationKind kind = data ? dataKind(sums, random) : synchronizingKind(sums, random);
    boolean removes =
        schedule.removesPercent() > 0 && random.nextInt(100) < schedule.removesPercent();
    long mark = removes ? Access.ABSENT : (long) (session + 1) << 32 | (step + 1);
    return switch (kind) {
      case READ, ACQUIRE -> Choice.read(kind, key);
      case WRITE, RELEASE, GET_AND_SET -> Choice.write(kind, key, mark);
      case COMPARE_AND_SET, WEAK_COMPARE_AND_SET -> new Choice(kind, key, mark, lastRead);
      case GET_AND_ADD -> Choice.write(kind, key, 1 + random.nextLong(1L << 40));
    };
  }

  private int key(boolean data, SplittableRandom random) {
    if (schedule.mixed()) {
      return random.nextInt(schedule.keys());
    }
    return data
        ? random.nextInt(schedule.dataKeys())
        : schedule.dataKeys() + random.nextInt(schedule.keys() - schedule.dataKeys());
  }

  private static OperationKind dataKind(boolean sums, SplittableRandom random) {
    return sums || random.nextBoolean() ? OperationKind.READ : OperationKind.WRITE;
  }

  private static OperationKind synchronizingKind(boolean sums, SplittableRandom random) {
    if (sums) {
      return random.nextInt(3) == 0 ? OperationKind.ACQUIRE : OperationKind.GET_AND_ADD;
    }
    return switch (random.nextInt(8)) {
      case 0, 1, 2 -> OperationKind.ACQUIRE;
      case 3, 4 -> OperationKind.RELEASE;
      case 5 -> OperationKind.GET_AND_SET;
      case 6 -> OperationKind.COMPARE_AND_SET;
      default -> OperationKind.WEAK_COMPARE_AND_SET;
    };
  }
}
