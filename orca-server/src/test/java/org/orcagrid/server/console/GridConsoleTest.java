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
package org.orcagrid.server.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.orcagrid.ddp.map.MapDefinition;
import org.orcagrid.ddp.model.Ddp;
import org.orcagrid.ddp.replica.consistency.Operation;
import org.orcagrid.ddp.replica.state.Key;
import org.orcagrid.ddp.replica.state.ReplicaSettings.Conflicts;
import org.orcagrid.node.GridMember;
import org.orcagrid.node.KeySettings;
import org.orcagrid.node.NodeSettings;
import org.orcagrid.server.OrcaServer;
import org.orcagrid.server.OrcaServerConfig;
import org.orcagrid.server.settings.OrcaSettings;
import org.orcagrid.transport.tcp.HostPort;
import org.orcagrid.transport.tcp.LinkListener;

/** The console of a grid of two nodes: one that a server hosts, and one by itself. */
@Timeout(180)
class GridConsoleTest {
  private static final long PATIENCE = TimeUnit.SECONDS.toNanos(90);
  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir private Path dir;

  private final HttpClient http = HttpClient.newHttpClient();
  private final HostPort hosted = address();
  private final HostPort other = address();
  private final int console = address().port();
  private OrcaServer server;
  private GridMember member;
  private NodeSettings settings;

  private static HostPort address() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return new HostPort("127.0.0.1", socket.getLocalPort());
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @BeforeEach
  void start() throws Exception {
    Properties lines = new Properties();
    lines.setProperty("orca.grid", hosted.toString());
    lines.setProperty("orca.grid.name", "shop");
    lines.setProperty("orca.grid.size", "2");
    lines.setProperty("orca.grid.value.bytes", "1000");
    lines.setProperty("orca.grid.sessions", "4");
    lines.setProperty("orca.grid.bytes", Integer.toString(16 << 20));
    lines.setProperty("orca.grid.value.bytes", "4096");
    lines.setProperty("orca.consolePort", Integer.toString(console));
    server =
        OrcaServer.start(
            OrcaServerConfig.standalone(dir.resolve("server"))
                .withSettings(OrcaSettings.from(lines)));
    settings =
        NodeSettings.of("shop", 2, other, dir.resolve("node"))
            .withKeys(new KeySettings(4, 4096, 16 << 20))
            .withEnsemble(server.connectString());
    member = GridMember.start(settings, settings.membership(), LinkListener.NONE, failure -> {});
    assertTrue(member.node().awaitServing(PATIENCE));
  }

  @AfterEach
  void stop() {
    member.close();
    server.close();
  }

  private HttpResponse<String> send(int port, HttpRequest.Builder request, String path)
      throws Exception {
    URI address = URI.create("http://127.0.0.1:" + port + path);
    return http.send(request.uri(address).build(), BodyHandlers.ofString());
  }

  private JsonNode state(int port) throws Exception {
    HttpResponse<String> answer = send(port, HttpRequest.newBuilder(), "/grid/state");
    assertEquals(200, answer.statusCode(), answer::body);
    return JSON.readTree(answer.body());
  }

  private JsonNode await(int port, Predicate<JsonNode> condition) throws Exception {
    long end = System.nanoTime() + PATIENCE;
    JsonNode state = state(port);
    while (!condition.test(state)) {
      assertTrue(System.nanoTime() - end < 0, state::toPrettyString);
      LockSupport.parkNanos(20_000_000);
      state = state(port);
    }
    return state;
  }

  private static JsonNode node(JsonNode state, HostPort address) {
    for (JsonNode each : state.at("/grid/nodes")) {
      if (each.get("address").asText().equals(address.toString())) {
        return each;
      }
    }
    throw new AssertionError(address + " is not in " + state.toPrettyString());
  }

  private static boolean serves(JsonNode state, HostPort address) {
    return node(state, address).get("condition").asText().equals("SERVES")
        && node(state, address).at("/said/self/serves").asBoolean();
  }

