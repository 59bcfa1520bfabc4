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
package org.orcagrid.ddp.transfer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Pages go when they were asked for and may go, and nobody waits for all of another's pages. */
class OutletTest {
  private static final long SECOND = 1_000_000_000L;
  private static final int PAGE = 100;

  private final List<Integer> told = new ArrayList<>();

  private List<Integer> tell(Outlet outlet, long now) {
    told.clear();
    outlet.tell(
        now,
        receiver -> {
          told.add(receiver);
          return PAGE;
        });
    return told;
  }

  @Test
  void asManyPagesGoAsThereIsRoomFor() {
    Outlet outlet = new Outlet(3, Budget.UNBOUNDED);
    outlet.ask(1, 2);
    assertEquals(List.of(1, 1), tell(outlet, 0));
    assertFalse(outlet.isWaiting());
    outlet.ask(1, 2);
    assertEquals(List.of(), tell(outlet, 0), "they were told");
    outlet.ask(1, 3);
    outlet.ask(2, 2);
    assertEquals(List.of(2, 1, 2), tell(outlet, 0), "in turn");
    outlet.begin(1);
    assertEquals(List.of(), tell(outlet, 0));
    outlet.ask(1, 1);
    assertEquals(List.of(1), tell(outlet, 0), "from the beginning");
  }

  @Test
  void aPageThatMayNotGoYetGoesLater() {
    Outlet outlet = new Outlet(3, new Budget(PAGE, 0));
    outlet.ask(0, 2);
    outlet.ask(2, 2);
    assertEquals(List.of(2), tell(outlet, 0));
    assertEquals(List.of(), tell(outlet, SECOND - 1));
    assertTrue(outlet.isWaiting());
    assertEquals(List.of(0), tell(outlet, SECOND));
    assertEquals(List.of(2), tell(outlet, 2 * SECOND));
    outlet.begin(0);
    assertFalse(outlet.isWaiting(), "who is gone is told nothing");
  }

  @Test
  void severalOutletsHaveOneBudget() {
    Budget budget = new Budget(PAGE, 0);
    Outlet keys = new Outlet(2, budget);
    Outlet map = new Outlet(2, budget);
    keys.ask(1, 9);
    map.ask(1, 9);
    int pages = 0;
    for (long now = 0; now < 10 * SECOND; now += SECOND / 10) {
      pages += tell(keys, now).size() + tell(map, now).size();
    }
    assertEquals(10, pages);
  }
}
