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
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.orcagrid.client.Places.assertSays;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.orcagrid.client.map.AtomicGridMap;
import org.orcagrid.client.map.GridMaps;

/** What maps with atomic operations are held to, and that models without any refuse them. */
final class AtomicMapContract {
  private static final Duration HOUR = Duration.ofHours(1);
  private static final Duration MOMENT = Duration.ofMillis(1);

  private final Places places;

  AtomicMapContract(Places places) {
    this.places = places;
  }

  void all() throws InterruptedException {
    if (!places.model().consistency().isAtomic()) {
      refused();
      return;
    }
    itIsAConcurrentMap();
    asynchronousFormsAreTheSame();
    whatIsOverIsNoValue();
    nullIsNoValue();
    nothingIsAddedTwiceOrLost();
    oneOfManyIsFirst();
  }

  private void refused() {
    for (GridMaps each : places.all()) {
      IllegalArgumentException refused =
          assertThrows(IllegalArgumentException.class, () -> atomic(each));
      assertSays("has no atomic operations", refused);
      assertSays("linearizable", refused);
      // A queue needs them, too.
      assertThrows(
          IllegalArgumentException.class,
          () -> each.queue(places.name("jobs"), Codec.LONG, places.model()));
    }
  }

  private AtomicGridMap<String, Long> atomic(GridMaps place) {
    return place
        .atomicMap(places.name("stock"), Codec.STRING, Codec.LONG, places.model())
        .timeout(TcpGridFixture.PATIENCE);
  }

  private AtomicGridMap<String, Long> here() {
    return atomic(places.first());
  }

  private AtomicGridMap<String, Long> there() {
    return atomic(places.last());
  }

  private void itIsAConcurrentMap() {
    AtomicGridMap<String, Long> here = here();
    AtomicGridMap<String, Long> there = there();
    assertNull(here.put("a", 1L));
    assertEquals(1L, there.put("a", 2L));
    assertEquals(2L, here.putIfAbsent("a", 3L));
    assertNull(here.putIfAbsent("b", 4L));
    assertFalse(there.replace("a", 1L, 5L));
    assertTrue(there.replace("a", 2L, 5L));
    places.assertSees(5L, () -> here.get("a"));
    assertEquals(5L, here.replace("a", 6L));
    assertNull(here.replace("c", 7L));
    assertFalse(there.remove("a", 5L));
    assertTrue(there.remove("a", 6L));
    assertEquals(4L, there.remove("b"));
    assertNull(here.remove("b"));
    assertEquals(8L, here.computeIfAbsent("d", key -> 8L));
    assertEquals(16L, there.merge("d", 8L, Long::sum));
    assertEquals(17L, here.compute("d", (key, value) -> value + 1));
    assertNull(there.computeIfPresent("d", (key, value) -> value == 17 ? null : value));
    there.putAll(Map.of("e", 1L, "f", 2L));
    places.assertSees(Map.of("e", 1L, "f", 2L), () -> Map.copyOf(here));
    assertTrue(here.equals(Map.of("e", 1L, "f", 2L)));
    assertEquals(Map.of("e", 1L, "f", 2L).hashCode(), here.hashCode());
    assertTrue(here.containsValue(2L));
    assertEquals(Set.of(1L, 2L), Set.copyOf(here.values()));
    assertEquals(Map.of("e", 1L, "f", 2L).entrySet(), here.entrySet());
    assertThrows(UnsupportedOperationException.class, () -> here.values().clear());
    assertThrows(UnsupportedOperationException.class, () -> here.entrySet().clear());
    here.clear();
    assertTrue(here.isEmpty());
  }

  private static <T> T join(CompletionStage<T> stage) {
    return stage.toCompletableFuture().join();
  }

  private void asynchronousFormsAreTheSame() {
    AtomicGridMap<String, Long> here = here();
    assertNull(join(here.putAsync("later", 1L)));
    assertEquals(1L, join(there().putAsync("later", 2L)));
    assertEquals(2L, join(here.putIfAbsentAsync("later", 3L)));
    assertFalse(join(here.replaceAsync("later", 1L, 4L)));
    assertTrue(join(here.replaceAsync("later", 2L, 4L)));
    assertFalse(join(here.removeAsync("later", 2L)));
    assertTrue(join(here.removeAsync("later", 4L)));
    assertNull(join(here.removeAsync("later")));
    assertNull(join(here.putIfAbsentAsync("later", 5L)));
    assertEquals(5L, join(there().removeAsync("later")));
  }

  private void whatIsOverIsNoValue() {
    AtomicGridMap<String, Long> map = here();
    assertNull(map.put("o", 1L, HOUR));
    assertEquals(1L, there().putIfAbsent("o", 2L, MOMENT));
    assertTrue(there().replace("o", 1L, 3L, MOMENT), "a value with a lifetime is the same value");
    TcpGridFixture.await("it is over", () -> map.get("o") == null);
    assertFalse(map.replace("o", 3L, 4L));
    assertFalse(map.remove("o", 3L));
    assertNull(map.replace("o", 4L));
    assertNull(map.putIfAbsent("o", 5L, HOUR));
    assertTrue(map.expiry("o").isPresent());
    assertEquals(5L, map.put("o", 6L));
    assertTrue(map.expiry("o").isEmpty());
    assertEquals(6L, map.remove("o"));
  }

  private void nullIsNoValue() {
    AtomicGridMap<String, Long> map = here();
    assertThrows(NullPointerException.class, () -> map.put("n", null));
    assertThrows(NullPointerException.class, () -> map.put(null, 1L));
    assertThrows(NullPointerException.class, () -> map.putIfAbsent("n", null));
    assertThrows(NullPointerException.class, () -> map.replace("n", null, 1L));
    assertThrows(NullPointerException.class, () -> map.replace("n", 1L, null));
    assertThrows(NullPointerException.class, () -> map.remove("n", null));
    assertThrows(NullPointerException.class, () -> map.remove(null));
    assertThrows(NullPointerException.class, () -> map.putAll(Collections.singletonMap("n", null)));
    assertThrows(NullPointerException.class, () -> map.merge("n", null, Long::sum));
    assertNull(map.get("n"));
  }

  private void nothingIsAddedTwiceOrLost() throws InterruptedException {
    Set<Long> found = ConcurrentHashMap.newKeySet();
    places.everywhere(
        (place, thread) -> {
          AtomicGridMap<String, Long> map = atomic(place);
          for (int i = 0; i < MapContract.ROUNDS; i++) {
            assertTrue(found.add(map.merge("sum", 1L, Long::sum)), "a sum is found once");
          }
        });
    long sum = (long) places.threads() * MapContract.ROUNDS;
    for (GridMaps each : places.all()) {
      places.assertSees(sum, () -> atomic(each).get("sum"));
    }
  }

  private void oneOfManyIsFirst() throws InterruptedException {
    AtomicInteger first = new AtomicInteger();
    Set<Long> replaced = ConcurrentHashMap.newKeySet();
    places.everywhere(
        (place, thread) -> {
          AtomicGridMap<String, Long> map = atomic(place);
          if (map.putIfAbsent("first", (long) thread) == null) {
            first.incrementAndGet();
          }
          Long before = map.put("last", (long) thread);
          assertTrue(before == null || replaced.add(before), "what was there is found once");
        });
    assertEquals(1, first.get());
    assertEquals(places.threads() - 1, replaced.size());
    List<Long> last = List.of(here().remove("last"));
    assertFalse(replaced.contains(last.get(0)), () -> last + " is there, and was replaced");
  }
}
