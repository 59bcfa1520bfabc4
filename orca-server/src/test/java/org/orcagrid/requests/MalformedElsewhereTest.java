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
package org.orcagrid.requests;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.zookeeper.ZooDefs.OpCode;
import org.apache.zookeeper.proto.CreateRequest;
import org.apache.zookeeper.server.ZooKeeperServer;
import org.apache.zookeeper.util.ServiceUtils;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.orcagrid.server.EmbeddedEnsemble;
import org.orcagrid.server.OrcaServer;
import org.orcagrid.server.OrcaServerConfig;

/** Requests that no server can make anything of, where writes are looked at in other places too. */
@Timeout(120)
class MalformedElsewhereTest {
  private static final int PAIRS = 12;

  @TempDir Path dir;

  /** What servers would have ended the process with. */
  private final Queue<Integer> exits = new ConcurrentLinkedQueue<>();

  @BeforeEach
  void noteExits() {
    ServiceUtils.setSystemExitProcedure(exits::add);
  }

  @AfterEach
  void nobodyHasEnded() {
    ServiceUtils.setSystemExitProcedure(ServiceUtils.SYSTEM_EXIT);
    ZooKeeperServer.setEnableEagerACLCheck(false);
    assertEquals(List.of(), List.copyOf(exits));
  }

  @Test
  void aStandaloneServerRefusesThem() throws Exception {
    try (OrcaServer server = OrcaServer.start(OrcaServerConfig.standalone(dir))) {
      for (Map.Entry<Integer, List<byte[]>> each : Bodies.undecodable().values()) {
        Burst.expectRefusals(
            Burst.port(server.connectString()), PAIRS, each.getKey(), each.getValue());
      }
    }
  }

  @Test
  void soDoServersThatLookIntoThemBeforeTheyAreOrdered() throws Exception {
    ZooKeeperServer.setEnableEagerACLCheck(true);
    Map<String, String> settings =
        Map.of("localSessionsEnabled", "true", "localSessionsUpgradingEnabled", "true");
    try (EmbeddedEnsemble ensemble = new EmbeddedEnsemble(dir, 3, settings).start()) {
      EmbeddedEnsemble.connect(ensemble.connectString()).close();
      for (int server : new int[] {0, 2}) {
        int port = Burst.port(ensemble.connectString(server));
        for (Map.Entry<Integer, List<byte[]>> each : malformed()) {
          Burst.expectRefusals(port, PAIRS, each.getKey(), each.getValue());
        }
      }
    }
  }

  /** All but createSession, which local sessions do not write. */
  private static List<Map.Entry<Integer, List<byte[]>>> malformed() throws IOException {
    List<Map.Entry<Integer, List<byte[]>>> all = new ArrayList<>();
    for (Map.Entry<Integer, List<byte[]>> each : Bodies.undecodable().values()) {
      if (each.getKey() != OpCode.createSession) {
        all.add(each);
      }
    }
    byte[] ofNobody =
        RawClient.bytes(new CreateRequest("/x", new byte[0], Bodies.aclOfNobody(), 0));
    all.add(Map.entry(OpCode.create, List.of(ofNobody)));
    return all;
  }
}
