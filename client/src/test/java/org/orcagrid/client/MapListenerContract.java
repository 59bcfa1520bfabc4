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
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.orcagrid.client.map.GridMap;
import org.orcagrid.client.map.GridMaps;
import org.orcagrid.client.map.MapChange;
import org.orcagrid.client.map.MapListener;
import org.orcagrid.client.map.MapListening;
import org.orcagrid.ddp.model.Persistency;

/** What listeners of maps of any model are told. */
final class MapListenerContract {
  private final Places places;

  MapListenerContract(Places places) {
    this.places = places;
  }

  /** What it hears is in a queue; it fails where it is told to. */
  private static final class Hearing implements MapListener<String, Long> {
    private final BlockingQueue<MapChange<String, Long>> told = new LinkedBlockingQueue<>();
    private final CountDownLatch ended = new CountDownLatch(1);
    private final Map<String, Long> last = new HashMap<>();

    @Override
    public void onChange(MapChange<String, Long> change) {
      told.add(change);
      if (change.key().equals("bad")) {
        throw new IllegalStateException("this listener fails");
      }
    }

    @Override
    public void onEnded() {
      ended.countDown();
    }

    /**
     * Waits for a change to this value. Between there may be others: with some models a version
     * that another one follows is never visible. Each begins where the one before has ended.
     */
    MapChange<String, Long> await(String key, Long value) throws InterruptedException {
      while (true) {
        MapChange<String, Long> next =
            told.poll(TcpGridFixture.PATIENCE.toSeconds(), TimeUnit.SECONDS);
        assertNotNull(next, () -> key + " = " + value + " is told");
        assertEquals(last.get(next.key()), next.before(), next::toString);
        last.put(next.key(), next.value());
        assertEquals(kind(next), next.kind(), next::toString);
        if (next.key().equals(key) && Objects.equals(next.value(), value)) {
          return next;
        }
      }
    }

    private static MapChange.Kind kind(MapChange<String, Long> change) {
      if (change.value() == null) {
        return change.kind() == MapChange.Kind.EXPIRED
            ? MapChange.Kind.EXPIRED
            : MapChange.Kind.REMOVED;
      }
      return change.before() == null ? MapChange.Kind.CREATED : MapChange.Kind.UPDATED;
    }
  }

  private GridMap<String, Long> heard(GridMaps place) {
    return place
        .map(places.name("heard"), Codec.STRING, Codec.LONG, places.model())
        .timeout(TcpGridFixture.PATIENCE);
  }

  void all() throws InterruptedException {
    GridMap<String, Long> here = heard(places.first());
    GridMap<String, Long> there = heard(places.last());
    Hearing early = new Hearing();
    Hearing hearing = new Hearing();
    MapListening closing = here.listen(early);
    MapListening listening = here.listen(hearing);
    changesAreToldInOrder(hearing, here, there);
    itIsToldWhoWrites(hearing);
    aListenerThatFailsGoesOn(hearing, listening, there);
    early.await("good", 1L);
    closing.close();
    there.set("late", 1L);
    hearing.await("late", 1L);
    places.last().removeMap(here.name());
    assertTrue(
        hearing.ended.await(TcpGridFixture.PATIENCE.toSeconds(), TimeUnit.SECONDS),
        "it hears of the end");
    assertEquals(1, early.ended.getCount(), "who listens no more is told nothing");
    assertTrue(early.told.stream().noneMatch(change -> change.key().equals("late")));
  }

  private void changesAreToldInOrder(
      Hearing hearing, GridMap<String, Long> here, GridMap<String, Long> there)
      throws InterruptedException {
    here.set("a", 1L);
    assertEquals(
        new MapChange<>(MapChange.Kind.CREATED, "a", null, 1L, true), hearing.await("a", 1L));
    places.assertSees(1L, () -> there.get("a"));
    there.set("a", 2L);
    assertEquals(
        new MapChange<>(MapChange.Kind.UPDATED, "a", 1L, 2L, false), hearing.await("a", 2L));
    here.delete("a");
    CompletionStage<Void> later = here.setAsync("a", 3L);
    assertTrue(hearing.await("a", 3L).here());
    here.delete("a");
    assertEquals(
        new MapChange<>(MapChange.Kind.REMOVED, "a", 3L, null, true), hearing.await("a", null));
    later.toCompletableFuture().join();
    if (places.model().persistency() == Persistency.SYNCHRONOUS) {
      // Nodes look for such values some times a second: that is too long for all models.
      there.set("over", 1L, Duration.ofMillis(1));
      assertEquals(MapChange.Kind.EXPIRED, hearing.await("over", null).kind());
    }
  }

  /** Another client of the same node writes what that node has written, too. */
  private void itIsToldWhoWrites(Hearing hearing) throws InterruptedException {
    for (int round = 0; round < MapContract.ROUNDS; round++) {
      for (int place = 0; place < places.all().size(); place++) {
        String key = "by " + place;
        long value = round;
        heard(places.all().get(place)).set(key, value);
        assertEquals(place == 0, hearing.await(key, value).here(), key);
      }
    }
  }

  private static void aListenerThatFailsGoesOn(
      Hearing hearing, MapListening listening, GridMap<String, Long> there)
      throws InterruptedException {
    assertEquals(0, listening.failed());
    there.set("bad", 1L);
    there.set("good", 1L);
    hearing.await("bad", 1L);
    hearing.await("good", 1L);
    assertEquals(1, listening.failed());
    assertEquals(0, listening.merged());
  }
}