  @Test
  void nodesLeasesAndMapsAreShown() throws Exception {
    MapDefinition map =
        member
            .node()
            .maps()
            .define("carts", Ddp.parse("linearizable/strict"), Conflicts.ABORT, PATIENCE);
    member
        .node()
        .maps()
        .openSession(map)
        .submit(Operation.write(Key.of("a"), "one".getBytes(StandardCharsets.UTF_8)))
        .get(60, TimeUnit.SECONDS);
    JsonNode state =
        await(
            console,
            now ->
                now.at("/grid/maps/0/copies").asInt() == 2
                    && serves(now, hosted)
                    && serves(now, other)
                    && node(now, other).at("/said/peers/0/heldMillis").asLong() > 0);
    assertEquals(hosted.toString(), state.get("self").asText());
    assertEquals("shop", state.at("/grid/grid").asText());
    assertEquals(2, state.at("/grid/nodes").size());
    JsonNode carts = state.at("/grid/maps/0");
    assertEquals("carts", carts.get("name").asText());
    assertEquals("linearizable/strict", carts.get("model").asText());
    assertEquals(1, carts.get("entries").asInt());
    for (HostPort each : new HostPort[] {hosted, other}) {
      JsonNode said = node(state, each).get("said");
      assertTrue(said.at("/self/leaseMillis").asLong() <= 800, said::toPrettyString);
      assertTrue(said.at("/self/leaseMillis").asLong() >= 0, said::toPrettyString);
      assertTrue(said.at("/journal/bytes").asLong() > 0, said::toPrettyString);
      assertEquals(4, said.at("/keys/sessionsMax").asInt());
      assertEquals(state.at("/grid/view").asInt(), said.at("/self/inView").asInt());
      long since = node(state, each).get("sinceMillis").asLong();
      assertTrue(since > 0 && since <= state.get("nowMillis").asLong(), state::toPrettyString);
    }
    assertTrue(send(console, HttpRequest.newBuilder(), "/state").body().contains("\"grid\":true"));
  }

  @Test
  void aNodeThatDoesNotAnswerIsNamed() throws Exception {
    await(console, now -> serves(now, hosted) && serves(now, other));
    member.close();
    JsonNode state =
        await(console, now -> node(now, other).get("condition").asText().equals("AWAY"));
    JsonNode gone = node(state, other);
    assertTrue(gone.get("said").isNull(), gone::toPrettyString);
    assertFalse(gone.get("objection").asText().isBlank(), gone::toPrettyString);
    assertFalse(node(state, hosted).get("said").isNull(), "the others are shown all the same");
  }

  @Test
  void aNodeByItselfHasTheSamePage() throws Exception {
    InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    try (Console own = Console.ofGrid(any, new GridWatch(settings, () -> member))) {
      JsonNode state = await(own.port(), now -> serves(now, hosted) && serves(now, other));
      assertEquals(other.toString(), state.get("self").asText());
      for (String path : new String[] {"/", "/grid"}) {
        HttpResponse<String> page = send(own.port(), HttpRequest.newBuilder(), path);
        assertTrue(page.body().contains("/grid.js"), page::body);
      }
      for (String file : new String[] {"/grid.js", "/console.css", "/lib/lit-html.js"}) {
        assertEquals(200, send(own.port(), HttpRequest.newBuilder(), file).statusCode(), file);
      }
    }
  }

  @Test
  void nothingButGetIsTaken() throws Exception {
    for (String path : new String[] {"/grid", "/grid/state", "/grid.js"}) {
      for (String method : new String[] {"POST", "PUT", "DELETE"}) {
        HttpResponse<String> refused =
            send(
                console,
                HttpRequest.newBuilder().method(method, BodyPublishers.ofString("x")),
                path);
        assertEquals(405, refused.statusCode(), method + " " + path);
        assertEquals("GET", refused.headers().firstValue("Allow").orElse(""));
      }
    }
  }

  @Test
  void aNodeThatHasNotBegunSaysSo() throws Exception {
    InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    try (Console own = Console.ofGrid(any, new GridWatch(settings, () -> null))) {
      JsonNode only = node(state(own.port()), other);
      assertTrue(only.get("objection").asText().contains("it has not begun"), only::toString);
      IOException taken =
          org.junit.jupiter.api.Assertions.assertThrows(
              IOException.class,
              () ->
                  Console.ofGrid(
                      new InetSocketAddress(InetAddress.getLoopbackAddress(), own.port()),
                      new GridWatch(settings, () -> null)));
      assertTrue(taken.getMessage().contains("take another port"), taken::getMessage);
    }
  }
}
