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
package org.orcagrid.server.grid;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class GridPlacesTest {
  private static final GridPlaces FIRST =
      GridPlaces.first(
          7,
          List.of(
              new GridPlaces.Member("a", "h:1"),
              new GridPlaces.Member("b", "h:2"),
              new GridPlaces.Member("c", "h:3")));

  @Test
  void bytesAndBack() throws Exception {
    GridPlaces later = FIRST.with(1, new GridPlaces.Member("d", "[::1]:4"));
    assertEquals(later, GridPlaces.parse(later.toBytes()));
    assertEquals(2, later.view().number());
    assertEquals(List.of(1, 2, 1), later.view().joined());
    assertEquals(List.of("h:1", "[::1]:4", "h:3"), later.roster(0).addresses());
  }

  @Test
  void aNewNodeTakesThePlaceOfALostOneAtItsAddressIfThereIsOne() {
    assertEquals(-1, FIRST.freePlace("h:9", Set.of("a", "b", "c")));
    assertEquals(1, FIRST.freePlace("h:9", Set.of("a")));
    assertEquals(2, FIRST.freePlace("h:3", Set.of("a")));
    assertEquals(1, FIRST.placeOf("b"));
    assertEquals(-1, FIRST.placeOf("x"));
    assertEquals(-1, FIRST.freePlace("h:3", Set.of("a", "c")), "its ghost is there yet");
    assertEquals(1, FIRST.countOf(Set.of("x", "c")));
    assertEquals(2, FIRST.neededToCatchUp());
  }

  @Test
  void whatIsNoViewIsRefused() {
    for (String text :
        List.of("", "grid x", "view 1\nplace 1 a", "what", "view 1\nplace 2 a h:1")) {
      assertThrows(
          GridPlaces.MalformedException.class,
          () -> GridPlaces.parse(text.getBytes(StandardCharsets.UTF_8)),
          text);
    }
  }
}
