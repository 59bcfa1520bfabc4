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
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.orcagrid.client.map.AtomicGridMap;
import org.orcagrid.client.map.GridMaps;
import org.orcagrid.client.map.MapChange;
import org.orcagrid.client.map.MapListener;
import org.orcagrid.ddp.Quorum;
import org.orcagrid.ddp.map.AgreedView;
import org.orcagrid.ddp.map.MapDefinition;
import org.orcagrid.ddp.map.MapSession;
import org.orcagrid.ddp.map.Maps;
import org.orcagrid.ddp.map.NotBegunException;
import org.orcagrid.ddp.membership.Shares;
import org.orcagrid.ddp.model.Ddp;
import org.orcagrid.ddp.replica.consistency.Operation;
import org.orcagrid.ddp.replica.state.Key;
import org.orcagrid.node.GridSurvey;
import org.orcagrid.node.NodeState;
import org.orcagrid.transport.tcp.ClientAdmission;
import org.orcagrid.transport.tcp.HostPort;
import org.orcagrid.transport.tcp.IoKind;
import org.orcagrid.transport.tcp.LinkListener;
import org.orcagrid.transport.tcp.NodePort;
import org.orcagrid.transport.tcp.PortSecurity;
import org.orcagrid.transport.tcp.TestCertificates;
import org.orcagrid.transport.tcp.remote.HomeLines;

/**
 * Maps of two copies in a grid of three nodes, used through the node that does not have them.
 * {@code MapsTest} has what every map does; this is about the homes and the ways to them.
 */
class ForwardedMapsTest extends TcpGridFixture {
  private static final Ddp SAFE = Ddp.parse("linearizable/synchronous");
  private static final int COPIES = 2;

  /** The first map of a grid has this number. */
  private static final int FIRST = 1;

  @TempDir private Path folder;

  private static boolean isHome(int node) {
    return (Shares.NONE.homes(FIRST, COPIES, Quorum.all(NODES)) & Quorum.of(node)) != 0;
  }

  private static int away() {
    return isHome(0) ? isHome(1) ? 2 : 1 : 0;
  }

  private static int home() {
    return (away() + 1) % NODES;
  }

  /** A new grid through the node that has no copy of its first map. */
  private GridMaps grid(boolean remote) throws Exception {
    start();
    return (remote ? connect(List.of(nodes.get(away())), null) : members.get(away()))
        .copies(COPIES);
  }

  private static AtomicGridMap<String, Long> stock(GridMaps grid) {
    return grid.atomicMap("stock", Codec.STRING, Codec.LONG, SAFE).timeout(PATIENCE);
  }

  private static void add(AtomicGridMap<String, Long> map, int times) {
    for (int i = 0; i < times; i++) {
      map.merge("sum", 1L, Long::sum);
    }
  }

  private record Ends(CountDownLatch ended) implements MapListener<String, Long> {
    @Override
    public void onChange(MapChange<String, Long> change) {
      // Only its end matters here.
    }

    @Override
    public void onEnded() {
      ended.countDown();
    }
  }

