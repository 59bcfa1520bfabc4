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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.LongStream;
import org.apache.zookeeper.server.quorum.QuorumPeer.QuorumServer;
import org.apache.zookeeper.server.quorum.flexible.QuorumMaj;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A peer of 1, 2 and 3, of which 4 and 5 are to take the place of 1 and 2. */
class ConfiguredQuorumTest {
  private boolean reconfigEnabledBefore;
  private QuorumPeer peer;
  private ConfiguredQuorum quorum;

  @BeforeEach
  void configure() throws IOException {
    reconfigEnabledBefore = QuorumPeerConfig.isReconfigEnabled();
    QuorumPeerConfig.setReconfigEnabled(true);
    peer = new OrcaQuorumPeer();
    peer.setQuorumVerifier(configuration(1, 1, 2, 3), false);
    quorum = new ConfiguredQuorum(peer);
  }

  @AfterEach
  void restore() {
    QuorumPeerConfig.setReconfigEnabled(reconfigEnabledBefore);
  }

  private static QuorumMaj configuration(long version, long... voters) {
    Map<Long, QuorumServer> members = new HashMap<>();
    for (long id : voters) {
      members.put(
          id,
          new QuorumServer(
              id, new InetSocketAddress(InetAddress.getLoopbackAddress(), 10_000 + (int) id)));
    }
    QuorumMaj configuration = new QuorumMaj(members);
    configuration.setVersion(version);
    return configuration;
  }

  private boolean isQuorum(long... sids) {
    return quorum.isQuorum(sids, sids.length);
  }

  @Test
  void whileAReconfigurationIsPendingBothConfigurationsCount() {
    assertTrue(isQuorum(1, 2));
    assertFalse(isQuorum(3, 4, 5));

    QuorumMaj next = configuration(2, 3, 4, 5);
    peer.setLastSeenQuorumVerifier(next, false);
    assertFalse(isQuorum(1, 2));
    assertFalse(isQuorum(3, 4, 5));
    assertTrue(isQuorum(1, 3, 4));

    peer.setQuorumVerifier(next, false);
    assertTrue(isQuorum(4, 5));
    assertFalse(isQuorum(1, 2, 3));
  }

  @Test
  void theLeaderSpeaksWithThoseThatVoteInEither() {
    assertEquals("1 2 3", asked());
    QuorumMaj next = configuration(2, 3, 4, 5);
    peer.setLastSeenQuorumVerifier(next, false);
    assertEquals("1 2 3 4 5", asked());
    peer.setQuorumVerifier(next, false);
    assertEquals("3 4 5", asked());
  }

  private String asked() {
    StringBuilder asked = new StringBuilder();
    LongStream.rangeClosed(1, 6)
        .filter(quorum::votesNowOrNext)
        .forEach(id -> asked.append(id).append(' '));
    return asked.toString().trim();
  }

  @Test
  void oneConfigurationAloneCanBeAsked() {
    long[] sids = {4, 5, 9};
    assertTrue(ConfiguredQuorum.of(configuration(2, 3, 4, 5)).isQuorum(sids, 2));
    assertFalse(ConfiguredQuorum.of(configuration(2, 3, 4, 5)).isQuorum(sids, 1));
  }
}
