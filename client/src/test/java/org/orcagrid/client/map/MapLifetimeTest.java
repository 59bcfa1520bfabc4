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
package org.orcagrid.client.map;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.orcagrid.client.Codec;
import org.orcagrid.client.EmbeddedGrid;
import org.orcagrid.ddp.durable.log.LogMedium;
import org.orcagrid.ddp.durable.segment.SegmentLimits;
import org.orcagrid.ddp.forward.ForwardedMaps;
import org.orcagrid.ddp.map.HostedMaps;
import org.orcagrid.ddp.model.Consistency;
import org.orcagrid.ddp.model.Ddp;
import org.orcagrid.ddp.model.Persistency;

/** Values that are there for a time, with a wall clock that the test sets. */
@Timeout(60)
class MapLifetimeTest {
  private static final Ddp SAFE = Ddp.of(Consistency.LINEARIZABLE, Persistency.SYNCHRONOUS);
  private static final SegmentLimits LIMITS =
      new SegmentLimits(4 << 20, 1 << 20, 4 << 20, 1L << 28);
  private static final Duration MINUTE = Duration.ofMinutes(1);

  @TempDir Path folder;
  private final AtomicLong now = new AtomicLong(1_000_000);
  private EmbeddedNodes maps;

  @AfterEach
  void close() {
    if (maps != null) {
      maps.close();
    }
  }

  private void start() throws Exception {
    maps =
        EmbeddedNodes.start(
            EmbeddedGrid.Settings.DEFAULT
                .withNodes(3)
                .withFolder(folder)
                .withMedium(LogMedium.kind(LIMITS)),
            now::get);
  }

  private void pass(Duration time) {
    now.addAndGet(time.toMillis());
  }

