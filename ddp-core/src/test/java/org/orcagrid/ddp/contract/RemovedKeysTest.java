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
package org.orcagrid.ddp.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.orcagrid.ddp.contract.ContractNodes.await;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.orcagrid.ddp.kite.OperationKind;
import org.orcagrid.ddp.kite.Outcome;
import org.orcagrid.ddp.loopback.LoopbackNetwork;
import org.orcagrid.ddp.map.MapDefinition;
import org.orcagrid.ddp.model.Ddp;

/** Three nodes with room for few keys, which are removed: the nodes forget them. */
@Timeout(240)
class RemovedKeysTest {
  private static final int KEYS_MAX = 40;

  @Test
  void thereIsRoomForEverNewKeysIfOthersAreRemoved(@TempDir Path folder) throws Exception {
    LoopbackNetwork network =
        new LoopbackNetwork(
            ContractNodes.NODES, ContractNodes.WORKERS, ContractNodes.PACKET_BYTES_MAX);
    try (ContractNodes grid =
            new ContractNodes(folder, network::transport, ContractClient::beside, KEYS_MAX);
        KeyClient here = grid.keys(0);
        KeyClient there = grid.keys(1)) {
      here.release("kept", "value");
      MapDefinition beside = grid.define("beside", Ddp.parse("linearizable/synchronous"));
      for (int i = 0; i < 5 * KEYS_MAX; i++) {
        String key = "key " + i;
        await(
            "there is room",
            () ->
                here.outcome(OperationKind.RELEASE, key, null, "value of " + key) == Outcome.DONE);
        assertEquals("value of " + key, there.acquire(key));
        await(
            "there is room",
            () -> there.outcome(OperationKind.GET_AND_SET, key, null, null) == Outcome.DONE);
        assertNull(here.acquire(key));
        grid.map(0, beside).put("key", key);
        assertEquals(key, grid.map(2, beside).get("key"), "maps go on");
      }
      // An old name is a new key.
      await(
          "there is room",
          () -> there.outcome(OperationKind.GET_AND_SET, "key 1", null, "again") == Outcome.DONE);
      assertEquals("again", here.acquire("key 1"));
      assertNull(here.acquire("key 2"));
      assertEquals("value", there.acquire("kept"));
    }
  }
}
