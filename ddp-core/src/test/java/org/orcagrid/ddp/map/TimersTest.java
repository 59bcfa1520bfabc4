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
package org.orcagrid.ddp.map;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TimersTest {
  private final Timers timers = new Timers();
  private final List<Named> told = new ArrayList<>();

  private final class Named extends Timers.Timer {
    @Override
    void onTime(long nowNanos) {
      told.add(this);
    }
  }

  private static final class Again extends Timers.Timer {
    private final Timers timers;
    private int times;

    Again(Timers timers) {
      this.timers = timers;
    }

    @Override
    void onTime(long nowNanos) {
      times++;
      timers.by(this, nowNanos);
    }
  }

  /** Against a map from each timer to its time, also where the clock's numbers run over. */
  @Test
  void eachIsToldOnceInTheOrderOfTheirTimes() {
    Random random = new Random(1);
    List<Named> all = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      all.add(new Named());
    }
    Map<Named, Long> model = new HashMap<>();
    long now = Long.MAX_VALUE - 20_000;
    for (int step = 0; step < 20_000; step++) {
      Named one = all.get(random.nextInt(all.size()));
      long begin = now;
      switch (random.nextInt(4)) {
        case 0 -> {
          timers.cancel(one);
          model.remove(one);
        }
        case 1 -> {
          now += random.nextInt(20);
          tellAll(now, model);
        }
        default -> {
          long due = now + random.nextInt(300);
          timers.by(one, due);
          model.merge(one, due, (before, later) -> later - before < 0 ? later : before);
        }
      }
      assertEquals(model.size(), timers.size());
      long first = model.values().stream().mapToLong(due -> due - begin).min().orElse(1000);
      assertTrue(now != begin || timers.nanosToFirst(now, 1000) == first, "the first is known");
    }
  }

  private void tellAll(long now, Map<Named, Long> model) {
    told.clear();
    timers.run(now);
    long last = Long.MIN_VALUE;
    for (Named each : told) {
      long late = model.remove(each) - now;
      assertTrue(last <= late && late <= 0, "in order, and not too early");
      last = late;
    }
    assertTrue(model.values().stream().allMatch(due -> due - now > 0), "and none is left out");
  }

  @Test
  void whoWantsToBeToldAtOnceIsToldInTheNextCycle() {
    Again again = new Again(timers);
    timers.by(again, 5);
    assertEquals(1, timers.run(7));
    assertEquals(1, timers.run(7));
    assertEquals(2, again.times);
  }
}
