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
package org.orcagrid.server.grid;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.orcagrid.server.OrcaServer;
import org.orcagrid.server.OrcaServerConfig;
import org.orcagrid.server.grid.MapEnsemble.Life;

/** What nodes of maps keep in an ensemble. */
@Timeout(60)
class MapEnsembleTest {
  private static final Life FIRST = new Life(11, "host:1", 0);
  private static final Life SECOND = new Life(12, "host:1", 0);

  @TempDir private Path dir;

  private OrcaServer server;
  private MapEnsemble one;
  private MapEnsemble other;

  @BeforeEach
  void start() throws Exception {
    server = OrcaServer.start(OrcaServerConfig.standalone(dir.resolve("server")));
    one = connected();
    other = connected();
    one.grid(3);
  }

  private MapEnsemble connected() throws Exception {
    MapEnsemble ensemble =
        new MapEnsemble(server.connectString(), "test", 10_000, new Semaphore(0));
    ensemble.connect();
    return ensemble;
  }

  @AfterEach
  void stop() throws Exception {
    one.close();
    other.close();
    server.close();
  }

  @Test
  void aLifeWhoseRegistrationWasNotAnsweredIsNotInTheWayOfTheNext() throws Exception {
    assertTrue(one.register(1, FIRST));
    // Had the answer been lost, or that to a renewal, the session would go on with another life.
    assertTrue(one.register(1, SECOND));
    assertEquals(Optional.of(SECOND), other.life(1));
    assertEquals(Optional.empty(), one.renew(1, FIRST, 5));
    assertEquals(Optional.of(1), one.renew(1, SECOND, 0));
  }

  @Test
  void aLifeOfAnotherSessionIsInTheWay() throws Exception {
    assertTrue(one.register(1, FIRST));
    assertFalse(other.register(1, SECOND));
    assertEquals(Optional.of(FIRST), one.life(1));
  }
}
