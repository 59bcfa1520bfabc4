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

import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.orcagrid.client.map.AnotherNodeException;
import org.orcagrid.client.map.AtomicGridMap;
import org.orcagrid.client.map.CausalGridMap;
import org.orcagrid.client.map.GridMap;
import org.orcagrid.client.map.SessionLostException;
import org.orcagrid.client.map.Together;
import org.orcagrid.ddp.model.Ddp;
import org.orcagrid.transport.tcp.HostPort;

/**
 * Maps from outside: nodes that go, and much at once. {@code MapsTest} has what a client has of
 * maps as a member has it.
 */
class RemoteMapsTest extends TcpGridFixture {
  private static final Ddp SAFE = Ddp.parse("linearizable/synchronous");

  private RemoteGrid connected() throws Exception {
    start();
    return connect(nodes, null);
  }

  private static AtomicGridMap<String, Long> stock(Grid grid) {
    return grid.atomicMap("stock", Codec.STRING, Codec.LONG, SAFE).timeout(PATIENCE);
  }

  @Test
  void theMapsThatThereAreAreListedFromOutside() throws Exception {
    RemoteGrid remote = connected();
    assertEquals(Map.of(), remote.definedMaps());
    Ddp weak = Ddp.parse("causal/eventual");
    members.get(1).map("visits", Codec.STRING, Codec.LONG, weak);
    stock(remote).put("a", 1L);
    // A node that has defined a map has it; another one follows.
    await("both", () -> remote.definedMaps().size() == 2);
    assertEquals(Map.of("stock", SAFE, "visits", weak), remote.definedMaps());
    assertEquals(List.of("stock", "visits"), List.copyOf(remote.definedMaps().keySet()));
    members.get(0).removeMap("visits");
    await("one", () -> remote.definedMaps().equals(Map.of("stock", SAFE)));
    assertEquals(Map.of("stock", SAFE), members.get(0).definedMaps());
  }

  @Test
  void mapsGoOnAtAnotherNode() throws Exception {
    RemoteGrid grid = connected();
    AtomicGridMap<String, Long> map = stock(grid);
    map.set("kept", 1L);
    // Of the three one has the client's connection.
    for (int node = 0; node < NODES - 1; node++) {
      members.get(node).close();
      assertEquals(1L, map.get("kept"), "a read goes on at another node by itself");
      assertTrue(map.replace("kept", 1L, 1L));
    }
  }

  @Test
  void whatWasLookedAtIsWrittenAtThatNodeAlone() throws Exception {
    RemoteGrid grid = connected();
    Ddp model = Ddp.parse("causal/strict");
    CausalGridMap<String, Long> map =
        grid.causalMap("pairs", Codec.STRING, Codec.LONG, model).timeout(PATIENCE);
    map.setTogether(Map.of("left", 1L, "right", 1L));
    Together<String, Long> seen = map.look(List.of("left", "right"));
    for (MemberGrid each : members) {
      CausalGridMap<String, Long> there =
          each.causalMap("pairs", Codec.STRING, Codec.LONG, model).timeout(PATIENCE);
      if (there.node() == seen.node()) {
        each.close();
      }
    }
    await("the client is at another node", () -> isAwayFrom(map, seen.node()));
    AnotherNodeException refused =
        assertThrows(AnotherNodeException.class, () -> seen.set(Map.of("left", 2L)));
    assertTrue(refused.getMessage().contains("for node " + seen.node()), refused::getMessage);
    Together<String, Long> again = map.look(List.of("left", "right"));
    assertEquals(Map.of("left", 1L, "right", 1L), again.values());
    assertTrue(again.set(Map.of("left", 2L)));
  }

  private static boolean isAwayFrom(CausalGridMap<String, Long> map, int node) {
    try {
      return map.node() != node;
    } catch (SessionLostException e) {
      return false;
    }
  }

  @Test
  void whatFindsNoNodeIsNotDone() throws Exception {
    RemoteGrid grid = connected();
    AtomicGridMap<String, Long> map = stock(grid);
    map.set("kept", 1L);
    members.forEach(MemberGrid::close);
    // What is on its way when the connection is lost has an unknown outcome.
    await("the loss is noticed", () -> lost(map) instanceof NotDoneException);
    assertInstanceOf(NotDoneException.class, lost(map));
  }

  private static SessionLostException lost(AtomicGridMap<String, Long> map) {
    return assertThrows(SessionLostException.class, () -> map.set("kept", 2L));
  }

  @Test
  void aWholeMapIsReadInManyPieces() throws Exception {
    RemoteGrid grid = connected();
    GridMap<String, String> map = grid.map("large", Codec.STRING, Codec.STRING, SAFE);
    Map<String, String> written = new HashMap<>();
    for (int i = 0; i < 300; i++) {
      written.put("key" + i, String.valueOf(i % 10).repeat(1 + 300 * i));
    }
    map.setAll(written);
    List<CompletableFuture<Map<String, String>>> reads = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      reads.add(CompletableFuture.supplyAsync(map::snapshot, threads));
      assertEquals("1".repeat(301), map.get("key1"), "others go on between the pieces");
    }
    for (CompletableFuture<Map<String, String>> each : reads) {
      assertEquals(written, each.get(60, TimeUnit.SECONDS));
    }
  }

  @Test
  void aNodeThatDoesNotAnswerHoldsUpNobody() throws Exception {
    start();
    try (ServerSocket silent = new ServerSocket(0)) {
      List<HostPort> all = new ArrayList<>(nodes);
      all.add(new HostPort("localhost", silent.getLocalPort()));
      Future<Socket> reached = threads.submit(() -> silent.accept());
      RemoteGrid grid =
          Grid.connect(new RemoteGrid.Settings(all, "test", null, Duration.ofSeconds(20)));
      opened.add(grid);
      // The first that comes to it waits for it; these do not, and find sessions elsewhere.
      List<CompletableFuture<Void>> sessions = new ArrayList<>();
      for (int i = 0; i < 2 * all.size(); i++) {
        CompletableFuture<Void> next =
            CompletableFuture.runAsync(() -> grid.openSession().close(), threads);
        sessions.add(next);
        // Until one waits for who is silent, two could come to it at one moment.
        await("it is open, or one waits", () -> next.isDone() || reached.isDone());
      }
      long opened = 0;
      long end = System.nanoTime() + Duration.ofSeconds(10).toNanos();
      while (opened < sessions.size() - 1 && System.nanoTime() - end < 0) {
        opened = sessions.stream().filter(CompletableFuture::isDone).count();
        LockSupport.parkNanos(1_000_000);
      }
      assertTrue(opened >= sessions.size() - 1, opened + " were opened in half of the time-out");
    }
  }

  @Test
  void moreThanANodeTakesIsRefusedAndTheRestIsDone() throws Exception {
    GridMap<String, Long> map = stock(connected());
    int many = 30_000;
    CompletableFuture<?>[] all = new CompletableFuture<?>[many];
    for (int i = 0; i < many; i++) {
      all[i] = map.setAsync("key" + i, (long) i).toCompletableFuture();
    }
    int refused = 0;
    for (int i = 0; i < many; i++) {
      try {
        all[i].get(60, TimeUnit.SECONDS);
      } catch (ExecutionException e) {
        assertInstanceOf(OverloadException.class, e.getCause());
        refused++;
      }
    }
    int written = map.size();
    assertEquals(many, written + refused);
    assertTrue(written > 0);
  }
}
