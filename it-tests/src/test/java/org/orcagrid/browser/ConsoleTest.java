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
package org.orcagrid.browser;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.orcagrid.cli.EnsembleProcesses;
import org.orcagrid.cli.EnsembleSpec;
import org.orcagrid.cli.ServerProgram;
import org.orcagrid.needs.Needs;

/** The console of three server processes, in a browser and for programs. */
@Timeout(180)
class ConsoleTest {
  private static final Duration LIMIT = Duration.ofSeconds(40);
  private static final int SERVERS = 3;

  @TempDir Path dir;

  private final HttpClient http = HttpClient.newHttpClient();
  private final int[] ports = new int[SERVERS + 1];
  private EnsembleProcesses servers;
  private int leader;

  @BeforeEach
  void start() throws Exception {
    EnsembleSpec spec =
        EnsembleSpec.of(SERVERS, dir.resolve("servers"))
            .withSettings(Map.of("tickTime", "500"))
            .withProgram(
                ServerProgram.orca().withJvmFlags(List.of("-Xmx96m", "-XX:TieredStopAtLevel=1")));
    for (int id = 1; id <= SERVERS; id++) {
      ports[id] = freePort();
      spec = spec.withSettingsOf(id, Map.of("orca.consolePort", Integer.toString(ports[id])));
    }
    servers = EnsembleProcesses.start(spec);
    leader = servers.awaitServing(LIMIT);
    try (ZooKeeper client =
        new ZooKeeper("127.0.0.1:" + servers.member(leader).clientPort(), 10_000, event -> {})) {
      client.create("/a", new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
      client.getData("/a", false, null);
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  @AfterEach
  void stop() {
    servers.close();
  }

  private String address(int id) {
    return "http://127.0.0.1:" + ports[id] + "/";
  }

  private HttpResponse<String> get(int id, String path) throws Exception {
    return http.send(
        HttpRequest.newBuilder(URI.create(address(id) + path)).build(), BodyHandlers.ofString());
  }

  @Test
  @Needs(Chromium.class)
  void theLeadersPageShowsWhoAnswersReadsAndWhoDoesNotAnyMore() throws Exception {
    try (Browser browser = Browser.open(address(leader), dir.resolve("profile"))) {
      int victim = leader % SERVERS + 1;
      browser.await("#role", LIMIT, text -> text.equals("leading"));
      for (int id = 1; id <= SERVERS; id++) {
        browser.await(
            "#members [data-server='" + id + "'] td:nth-child(2)",
            LIMIT,
            text -> text.equals("yes"));
      }
      browser.picture("console");
      browser.assertNothingCameFromElsewhere(address(leader));

      servers.kill(victim);
      browser.await(
          "#members [data-server='" + victim + "'] td:nth-child(2)",
          LIMIT,
          text -> text.equals("no"));

      servers.kill(leader);
      browser.await("body.lost", LIMIT, text -> true);
    }
  }

  @Test
  void programsGetTheSame() throws Exception {
    String state = get(leader, "state").body();
    assertTrue(state.contains("\"role\":\"leading\""), state);
    assertTrue(state.contains("\"members\":[{\"id\":1"), state);
    assertTrue(state.contains("\"role\":\"looking\""), "the election before: " + state);

    HttpResponse<String> metrics = get(leader, "metrics");
    assertTrue(metrics.headers().firstValue("Content-Type").orElse("").startsWith("text/plain"));
    assertTrue(
        metrics.body().contains("# TYPE orca_reads_total counter\norca_reads_total "),
        metrics.body());
    assertTrue(metrics.body().contains("orca_member_active{server=\"2\"} "), metrics.body());
    metrics
        .body()
        .lines()
        .filter(line -> !line.startsWith("#"))
        .forEach(
            line ->
                assertTrue(
                    line.matches("[a-zA-Z_:][a-zA-Z0-9_:]*(\\{server=\"\\d+\"})? -?[0-9.]+"),
                    line));

    int follower = leader % SERVERS + 1;
    String following = get(follower, "state").body();
    assertTrue(following.contains("\"leader\":" + leader), following);
    assertTrue(following.contains("\"role\":\"following\""), following);
    assertEquals(404, get(follower, "nothing").statusCode());
  }
}
