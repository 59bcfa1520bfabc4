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
package org.orcagrid.processes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.orcagrid.cli.FreePorts;
import org.orcagrid.cli.Orca;
import org.orcagrid.client.Codec;
import org.orcagrid.geo.Version;
import org.orcagrid.geo.client.GeoException;
import org.orcagrid.geo.client.GeoSession;
import org.orcagrid.geo.client.GeoSettings;
import org.orcagrid.geo.client.GeoView;
import org.orcagrid.geo.client.RemoteGeo;
import org.orcagrid.geo.client.Seen;
import org.orcagrid.geo.session.ReadGuarantee;
import org.orcagrid.geo.session.WriteGuarantee;
import org.orcagrid.simulator.checker.SessionAccess;
import org.orcagrid.simulator.checker.SessionGuarantees;

/**
 * Nodes of a geo store as processes, of which one after the other is killed under load and started
 * again. Sessions go from datacenter to datacenter meanwhile, and get what they ask for; in the end
 * all replicas are the same, and nothing acknowledged is lost. {@code -Drounds=N} for more.
 */
@Timeout(600)
class GeoKillTest {
  private static final int ROUNDS = Integer.getInteger("rounds", 3);
  private static final int SESSIONS = 4;
  private static final int KEYS = 5;
  private static final int VERIFICATIONS_MAX = 60;

  @TempDir private Path folder;
  private final AtomicBoolean over = new AtomicBoolean();

  @AfterEach
  void stop() {
    run("geo", "stop", "--dir", folder.toString());
  }

  private static int run(String... arguments) {
    return Orca.commandLine().execute(arguments);
  }

  @Test
  void sessionsGetWhatTheyAskForWhileNodesAreKilled() throws Exception {
    int base = FreePorts.find(1, new Random()).get(0);
    String[] start = {
      "geo",
      "start",
      "--dir",
      folder.toString(),
      "--partitions",
      "8",
      "--base-port",
      "" + base,
      "--wan",
      "4ms"
    };
    assertEquals(0, run(start));
    String datacenters = "west=127.0.0.1:" + base + ";east=127.0.0.1:" + (base + 3);
    ExecutorService threads = Executors.newFixedThreadPool(SESSIONS);
    List<Future<List<SessionAccess>>> histories = new ArrayList<>();
    try (RemoteGeo geo =
        RemoteGeo.connect(GeoSettings.of(datacenters).timeout(Duration.ofSeconds(10)))) {
      for (int i = 0; i < SESSIONS; i++) {
        int number = i;
        histories.add(threads.submit(() -> use(geo, number)));
      }
      Random random = new Random(1);
      for (int round = 0; round < ROUNDS; round++) {
        kill(1 + random.nextInt(6));
        assertEquals(0, run(start), "the node comes back");
      }
      over.set(true);
      List<SessionAccess> all = new ArrayList<>();
      for (Future<List<SessionAccess>> each : histories) {
        all.addAll(each.get());
      }
      assertEquals(Optional.empty(), SessionGuarantees.check(all, any -> false));
      assertTrue(all.size() > 100 * ROUNDS, "they did much: " + all.size());
      awaitSame();
      assertNothingLost(geo, all);
    } finally {
      over.set(true);
      threads.shutdownNow();
    }
  }

  private void kill(int node) throws IOException {
    Path pid = folder.resolve("node-" + node).resolve("orca.pid");
    ProcessHandle process =
        ProcessHandle.of(Long.parseLong(Files.readAllLines(pid).get(0))).orElseThrow();
    process.destroyForcibly();
    process.onExit().join();
  }

  /** What has been forwarded is the same everywhere; that takes as long as it takes. */
  private void awaitSame() {
    int tries = 0;
    while (run("geo", "verify", "--dir", folder.toString()) != 0) {
      tries++;
      assertFalse(tries > VERIFICATIONS_MAX, "replicas differ");
    }
  }

  private List<SessionAccess> use(RemoteGeo geo, int number) {
    List<SessionAccess> history = new ArrayList<>();
    Random random = new Random(number);
    try (GeoSession session = geo.openSession()) {
      GeoView<String, String> here = session.view("test", Codec.STRING, Codec.STRING);
      while (!over.get()) {
        String key = "k" + random.nextInt(KEYS);
        GeoView<String, String> at = random.nextBoolean() ? here : here.at("east");
        try {
          if (random.nextBoolean()) {
            Version version =
                at.put(key, "v" + history.size(), WriteGuarantee.MONOTONIC_WRITE_FOLLOWS_READS);
            history.add(access(number, true, key, version, true));
          } else {
            Seen<String> seen = at.get(key, ReadGuarantee.MONOTONIC_READ_YOUR_WRITE);
            history.add(access(number, false, key, seen.version(), seen.value() != null));
          }
        } catch (GeoException e) {
          // A write without an answer may have taken effect, and a read was not served.
          assertTrue(e.getMessage() != null, "it says why");
        }
      }
    }
    return history;
  }

  private static SessionAccess access(
      int session, boolean write, String key, Version version, boolean present) {
    return new SessionAccess(
        session, write, key, version.time(), version.datacenter(), present, true, true);
  }

  private static void assertNothingLost(RemoteGeo geo, List<SessionAccess> all) {
    try (GeoSession session = geo.openSession()) {
      GeoView<String, String> view = session.view("test", Codec.STRING, Codec.STRING);
      for (int i = 0; i < KEYS; i++) {
        Version last = view.get("k" + i, ReadGuarantee.EVENTUAL).version();
        String key = "k" + i;
        for (SessionAccess each : all) {
          if (each.key().equals(key)) {
            Version known = new Version(each.time(), each.datacenter(), 0);
            assertFalse(known.wins(last), () -> each + " is lost: there is " + last);
          }
        }
      }
    }
  }
}
