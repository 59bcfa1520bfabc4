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
package org.orcagrid.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.orcagrid.ddp.kite.KiteSettings;
import org.orcagrid.ddp.map.LocalViews;
import org.orcagrid.ddp.map.MapDefinition;
import org.orcagrid.ddp.model.Ddp;
import org.orcagrid.ddp.replica.consistency.Operation;
import org.orcagrid.ddp.replica.state.Key;
import org.orcagrid.ddp.replica.state.ReplicaSettings.Conflicts;
import org.orcagrid.node.GridPicture.Condition;
import org.orcagrid.node.GridPicture.MapLine;
import org.orcagrid.node.GridPicture.NodeLine;
import org.orcagrid.node.GridSurvey.Answer;
import org.orcagrid.transport.tcp.ClientAdmission;
import org.orcagrid.transport.tcp.HostPort;
import org.orcagrid.transport.tcp.LinkListener;
import org.orcagrid.transport.tcp.PortSecurity;

/** Three nodes over TCP, which are asked what they are at. */
@Timeout(120)
class GridSurveyTest {
  private static final int NODES = 3;
  private static final long PATIENCE = TimeUnit.SECONDS.toNanos(60);
  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final Ddp SAFE = Ddp.parse("linearizable/synchronous");

  @TempDir private Path dir;

  private final List<HostPort> addresses = new ArrayList<>();
  private final List<GridMember> members = new ArrayList<>();
  private LocalViews views;
  private GridSurvey survey;

  @BeforeEach
  void start() throws Exception {
    List<ServerSocket> held = new ArrayList<>();
    for (int node = 0; node < NODES; node++) {
      held.add(new ServerSocket(0));
      addresses.add(new HostPort("localhost", held.get(node).getLocalPort()));
    }
    for (ServerSocket each : held) {
      each.close();
    }
    views =
        LocalViews.open(
            NODES,
            KiteSettings.NODES_MAX,
            dir.resolve("views"),
            System::nanoTime,
            work -> {
              Thread thread = new Thread(work, "views");
              thread.setDaemon(true);
              return thread;
            });
    survey = new GridSurvey("shop", PortSecurity.NONE);
  }

  @AfterEach
  void stop() throws Exception {
    survey.close();
    views.close();
    members.forEach(GridMember::close);
  }

  private void startAll(PortSecurity ofLast) throws IOException, InterruptedException {
    for (int node = 0; node < NODES; node++) {
      NodeSettings settings =
          NodeSettings.of("shop", NODES, addresses.get(node), dir.resolve("node" + node))
              .withKeys(new KeySettings(4, 4096, 16 << 20))
              .withSecurity(node == NODES - 1 ? ofLast : PortSecurity.NONE);
      members.add(
          GridMember.start(
              settings,
              views.membership(node, addresses.get(node).toString()),
              LinkListener.NONE,
              failure -> {}));
    }
    for (GridMember each : members) {
      assertTrue(each.node().awaitServing(PATIENCE));
    }
  }

  private GridPicture look() throws InterruptedException {
    return GridPicture.of(survey.ask(addresses, LIMIT));
  }

  @Test
  void allNodesAndTheirMapsAreSeen() throws Exception {
    startAll(PortSecurity.NONE);
    MapDefinition map =
        members.get(0).node().maps().define("carts", SAFE, Conflicts.ABORT, PATIENCE);
    for (int key = 0; key < 10; key++) {
      members
          .get(0)
          .node()
          .maps()
          .openSession(map)
          .submit(Operation.write(Key.of("key" + key), new byte[100]))
          .get(60, TimeUnit.SECONDS);
    }
    GridPicture picture = look();
    // The last node may be behind for a moment.
    while (picture.maps().isEmpty() || picture.maps().get(0).copies() < NODES) {
      picture = look();
    }
    MapLine carts = picture.maps().get(0);
    assertEquals("carts", carts.name());
    assertEquals("linearizable/synchronous", carts.model());
    assertEquals(10, carts.entries());
    assertTrue(carts.bytes() > 1000, carts::toString);
    assertEquals("shop", picture.grid());
    assertEquals(members.get(0).node().maps().view().number(), picture.view());
    for (int node = 0; node < NODES; node++) {
      NodeLine line = picture.nodes().get(node);
      assertEquals(addresses.get(node).toString(), line.address());
      assertEquals(Condition.SERVES, line.condition());
      assertTrue(line.sinceMillis() > 0, line::toString);
      assertNull(line.objection());
      assertTrue(line.said().self().serves(), line::toString);
      assertEquals(picture.view(), line.said().self().inView());
      assertEquals(0, line.said().counts().clients(), "whoever asks is no client");
      assertEquals(4, line.said().keys().sessionsMax());
      assertEquals(NodeState.Self.ALONE, line.said().self().leaseMillis(), "in one JVM");
      assertTrue(line.said().journal().bytes() > 1000, line::toString);
    }
    NodeState own = members.get(1).state();
    assertEquals(1, own.self().place());
    assertEquals(picture.nodes().get(1).said().self(), own.self());
  }

  @Test
  void aNodeThatIsGoneAndOneThatAdmitsNobodyAreNamed() throws Exception {
    startAll(PortSecurity.NONE.withClients(ClientAdmission.NONE));
    members.get(0).close();
    GridPicture picture = look();
    while (picture.nodes().get(0).condition() != Condition.AWAY) {
      picture = look();
    }
    NodeLine gone = picture.nodes().get(0);
    assertNotNull(gone.objection());
    assertNull(gone.said());
    NodeLine closed = picture.nodes().get(2);
    assertEquals(Condition.SERVES, closed.condition());
    assertTrue(closed.objection().contains("takes no clients"), closed::objection);
    assertNotNull(picture.nodes().get(1).said());
  }

  @Test
  void whoSaysNothingIsNotWaitedForLong() throws Exception {
    try (ServerSocket silent = new ServerSocket(0)) {
      HostPort address = new HostPort("localhost", silent.getLocalPort());
      List<Answer> answers = survey.ask(List.of(address), Duration.ofMillis(200));
      assertEquals(1, answers.size());
      assertEquals("no connection", answers.get(0).objection());
    }
  }
}
