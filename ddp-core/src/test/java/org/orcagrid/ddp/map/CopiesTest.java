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

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.orcagrid.ddp.Quorum;
import org.orcagrid.ddp.model.Consistency;
import org.orcagrid.ddp.model.Ddp;
import org.orcagrid.ddp.model.Persistency;
import org.orcagrid.ddp.replica.consistency.Operation;
import org.orcagrid.ddp.replica.state.Key;
import org.orcagrid.ddp.replica.state.ReplicaSettings.Conflicts;

/** Maps that are at some of the nodes, with real threads and real logs, in one JVM. */
@Timeout(600)
class CopiesTest {
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(20);
  private static final Ddp SAFE = Ddp.of(Consistency.LINEARIZABLE, Persistency.SYNCHRONOUS);
  private static final int MAPS = 40;
  private static final int COPIES = 3;
  private static final int MANY = Integer.getInteger("maps", 1_000);

  @TempDir Path folder;
  private LocalMaps maps;

  @AfterEach
  void close() {
    if (maps != null) {
      maps.close();
    }
  }

  private List<MapDefinition> define(int count) throws Exception {
    List<MapDefinition> defined = new ArrayList<>();
    for (int map = 0; map < count; map++) {
      defined.add(maps.node(0).define("map" + map, SAFE, Conflicts.ABORT, COPIES, PATIENCE_NANOS));
    }
    MapDefinition last = defined.get(count - 1);
    for (int node = 0; node < maps.size(); node++) {
      maps.node(node).define(last.name(), SAFE, Conflicts.ABORT, COPIES, PATIENCE_NANOS);
    }
    return defined;
  }

  private boolean isAt(int node, MapDefinition map) {
    return (maps.node(0).homes(map) & Quorum.of(node)) != 0;
  }

  private int firstHome(MapDefinition map) {
    return Integer.numberOfTrailingZeros(maps.node(0).homes(map));
  }

  private void put(MapDefinition map, String value) {
    maps.node(firstHome(map))
        .openSession(map)
        .submit(Operation.write(Key.of("key"), value.getBytes(UTF_8)))
        .join();
  }

  private String get(int node, MapDefinition map) {
    Operation read = maps.node(node).openSession(map).submit(Operation.read(Key.of("key"))).join();
    return new String(read.read().value(), UTF_8);
  }

  /** Each home has what was written, and nobody else has the map. */
  private void checkPlaces(List<MapDefinition> all) {
    for (MapDefinition map : all) {
      for (int node = 0; node < maps.size(); node++) {
        int at = node;
        if (isAt(node, map)) {
          assertEquals("value of " + map.id(), get(node, map), () -> map + " at node " + at);
        } else {
          IllegalStateException refused =
              assertThrows(
                  IllegalStateException.class,
                  () -> maps.node(at).openSession(map),
                  () -> map + " at node " + at);
          assertTrue(refused.getMessage().contains("at other nodes"), refused::getMessage);
        }
      }
    }
  }

  /** How many maps a node has. */
  private int load(int node, List<MapDefinition> all) {
    return (int) all.stream().filter(map -> isAt(node, map)).count();
  }

  @Test
  void mapsAreAtTheirHomesAndNowhereElse() throws Exception {
    maps = LocalMaps.start(5, folder);
    List<MapDefinition> all = define(MAPS);
    for (MapDefinition map : all) {
      assertEquals(COPIES, Integer.bitCount(maps.node(0).homes(map)));
      put(map, "value of " + map.id());
    }
    checkPlaces(all);
    for (int node = 0; node < 5; node++) {
      int load = load(node, all);
      assertTrue(load > MAPS * COPIES / 5 / 2, () -> load + " maps");
    }
  }

  @Test
  void aMapThatIsThereHasTheCopiesThatItWasMadeWith() throws Exception {
    maps = LocalMaps.start(4, folder);
    MapDefinition three = define(1).get(0);
    assertEquals(three, maps.node(1).define(three.name(), SAFE, Conflicts.ABORT, PATIENCE_NANOS));
    IllegalStateException refused =
        assertThrows(
            IllegalStateException.class,
            () -> maps.node(1).define(three.name(), SAFE, Conflicts.ABORT, 2, PATIENCE_NANOS));
    assertTrue(refused.getMessage().contains("3 copies"), refused::getMessage);
    assertTrue(refused.getMessage().contains("2 copies"), refused::getMessage);
    assertThrows(
        IllegalArgumentException.class,
        () -> maps.node(1).define("one", SAFE, Conflicts.ABORT, 1, PATIENCE_NANOS));
  }

