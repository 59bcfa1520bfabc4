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
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.orcagrid.transport.tcp.HostPort;

/** Members of a grid over the transport that there is, and what their sessions have seen. */
@Timeout(180)
class HistoryLoadTest {
  private static final int NODES = 3;
  private static final int SESSIONS = 3;
  private static final int OPERATIONS = Integer.getInteger("operations", 2_000);

  @TempDir private Path dir;

  @Test
  void whatSessionsHaveSeenCanHaveHadOneOrder() throws Exception {
    int base = Ports.base();
    List<HostPort> nodes = new ArrayList<>();
    for (int node = 0; node < NODES; node++) {
      nodes.add(new HostPort("127.0.0.1", base + node));
    }
    Path file = dir.resolve("history");
    HistoryLoad.Places places =
        new HistoryLoad.Places(
            new HostPort("127.0.0.1", base + NODES),
            nodes,
            List.of(0, 1, 2),
            dir.resolve("processes"));
    HistoryLoad.run(new HistoryLoad.Plan(places, SESSIONS, OPERATIONS, file));
    CounterHistory history = HistoryLoad.read(List.of(file));
    assertEquals(List.of(), history.judge());
    assertTrue(history.additions() > NODES * SESSIONS * OPERATIONS / 20);
  }
}
