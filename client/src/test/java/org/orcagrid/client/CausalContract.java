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

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.orcagrid.client.map.CausalGridMap;
import org.orcagrid.client.map.GridMaps;
import org.orcagrid.client.map.MapChange;
import org.orcagrid.client.map.MapListening;
import org.orcagrid.client.map.Together;
import org.orcagrid.ddp.model.Consistency;

/** What keys that are written together are held to, and that models without that refuse it. */
final class CausalContract {
  private static final long ROUNDS = 20;

  private final Places places;

  CausalContract(Places places) {
    this.places = places;
  }

  void all() throws Exception {
    if (places.model().consistency() != Consistency.CAUSAL) {
      refused();
      return;
    }
    whatIsWrittenTogetherIsThereTogether();
    whatHasChangedIsNotWritten();
    nobodySeesAPart();
    clientsOfANodeLoseNothing();
    itIsToldWhereItWasWritten();
    whatIsTooLargeIsRefused();
  }

  private void refused() {
    for (GridMaps each : places.all()) {
      IllegalArgumentException refused =
          assertThrows(IllegalArgumentException.class, () -> pairs(each));
      assertSays("causal/" + places.model().persistency().id(), refused);
    }
  }

  private CausalGridMap<String, Long> pairs(GridMaps place) {
    return place
        .causalMap(places.name("pairs"), Codec.STRING, Codec.LONG, places.model())
        .timeout(TcpGridFixture.PATIENCE);
  }

  private void whatIsWrittenTogetherIsThereTogether() {
    CausalGridMap<String, Long> here = pairs(places.first());
    CausalGridMap<String, Long> there = pairs(places.last());
    List<String> keys = List.of("a", "b", "none");
    here.setTogether(Map.of("a", 1L, "b", 2L));
    assertEquals(1L, here.get("a"), "a thread sees what it has written, key by key");
    assertEquals(Map.of("a", 1L, "b", 2L), here.getTogether(keys));
    places.assertSees(Map.of("a", 1L, "b", 2L), () -> there.getTogether(keys));
    Map<String, Long> removal = new HashMap<>();
    removal.put("a", null);
    removal.put("none", 3L);
    here.setTogether(removal);
    assertNull(here.get("a"));
    places.assertSees(Map.of("b", 2L, "none", 3L), () -> there.getTogether(keys));
    here.delete("none");
    assertEquals(Map.of("b", 2L), here.getTogether(keys));
    here.setTogether(Map.of());
    assertEquals(Map.of(), here.getTogether(List.of()));
  }

  private void whatHasChangedIsNotWritten() {
    CausalGridMap<String, Long> here = pairs(places.first());
    here.setTogether(Map.of("seen", 1L));
    Together<String, Long> seen = here.look(List.of("seen", "absent"));
    assertEquals(Map.of("seen", 1L), seen.values());
    assertEquals(here.node(), seen.node());
    assertTrue(seen.set(Map.of("other", 5L)), "it has not changed");
    assertEquals(5L, here.get("other"));
    here.set("absent", 1L);
    assertFalse(seen.set(Map.of("other", 6L)), "a key is there that was not");
    assertFalse(seen.only(List.of("absent")).set(Map.of("other", 6L)));
    assertEquals(Map.of("seen", 1L), seen.only(List.of("seen")).values());
    assertTrue(seen.only(List.of("seen")).set(Map.of("more", 1L)), "it is about that key alone");
    assertThrows(IllegalArgumentException.class, () -> seen.only(List.of("other")));
    assertEquals(5L, here.get("other"));
    here.delete("absent");
    assertTrue(seen.set(Map.of("seen", 2L)), "it is as it was");
    assertFalse(seen.set(Map.of("seen", 3L)));
    assertEquals(2L, here.get("seen"));
  }

  private void nobodySeesAPart() throws InterruptedException {
    List<String> keys = List.of("left", "middle", "right");
    places.everywhere(
        (place, thread) -> {
          CausalGridMap<String, Long> pairs = pairs(place);
          for (long round = 1; round <= ROUNDS; round++) {
            if (thread % 2 == 0) {
              long value = round * places.threads() + thread;
              pairs.setTogether(Map.of("left", value, "middle", value, "right", value));
            }
            Map<String, Long> seen = pairs.getTogether(keys);
            assertTrue(seen.values().stream().distinct().count() <= 1, seen::toString);
            assertTrue(seen.isEmpty() || seen.size() == keys.size(), seen::toString);
            Map<String, Long> all = pairs.snapshot();
            assertEquals(all.get("left"), all.get("right"));
          }
        });
    Map<String, Long> last = pairs(places.first()).getTogether(keys);
    places.all().forEach(each -> awaitSame(last, keys, pairs(each)));
  }

  /** The writes of the last threads may be under way still. */
  private void awaitSame(
      Map<String, Long> like, List<String> keys, CausalGridMap<String, Long> at) {
    CausalGridMap<String, Long> first = pairs(places.first());
    TcpGridFixture.await(
        "all have one of " + like, () -> first.getTogether(keys).equals(at.getTogether(keys)));
  }

  private void clientsOfANodeLoseNothing() throws InterruptedException {
    ConcurrentMap<String, Long> written = new ConcurrentHashMap<>();
    places.everywhere(
        (place, thread) -> {
          CausalGridMap<String, Long> counts = pairs(place);
          String key = "count" + counts.node();
          for (int i = 0; i < ROUNDS; i++) {
            boolean done = false;
            while (!done) {
              Together<String, Long> seen = counts.look(List.of(key));
              done = seen.set(Map.of(key, seen.values().getOrDefault(key, 0L) + 1));
            }
            written.merge(key, 1L, Long::sum);
          }
        });
    CausalGridMap<String, Long> there = pairs(places.last());
    written.forEach(
        (key, count) ->
            TcpGridFixture.await(
                key + " is " + count,
                () -> count.equals(there.getTogether(List.of(key)).get(key))));
  }

  private void itIsToldWhereItWasWritten() throws InterruptedException {
    CausalGridMap<String, Long> here = pairs(places.first());
    BlockingQueue<MapChange<String, Long>> heard = new LinkedBlockingQueue<>();
    // What was written before may be told late.
    try (MapListening listening = here.listen(each -> addIf("told", each, heard))) {
      here.setTogether(Map.of("told", 1L));
      MapChange<String, Long> change =
          heard.poll(TcpGridFixture.PATIENCE.toSeconds(), TimeUnit.SECONDS);
      assertEquals("told", change.key());
      assertTrue(change.here(), change::toString);
    }
  }

  private static void addIf(
      String key, MapChange<String, Long> change, BlockingQueue<MapChange<String, Long>> to) {
    if (change.key().equals(key)) {
      to.add(change);
    }
  }

  private void whatIsTooLargeIsRefused() {
    CausalGridMap<String, byte[]> here =
        places
            .first()
            .causalMap(places.name("large"), Codec.STRING, Codec.BYTES, places.model())
            .timeout(TcpGridFixture.PATIENCE);
    byte[] half = new byte[300 << 10];
    here.setTogether(Map.of("one", half));
    assertThrows(
        IllegalArgumentException.class, () -> here.setTogether(Map.of("one", half, "two", half)));
    here.setTogether(Map.of("two", half));
    assertEquals(2, here.getTogether(List.of("one", "two")).size(), "reads may be larger");
    here.clear();
  }
}
