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
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.orcagrid.client.Codec;
import org.orcagrid.client.EmbeddedGrid;
import org.orcagrid.client.Grid;
import org.orcagrid.ddp.durable.log.LogMedium;
import org.orcagrid.ddp.durable.segment.SegmentLimits;
import org.orcagrid.ddp.model.Consistency;
import org.orcagrid.ddp.model.Ddp;
import org.orcagrid.ddp.model.Persistency;

/** Backups of maps that are used meanwhile. */
@Timeout(60)
class MapBackupTest {
  private static final Ddp SAFE = Ddp.of(Consistency.LINEARIZABLE, Persistency.SYNCHRONOUS);

  private static final SegmentLimits LIMITS =
      new SegmentLimits(4 << 20, 1 << 20, 4 << 20, 1L << 28);

  @TempDir Path folder;
  private EmbeddedGrid grid;
  private Path file;

  @BeforeEach
  void start() {
    grid =
        Grid.embedded(
            EmbeddedGrid.Settings.DEFAULT
                .withNodes(3)
                .withFolder(folder.resolve("grid"))
                .withMedium(LogMedium.kind(LIMITS)));
    file = folder.resolve("backup");
  }

  @AfterEach
  void close() {
    grid.close();
  }

  private GridMap<String, Long> map(String name, Ddp model) {
    return grid.map(name, Codec.STRING, Codec.LONG, model);
  }

  private static void await(BooleanSupplier condition) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (!condition.getAsBoolean()) {
      assertTrue(System.nanoTime() - end < 0, "It has not come true");
      LockSupport.parkNanos(1_000_000);
    }
  }

  static List<Ddp> models() {
    return Ddp.all();
  }

  @ParameterizedTest
  @MethodSource("models")
  void aBackupGoesIntoAMapOfAnyModel(Ddp model) {
    GridMap<String, Long> map = map("from", model);
    Map<String, Long> all = new HashMap<>();
    for (long i = 0; i < 3000; i++) {
      all.put("key" + i, i);
    }
    map.setAll(all);
    map.delete("key7");
    all.remove("key7");
    map.set("for long", 1L, Duration.ofDays(1));
    all.put("for long", 1L);
    long written = all.size();
    // With some models a write has completed before it is visible.
    await(
        () ->
            map.size() == written && map.get("key7") == null && map.expiry("for long").isPresent());
    assertEquals(written, map.backup(file));
    GridMap<String, Long> to = map("to", SAFE);
    to.set("beside", 2L);
    assertEquals(all.size(), to.restore(file));
    assertTrue(to.expiry("for long").isPresent(), "a lifetime is kept");
    to.delete("beside");
    assertEquals(all, to.snapshot());
    // And back again.
    map.clear();
    map.restore(file);
    await(() -> map.size() == written);
    assertEquals(all, map.snapshot());
  }

  @ParameterizedTest
  @EnumSource(Persistency.class)
  void aTransactionIsInABackupWholeOrNotAtAll(Persistency persistency) throws Exception {
    TransactionalGridMap<String, Long> map =
        grid.transactionalMap(
            "accounts", Codec.STRING, Codec.LONG, Ddp.of(Consistency.TRANSACTIONAL, persistency));
    int accounts = 8;
    for (int i = 0; i < accounts; i++) {
      map.set("account" + i, 100L);
    }
    AtomicBoolean over = new AtomicBoolean();
    CompletableFuture<Void> traffic =
        CompletableFuture.runAsync(
            () -> {
              for (int i = 0; !over.get(); i++) {
                String from = "account" + i % accounts;
                String to = "account" + (i * 3 + 1) % accounts;
                if (!from.equals(to)) {
                  map.inTransaction(
                      transaction -> {
                        transaction.set(from, transaction.get(from) - 1);
                        transaction.set(to, transaction.get(to) + 1);
                        return null;
                      });
                }
              }
            });
    try {
      GridMap<String, Long> restored = map("restored", SAFE);
      for (int i = 0; i < 10; i++) {
        Path each = folder.resolve("backup" + i);
        map.backup(each);
        restored.clear();
        restored.restore(each);
        long sum = restored.snapshot().values().stream().mapToLong(Long::longValue).sum();
        assertEquals(100L * accounts, sum);
      }
    } finally {
      over.set(true);
      traffic.join();
    }
  }

  @Test
  void whatWasWrittenBeforeIsInABackupWhileOthersWrite() throws Exception {
    GridMap<String, Long> map = map("busy", SAFE);
    AtomicBoolean over = new AtomicBoolean();
    List<CompletableFuture<Void>> traffic = new ArrayList<>();
    for (int node = 0; node < 3; node++) {
      GridMap<String, Long> there = grid.maps(node).map("busy", Codec.STRING, Codec.LONG, SAFE);
      traffic.add(
          CompletableFuture.runAsync(
              () -> {
                for (long i = 0; !over.get(); i++) {
                  there.set("hot" + i % 5, i);
                }
              }));
    }
    try {
      GridMap<String, Long> restored = map("restored", SAFE);
      for (long i = 0; i < 10; i++) {
        map.set("mine", i);
        Path each = folder.resolve("backup" + i);
        map.backup(each);
        restored.restore(each);
        assertEquals(i, restored.get("mine"));
      }
    } finally {
      over.set(true);
      traffic.forEach(CompletableFuture::join);
    }
  }

  @Test
  void aBackupIsNeverWrittenOver() {
    GridMap<String, Long> map = map("from", SAFE);
    map.set("a", 1L);
    map.backup(file);
    map.set("b", 2L);
    UncheckedIOException refused = assertThrows(UncheckedIOException.class, () -> map.backup(file));
    assertTrue(refused.getMessage().contains("is there already"), refused::getMessage);
    assertEquals(1, map("to", SAFE).restore(file));
  }

  @Test
  void ofADamagedBackupNothingIsWritten() throws Exception {
    GridMap<String, Long> map = map("from", SAFE);
    for (long i = 0; i < 100; i++) {
      map.set("key" + i, i);
    }
    map.backup(file);
    byte[] whole = Files.readAllBytes(file);
    GridMap<String, Long> to = map("to", SAFE);
    for (int at = 0; at < whole.length; at += 7) {
      byte[] damaged = whole.clone();
      damaged[at] ^= 4;
      refuse(to, damaged);
    }
    for (int length = 0; length < whole.length; length += 11) {
      refuse(to, java.util.Arrays.copyOf(whole, length));
    }
    assertEquals(100, to.restore(file));
  }

  private void refuse(GridMap<String, Long> to, byte[] content) throws Exception {
    Path damaged = folder.resolve("damaged");
    Files.write(damaged, content);
    UncheckedIOException refused =
        assertThrows(UncheckedIOException.class, () -> to.restore(damaged));
    assertTrue(refused.getMessage().contains("damaged"), refused::getMessage);
    assertTrue(to.isEmpty());
  }

  @Test
  void aFileThatIsNotThereIsNamed() {
    UncheckedIOException missing =
        assertThrows(UncheckedIOException.class, () -> map("to", SAFE).restore(file));
    assertTrue(missing.getMessage().contains("backup"), missing::getMessage);
    assertFalse(Files.exists(file));
  }
}
