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
package org.orcagrid.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code orca geo}, with real processes. */
@Timeout(120)
class GeoCommandTest {
  @TempDir private Path folder;

  @AfterEach
  void stop() {
    if (Files.exists(folder.resolve("node-1"))) {
      Cli.run("geo", "stop", "--dir", folder.toString());
    }
  }

  @Test
  void aStoreStartsServesAndStops() throws Exception {
    String base = Integer.toString(FreePorts.find(4, new Random()).get(0));
    String dir = folder.toString();
    Cli none = Cli.run("geo", "status", "--dir", dir);
    assertEquals(1, none.exitCode());
    assertTrue(none.err().contains("orca geo start"), none.err());
    Object[] start = {
      "geo",
      "start",
      "--dir",
      dir,
      "--replicas",
      "1",
      "--partitions",
      "4",
      "--base-port",
      base,
      "--wan",
      "2ms",
      "--console",
      Integer.toString(Integer.parseInt(base) + 2)
    };
    Cli started = Cli.run(start);
    assertEquals(0, started.exitCode(), started::toString);
    assertTrue(started.out().contains("west=127.0.0.1:" + base), started.out());
    assertEquals(0, Cli.run("geo", "status", "--dir", dir).exitCode());
    Cli shell =
        Cli.run(
            "geo",
            "shell",
            "--dir",
            dir,
            "--command",
            "put ann two mails",
            "--command",
            "at east",
            "--command",
            "get ann");
    assertEquals(0, shell.exitCode(), shell::toString);
    assertTrue(shell.out().endsWith("two mails\n"), shell.out());
    assertEquals(0, Cli.run("geo", "verify", "--dir", dir).exitCode());
    operatorsSee(dir, Integer.parseInt(base) + 2);
    aDatacenterIsRemoved(dir);
    Cli.run("geo", "stop", "--dir", dir);
    assertEquals(1, Cli.run("geo", "status", "--dir", dir).exitCode());
    Cli other =
        Cli.run(
            "geo",
            "start",
            "--dir",
            dir,
            "--replicas",
            "1",
            "--partitions",
            "5",
            "--base-port",
            base);
    assertEquals(1, other.exitCode());
    assertTrue(other.err().contains("has 4 partitions"), other.err());
    assertEquals(0, Cli.run(start).exitCode());
    Cli again = Cli.run("geo", "shell", "--dir", dir, "--command", "get ann");
    assertEquals("two mails", again.out().strip(), again::toString);
  }

  private static void operatorsSee(String dir, int console) throws Exception {
    Cli lag = Cli.run("geo", "lag", "--dir", dir);
    assertEquals(0, lag.exitCode(), lag::toString);
    assertTrue(lag.out().contains("east") && lag.out().contains("0 partitions"), lag.out());
    Cli clock = Cli.run("geo", "clock", "--dir", dir);
    assertEquals(0, clock.exitCode(), clock::toString);
    assertTrue(clock.out().contains("±"), clock.out());
    String meters = page(console, "/metrics");
    assertTrue(lag.out().contains("bytes"), lag.out());
    assertTrue(meters.contains("orca_geo_partition_unacknowledged_bytes{partition="), meters);
    assertTrue(
        meters.contains("orca_geo_partition_lag_millis{partition=\"3\",origin=\"east\"}"), meters);
    assertTrue(meters.contains("# TYPE orca_geo_partition_missed_deadlines_total counter"), meters);
    String state = page(console, "/state");
    assertTrue(state.contains("\"answers\":true") && !state.contains("\"answers\":false"), state);
    assertTrue(page(console, "/").contains("geo.js"));
  }

  private static String page(int port, String path) throws Exception {
    URI uri = URI.create("http://127.0.0.1:" + port + path);
    HttpResponse<String> answer =
        HttpClient.newHttpClient()
            .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
    assertEquals(200, answer.statusCode(), answer::body);
    return answer.body();
  }

  private void aDatacenterIsRemoved(String dir) throws Exception {
    Cli unknown = Cli.run("geo", "remove", "north", "--dir", dir);
    assertEquals(1, unknown.exitCode(), unknown::toString);
    assertTrue(unknown.err().contains("[west, east]"), unknown.err());
    Cli running = Cli.run("geo", "remove", "east", "--dir", dir);
    assertEquals(1, running.exitCode(), running::toString);
    assertTrue(running.err().contains("stop its nodes first"), running.err());
    long pid = Long.parseLong(Files.readAllLines(folder.resolve("node-2/orca.pid")).get(0));
    ProcessHandle east = ProcessHandle.of(pid).orElseThrow();
    east.destroyForcibly();
    east.onExit().join();
    Cli removed = Cli.run("geo", "remove", "east", "--dir", dir);
    assertEquals(0, removed.exitCode(), removed::toString);
    assertEquals("Datacenter east is removed.", removed.out().strip());
  }

  @Test
  void whatIsWrongInAConfigurationIsNamed() throws Exception {
    Path file = folder.resolve("geo.cfg");
    says(file, "geo.address=h:1\n", "geo.datacenters is missing");
    says(file, "geo.datacenters=west\n", "written as west=");
    says(
        file,
        "geo.datacenters=west=h:1\ngeo.replicas=1\ngeo.address=h:2\n",
        "is none of the nodes");
    says(file, "geo.colour=red\n", "no setting geo.colour");
    says(
        file,
        "geo.ensemble=127.0.0.1:1\ngeo.partitions=3\ngeo.address=h:1\n",
        "geo.partitions is in the record");
    says(
        file,
        "geo.datacenters=west=h:1\ngeo.address=h:1\ngeo.replicas=1\ngeo.partitions=0\n",
        "geo.partitions is from 1");
    says(file, "geo.datacenters=west=h:1\ngeo.address=h:1\n", "geo.replicas is from 1");
    says(
        file,
        """
        geo.datacenters=west=127.0.0.1:1
        geo.address=127.0.0.1:1
        geo.replicas=1
        geo.log=paxos
        """,
        "geo.log=paxos is no log of this class path");
  }

  private static void says(Path file, String lines, String words) throws Exception {
    Files.writeString(file, lines);
    Cli run = Cli.run("geo", "run", file.toString());
    assertEquals(1, run.exitCode(), run::toString);
    assertTrue(run.err().contains(words), run.err());
    assertEquals(1, run.err().strip().lines().count(), run.err());
  }
}
