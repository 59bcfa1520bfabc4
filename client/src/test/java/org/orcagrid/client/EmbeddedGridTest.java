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

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class EmbeddedGridTest {
  private static final EmbeddedGrid.Settings SMALL =
      new EmbeddedGrid.Settings(1, 8, 4096, 16 << 20);

  private record Point(long x, String name) {}

  private static final Codec<Point> POINT =
      Codec.of(
          (point, out) -> out.putLong(point.x()).putString(point.name()),
          in -> new Point(in.getLong(), in.getString()));

  private EmbeddedGrid grid;

  private EmbeddedGrid start(int nodes) {
    grid = Grid.embedded(SMALL.withNodes(nodes));
    return grid;
  }

  @AfterEach
  void close() {
    if (grid != null) {
      grid.close();
    }
  }

  /** The longest message has the longest header, and that of its packet before it. */
  @Test
  void theLargestValueOfTheLongestKeyGoesEveryWay() {
    int bytes = 64 << 10;
    grid = Grid.embedded(new EmbeddedGrid.Settings(3, 8, bytes, 64 << 20));
    try (GridSession session = grid.openSession()) {
      View<byte[], byte[]> view = session.view(Codec.BYTES, Codec.BYTES);
      byte[] key = new byte[1024];
      byte[] one = new byte[bytes];
      byte[] other = new byte[bytes];
      Arrays.fill(other, (byte) 1);
      view.setRelease(key, one);
      assertArrayEquals(one, view.getAndSet(key, other));
      assertTrue(view.compareAndSet(key, other, one));
      assertArrayEquals(one, view.getAndSet(key, other));
      assertArrayEquals(other, view.getAcquire(key));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void everyModeDoesWhatItsNameSays(int nodes) {
    try (GridSession session = start(nodes).openSession()) {
      View<String, String> view = session.view(Codec.STRING, Codec.STRING);
      assertNull(view.get("key"));
      assertNull(view.getAcquire("key"));
      view.set("key", "a");
      assertEquals("a", view.get("key"));
      view.setRelease("key", "b");
      assertEquals("b", view.getAcquire("key"));
      assertEquals("b", view.getAndSet("key", "c"));
      assertFalse(view.compareAndSet("key", "x", "d"));
      assertTrue(view.compareAndSet("key", "c", "d"));
      assertFalse(view.weakCompareAndSet("key", "x", "e"));
      assertTrue(view.weakCompareAndSet("key", "d", "e"));
      assertEquals("e", view.compareAndExchange("key", "x", "f"));
      assertEquals("e", view.compareAndExchange("key", "e", "f"));
      assertEquals("f", view.get("key"));
      assertTrue(view.compareAndSet("key", "f", null));
      assertNull(view.getAcquire("key"));
      assertTrue(view.compareAndSet("key", null, ""));
      assertEquals("", view.get("key"), "an empty value is a value");
    }
  }

  @Test
  void typesAndNumbers() {
    try (GridSession session = start(3).openSession()) {
      View<Long, Point> points = session.view(Codec.LONG, POINT);
      points.set(7L, new Point(1, "one"));
      assertEquals(new Point(1, "one"), points.get(7L));
      View<String, Long> counts = session.view(Codec.STRING, Codec.LONG);
      assertEquals(0, counts.getAndAdd("n", 5));
      assertEquals(5, counts.getAndAdd("n", -2));
      assertEquals(3, counts.getAcquire("n"));
      assertEquals(3, counts.getLong("n", -1));
      assertEquals(-1, counts.getLong("none", -1), "no value is not 0");
      counts.setAll(Map.of("a", 1L, "b", 2L, "c", 3L));
      counts.delete("b");
      counts.deleteRelease("c");
      assertEquals(Map.of("a", 1L, "n", 3L), counts.getAll(List.of("c", "n", "b", "a", "a")));
      View<byte[], byte[]> bytes = session.bytes();
      byte[] content = new byte[4096];
      content[4095] = 9;
      bytes.setRelease(new byte[] {1, 2}, content);
      assertArrayEquals(content, bytes.getAcquire(new byte[] {1, 2}));
    }
  }

  @Test
  void manyOperationsMayBeUnderWayAndEndInOrder() {
    try (GridSession session = start(3).openSession()) {
      View<String, Long> view = session.view(Codec.STRING, Codec.LONG);
      List<CompletableFuture<Long>> adds = new ArrayList<>();
      for (int n = 0; n < 500; n++) {
        session.awaitRoom();
        adds.add(view.getAndAddAsync("count", 1).toCompletableFuture());
      }
      for (int n = 0; n < 500; n++) {
        assertEquals(n, adds.get(n).join());
      }
      assertTrue(view.compareAndSetAsync("count", 500L, 1L).toCompletableFuture().join());
      view.setAsync("other", 4L);
      assertEquals(4L, view.get("other"), "a session sees its own writes");
    }
  }

  @Test
  void aListenerIsToldAndMustNotWait() throws InterruptedException {
    try (GridSession session = start(3).openSession()) {
      KeyView<String, Long> view = session.view(Codec.STRING, Codec.LONG);
      AtomicReference<Object> seen = new AtomicReference<>();
      CountDownLatch told = new CountDownLatch(1);
      view.getAndAddAsync(
          "count",
          3,
          answer -> {
            try {
              view.getAcquire("count");
            } catch (IllegalStateException e) {
              seen.set(answer.longValue(0));
            }
            told.countDown();
          });
      assertTrue(told.await(30, TimeUnit.SECONDS));
      assertEquals(0L, seen.get());
    }
  }

  @Test
  void badInputIsRefusedByName() {
    try (GridSession session = start(1).openSession()) {
      View<String, String> view = session.view(Codec.STRING, Codec.STRING);
      assertThrows(NullPointerException.class, () -> view.get(null));
      assertTrue(
          assertThrows(IllegalArgumentException.class, () -> view.get("k".repeat(1025)))
              .getMessage()
              .contains("1025"));
      assertTrue(
          assertThrows(IllegalArgumentException.class, () -> view.set("k", "v".repeat(4097)))
              .getMessage()
              .contains("4097"));
      view.set("text", "no number");
      assertThrows(NotANumberException.class, () -> view.getAndAdd("text", 1));
      CompletionException e =
          assertThrows(
              CompletionException.class,
              () -> view.getAndAddAsync("text", 1).toCompletableFuture().join());
      assertInstanceOf(NotANumberException.class, e.getCause());
      assertEquals("no number", view.get("text"));
    }
  }

  @Test
  void aFullStoreRefusesAndKeepsWhatItHas() {
    // Memory comes in chunks of 4 MB.
    grid = Grid.embedded(new EmbeddedGrid.Settings(1, 8, 4096, 1));
    try (GridSession session = grid.openSession()) {
      View<Long, Long> view = session.view(Codec.LONG, Codec.LONG);
      assertThrows(
          StoreFullException.class,
          () -> {
            for (long key = 0; key < 100_000; key++) {
              view.set(key, key);
            }
          });
      assertEquals(0L, view.get(0L));
      assertThrows(StoreFullException.class, () -> view.setRelease(200_000L, 1L));
    }
  }

  @Test
  void oneOfThreeNodesMayGoButNotTwo() {
    start(3);
    try (GridSession session = grid.openSession(0)) {
      session.timeout(Duration.ofSeconds(30));
      View<String, Long> view = session.view(Codec.STRING, Codec.LONG);
      view.set("data", 1L);
      grid.crash(2);
      view.set("data", 2L);
      view.setRelease("flag", 1L);
      assertEquals(1L, view.getAcquire("flag"));
      assertEquals(0, view.getAndAdd("count", 1));
      grid.crash(1);
      session.timeout(Duration.ofMillis(200));
      assertThrows(OutcomeUnknownException.class, () -> view.setRelease("flag", 2L));
    }
  }
}
