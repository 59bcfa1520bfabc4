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
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.orcagrid.client.Places.assertSays;

import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.orcagrid.client.map.GridMap;
import org.orcagrid.client.map.GridMaps;
import org.orcagrid.client.map.GridScope;
import org.orcagrid.client.map.GridTransaction;
import org.orcagrid.client.map.SessionLostException;
import org.orcagrid.ddp.model.Consistency;

/** What maps of any model refuse, with which exceptions: the same whichever way a program came. */
final class RefusalContract {
  private static final String TOO_LARGE = "x".repeat(600 << 10);
  private static final String LONG_KEY = "k".repeat(1025);

  private final Places places;
  private final GridMap<String, String> texts;

  RefusalContract(Places places) {
    this.places = places;
    this.texts = texts(places.first());
  }

  private GridMap<String, String> texts(GridMaps place) {
    return place
        .map(places.name("texts"), Codec.STRING, Codec.STRING, places.model())
        .timeout(TcpGridFixture.PATIENCE);
  }

  void all() {
    texts.set("there", "a text");
    places.assertSeesOwn("a text", () -> texts.get("there"));
    whatIsNoKeyIsRefused();
    whatIsTooLargeIsRefused();
    aCodecThatFailsIsHeard();
    assertEquals("a text", texts.get("there"), "all goes on");
    aMapThatWasRemovedIsGone();
  }

  static void assertFails(Class<? extends Throwable> with, CompletionStage<?> stage) {
    Throwable failure =
        assertThrows(CompletionException.class, stage.toCompletableFuture()::join).getCause();
    assertInstanceOf(with, failure);
  }

  private void whatIsNoKeyIsRefused() {
    assertThrows(NullPointerException.class, () -> texts.get(null));
    assertThrows(NullPointerException.class, () -> texts.set(null, "a"));
    assertThrows(NullPointerException.class, () -> texts.delete(null));
    assertThrows(NullPointerException.class, () -> texts.expiry(null));
    assertFails(NullPointerException.class, texts.getAsync(null));
    assertFails(NullPointerException.class, texts.setAsync(null, "a"));
    assertFails(NullPointerException.class, texts.deleteAsync(null));
    assertThrows(ClassCastException.class, () -> texts.get(5));
    assertSays("1025", assertThrows(IllegalArgumentException.class, () -> texts.get(LONG_KEY)));
    assertThrows(IllegalArgumentException.class, () -> texts.set(LONG_KEY, "a"));
    assertFails(IllegalArgumentException.class, texts.setAsync(LONG_KEY, "a"));
  }

  private void whatIsTooLargeIsRefused() {
    String limit = Integer.toString(512 << 10);
    assertSays(
        limit, assertThrows(IllegalArgumentException.class, () -> texts.set("there", TOO_LARGE)));
    assertFails(IllegalArgumentException.class, texts.setAsync("there", TOO_LARGE));
    assertThrows(IllegalArgumentException.class, () -> texts.setAll(Map.of("there", TOO_LARGE)));
    if (places.model().consistency().isAtomic()) {
      assertThrows(
          IllegalArgumentException.class,
          () ->
              places
                  .first()
                  .atomicMap(texts.name(), Codec.STRING, Codec.STRING, places.model())
                  .put("there", TOO_LARGE));
    }
    if (places.model().consistency() == Consistency.TRANSACTIONAL) {
      try (GridTransaction<String, String> transaction =
          places
              .first()
              .transactionalMap(texts.name(), Codec.STRING, Codec.STRING, places.model())
              .transaction()) {
        transaction.set("beside", "a");
        assertThrows(IllegalArgumentException.class, () -> transaction.set("there", TOO_LARGE));
        transaction.commit();
      }
      assertEquals("a", texts.get("beside"), "what was refused is not of it");
    }
    if (places.model().persistency().isByScope()) {
      try (GridScope<String, String> scope =
          places
              .first()
              .scopedMap(texts.name(), Codec.STRING, Codec.STRING, places.model())
              .scope()) {
        scope.set("in scope", "a");
        assertThrows(IllegalArgumentException.class, () -> scope.set("there", TOO_LARGE));
        assertFails(IllegalArgumentException.class, scope.setAsync("there", TOO_LARGE));
        scope.persist();
        assertEquals("a", scope.get("in scope"));
      }
    }
    assertEquals("a text", texts.get("there"));
  }

  private void aCodecThatFailsIsHeard() {
    Codec<String> failing =
        Codec.of(
            (value, out) -> {
              throw new ArithmeticException("cannot write");
            },
            in -> {
              throw new ArithmeticException("cannot read");
            });
    GridMap<String, String> bad =
        places.first().map(texts.name(), Codec.STRING, failing, places.model());
    assertThrows(ArithmeticException.class, () -> bad.set("there", "a"));
    assertThrows(ArithmeticException.class, () -> bad.get("there"));
    assertThrows(ArithmeticException.class, bad::snapshot);
    assertFails(ArithmeticException.class, bad.setAsync("there", "a"));
    assertFails(ArithmeticException.class, bad.getAsync("there"));
    assertEquals(texts.keySet(), bad.keySet(), "nothing is read there");
    GridMap<String, Long> other =
        places.first().map(texts.name(), Codec.STRING, Codec.LONG, places.model());
    assertSays(
        "written by another codec",
        assertThrows(IllegalStateException.class, () -> other.get("there")));
  }

  private void aMapThatWasRemovedIsGone() {
    GridMap<String, String> there = texts(places.last());
    places.first().removeMap(texts.name());
    for (int i = 0; i < 2; i++) {
      assertThrows(SessionLostException.class, () -> texts.get("there"));
      assertThrows(SessionLostException.class, () -> texts.set("there", "a"));
      assertThrows(SessionLostException.class, texts::size);
      assertThrows(SessionLostException.class, () -> texts.getAll(texts.keySet()));
      assertThrows(SessionLostException.class, texts::recovery);
      assertFails(SessionLostException.class, texts.getAsync("there"));
      assertFails(SessionLostException.class, texts.setAsync("there", "a"));
    }
    TcpGridFixture.await("it is gone everywhere", () -> isGone(there));
    GridMap<String, String> anew = texts(places.last());
    assertNull(anew.get("there"), "the name is free");
    assertThrows(SessionLostException.class, () -> there.get("there"), "it is another map");
    places.last().removeMap(anew.name());
  }

  private static boolean isGone(GridMap<String, String> map) {
    try {
      map.get("there");
      return false;
    } catch (SessionLostException e) {
      return true;
    }
  }
}
