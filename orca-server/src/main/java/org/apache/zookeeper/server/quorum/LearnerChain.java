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
import java.io.UncheckedIOException;
import java.util.Queue;
import java.util.function.Function;
import org.apache.zookeeper.server.HostedRole;
import org.apache.zookeeper.server.OrcaFinalRequestProcessor;
import org.apache.zookeeper.server.OrcaSessions;
import org.apache.zookeeper.server.Request;
import org.apache.zookeeper.server.ZooKeeperServer;
import org.apache.zookeeper.server.util.ZxidUtils;
import org.orcagrid.server.role.OrcaRole;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What is ours in the chain of processors of a follower's or an observer's server. */
final class LearnerChain {
  private static final Logger LOG = LoggerFactory.getLogger(LearnerChain.class);

  private final LearnerZooKeeperServer server;
  private final OrcaQuorumPeer peer;
  private final HostedRole hosted;
  private ReadHoldWatch watch;

  LearnerChain(LearnerZooKeeperServer server, OrcaQuorumPeer peer, HostedRole hosted) {
    this.server = server;
    this.peer = peer;
    this.hosted = hosted;
  }

  /**
   * Gives the server its role.
   *
   * @param applied who is told of what the server has applied, by its role
   * @param syncs the server's syncs that the leader has not answered
   * @return the processor that runs what is committed
   */
  OrcaCommitProcessor begin(
      LearnerDurability durability,
      Function<OrcaRole, OrcaFinalRequestProcessor.AppliedListener> applied,
      Queue<Request> syncs) {
    // A quorum has acknowledged this epoch with everything before it on its disks.
    OrcaRole learning = peer.newRole(server, durability, OrcaRole.Part.LEARNER, acceptedEpoch());
    hosted.begin(learning);
    durability.begin(learning);
    OrcaFinalRequestProcessor last =
        new OrcaFinalRequestProcessor(server, learning, applied.apply(learning));
    OrcaCommitProcessor committing =
        new OrcaCommitProcessor(
            last,
            Long.toString(server.getServerId()),
            server.getZooKeeperServerListener(),
            learning,
            (read, sync) -> forward(sync, syncs));
    committing.start();
    hosted.readDirectly(
        last, read -> !learning.mustAskLeader(OrcaSessions.wantsConfirmation(read.cnxn)), false);
    watch =
        new ReadHoldWatch(
            server.getServerId(),
            committing,
            peer.settings().leases().holdNanos(),
            peer.stopperOf(server));
    return committing;
  }

  /**
   * A synchronisation has ended. If it broke off behind a cut of the log, or before the first
   * snapshot, the tree may have what the leader sent, and the log has not. Stock forgets a tree
   * only if it came as a snapshot. If this one stayed, later transactions would be logged behind a
   * gap, and lost at the next crash.
   */
  static void forgetUnlogged(QuorumPeer peer, ZooKeeperServer server) {
    QuorumPeer.SyncMode mode = peer.getSyncMode();
    if (mode == QuorumPeer.SyncMode.TRUNC
        || (mode == QuorumPeer.SyncMode.DIFF
            && server.shouldForceWriteInitialSnapshotAfterLeaderElection())) {
      peer.setSyncMode(QuorumPeer.SyncMode.SNAP);
    }
  }

  private long acceptedEpoch() {
    try {
      return ZxidUtils.makeZxid(peer.getAcceptedEpoch(), 0);
    } catch (IOException e) {
      throw new UncheckedIOException("The accepted epoch cannot be read", e);
    }
  }

  private void forward(Request sync, Queue<Request> syncs) {
    // Not the read: a write of its number may take its place, and it is executed then.
    syncs.add(sync);
    try {
      server.getLearner().request(sync);
    } catch (IOException e) {
      LOG.warn("Closing the connection to the leader: a read cannot be sent", e);
      server.getLearner().closeSocket();
    }
  }

  /** The server is being shut down, and its processors have not ended. */
  void suspend() {
    if (watch != null) {
      watch.close();
    }
    hosted.suspendReads();
  }
}
