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
package org.orcagrid.membership.zookeeper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.server.embedded.ZooKeeperServerEmbedded;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.orcagrid.ddp.map.AgreedView;
import org.orcagrid.ddp.map.MapDefinition;
import org.orcagrid.ddp.map.PlaceRemovedException;
import org.orcagrid.ddp.map.ViewRecord;
import org.orcagrid.ddp.membership.GridView;
import org.orcagrid.ddp.membership.Registration;
import org.orcagrid.ddp.membership.ViewRules;
import org.orcagrid.ddp.model.Consistency;
import org.orcagrid.ddp.model.Ddp;
import org.orcagrid.ddp.model.Persistency;
import org.orcagrid.ddp.replica.state.ReplicaSettings.Conflicts;

/** What nodes keep in an ensemble, here one of ZooKeeper's own. */
@Timeout(60)
class GridRegistryTest {
  private static final int SIZE = 3;
  private static final long LEASE_MILLIS = 800;
  private static final Registration FIRST =
      new Registration(11, 5, "host:1", 0, 0, 0, 0, 0, 0, false);
  private static final Registration SECOND =
      new Registration(12, 6, "host:1", 0, 0, 0, 0, 0, 0, false);
  private static final MapDefinition CARTS =
      new MapDefinition(
          1,
          "carts",
          Ddp.of(Consistency.LINEARIZABLE, Persistency.SYNCHRONOUS),
          Conflicts.ABORT,
          0);

  @TempDir private Path dir;

  private ZooKeeperServerEmbedded server;
  private GridRegistry one;
  private GridRegistry other;
  private GridRegistry.Grid grid;

  @BeforeEach
  void start() throws Exception {
    server = StockServer.start(dir.resolve("server"));
    one = connected();
    other = connected();
    grid = one.grid(SIZE, LEASE_MILLIS);
    for (int place = 0; place < SIZE; place++) {
      assertEquals(place, one.place("folder" + place, grid));
    }
  }

  private GridRegistry connected() throws Exception {
    return connected("test", null);
  }

  @AfterEach
  void stop() throws Exception {
    one.close();
    other.close();
    server.close();
  }

  private AgreedView first() {
    List<Optional<ViewRules.Present>> present = new ArrayList<>();
    for (int node = 0; node < SIZE; node++) {
      present.add(Optional.of(new ViewRules.Present(node + 1, node + 1, "host:" + node)));
    }
    return AgreedView.first(ViewRules.first(grid.number(), present).orElseThrow());
  }

  private static ViewRecord unchanged(GridView nodes, int nextMap) {
    return new ViewRecord(nodes, nextMap, List.of(), List.of());
  }

  @Test
  void whatALifeSaysIsInPlaceOfWhatAnEarlierOneHasSaid() throws Exception {
    one.report(1, "folder1", FIRST);
    assertEquals(Optional.of(FIRST), other.registered(SIZE).get(1));
    // The earlier session lives on for a while, whose process has ended.
    other.report(1, "folder1", SECOND);
    assertEquals(Optional.of(SECOND), one.registered(SIZE).get(1));
    Registration more = new Registration(12, 6, "host:1", 1, 1, 0, 0, 7, 3, false);
    other.report(1, "folder1", more);
    one.close();
    assertEquals(Optional.of(more), other.registered(SIZE).get(1));
  }

  @Test
  void aLifeThatHasLeftIsKnownToHaveLeftUntilTheNextOneIsThere() throws Exception {
    one.report(2, "folder2", FIRST);
    Registration leaving = new Registration(11, 5, "host:1", 0, 0, 0, 0, 0, 0, true);
    one.report(2, "folder2", leaving);
    assertEquals(Optional.of(leaving), other.registered(SIZE).get(2));
    other.report(2, "folder2", SECOND);
    assertEquals(Optional.of(SECOND), other.registered(SIZE).get(2));
  }

  @Test
  void aFolderThatHasLostItsPlaceRegistersNoMore() throws Exception {
    IOException lost = assertThrows(IOException.class, () -> one.report(1, "another", FIRST));
    assertTrue(lost.getMessage().contains("/places/1 says no more"), lost::getMessage);
    assertEquals(Optional.empty(), other.registered(SIZE).get(1));
  }

  @Test
  void whatIsNotOfTheGridIsIgnored() throws Exception {
    one.report(1, "folder1", FIRST);
    try (ZooKeeper anybody = new ZooKeeper(server.getConnectionString(), 10_000, event -> {})) {
      for (String each : List.of("nodes/x", "nodes/7", "left/1", "nodes/2", "views/foo")) {
        anybody.create(
            "/orca-grid/test/" + each,
            "what is this".getBytes(StandardCharsets.UTF_8),
            ZooDefs.Ids.OPEN_ACL_UNSAFE,
            CreateMode.PERSISTENT);
      }
    }
    other.sync();
    assertEquals(
        List.of(Optional.empty(), Optional.of(FIRST), Optional.empty()), other.registered(SIZE));
    assertEquals(0, other.lastView());
  }

