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

import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.orcagrid.client.map.GridMap;
import org.orcagrid.client.map.GridMaps;
import org.orcagrid.client.map.ReleaseGridMap;
import org.orcagrid.ddp.model.Consistency;
import org.orcagrid.ddp.model.Ddp;

/**
 * What a map of any model is held to, whichever way a program has come to the grid: this class has
 * what all models have, and the others what some have. Where a model promises that all places see
 * what has completed it is looked for once, and awaited otherwise.
 */
final class MapContract {
  /** So often each thread does what all do at once. */
  static final int ROUNDS = Integer.getInteger("rounds", 5);

  private static final Duration HOUR = Duration.ofHours(1);

  private final Places places;
  private final Path folder;
  private final GridMap<String, Long> here;
  private final GridMap<String, Long> there;

  /**
   * At these places.
   *
   * @param folder for files
   */
  MapContract(Places places, Path folder) {
    this.places = places;
    this.folder = folder;
    this.here = counts(places.first());
    this.there = counts(places.last());
  }

  private GridMap<String, Long> counts(GridMaps place) {
    return place
        .map(places.name("counts"), Codec.STRING, Codec.LONG, places.model())
        .timeout(TcpGridFixture.PATIENCE);
  }

  void all() throws Exception {
    aMapIsFoundByItsNameAndKeepsItsModel();
    aKeyHasAValueOrNone();
    aReaderNeverSeesAnOlderValue();
    manyKeysAreReadAndWrittenAtOnce();
    allKeysAreRead();
    threadsAtAllPlacesHaveWhatTheyWrite();
    aValueIsThereForItsLifetime();
    aBackupIsRestored();
    new AsynchronousMapContract(places).all();
    new AtomicMapContract(places).all();
    new MapListenerContract(places).all();
    new TransactionContract(places).all();
    new ScopeContract(places).all();
    new CausalContract(places).all();
    releases();
    new RefusalContract(places).all();
    new MapDurability(places).write();
  }

  private void aMapIsFoundByItsNameAndKeepsItsModel() {
    String name = places.name("counts");
    assertEquals(name, here.name());
    assertEquals(places.model(), here.model());
    assertEquals(places.model().explain(), here.explain());
    for (GridMaps each : places.all()) {
      counts(each);
      assertEquals(places.model(), each.definedMaps().get(name));
    }
    Ddp other =
        Ddp.of(
            places.model().consistency() == Consistency.CAUSAL
                ? Consistency.EVENTUAL
                : Consistency.CAUSAL,
            places.model().persistency());
    for (GridMaps each : places.all()) {
      IllegalStateException refused =
          assertThrows(
              IllegalStateException.class, () -> each.map(name, Codec.STRING, Codec.LONG, other));
      assertSays(name, refused);
      assertSays("keeps its model", refused);
      assertSays(
          "letters",
          assertThrows(
              IllegalArgumentException.class,
              () -> each.map("no name", Codec.STRING, Codec.LONG, places.model())));
    }
  }

  private void aKeyHasAValueOrNone() {
    assertNull(here.get("a"));
    assertFalse(there.containsKey("a"));
    here.set("a", 0L);
    places.assertSeesOwn(0L, () -> here.get("a"));
    places.assertSees(0L, () -> there.get("a"));
    there.set("a", 2L);
    places.assertSeesOwn(2L, () -> there.get("a"));
    places.assertSees(2L, () -> here.get("a"));
    assertTrue(here.containsKey("a"));
    here.delete("a");
    places.assertSeesOwn(null, () -> here.get("a"));
    places.assertSees(null, () -> there.get("a"));
    there.set("a", 3L);
    there.set("a", null);
    places.assertSeesOwn(false, () -> there.containsKey("a"));
    there.delete("a");
    places.assertSeesOwn(null, () -> there.get("a"));
    // A value shows that all that was written there has come; nothing would not show it.
    there.set("a", 5L);
    places.assertSees(5L, () -> here.get("a"));
    here.delete("a");
    places.assertSeesOwn(null, () -> here.get("a"));
    // An empty key is a key.
    here.set("", 4L);
    places.assertSeesOwn(4L, () -> here.get(""));
    here.delete("");
  }

