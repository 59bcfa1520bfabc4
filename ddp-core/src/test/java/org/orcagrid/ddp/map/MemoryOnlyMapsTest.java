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

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.orcagrid.ddp.model.Consistency;
import org.orcagrid.ddp.model.Ddp;
import org.orcagrid.ddp.model.Persistency;
import org.orcagrid.ddp.replica.consistency.Operation;
import org.orcagrid.ddp.replica.state.Key;
import org.orcagrid.ddp.replica.state.ReplicaSettings.Conflicts;

/** Maps in memory only at nodes with real threads, with a folder and without. */
@Timeout(60)
class MemoryOnlyMapsTest {
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(20);
  private static final String VALUE = "what no file is to have";
  private static final Ddp SAFE = Ddp.of(Consistency.LINEARIZABLE, Persistency.SYNCHRONOUS);

  @TempDir private Path folder;
  private LocalMaps maps;

  @AfterEach
  void close() {
    if (maps != null) {
      maps.close();
    }
  }

  static List<Ddp> models() {
    return Arrays.stream(Consistency.values())
        .map(consistency -> Ddp.of(consistency, Persistency.NONE))
        .toList();
  }

  private MapDefinition define(String name, Ddp model) throws Exception {
    MapDefinition map = null;
    for (int node = 0; node < maps.size(); node++) {
      map = maps.node(node).define(name, model, Conflicts.ABORT, PATIENCE_NANOS);
    }
    return map;
  }

  private void put(int node, MapDefinition map, String value) {
    try (MapSession session = maps.node(node).openSession(map)) {
      Operation write = Operation.write(Key.of("key"), value.getBytes(UTF_8));
      assertEquals(Operation.Status.DONE, session.submit(write).join().status());
    }
  }

  private String get(int node, MapDefinition map) {
    try (MapSession session = maps.node(node).openSession(map)) {
      Operation read = session.submit(Operation.read(Key.of("key"))).join();
      return read.read() == null ? null : new String(read.read().value(), UTF_8);
    }
  }

  /** Whether a file of a node that has ended has these bytes. */
  private boolean isInAFile(int node, String text) throws IOException {
    try (Stream<Path> all = Files.walk(folder.resolve("node" + node))) {
      for (Path file : all.filter(Files::isRegularFile).toList()) {
        // One byte is one character.
        if (Files.readString(file, ISO_8859_1).contains(text)) {
          return true;
        }
      }
    }
    return false;
  }

  @ParameterizedTest
  @MethodSource("models")
  void nothingIsWrittenToTheFolderAndAllIsGoneWithAllNodes(Ddp model) throws Exception {
    maps = LocalMaps.start(2, folder);
    MapDefinition map = define("cache", model);
    put(0, map, VALUE);
    maps.await(() -> VALUE.equals(get(1, map)));
    // It catches up, too.
    maps.stop(1);
    maps.start(1);
    maps.await(() -> isServing(1) && VALUE.equals(get(1, map)));
    // What is durable comes later, and is there: so the files were written.
    MapDefinition durable = define("carts", SAFE);
    put(0, durable, "durable");
    maps.stop(0);
    maps.stop(1);
    for (int node = 0; node < 2; node++) {
      assertTrue(isInAFile(node, "durable"));
      assertFalse(isInAFile(node, VALUE));
    }
    maps.start(0);
    maps.start(1);
    assertTrue(maps.node(0).awaitServing(PATIENCE_NANOS));
    assertNull(get(0, map));
    assertEquals("durable", get(0, durable));
    maps.await(() -> isServing(1));
    put(1, map, "again");
    maps.await(() -> "again".equals(get(0, map)));
  }

  private boolean isServing(int node) {
    try {
      return maps.node(node).awaitServing(PATIENCE_NANOS);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @ParameterizedTest
  @MethodSource("models")
  void nodesWithoutAFolderHaveThem(Ddp model) throws Exception {
    maps = LocalMaps.inMemory(2);
    MapDefinition map = define("cache", model);
    put(0, map, VALUE);
    maps.await(() -> VALUE.equals(get(1, map)));
    try (MapSession old = maps.node(1).openSession(map)) {
      maps.leaveOut(1);
      maps.await(old::isEnded);
    }
    maps.await(() -> isServing(1) && VALUE.equals(get(1, map)));
    maps.node(0).remove("cache", PATIENCE_NANOS);
    assertNull(get(0, define("cache", model)));
  }

  @Test
  void durableMapsAreRefusedWithoutAFolderBeforeTheyAreAgreedOn() throws Exception {
    maps = LocalMaps.inMemory(1);
    maps.await(() -> isServing(0));
    IllegalStateException refused =
        assertThrows(IllegalStateException.class, () -> define("carts", SAFE));
    assertTrue(refused.getMessage().contains("withFolder"), refused.getMessage());
    assertTrue(refused.getMessage().contains("linearizable/none"), refused.getMessage());
    assertEquals(List.of(), maps.node(0).view().maps());
    MapDefinition map = define("carts", Ddp.of(Consistency.LINEARIZABLE, Persistency.NONE));
    put(0, map, VALUE);
    assertEquals(VALUE, get(0, map));
  }
}