  @Test
  void theNumberOfAViewThatIsForgottenIsNotFree() throws Exception {
    GridView view = first().nodes();
    for (int made = 0; made < 70; made++) {
      assertTrue(one.make(unchanged(view, 1)));
      view = view.again();
    }
    assertFalse(other.make(unchanged(first().nodes().again(), 5)));
    assertTrue(other.view(2).isEmpty());
  }

  @Test
  void aViewIsMadeOnceAndWhoeverWasNotAnsweredFindsOutWhoseItIs() throws Exception {
    AgreedView first = first();
    assertTrue(one.make(unchanged(first.nodes(), 1)));
    assertTrue(one.make(unchanged(first.nodes(), 1)));
    assertFalse(other.make(unchanged(first.nodes(), 2)));
    assertEquals(1, other.lastView());
  }

  @Test
  void mapsAreRecordsBesideTheViews() throws Exception {
    AgreedView first = first();
    one.make(unchanged(first.nodes(), 1));
    assertEquals(first, other.newest().orElseThrow());
    GridView next = first.nodes().again();
    assertTrue(one.make(new ViewRecord(next, 2, List.of(CARTS), List.of())));
    AgreedView with = new AgreedView(next, 2, List.of(CARTS));
    assertEquals(with, other.newest().orElseThrow());
    assertEquals(with, first.with(other.view(2).orElseThrow()));
    assertTrue(one.make(new ViewRecord(next.again(), 2, List.of(), List.of(1))));
    assertEquals(new AgreedView(next.again(), 2, List.of()), other.newest().orElseThrow());
    assertEquals(
        new AgreedView(next.again(), 2, List.of()), with.with(other.view(3).orElseThrow()));
  }

  @Test
  void ofTwoMapsThatAreAddedAtOnceOneHasTheNumber() throws Exception {
    AgreedView first = first();
    one.make(unchanged(first.nodes(), 1));
    GridView next = first.nodes().again();
    MapDefinition goods = new MapDefinition(1, "goods", CARTS.model(), CARTS.conflicts(), 0);
    assertTrue(one.make(new ViewRecord(next, 2, List.of(CARTS), List.of())));
    assertFalse(other.make(new ViewRecord(next, 2, List.of(goods), List.of())));
    assertEquals(List.of(CARTS), other.newest().orElseThrow().maps());
  }

  @Test
  void theLastViewsAreKept() throws Exception {
    GridView view = first().nodes();
    for (int made = 0; made < 70; made++) {
      assertTrue(one.make(unchanged(view, 1)));
      view = view.again();
    }
    assertEquals(70, other.lastView());
    assertTrue(other.view(6).isEmpty());
    assertTrue(other.view(7).isPresent());
  }

  @Test
  void aGridOfAnotherSizeOrLeaseIsRefused() {
    IOException size = assertThrows(IOException.class, () -> other.grid(5, LEASE_MILLIS));
    assertTrue(size.getMessage().contains("began with 3 places"), size::getMessage);
    IOException lease = assertThrows(IOException.class, () -> other.grid(SIZE, 900));
    assertTrue(lease.getMessage().contains("a lease of 800 ms"), lease::getMessage);
  }

  @Test
  void aPlaceMoreIsForWhoeverAsksForOne() throws Exception {
    IOException full = assertThrows(IOException.class, () -> one.place("folder3", grid));
    assertTrue(full.getMessage().contains("orca grid run --add"), full::getMessage);
    assertEquals(1, other.add("folder1", 4), "who has a place needs none");
    assertEquals(3, other.add("folder3", 4));
    assertEquals(3, other.add("folder3", 4), "asked for twice, it is one");
    IOException more = assertThrows(IOException.class, () -> one.add("folder4", 4));
    assertTrue(more.getMessage().contains("has 4 nodes; it may have no more"), more::getMessage);
    GridRegistry.Grid grown = one.grid(SIZE, LEASE_MILLIS);
    assertEquals(4, grown.places());
    assertEquals(3, one.place("folder3", grown));
  }

