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

import java.io.IOException;
import org.orcagrid.server.wire.PeerMessage;

/** An observer that speaks with its leader about durability. */
final class OrcaObserver extends Observer {

  private final LearnerDurability durability;

  OrcaObserver(OrcaQuorumPeer peer, OrcaObserverZooKeeperServer server) {
    super(peer, server);
    this.durability = new LearnerDurability(peer, this);
  }

  LearnerDurability durability() {
    return durability;
  }

  /**
   * As the stock observer, once this server has kept what it promised to its last leader. It may
   * vote already, by a configuration that is to come.
   */
  @Override
  protected void syncWithLeader(long newLeaderZxid) throws Exception {
    durability.acknowledge(newLeaderZxid);
    try {
      super.syncWithLeader(newLeaderZxid);
    } finally {
      LearnerChain.forgetUnlogged(self, zk);
    }
  }

  @Override
  void readPacket(QuorumPacket packet) throws IOException {
    super.readPacket(packet);
    durability.onRead(packet);
  }

  @Override
  protected void processPacket(QuorumPacket packet) throws Exception {
    if (packet.getType() == PeerMessage.PACKET_TYPE) {
      durability.onPacket(packet);
      return;
    }
    super.processPacket(packet);
  }
}
