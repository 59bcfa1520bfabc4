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
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.orcagrid.client.Places.assertSays;

import java.util.concurrent.CompletionStage;
import org.orcagrid.client.map.GridMaps;
import org.orcagrid.client.map.GridScope;
import org.orcagrid.client.map.ScopedGridMap;

/**
 * What scopes are held to while nothing fails, and that models without any refuse them. {@link
 * MapDurability} has what survives.
 */
final class ScopeContract {
  private final Places places;

  ScopeContract(Places places) {
    this.places = places;
  }

  void all() {
    if (!places.model().persistency().isByScope()) {
      refused();
      return;
    }
    aScopeIsVisibleAsTheMapIs();
    manyScopesAreOpenAtOnce();
  }

  private void refused() {
    for (GridMaps each : places.all()) {
      IllegalArgumentException refused =
          assertThrows(IllegalArgumentException.class, () -> points(each));
      assertSays("has no scopes", refused);
      assertSays(places.model().consistency().id() + "/scope", refused);
    }
  }

  private ScopedGridMap<String, Long> points(GridMaps place) {
    return place
        .scopedMap(places.name("points"), Codec.STRING, Codec.LONG, places.model())
        .timeout(TcpGridFixture.PATIENCE);
  }

  private void aScopeIsVisibleAsTheMapIs() {
    ScopedGridMap<String, Long> here = points(places.first());
    ScopedGridMap<String, Long> there = points(places.last());
    here.set("outside", 1L);
    try (GridScope<String, Long> scope = here.scope()) {
      scope.set("a", 1L);
      assertEquals(1L, scope.get("a"), "it reads what it has written");
      CompletionStage<Void> later = scope.setAsync("b", 2L);
      scope.set("c", 3L);
      scope.delete("c");
      assertNull(scope.get("c"));
      later.toCompletableFuture().join();
      places.assertSees(1L, () -> there.get("a"));
      scope.persist();
      scope.set("a", 4L);
      scope.persistAsync().toCompletableFuture().join();
      scope.set("a", 5L);
      assertThrows(NullPointerException.class, () -> scope.set("a", null));
      assertThrows(NullPointerException.class, () -> scope.get(null));
      scope.persist();
    }
    places.assertSees(5L, () -> there.get("a"));
    places.assertSees(2L, () -> there.get("b"));
    places.assertSees(null, () -> there.get("c"));
    places.assertSees(1L, () -> there.get("outside"));
  }

  private void manyScopesAreOpenAtOnce() {
    ScopedGridMap<String, Long> map = points(places.first());
    try (GridScope<String, Long> one = map.scope();
        GridScope<String, Long> other = points(places.last()).scope()) {
      one.set("one", 1L);
      other.set("other", 2L);
      one.persist();
      other.persist();
    }
    places.assertSees(1L, () -> points(places.last()).get("one"));
    places.assertSees(2L, () -> map.get("other"));
  }
}