  /** Has the grid lose place 2 at once, as nodes would. */
  private void lose(List<String> said) throws Exception {
    GridView leaving = ViewRules.leave(first().nodes(), 2).orElseThrow();
    List<Optional<ViewRules.Present>> left =
        List.of(
            Optional.of(new ViewRules.Present(1, 1, "host:0")),
            Optional.of(new ViewRules.Present(2, 2, "host:1")),
            Optional.empty());
    GridView without = ViewRules.next(leaving, left, 0).orElseThrow();
    GridView gone = ViewRules.remove(without, 0b011).orElseThrow();
    assertTrue(one.make(unchanged(first().nodes(), 1)));
    IOException late =
        assertThrows(IOException.class, () -> one.removals().remove("host:2", 0, said::add));
    assertTrue(late.getMessage().contains("It goes on leaving"), late::getMessage);
    assertEquals(0b100, other.removals().marked());
    assertTrue(one.make(unchanged(leaving, 1)));
    assertThrows(IOException.class, () -> one.removals().remove("host:2", 0, said::add));
    assertTrue(one.make(unchanged(without, 1)));
    one.removals().requireNotGone("folder2", one.newest().orElseThrow());
    assertTrue(one.make(unchanged(gone, 1)));
    assertEquals(2, one.removals().remove("host:2", 0, said::add));
  }

  @Test
  void aPlaceThatIsLostIsForAnotherFolderThatIsAdded() throws Exception {
    List<String> said = new ArrayList<>();
    lose(said);
    assertEquals(
        List.of(
            "place 2 is to leave after view 1",
            "place 2 leaves since view 2, and waits until these have what it counted for: 0"
                + " (host:0), 1 (host:1)"),
        said);
    AgreedView newest = one.newest().orElseThrow();
    PlaceRemovedException back =
        assertThrows(
            PlaceRemovedException.class, () -> other.removals().requireNotGone("folder2", newest));
    assertTrue(back.getMessage().contains("start one on an empty folder"), back::getMessage);
    assertThrows(PlaceRemovedException.class, () -> other.add("folder2", 4));
    IOException silently = assertThrows(IOException.class, () -> one.place("folder3", grid));
    assertTrue(silently.getMessage().contains("orca grid run --add"), silently::getMessage);
    assertEquals(2, other.add("folder3", 4));
    assertEquals(0, one.removals().marked());
    assertEquals(2, one.place("folder3", grid));
    assertEquals(3, one.add("folder4", 4), "one that was lost is given first");
  }

  @Test
  void whatCannotBeRemovedIsSaid() throws Exception {
    IOException none =
        assertThrows(IOException.class, () -> one.removals().remove("host:2", 0, any -> {}));
    assertTrue(none.getMessage().contains("There is no grid"), none::getMessage);
    assertTrue(one.make(unchanged(first().nodes(), 1)));
    IOException unknown =
        assertThrows(IOException.class, () -> one.removals().remove("host:7", 0, any -> {}));
    assertTrue(unknown.getMessage().contains("host:0, host:1, host:2"), unknown::getMessage);
    one.hosted().note(2, true);
    ServerInEnsembleException voter =
        assertThrows(
            ServerInEnsembleException.class, () -> one.removals().remove("host:2", 0, any -> {}));
    assertTrue(voter.getMessage().contains("reconfig -remove 1"), voter::getMessage);
    assertEquals(1, voter.server(), "a server that is alone has this number");
    assertEquals(0, one.removals().marked());
    one.hosted().note(2, false);
    assertThrows(IOException.class, () -> one.removals().remove("host:2", 0, any -> {}));
    assertEquals(0b100, one.removals().marked());
  }

  @Test
  void toAGridThatIsNotThereNothingIsAdded() throws Exception {
    try (GridRegistry nowhere = connected("nowhere", null)) {
      IOException none = assertThrows(IOException.class, () -> nowhere.add("folder", 9));
      assertTrue(none.getMessage().contains("There is no grid"), none::getMessage);
    }
  }

  @Test
  void whatNodesWithASecretHaveMadeOnlyTheyChange() throws Exception {
    GridRegistry mine = connected("guarded", "what only nodes know");
    GridRegistry strange = connected("guarded", "a guess");
    try (ZooKeeper anybody = new ZooKeeper(server.getConnectionString(), 10_000, event -> {})) {
      GridRegistry.Grid guarded = mine.grid(SIZE, LEASE_MILLIS);
      assertEquals(0, mine.place("folder0", guarded));
      mine.report(0, "folder0", FIRST);
      assertThrows(KeeperException.NoAuthException.class, () -> strange.place("folder1", guarded));
      for (String each : List.of("/grid", "/places/0", "/nodes/0", "/views")) {
        String node = "/orca-grid/guarded" + each;
        assertThrows(KeeperException.NoAuthException.class, () -> anybody.delete(node, -1));
        assertThrows(
            KeeperException.NoAuthException.class, () -> anybody.setData(node, new byte[0], -1));
        assertNotNull(anybody.getData(node, false, null), "anybody may look");
      }
      assertEquals(Optional.of(FIRST), strange.registered(SIZE).get(0));
    } finally {
      mine.close();
      strange.close();
    }
  }

  private GridRegistry connected(String name, String credential) throws Exception {
    GridRegistry registry =
        new GridRegistry(
            EnsembleAddresses.of(server.getConnectionString()), name, credential, 10_000, () -> {});
    registry.connect();
    return registry;
  }
}