  /** At one place; what moves with a client, and crashes, are the simulator's. */
  private void aReaderNeverSeesAnOlderValue() throws InterruptedException {
    long last = 4L * ROUNDS;
    places.everywhere(
        (place, thread) -> {
          GridMap<String, Long> map = counts(place);
          if (thread == 0) {
            for (long n = 1; n <= last; n++) {
              map.set("grows", n);
            }
            return;
          }
          for (long seen = 0; seen < last; ) {
            Long next = map.get("grows");
            if (next != null) {
              long before = seen;
              assertTrue(next >= before, () -> next + " after " + before);
              seen = next;
            }
          }
        });
  }

  private void manyKeysAreReadAndWrittenAtOnce() {
    Map<String, Long> entries = new LinkedHashMap<>();
    for (long i = 0; i < 50; i++) {
      entries.put("many" + i, i);
    }
    here.setAll(entries);
    places.assertSeesOwn(entries, () -> here.getAll(entries.keySet()));
    places.assertSees(entries, () -> there.getAll(entries.keySet()));
    Map<String, Long> changes = new HashMap<>();
    changes.put("many3", null);
    changes.put("many4", 40L);
    here.setAll(changes);
    List<String> asked = List.of("many5", "many3", "no such", "many4", "many5");
    places.assertSeesOwn(Map.of("many5", 5L, "many4", 40L), () -> here.getAll(asked));
    assertEquals(List.of("many5", "many4"), List.copyOf(here.getAll(asked).keySet()));
    places.assertSees(Map.of("many5", 5L, "many4", 40L), () -> there.getAll(asked));
    assertEquals(Map.of(), here.getAll(List.of()));
    here.setAll(Map.of());
    assertThrows(NullPointerException.class, () -> here.getAll(Arrays.asList("many5", null)));
  }

  private void allKeysAreRead() {
    here.clear();
    places.assertSeesOwn(0, here::size);
    places.assertSees(true, there::isEmpty);
    Map<String, Long> entries = Map.of("a", 1L, "b", 2L, "c", 3L);
    here.setAll(entries);
    places.assertSeesOwn(entries, here::snapshot);
    Set<String> keys = here.keySet();
    Map<String, Long> all = here.snapshot();
    assertEquals(entries.keySet(), keys);
    assertEquals(3, here.size());
    assertEquals("abc".length() + 3 * Long.BYTES, here.sizeInBytes());
    Map<String, Long> visited = new HashMap<>();
    here.forEach(visited::put);
    assertEquals(entries, visited);
    places.assertSees(entries, there::snapshot);
    there.clear();
    places.assertSeesOwn(true, there::isEmpty);
    places.assertSees(0L, here::sizeInBytes);
    assertEquals(entries.keySet(), keys, "a set of its own");
    assertEquals(entries, all, "a map of its own");
    assertThrows(UnsupportedOperationException.class, () -> keys.remove("a"));
    assertThrows(UnsupportedOperationException.class, () -> all.put("a", 2L));
  }

  private void threadsAtAllPlacesHaveWhatTheyWrite() throws InterruptedException {
    places.everywhere(
        (place, thread) -> {
          GridMap<String, Long> map = counts(place);
          for (long n = 0; n < ROUNDS; n++) {
            String key = thread + "/" + n;
            map.set(key, n);
            places.assertSeesOwn(n, () -> map.get(key));
          }
        });
    Map<String, Long> written = new HashMap<>();
    for (int thread = 0; thread < places.threads(); thread++) {
      for (long n = 0; n < ROUNDS; n++) {
        written.put(thread + "/" + n, n);
      }
    }
    for (GridMaps each : places.all()) {
      places.assertSees(written, counts(each)::snapshot);
    }
  }

