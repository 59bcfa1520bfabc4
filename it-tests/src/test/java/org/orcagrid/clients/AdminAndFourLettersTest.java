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
package org.orcagrid.clients;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.orcagrid.bench.system.FourLetterWords;
import org.orcagrid.bench.system.ServerAddress;
import org.orcagrid.cli.EnsembleProcesses;

/** What an operator asks a server: four-letter words and AdminServer, after some load. */
@Timeout(120)
class AdminAndFourLettersTest {
  private static final int WRITES = 100;

  @TempDir static Path folder;
  private static EnsembleProcesses ensemble;
  private static int leader;

  @BeforeAll
  static void start() throws Exception {
    ensemble =
        RunningEnsemble.start(
            RunningEnsemble.spec(3, folder)
                .withAdmin()
                .withSettings(
                    Map.of(
                        "orca.flushIntervalMs",
                        "1000",
                        "orca.visibility",
                        "early",
                        "4lw.commands.whitelist",
                        "ruok,srvr,stat,mntr,conf,cons,dump,wchs,isro,envi")));
    leader = ensemble.awaitLeader(RunningEnsemble.LIMIT);
    for (int id = 1; id <= 3; id++) {
      try (ZooKeeper client =
          new ZooKeeper(RunningEnsemble.address(ensemble, id), 5_000, event -> {})) {
        String path = "/load-" + id;
        client.create(path, new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
        for (int i = 0; i < WRITES; i++) {
          client.setData(path, new byte[10], -1);
          client.getData(path, false, null);
        }
      }
    }
  }

  @AfterAll
  static void stop() {
    if (ensemble != null) {
      ensemble.close();
    }
  }

  private static ServerAddress address(int id) {
    return new ServerAddress("127.0.0.1", ensemble.member(id).clientPort());
  }

  @ParameterizedTest
  @CsvSource({
    "ruok,imok",
    "srvr,Zookeeper version:",
    "stat,Clients:",
    "mntr,zk_server_state",
    "conf,tickTime=500",
    "cons,queued",
    "dump,SessionTracker dump:",
    "wchs,watching",
    "isro,rw",
    "envi,java.version="
  })
  void aWordIsAnsweredAsByStock(String word, String part) throws Exception {
    String answer = FourLetterWords.ask(address(leader), word);
    assertTrue(answer.contains(part), answer);
  }

  @Test
  void aWordThatIsNotWhitelistedIsRefused() throws Exception {
    assertTrue(FourLetterWords.ask(address(1), "wchp").contains("not in the whitelist"));
  }

  @Test
  void theMetricsTellWhatTheServersDid() throws Exception {
    double triggering = 0;
    for (int id = 1; id <= 3; id++) {
      Map<String, String> values = FourLetterWords.monitor(address(id));
      assertTrue(number(values, "zk_orca_reads_total") >= WRITES);
      assertTrue(
          number(values, "zk_orca_durable_index") <= number(values, "zk_orca_persisted_index")
              || id != leader,
          values::toString);
      assertTrue(number(values, "zk_orca_flushes_total") > 0);
      assertTrue(number(values, "zk_orca_flush_micros_mean") > 0);
      assertEquals(0, number(values, "zk_orca_replies_waiting"));
      triggering += number(values, "zk_orca_reads_triggering_flush");
    }
    // Each read came right after a write of what it reads; nothing is flushed for a second.
    assertTrue(triggering > WRITES, () -> "too few reads had to wait");
    assertTrue(number(FourLetterWords.monitor(address(leader)), "zk_orca_flush_rounds_total") > 0);
  }

  private static double number(Map<String, String> values, String key) {
    assertTrue(values.containsKey(key), () -> key + " is missing in " + values.keySet());
    return Double.parseDouble(values.get(key));
  }

  @Test
  void adminServerShowsTheSame() throws Exception {
    for (String command : List.of("orca", "monitor", "stats", "configuration", "leader")) {
      JsonNode answer = get(leader, command);
      assertTrue(answer.get("error").isNull(), answer::toString);
    }
    assertTrue(get(leader, "leader").get("is_leader").asBoolean());
    assertTrue(get(1, "orca").toString().contains("durable"), () -> "no durable-index");
  }

  private static JsonNode get(int id, String command) throws Exception {
    HttpResponse<String> response =
        HttpClient.newHttpClient()
            .send(
                HttpRequest.newBuilder(
                        URI.create(
                            "http://127.0.0.1:"
                                + ensemble.member(id).adminPort()
                                + "/commands/"
                                + command))
                    .build(),
                HttpResponse.BodyHandlers.ofString(UTF_8));
    assertEquals(200, response.statusCode(), response::body);
    return new ObjectMapper().readTree(response.body());
  }
}