  @Test
  void whenSoManyAreGoneThatAMapMayHaveNoHomeAllWaitForThem() throws Exception {
    maps = LocalMaps.start(5, folder);
    List<MapDefinition> all = define(MAPS);
    maps.stop(1);
    maps.stop(4);
    assertTrue(maps.node(0).awaitServing(PATIENCE_NANOS));
    maps.await(() -> maps.node(0).view().nodes().serving() == 0b01101);
    for (MapDefinition map : all) {
      for (int node : List.of(0, 2, 3)) {
        if (isAt(node, map)) {
          maps.node(node)
              .openSession(map)
              .submit(Operation.write(Key.of("key"), ("value of " + map.id()).getBytes(UTF_8)))
              .join();
          break;
        }
      }
    }
    maps.stop(2);
    // Node 1 lacks what was written without it, and 4 too: they and the rest do not go on alone.
    maps.start(1);
    maps.start(4);
    maps.await(() -> maps.node(0).view() == null && maps.node(3).view() == null);
    maps.start(2);
    for (int node = 0; node < 5; node++) {
      assertTrue(maps.node(node).awaitServing(PATIENCE_NANOS));
    }
    checkPlaces(all);
  }

  @Test
  void tooFewThatServeAreToldSoWhenAMapIsDefined() throws Exception {
    maps = LocalMaps.start(4, folder);
    assertTrue(maps.node(0).awaitServing(PATIENCE_NANOS));
    maps.stop(3);
    maps.stop(2);
    maps.await(() -> maps.node(0).view().nodes().serving() == 0b0011);
    IllegalStateException refused =
        assertThrows(
            IllegalStateException.class,
            () -> maps.node(0).define("two", SAFE, Conflicts.ABORT, 2, PATIENCE_NANOS));
    assertTrue(refused.getMessage().contains("needs 3 that serve"), refused::getMessage);
  }

  @Test
  void aNodeThatIsAddedTakesItsShareAndNothingIsLost() throws Exception {
    maps = LocalMaps.start(4, 6, folder);
    List<MapDefinition> all = define(MAPS);
    for (MapDefinition map : all) {
      put(map, "value of " + map.id());
    }
    int before = load(1, all);
    for (int added = 4; added < 6; added++) {
      int node = added;
      maps.start(node);
      maps.await(
          () -> {
            AgreedView view = maps.node(0).view();
            return view != null && view.nodes().serves(node) && isSettled(view);
          });
      for (int each = 0; each <= node; each++) {
        int at = each;
        maps.await(() -> isSettled(maps.node(at).view()));
        assertTrue(maps.node(each).awaitServing(PATIENCE_NANOS));
      }
      assertTrue(load(node, all) > MAPS * COPIES / (node + 1) / 2);
      checkPlaces(all);
    }
    assertTrue(load(1, all) < before);
  }

  /** So many maps as {@code -Dmaps} says, in five nodes and then in six. */
  @Test
  void manyMapsAreDividedAmongNodes() throws Exception {
    maps = LocalMaps.start(5, 6, folder);
    long begin = System.nanoTime();
    List<MapDefinition> all = define(MANY);
    long defined = System.nanoTime();
    for (MapDefinition map : all) {
      put(map, "value of " + map.id());
    }
    long written = System.nanoTime();
    maps.start(5);
    for (int node = 0; node < 6; node++) {
      int at = node;
      maps.await(
          () -> {
            AgreedView view = maps.node(at).view();
            return view != null && view.nodes().serves(5) && isSettled(view);
          });
    }
    long moved = System.nanoTime();
    System.out.printf(
        "%d maps of %d copies: %.2f ms to define one, %.2f ms for its first write, %d ms until a"
            + " sixth node has its share of %d%n",
        MANY,
        COPIES,
        (defined - begin) / 1e6 / MANY,
        (written - defined) / 1e6 / MANY,
        (moved - written) / 1_000_000,
        load(5, all));
    int even = MANY * COPIES / 6;
    assertTrue(Math.abs(load(5, all) - even) < even / 4, () -> load(5, all) + " maps");
    checkPlaces(all);
  }

  private static boolean isSettled(AgreedView view) {
    return view != null && view.nodes().shares().newPlace() < 0;
  }

  @Test
  void whatWasHandedOverComesBackAfterAllNodesHaveLostPower() throws Exception {
    maps = LocalMaps.start(3, 5, folder);
    List<MapDefinition> all = define(MAPS);
    for (MapDefinition map : all) {
      put(map, "value of " + map.id());
    }
    maps.start(3);
    maps.await(() -> maps.node(0).view().nodes().serves(3));
    for (int node = 0; node < 4; node++) {
      int at = node;
      maps.await(() -> isSettled(maps.node(at).view()));
    }
    for (int node = 0; node < 4; node++) {
      maps.stop(node);
    }
    for (int node = 0; node < 4; node++) {
      maps.start(node);
    }
    for (int node = 0; node < 4; node++) {
      assertTrue(maps.node(node).awaitServing(PATIENCE_NANOS));
    }
    checkPlaces(all);
  }
}