  private void aValueIsThereForItsLifetime() {
    Instant begin = Instant.now();
    here.set("long", 1L, HOUR);
    places.assertSeesOwn(1L, () -> here.get("long"));
    Instant expiry = here.expiry("long").orElseThrow();
    // Kept in milliseconds.
    assertFalse(expiry.isBefore(begin.plus(HOUR).minusMillis(1)), expiry::toString);
    assertFalse(expiry.isAfter(Instant.now().plus(HOUR)), expiry::toString);
    places.assertSees(expiry, () -> there.expiry("long").orElse(null));
    there.set("long", 2L);
    places.assertSeesOwn(2L, () -> there.get("long"));
    assertTrue(there.expiry("long").isEmpty(), "a later value stays");
    places.assertSees(2L, () -> here.get("long"));
    assertTrue(here.expiry("no such").isEmpty());
    here.set("short", 1L, Duration.ofMillis(1));
    // By the clock of all places; those that have not got it yet do not show it later.
    long over = System.currentTimeMillis() + 1;
    TcpGridFixture.await("it is over", () -> System.currentTimeMillis() >= over);
    for (GridMaps each : places.all()) {
      GridMap<String, Long> map = counts(each);
      assertNull(map.get("short"));
      assertTrue(map.expiry("short").isEmpty());
      assertEquals(Map.of(), map.getAll(Set.of("short")));
      assertFalse(map.snapshot().containsKey("short"));
      assertFalse(map.keySet().contains("short"));
    }
    here.set("short", 3L, HOUR);
    places.assertSeesOwn(3L, () -> here.get("short"));
    places.assertSees(3L, () -> there.get("short"));
    for (Duration none : List.of(Duration.ZERO, Duration.ofMillis(-1))) {
      assertThrows(IllegalArgumentException.class, () -> here.set("short", 4L, none));
    }
    assertThrows(NullPointerException.class, () -> here.set("short", null, HOUR));
    here.set("short", 5L, Duration.ofSeconds(Long.MAX_VALUE));
    places.assertSeesOwn(5L, () -> here.get("short"));
    assertTrue(here.expiry("short").isEmpty(), "for longer than there are numbers for");
  }

  private void aBackupIsRestored() {
    here.clear();
    here.set("goes", 1L);
    here.setAll(Map.of("a", 1L, "b", 2L));
    here.delete("goes");
    here.set("for long", 3L, HOUR);
    Map<String, Long> entries = Map.of("a", 1L, "b", 2L, "for long", 3L);
    places.assertSeesOwn(entries, here::snapshot);
    Path file = folder.resolve(places.name("backup"));
    assertEquals(3, here.backup(file));
    assertSays(
        "is there already", assertThrows(UncheckedIOException.class, () -> here.backup(file)));
    places.assertSees(entries, there::snapshot);
    there.clear();
    places.assertSeesOwn(true, there::isEmpty);
    assertEquals(3, there.restore(file));
    places.assertSeesOwn(2L, () -> there.get("b"));
    places.assertSeesOwn(entries, there::snapshot);
    assertTrue(there.expiry("for long").isPresent());
    places.assertSees(entries, here::snapshot);
    assertThrows(UncheckedIOException.class, () -> here.restore(folder.resolve("no such")));
  }

  /** The access modes are those of every view, and values have lifetimes beside. */
  private void releases() throws Exception {
    if (places.model().consistency() != Consistency.RELEASE) {
      return;
    }
    new ViewContract(views(places.first()), views(places.last())).all();
    ReleaseGridMap<String, Long> map =
        places.first().releaseMap(places.name("flags"), Codec.STRING, Codec.LONG, places.model());
    map.set("adds", 1L, HOUR);
    assertEquals(1, map.getAndAdd("adds", 1));
    assertTrue(map.expiry("adds").isEmpty(), "the sum has no lifetime");
    map.set("over", 1L, Duration.ofMillis(1));
    TcpGridFixture.await("it is over", () -> map.getLong("over", -1) == -1);
    assertNull(map.getAcquire("over"));
    assertTrue(map.compareAndSet("over", null, 2L));
    AtomicBoolean isSeen = new AtomicBoolean();
    map.getAcquireAsync("over")
        .thenAccept(value -> isSeen.set(value == 2L))
        .toCompletableFuture()
        .join();
    assertTrue(isSeen.get());
  }

  private ViewContract.Opening views(GridMaps place) {
    return new ViewContract.Opening() {
      @Override
      public <V> View<String, V> open(Codec<V> values) {
        return place
            .releaseMap(places.name("view"), Codec.STRING, values, places.model())
            .timeout(TcpGridFixture.PATIENCE);
      }
    };
  }
}
