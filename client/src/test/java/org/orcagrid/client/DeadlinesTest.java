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
package org.orcagrid.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Deadlines pass, never early, and none is forgotten. */
@Timeout(60)
class DeadlinesTest {
  private final Deadlines deadlines = new Deadlines();

  /** One operation after the other. */
  private final class One extends Deadlines.UnderWay {
    private final AtomicLong due = new AtomicLong();
    private final AtomicInteger looks = new AtomicInteger();
    private volatile CountDownLatch expired;

    One() {
      super(deadlines);
    }

    void begin(Duration time) {
      expired = new CountDownLatch(1);
      due.set(deadlines().due(time));
      begun();
    }

    void end() {
      due.set(0);
    }

    @Override
    protected boolean expire(long tick) {
      looks.incrementAndGet();
      long until = due.get();
      if (until != 0 && until <= tick && due.compareAndSet(until, 0)) {
        expired.countDown();
      }
      return due.get() != 0;
    }
  }

  @Test
  void noDeadlinePassesEarly() throws InterruptedException {
    // The sweep goes on meanwhile, so that operations begin anywhere between two ticks.
    One other = new One();
    other.begin(Duration.ofDays(1));
    One one = new One();
    for (int round = 0; round < 10; round++) {
      for (int millis : new int[] {1, 50, 51, 97}) {
        long begin = System.nanoTime();
        one.begin(Duration.ofMillis(millis));
        assertTrue(one.expired.await(30, TimeUnit.SECONDS));
        long took = System.nanoTime() - begin;
        assertTrue(took >= Duration.ofMillis(millis).toNanos(), millis + " ms took " + took);
      }
    }
  }

  /** It begins as the sweep finds nothing, and sees that the sweep still looks. */
  @Test
  void whatBeginsAsTheSweepLeavesIsFoundByItsSecondLook() throws InterruptedException {
    One one = new One();
    AtomicInteger looks = new AtomicInteger();
    Deadlines.UnderWay left =
        new Deadlines.UnderWay(deadlines) {
          @Override
          protected boolean expire(long tick) {
            if (looks.incrementAndGet() == 1) {
              return false;
            }
            return one.expire(tick);
          }
        };
    one.expired = new CountDownLatch(1);
    one.due.set(deadlines.due(Duration.ofMillis(1)));
    deadlines.watch(left);
    assertTrue(one.expired.await(30, TimeUnit.SECONDS), "it was forgotten");
  }

  @Test
  void noneIsForgottenWhereTheSweepStopsLooking() throws InterruptedException {
    List<One> all = new ArrayList<>();
    for (int i = 0; i < 2_000; i++) {
      all.add(new One());
    }
    for (int round = 0; round < 10; round++) {
      // Begun while the sweep goes through those of the round before.
      for (One each : all) {
        each.begin(Duration.ofNanos(1));
      }
      for (One each : all) {
        assertTrue(each.expired.await(30, TimeUnit.SECONDS));
      }
    }
  }

  @Test
  void whatHasEndedIsLookedAtNoMore() throws InterruptedException {
    One ended = new One();
    ended.begin(Duration.ofDays(1));
    ended.end();
    int before = ended.looks.get();
    One other = new One();
    other.begin(Duration.ofMillis(200));
    assertTrue(other.expired.await(30, TimeUnit.SECONDS));
    int looks = ended.looks.get();
    assertTrue(looks > 0 && looks - before <= 2, looks + " looks, " + before + " before");
    assertEquals(1, ended.expired.getCount());
  }

  @Test
  void aLookThatFailsEndsNoOthers() throws InterruptedException {
    Deadlines.UnderWay bad =
        new Deadlines.UnderWay(deadlines) {
          @Override
          protected boolean expire(long tick) {
            throw new IllegalStateException("of the test");
          }
        };
    deadlines.watch(bad);
    One one = new One();
    one.begin(Duration.ofMillis(100));
    assertTrue(one.expired.await(30, TimeUnit.SECONDS));
  }

  @Test
  void theLongestTimeIsNoneThatPasses() {
    assertTrue(deadlines.due(Duration.ofSeconds(Long.MAX_VALUE)) > 1_000_000);
  }
}
