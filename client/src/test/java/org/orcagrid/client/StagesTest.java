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
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.orcagrid.client.map.AtomicGridMap;
import org.orcagrid.client.map.ReleaseGridMap;
import org.orcagrid.ddp.model.Ddp;

/** Asynchronous forms throw nothing, and what runs in callbacks ends no node. */
@Timeout(60)
class StagesTest {
  @TempDir private Path dir;

  private EmbeddedGrid grid;

  @BeforeEach
  void start() {
    grid = Grid.embedded(EmbeddedGrid.Settings.DEFAULT.withFolder(dir));
  }

  @AfterEach
  void stop() {
    grid.close();
  }

  private static void failsWith(
      Class<? extends RuntimeException> expected, Supplier<CompletionStage<?>> form) {
    // It is the stage that throws.
    CompletionStage<?> stage = form.get();
    CompletionException failed =
        assertThrows(CompletionException.class, () -> stage.toCompletableFuture().join());
    assertInstanceOf(expected, failed.getCause());
  }

  @Test
  void badArgumentsAreInTheStage() {
    AtomicGridMap<String, Long> map =
        grid.atomicMap("a", Codec.STRING, Codec.LONG, Ddp.parse("linearizable/synchronous"));
    ReleaseGridMap<String, Long> release =
        grid.releaseMap("r", Codec.STRING, Codec.LONG, Ddp.parse("release/synchronous"));
    List<Supplier<CompletionStage<?>>> forms =
        List.of(
            () -> map.getAsync(null),
            () -> map.setAsync(null, 1L),
            () -> map.deleteAsync(null),
            () -> map.putAsync("k", null),
            () -> map.putIfAbsentAsync(null, 1L),
            () -> map.replaceAsync("k", null, 1L),
            () -> map.removeAsync("k", null),
            () -> release.getAcquireAsync(null),
            () -> release.setReleaseAsync(null, 1L));
    forms.forEach(form -> failsWith(NullPointerException.class, form));
    try (GridSession session = grid.openSession()) {
      View<String, Long> view = session.view(Codec.STRING, Codec.LONG);
      failsWith(NullPointerException.class, () -> view.getAsync(null));
      failsWith(NullPointerException.class, () -> view.getAndAddAsync(null, 1));
      failsWith(IllegalArgumentException.class, () -> view.setAsync("x".repeat(2000), 1L));
      assertEquals(0, view.getAndAdd("still", 1), "the session goes on");
    }
  }

  @Test
  void aCallbackThatThrowsAnErrorEndsNothing() throws InterruptedException {
    try (GridSession session = grid.openSession()) {
      KeyView<String, Long> view = session.view(Codec.STRING, Codec.LONG);
      CountDownLatch called = new CountDownLatch(1);
      view.setReleaseAsync(
          "k",
          1L,
          answer -> {
            called.countDown();
            throw new AssertionError("the caller's fault");
          });
      assertEquals(true, called.await(30, TimeUnit.SECONDS));
      assertEquals(1L, view.getAcquire("k"));
    }
  }
}
