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
package org.orcagrid.ddp.map;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.IntPredicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.orcagrid.ddp.durable.log.LogMedium;
import org.orcagrid.ddp.durable.segment.SegmentLimits;
import org.orcagrid.ddp.membership.GridView;
import org.orcagrid.ddp.model.Ddp;
import org.orcagrid.ddp.replica.consistency.Operation;
import org.orcagrid.ddp.replica.state.Key;
import org.orcagrid.ddp.replica.state.ReplicaSettings.Conflicts;

/** All maps of a worker are durable in one journal. */
@Timeout(120)
class SharedJournalTest {
  private static final int IDLE = 200;
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(20);
  private static final Ddp SAFE = Ddp.parse("linearizable/synchronous");

  /** A journal of small records is a small one. */
  private static final SegmentLimits LIMITS =
      new SegmentLimits(64 << 10, 8 << 10, 64 << 10, 64 << 20);

  private static final long BYTES_MAX = 1 << 20;

  @TempDir Path folder;
  private LocalMaps maps;

  @AfterEach
  void close() {
    maps.close();
  }

  private static byte[] value(int number) {
    byte[] value = new byte[1000];
    value[0] = (byte) number;
    return value;
  }

  private void write(MapDefinition map, int key, int number) {
    Operation done = submit(maps.node(0).openSession(map), key, number).join();
    assertEquals(Operation.Status.DONE, done.status());
  }

  private static CompletableFuture<Operation> submit(MapSession session, int key, int number) {
    return session.submit(Operation.write(Key.of("key" + key), value(number)));
  }

  private MapDefinition define(String name) throws Exception {
    return maps.node(0).define(name, SAFE, Conflicts.ABORT, PATIENCE_NANOS);
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> all = Files.walk(folder.resolve("node0"))) {
      return all.filter(Files::isRegularFile).toList();
    }
  }

  private static long forcingThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals("medium0"))
        .count();
  }

  @Test
  void manyIdleMapsAndABusyOneHaveOneShortJournal() throws Exception {
    long threadsBefore = forcingThreads();
    maps = LocalMaps.start(1, folder, LogMedium.kind(LIMITS));
    List<MapDefinition> idle = new ArrayList<>();
    for (int map = 0; map < IDLE; map++) {
      idle.add(define("idle" + map));
      write(idle.get(map), 1, map);
    }
    assertTrue(forcingThreads() - threadsBefore <= 1, "one thread for all maps");
    MapDefinition busy = define("busy");
    MapSession session = maps.node(0).openSession(busy);
    List<CompletableFuture<Operation>> written = new ArrayList<>();
    for (int i = 0; i < 20_000; i++) {
      written.add(submit(session, i % 10, i));
    }
    written.forEach(CompletableFuture::join);
    long bytes = 0;
    for (Path file : files()) {
      assertFalse(file.toString().contains("idle"), file::toString);
      bytes += Files.size(file);
    }
    assertTrue(bytes <= 2 * BYTES_MAX, bytes + " bytes of 20 million that were written");
    maps.stop(0);
    maps.start(0);
    assertTrue(maps.node(0).awaitServing(PATIENCE_NANOS));
    for (int map = 0; map < IDLE; map++) {
      Operation read =
          maps.node(0).openSession(idle.get(map)).submit(Operation.read(Key.of("key1"))).join();
      assertArrayEquals(value(map), read.read().value());
    }
  }

  /**
   * Of a journal of 4 MB a third is live: the usual checkpoint would come too late. The product
   * asks for four times what is live. With 1,500 entries what was written during a checkpoint once
   * found no room.
   */
  @Test
  void aJournalIsCheckpointedBeforeItsSizeStopsIt() throws Exception {
    maps = LocalMaps.start(1, folder, LogMedium.kind(LIMITS.withBytesMax(4 << 20)));
    MapSession session = maps.node(0).openSession(define("large"));
    int live = 1_400;
    for (int round = 0; round < 4; round++) {
      List<CompletableFuture<Operation>> written = new ArrayList<>();
      for (int key = 0; key < live; key++) {
        written.add(submit(session, key, round));
      }
      written.forEach(CompletableFuture::join);
    }
    maps.stop(0);
    maps.start(0);
    assertTrue(maps.node(0).awaitServing(PATIENCE_NANOS));
  }

  @Test
  void aJournalThatIsFullNamesTheSetting() throws Exception {
    maps = LocalMaps.start(1, folder, LogMedium.kind(LIMITS.withBytesMax(256 << 10)));
    MapSession session = maps.node(0).openSession(define("large"));
    for (int key = 0; maps.node(0).failure() == null; key++) {
      submit(session, key, 1).handle((done, failure) -> done).join();
    }
    maps.stop(0);
    String why = maps.takeFailure().getMessage();
    assertTrue(why.contains("set grid.journal.bytes to at least four times"), why);
  }

  /** What was removed will not come again; what a view does not have yet may. */
  @Test
  void onlyAMapThatAViewWouldHaveIsGoneWithoutIt() throws Exception {
    maps = LocalMaps.start(1, folder);
    define("first");
    MapDefinition second = define("second");
    MapDefinition third = define("third");
    AgreedView before = maps.node(0).view();
    maps.node(0).remove("second", PATIENCE_NANOS);
    IntPredicate gone = maps.node(0).view().gone();
    assertTrue(gone.test(second.id()));
    assertFalse(gone.test(third.id()));
    assertFalse(gone.test(third.id() + 1), "it may come with the next view");
    assertFalse(before.gone().test(second.id()));
    maps.node(0).remove("third", PATIENCE_NANOS);
    assertTrue(define("third").id() > third.id(), "numbers are never used again");
    GridView nodes = maps.node(0).view().nodes();
    assertFalse(AgreedView.first(nodes).gone().test(1));
  }
}
