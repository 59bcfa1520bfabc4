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
package org.orcagrid.node;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.orcagrid.ddp.membership.GridView;

/** Since when a place is what it is. */
class SeenPlacesTest {
  private static GridView view(int number, GridView.Place... places) {
    return new GridView(7, number, 1, 1, 0, List.of(places));
  }

  @Test
  void aPlaceIsSeenAnewWhenItChangesAndNotWithEachView() {
    SeenPlaces seen = new SeenPlaces();
    assertEquals(List.of(), seen.sinceMillis());
    seen.onView(view(2, NodeStates.place(0, true, 1), NodeStates.place(1, true, 0)), 10);
    seen.onView(view(3, NodeStates.place(0, true, 1), NodeStates.place(1, true, 0)), 20);
    assertEquals(List.of(10L, 10L), seen.sinceMillis());
    seen.onView(view(4, NodeStates.place(0, true, 1), NodeStates.place(1, true, 4)), 30);
    assertEquals(List.of(10L, 30L), seen.sinceMillis());
    seen.onView(view(3, NodeStates.place(0, false, 0), NodeStates.place(1, true, 0)), 40);
    assertEquals(List.of(10L, 30L), seen.sinceMillis(), "an earlier view");
    seen.onView(view(5, NodeStates.place(0, false, 0), NodeStates.place(1, true, 4)), 50);
    assertEquals(List.of(50L, 30L), seen.sinceMillis());
  }
}