  @Test
  void onlyHomesHaveTheMapAndTheyAreCounted() throws Exception {
    GridMaps grid = grid(true);
    stock(grid).set("a", 1L);
    TreeMap<Integer, Integer> maps = new TreeMap<>();
    try (GridSurvey survey = new GridSurvey("test", PortSecurity.NONE)) {
      for (GridSurvey.Answer each : survey.ask(nodes, PATIENCE)) {
        NodeState state = each.state();
        maps.put(state.self().place(), state.maps().size());
      }
    }
    assertEquals(new TreeMap<>(Map.of(away(), 0, home(), 1, (away() + 2) % NODES, 1)), maps);
    // The first home that is asked may not have followed to the view of the map yet.
    int lines = members.get(away()).figures().links().homes();
    assertTrue(lines > 0 && lines <= COPIES, lines + " lines");
    assertEquals(0, members.get(home()).figures().links().homes(), "who has the map needs none");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aMapGoesOnAtAnotherHome(boolean remote) throws Exception {
    AtomicGridMap<String, Long> map = stock(grid(remote));
    map.set("kept", 1L);
    CountDownLatch ended = new CountDownLatch(1);
    map.listen(new Ends(ended));
    // The one with the line is one of these; it comes back before the other one leaves.
    for (int i = 1; i < NODES; i++) {
      int node = (away() + i) % NODES;
      members.get(node).close();
      assertEquals(1L, map.get("kept"), "a read goes on at another home by itself");
      assertTrue(map.replace("kept", 1L, 1L));
      members.set(node, join(node, settings(node)));
      members.remove(members.size() - 1);
      awaitServing();
    }
    assertTrue(ended.await(60, TimeUnit.SECONDS), "a listener hears that its home has gone");
  }

  /** Whichever clients a node admits, the others forward to it. */
  @Test
  void nodesForwardWithTheirSecretWhereNoClientMayConnect() throws Exception {
    Path secret = Files.writeString(folder.resolve("secret"), "what all nodes of the grid know");
    Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-------"));
    start(PortSecurity.NONE.withSecret(secret).withClients(ClientAdmission.NONE));
    AtomicGridMap<String, Long> map = stock(members.get(away()).copies(COPIES));
    map.set("a", 1L);
    assertEquals(1L, stock(members.get(home())).get("a"));
    assertThrows(IllegalStateException.class, () -> connect(nodes, null));
  }

  /** Views may differ: a node that is asked by another one for what it does not have says so. */
  @Test
  void whatIsForwardedIsNotForwardedAgain() throws Exception {
    start();
    stock(members.get(home()).copies(COPIES)).set("a", 1L);
    // It uses the map itself, so that it knows where it is.
    assertEquals(1L, stock(members.get(away())).get("a"));
    AgreedView view = views.membership(away()).newest().orElseThrow();
    MapDefinition map = view.map("stock").orElseThrow();
    try (HomeLines asHome = lines(home(), 0)) {
      Maps there = asHome.to(away(), view);
      assertNotThere(there.state(map));
      assertNotThere(there.watch(map, change -> {}));
      try (MapSession session = there.openSession(map)) {
        Operation read = Operation.read(Key.of(new byte[] {1}));
        assertNotThere(session.submit(read));
        assertTrue(session.isEnded());
      }
      assertTrue(
          asHome.to((away() + 2) % NODES, view).state(map).get(60, TimeUnit.SECONDS).serves());
    }
    try (HomeLines stranger = lines(home(), 4711)) {
      ExecutionException refused =
          assertThrows(
              ExecutionException.class,
              () -> stranger.to(away(), view).state(map).get(60, TimeUnit.SECONDS));
      assertTrue(refused.getMessage().contains("another grid of the same name"), refused::toString);
    }
  }

  private HomeLines lines(int from, long grid) throws Exception {
    HostPort address = freeAddresses(1).get(0);
    return new HomeLines(
        "test",
        from,
        grid,
        NodePort.of(address, PortSecurity.NONE, IoKind.best(), LinkListener.NONE));
  }

  private static void assertNotThere(CompletableFuture<?> asked) {
    Throwable reason =
        assertThrows(ExecutionException.class, () -> asked.get(60, TimeUnit.SECONDS)).getCause();
    assertInstanceOf(NotBegunException.class, reason);
    assertTrue(reason.getMessage().contains("does not have the map"), reason::toString);
  }

  @Test
  void nodesForwardWithTls() throws Exception {
    start(PortSecurity.ofTls(TestCertificates.make(folder.resolve("tls"))));
    AtomicGridMap<String, Long> map = stock(members.get(away()).copies(COPIES));
    map.set("a", 1L);
    assertEquals(1L, stock(members.get(home())).get("a"));
  }

  /** Many clients of one node share its line, and none of them holds up another. */
  @Test
  void clientsOfANodeShareItsLine() throws Exception {
    GridMaps first = grid(true);
    stock(first);
    Set<CompletableFuture<Void>> running = new HashSet<>();
    for (int i = 0; i < 8; i++) {
      AtomicGridMap<String, Long> map = stock(connect(List.<HostPort>of(nodes.get(away())), null));
      running.add(CompletableFuture.runAsync(() -> add(map, 50), threads));
    }
    for (CompletableFuture<Void> each : running) {
      each.get(60, TimeUnit.SECONDS);
    }
    assertEquals(400L, stock(first).get("sum"));
    assertTrue(members.get(away()).figures().links().homes() <= COPIES, "they share lines");
  }
}
