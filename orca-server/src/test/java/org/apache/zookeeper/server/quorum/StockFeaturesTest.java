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
package org.apache.zookeeper.server.quorum;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import org.apache.zookeeper.server.persistence.FileTxnSnapLog;
import org.apache.zookeeper.server.quorum.QuorumPeer.QuorumServer;
import org.apache.zookeeper.server.quorum.flexible.QuorumOracleMaj;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.orcagrid.server.log.LogStorage;
import org.orcagrid.server.settings.OrcaSettings;

/** An oracle lets one of two servers go on alone, against the promises of our modes. */
class StockFeaturesTest {
  @TempDir Path dir;

  private OrcaQuorumPeer peerWithOracle(OrcaSettings settings) throws IOException {
    OrcaQuorumPeer peer = new OrcaQuorumPeer(settings, LogStorage.files());
    peer.setTxnFactory(new FileTxnSnapLog(dir.toFile(), dir.toFile()));
    Map<Long, QuorumServer> members = new HashMap<>();
    for (long id = 1; id <= 2; id++) {
      members.put(
          id,
          new QuorumServer(
              id, new InetSocketAddress(InetAddress.getLoopbackAddress(), 10_000 + (int) id)));
    }
    peer.setQuorumVerifier(new QuorumOracleMaj(members, dir.resolve("oracle").toString()), false);
    return peer;
  }

  private static OrcaSettings settings(String durability, String readers) throws Exception {
    Properties keys = new Properties();
    keys.setProperty("orca.durability", durability);
    keys.setProperty("orca.readers", readers);
    keys.setProperty("orca.replication", "sync");
    return OrcaSettings.from(keys);
  }

  @ParameterizedTest
  @CsvSource({"cad, active-set", "cad, all", "sync, leader", "async, all"})
  void anOracleIsRefusedAtTheStart(String durability, String readers) throws Exception {
    OrcaQuorumPeer peer = peerWithOracle(settings(durability, readers));

    String message = assertThrows(IllegalStateException.class, peer::start).getMessage();
    assertTrue(message.contains("oraclePath"), message);
    assertTrue(message.contains("orca.durability=" + durability), message);
    assertTrue(message.contains("remove oraclePath"), message);
    peer.log().close();
  }

  @Test
  void withAllModesOffItIsLeftToStock() throws Exception {
    OrcaSettings off = settings("sync", "all");
    OrcaQuorumPeer peer = peerWithOracle(off);

    assertDoesNotThrow(() -> StockFeatures.require(peer, off));
    peer.log().close();
  }
}