  private static void await(BooleanSupplier condition) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (!condition.getAsBoolean()) {
      assertTrue(System.nanoTime() - end < 0, "It has not come true");
      LockSupport.parkNanos(1_000_000);
    }
  }

  private static String name(Ddp model) {
    return model.id().replace('/', '-');
  }

  private AtomicGridMap<String, Long> atomic(int node, Ddp model) {
    return maps.host(node).atomicMap(name(model), Codec.STRING, Codec.LONG, model);
  }

  @Test
  void aValueIsThereForItsLifetimeAndItsKeyIsForgotten() throws Exception {
    start();
    for (Ddp model : Ddp.all()) {
      assertThereForItsLifetime(model);
    }
  }

  private void assertThereForItsLifetime(Ddp model) {
    GridMap<String, Long> here = maps.host(0).map(name(model), Codec.STRING, Codec.LONG, model);
    GridMap<String, Long> there = maps.host(1).map(name(model), Codec.STRING, Codec.LONG, model);
    here.set("stays", 0L);
    here.set("goes", 1L, MINUTE);
    await(() -> there.get("goes") != null);
    assertEquals(Optional.of(Instant.ofEpochMilli(now.get() + 60_000)), there.expiry("goes"));
    assertEquals(Optional.empty(), there.expiry("stays"));
    assertEquals(Optional.empty(), there.expiry("never was"));
    await(() -> here.size() == 2);
    pass(MINUTE.minusMillis(1));
    assertEquals(1L, here.get("goes"));
    pass(Duration.ofMillis(1));
    assertNull(here.get("goes"));
    assertNull(there.get("goes"));
    assertEquals(Optional.empty(), there.expiry("goes"));
    assertEquals(Map.of("stays", 0L), here.snapshot());
    assertEquals(1, here.size());
    // Of what is over nothing is left at any node.
    for (int node = 0; node < 3; node++) {
      GridMap<String, Long> at = maps.host(node).map(name(model), Codec.STRING, Codec.LONG, model);
      await(() -> versions(at) == 1);
    }
    here.set("goes", 2L);
    await(() -> Long.valueOf(2).equals(here.get("goes")));
    await(() -> Long.valueOf(2).equals(there.get("goes")));
  }

  private static long versions(GridMap<String, Long> map) {
    MapCaller<String, Long> access = ((ReplicatedMap<String, Long>) map).access();
    AtomicLong count = new AtomicLong();
    access.await(
        ((HostedMaps) ((ForwardedMaps) access.node()).here())
            .ask(
                access.map(),
                replica -> {
                  replica.forEach(version -> count.incrementAndGet());
                  return count;
                }),
        Duration.ofSeconds(10));
    return count.get();
  }

  @Test
  void conditionalOperationsSeeNoValueWhoseTimeIsOver() throws Exception {
    start();
    Ddp.all().stream()
        .filter(model -> model.consistency().isAtomic())
        .forEach(this::assertConditionsSeeLifetimes);
  }

  private void assertConditionsSeeLifetimes(Ddp model) {
    AtomicGridMap<String, Long> map = atomic(0, model);
    AtomicGridMap<String, Long> there = atomic(1, model);
    assertNull(map.put("a", 1L, MINUTE));
    assertEquals(1L, there.putIfAbsent("a", 2L, MINUTE));
    assertTrue(there.replace("a", 1L, 3L, MINUTE), "the same value with a lifetime is the same");
    pass(MINUTE);
    assertFalse(map.replace("a", 3L, 4L));
    assertFalse(map.remove("a", 3L));
    assertNull(map.replace("a", 4L));
    assertNull(there.putIfAbsent("a", 5L, MINUTE));
    assertEquals(5L, map.put("a", 6L));
    pass(MINUTE);
    assertEquals(6L, there.get("a"), "a later value stays");
    assertEquals(7L, map.merge("a", 1L, Long::sum));
    assertNull(map.put("b", 1L, MINUTE));
    pass(MINUTE);
    assertNull(map.put("b", 2L, MINUTE));
    pass(MINUTE);
    assertNull(map.remove("b"));
  }

  @Test
  void whatIsOverStaysOverWhenAllStartAgain() throws Exception {
    start();
    AtomicGridMap<String, Long> map = atomic(0, SAFE);
    map.set("a", 1L, MINUTE);
    map.set("b", 1L, MINUTE.multipliedBy(3));
    pass(MINUTE);
    maps.close();
    start();
    map = atomic(2, SAFE);
    assertNull(map.get("a"));
    assertEquals(1L, map.get("b"));
    assertEquals(Map.of("b", 1L), map.snapshot());
    pass(MINUTE.multipliedBy(2));
    assertTrue(map.isEmpty());
  }

  @Test
  void aListenerIsToldThatTheTimeOfAValueIsOver() throws Exception {
    start();
    AtomicGridMap<String, Long> map = atomic(0, SAFE);
    BlockingQueue<MapChange<String, Long>> told = new LinkedBlockingQueue<>();
    try (MapListening listening = map.listen(told::add)) {
      map.set("a", 1L, MINUTE);
      assertEquals(MapChange.Kind.CREATED, told.poll(20, TimeUnit.SECONDS).kind());
      pass(MINUTE);
      MapChange<String, Long> over = told.poll(20, TimeUnit.SECONDS);
      assertEquals(new MapChange<>(MapChange.Kind.EXPIRED, "a", 1L, null, false), over);
      map.set("a", 2L);
      assertEquals(
          new MapChange<>(MapChange.Kind.CREATED, "a", null, 2L, true),
          told.poll(20, TimeUnit.SECONDS));
      assertEquals(0, listening.failed());
    }
  }

  @Test
  void aLifetimeIsPositiveAndMayBeVeryLong() throws Exception {
    start();
    AtomicGridMap<String, Long> map = atomic(0, SAFE);
    assertThrows(IllegalArgumentException.class, () -> map.set("a", 1L, Duration.ZERO));
    assertThrows(IllegalArgumentException.class, () -> map.set("a", 1L, Duration.ofNanos(-1)));
    map.set("a", 1L, Duration.ofSeconds(Long.MAX_VALUE));
    assertEquals(1L, map.get("a"));
    map.set("a", 2L, Duration.ofNanos(1));
    assertEquals(2L, map.get("a"));
    pass(Duration.ofMillis(1));
    assertNull(map.get("a"));
  }
}
