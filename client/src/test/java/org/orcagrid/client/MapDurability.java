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
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.orcagrid.client.map.GridMap;
import org.orcagrid.client.map.GridMaps;
import org.orcagrid.client.map.GridScope;
import org.orcagrid.client.map.ScopedGridMap;
import org.orcagrid.ddp.replica.log.RecoveryReport;

/**
 * What a map has again when its grid was closed in order and started again: all that it had if it
 * is on a medium, of scopes those that were persisted, and nothing of a map in memory. What a loss
 * of power takes is the matter of {@code PowerCutRoundsTest}.
 */
final class MapDurability {
  private static final long ENTRIES = 10;

  private final Places places;

  MapDurability(Places places) {
    this.places = places;
  }

  private GridMap<String, Long> map(GridMaps place) {
    return place
        .map(places.name("kept"), Codec.STRING, Codec.LONG, places.model())
        .timeout(TcpGridFixture.PATIENCE);
  }

  private static Map<String, Long> entries() {
    Map<String, Long> entries = new HashMap<>();
    for (long i = 1; i < ENTRIES; i++) {
      entries.put("key" + i, i);
    }
    return entries;
  }

  /** Before: all places see what is there. */
  void write() {
    GridMap<String, Long> map = map(places.first());
    assertEquals(Optional.empty(), map.recovery(), "it is new");
    map.setAll(entries());
    map.set("removed", 1L);
    map.delete("removed");
    if (places.model().persistency().isByScope()) {
      writeScope();
    }
    for (GridMaps each : places.all()) {
      GridMap<String, Long> there = map(each);
      for (long i = 1; i < ENTRIES; i++) {
        String key = "key" + i;
        places.assertSees(i, () -> there.get(key));
      }
      places.assertSees(null, () -> there.get("removed"));
    }
  }

  private void writeScope() {
    ScopedGridMap<String, Long> map =
        places
            .first()
            .scopedMap(places.name("kept"), Codec.STRING, Codec.LONG, places.model())
            .timeout(TcpGridFixture.PATIENCE);
    try (GridScope<String, Long> scope = map.scope()) {
      scope.set("scope a", 1L);
      scope.set("scope b", 1L);
      scope.persist();
      scope.set("scope a", 2L);
      scope.set("scope b", 2L);
    }
  }

  /** After: at the places of the grid that was started again. */
  void isThereAgain() {
    for (GridMaps each : places.all()) {
      isThereAgain(map(each));
    }
    GridMap<String, Long> map = map(places.first());
    // It goes on.
    map.set("after", 1L);
    places.assertSeesOwn(1L, () -> map.get("after"));
  }

  private void isThereAgain(GridMap<String, Long> map) {
    Map<String, Long> found = new HashMap<>(map.snapshot());
    if (!places.model().persistency().isOnMedium()) {
      assertEquals(Map.of(), found);
      assertEquals(Optional.empty(), map.recovery());
      return;
    }
    if (places.model().persistency().isByScope()) {
      Long a = found.remove("scope a");
      Long b = found.remove("scope b");
      assertEquals(a, b, "a scope is there whole or not at all");
      assertTrue(a == 1 || a == 2, () -> "a scope that was persisted is there: " + a);
    }
    assertEquals(entries(), found);
    RecoveryReport report = map.recovery().orElseThrow();
    assertTrue(report.closed(), report::toString);
    assertFalse(report.isOfLoss(), report::toString);
  }
}
