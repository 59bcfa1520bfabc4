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
package org.orcagrid.grid;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.orcagrid.cli.EnsembleProcesses;
import org.orcagrid.cli.EnsembleSpec;
import org.orcagrid.client.Codec;
import org.orcagrid.client.Grid;
import org.orcagrid.client.GridSession;
import org.orcagrid.client.RemoteGrid;
import org.orcagrid.client.View;

/** Three ORCA servers, each hosting a node of the grid by one line of its zoo.cfg. */
@Timeout(300)
class HostedGridTest {
  private static final int SERVERS = 3;
  private static final int KEYS = 500;

  @TempDir private Path dir;

  private static String clients(int base, int... servers) {
    StringBuilder all = new StringBuilder();
    for (int server : servers) {
      all.append(all.isEmpty() ? "" : ",").append("127.0.0.1:").append(base + server);
    }
    return all.toString();
  }

  /** A node takes its place when it is started, and again when it is started after a crash. */
  private static RemoteGrid connect(String nodes) {
    while (true) {
      try {
        return Grid.connect(nodes);
      } catch (IllegalStateException e) {
        LockSupport.parkNanos(50_000_000);
      }
    }
  }

  @Test
  void aServerThatWasKilledComesBackWithItsNodeOfTheGrid() throws Exception {
    int base = Ports.base();
    EnsembleSpec spec = EnsembleSpec.of(SERVERS, dir);
    for (int server = 1; server <= SERVERS; server++) {
      String line = "127.0.0.1:" + (base + server);
      spec =
          spec.withSettingsOf(
              server,
              Map.of(
                  "orca.grid",
                  line,
                  "orca.grid.transport",
                  Ports.TRANSPORT,
                  "orca.grid.lease.ms",
                  Ports.LEASE_MILLIS));
    }
    try (EnsembleProcesses ensemble = EnsembleProcesses.start(spec)) {
      ensemble.awaitServing(Ports.PATIENCE);
      try (RemoteGrid grid = connect(clients(base, 1, 2));
          GridSession session = grid.openSession().timeout(Ports.PATIENCE)) {
        View<String, Long> view = session.view(Codec.STRING, Codec.LONG);
        for (long i = 0; i < KEYS; i++) {
          view.set("key" + i, i);
        }
        view.setRelease("flag", 1L);
        view.getAndAdd("sum", 41);
        ensemble.kill(3);
        // Two of three go on, for the ensemble and for the grid.
        assertEquals(41, view.getAndAdd("sum", 1));
        view.set("key0", -1L);
        view.setRelease("flag", 2L);
        ensemble.start(3);
      }
      try (RemoteGrid back = connect(clients(base, 3));
          GridSession session = back.openSession().timeout(Ports.PATIENCE)) {
        View<String, Long> view = session.view(Codec.STRING, Codec.LONG);
        assertEquals(2L, view.getAcquire("flag"));
        assertEquals(-1L, view.get("key0"));
        for (long i = 1; i < KEYS; i++) {
          assertEquals(i, view.get("key" + i), "what was written before it was killed");
        }
        assertEquals(42, view.getAndAdd("sum", 0));
      }
    }
  }
}
