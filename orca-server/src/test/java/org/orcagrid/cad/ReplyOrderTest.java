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
package org.orcagrid.cad;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.util.ArrayDeque;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Random holds and advances, and mutants of the queue that the same check must catch. */
class ReplyOrderTest {
  private static final int SEEDS = 500;
  private static final int STEPS = 200;
  private static final long NONE = -1;

  /** What {@link ReplyQueue} does, with numbered replies. */
  private interface Queue {
    void hold(long reply, long durable, long applied);

    /** The number of the reply that may leave, or {@link #NONE}. */
    long poll(long durable, long applied);
  }

  private static final class Shipping implements Queue {
    private final ReplyQueue<Long> queue = new ReplyQueue<>();

    @Override
    public void hold(long reply, long durable, long applied) {
      queue.hold(reply, durable, applied, 0, 0);
    }

    @Override
    public long poll(long durable, long applied) {
      ReplyQueue.Held<Long> held = queue.pollReady(durable, applied, 0);
      return held == null ? NONE : held.reply();
    }
  }

  private record Waiting(long reply, long durable, long applied) {}

  /** Sends any reply whose needs are met, also past one that waits. */
  private static final class Overtaking implements Queue {
    private final ArrayDeque<Waiting> held = new ArrayDeque<>();

    @Override
    public void hold(long reply, long durable, long applied) {
      held.add(new Waiting(reply, durable, applied));
    }

    @Override
    public long poll(long durable, long applied) {
      for (Waiting each : held) {
        if (each.durable <= durable && each.applied <= applied) {
          held.remove(each);
          return each.reply;
        }
      }
      return NONE;
    }
  }

  /** Takes either need for both. */
  private static final class OneNeedIsEnough implements Queue {
    private final ArrayDeque<Waiting> held = new ArrayDeque<>();

    @Override
    public void hold(long reply, long durable, long applied) {
      held.add(new Waiting(reply, durable, applied));
    }

    @Override
    public long poll(long durable, long applied) {
      Waiting first = held.peek();
      return first != null && (first.durable <= durable || first.applied <= applied)
          ? held.remove().reply
          : NONE;
    }
  }

  @Test
  void repliesLeaveInOrderNoneBeforeItsNeedsAndAllOnceTheyAreMet() {
    assertEquals("", firstViolation(Queues.SHIPPING));
  }

  @Test
  void theCheckCatchesAQueueThatLetsRepliesOvertake() {
    assertNotEquals("", firstViolation(Queues.OVERTAKING));
  }

  @Test
  void theCheckCatchesAQueueThatAsksForOneNeedOnly() {
    assertNotEquals("", firstViolation(Queues.ONE_NEED));
  }

  private enum Queues {
    SHIPPING,
    OVERTAKING,
    ONE_NEED;

    private Queue make() {
      return switch (this) {
        case SHIPPING -> new Shipping();
        case OVERTAKING -> new Overtaking();
        case ONE_NEED -> new OneNeedIsEnough();
      };
    }
  }

  private static String firstViolation(Queues queues) {
    for (long seed = 0; seed < SEEDS; seed++) {
      String violation = violation(new SplittableRandom(seed), queues.make());
      if (!violation.isEmpty()) {
        return "seed " + seed + ": " + violation;
      }
    }
    return "";
  }

  private static String violation(SplittableRandom random, Queue queue) {
    ArrayDeque<Waiting> expected = new ArrayDeque<>();
    long durable = 0;
    long applied = 0;
    for (long step = 0; step < STEPS; step++) {
      boolean last = step == STEPS - 1;
      switch (last ? 3 : random.nextInt(4)) {
        case 0, 1 -> {
          Waiting next =
              new Waiting(step, durable + random.nextInt(4), applied + random.nextInt(4));
          queue.hold(next.reply, next.durable, next.applied);
          expected.add(next);
        }
        case 2 -> {
          durable += random.nextInt(3);
          applied += random.nextInt(3);
        }
        default -> {
          durable += last ? STEPS : 0;
          applied += last ? STEPS : 0;
          long left = queue.poll(durable, applied);
          while (left != NONE) {
            Waiting due = expected.poll();
            if (due == null || due.reply != left) {
              return "reply " + left + " left instead of " + due;
            }
            if (due.durable > durable || due.applied > applied) {
              return due + " left at " + durable + ", " + applied;
            }
            left = queue.poll(durable, applied);
          }
        }
      }
    }
    return expected.isEmpty() ? "" : expected.size() + " replies never left";
  }
}
