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

/**
 * A follower that speaks with its leader about durability.
 *
 * <p>Proposals and commits of a stock leader name no identities. What ours says by them is in
 * {@link PacketMarks}.
 */
final class OrcaFollower extends Follower {

  private final LearnerDurability durability;

  OrcaFollower(OrcaQuorumPeer peer, OrcaFollowerZooKeeperServer server) {
    super(peer, server);
    this.durability = new LearnerDurability(peer, this);
  }

  LearnerDurability durability() {
    return durability;
  }

  /** As the stock follower, once this server has kept what it promised to its last leader. */
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
    // The same object is read into again and again; identities that are not there leave the old.
    packet.setAuthinfo(null);
    super.readPacket(packet);
    durability.onRead(packet);
  }

  @Override
  protected void processPacket(QuorumPacket packet) throws Exception {
    if (packet.getType() == PeerMessage.PACKET_TYPE) {
      durability.onPacket(packet);
      return;
    }
    boolean isProposal = packet.getType() == Leader.PROPOSAL;
    boolean isMarked = packet.getAuthinfo() != null;
    boolean namesOne = isMarked && !packet.getAuthinfo().isEmpty();
    if (isMarked && packet.getType() == Leader.COMMIT) {
      durability.onDurableCommit(packet.getZxid(), namesOne);
    } else if (isProposal && namesOne) {
      durability.onLateProposal(packet.getZxid());
    }
    super.processPacket(packet);
    if (isProposal && isMarked && !namesOne) {
      super.processPacket(new QuorumPacket(Leader.COMMIT, packet.getZxid(), null, null));
    }
  }
}
