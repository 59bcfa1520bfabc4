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

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.server.ContainerManager;
import org.apache.zookeeper.server.HostedRole;
import org.apache.zookeeper.server.OrcaFiles;
import org.apache.zookeeper.server.OrcaFinalRequestProcessor;
import org.apache.zookeeper.server.OrcaPrepRequestProcessor;
import org.apache.zookeeper.server.OrcaSessions;
import org.apache.zookeeper.server.OrcaSyncRequestProcessor;
import org.apache.zookeeper.server.Request;
import org.apache.zookeeper.server.RequestProcessor;
import org.apache.zookeeper.server.WriteScreen;
import org.orcagrid.server.admin.OrcaAdminCommand;
import org.orcagrid.server.log.OrcaTxnSnapLog;
import org.orcagrid.server.role.OrcaHost;
import org.orcagrid.server.role.OrcaMetricsGauges;
import org.orcagrid.server.role.OrcaRole;
import org.orcagrid.server.settings.Durability;
import org.orcagrid.server.tree.OrcaZKDatabase;

/** The leader's server: the stock chain of processors, with our first log and our last step. */
final class OrcaLeaderZooKeeperServer extends LeaderZooKeeperServer
    implements OrcaHost, OrcaAdminCommand.LeaderView {

  private final OrcaQuorumPeer peer;
  private final HostedRole hosted = new HostedRole(this);
  private ContainerManager containers;

  OrcaLeaderZooKeeperServer(OrcaTxnSnapLog log, OrcaQuorumPeer peer, OrcaZKDatabase database)
      throws IOException {
    super(log, peer, database);
    this.peer = peer;
  }

  @Override
  public OrcaRole role() {
    return hosted.role();
  }

  @Override
  public Map<Long, Voter> voters() {
    return leader().coordinator().voters();
  }

  @Override
  public long leaseNanos() {
    return leader().coordinator().leaseNanos();
  }

  private OrcaLeader leader() {
    return (OrcaLeader) getLeader();
  }

  @Override
  public void loadData() throws IOException, InterruptedException {
    hosted.load(super::loadData);
  }

  @Override
  public void submitRequest(Request request) {
    if (!hosted.takes(request)) {
      super.submitRequest(request);
    }
  }

  @Override
  protected void setupRequestProcessors() {
    OrcaLeader leader = leader();
    // A quorum has acknowledged the new epoch with everything before it on its disks.
    OrcaRole leading = peer.newRole(this, leader.coordinator(), OrcaRole.Part.LEADER, getZxid());
    hosted.begin(leading);
    leader.begin(leading, getZxid());
    OrcaFinalRequestProcessor last =
        new OrcaFinalRequestProcessor(this, leading, leader.coordinator()::onApplied);
    RequestProcessor toBeApplied = new Leader.ToBeAppliedRequestProcessor(last, leader);
    commitProcessor =
        new OrcaLeaderCommitProcessor(
            toBeApplied,
            Long.toString(getServerId()),
            getZooKeeperServerListener(),
            read -> leading.mustBeLinearizable(OrcaSessions.wantsConfirmation(read.cnxn)),
            leader);
    commitProcessor.start();
    hosted.readDirectly(
        last,
        read ->
            !leading.mustBeLinearizable(OrcaSessions.wantsConfirmation(read.cnxn))
                || !leader.isAhead(),
        true);
    ProposalRequestProcessor proposals = new ProposalRequestProcessor(this, commitProcessor);
    proposals.syncProcessor =
        new OrcaSyncRequestProcessor(
            this,
            new AckRequestProcessor(leader),
            peer.log(),
            leading,
            () -> leading.forcesBeforeAcknowledging() || leader.lateUpTo() > leading.persisted());
    proposals.initialize();
    prepRequestProcessor = new OrcaPrepRequestProcessor(this, proposals);
    prepRequestProcessor.start();
    firstProcessor = new LeaderRequestProcessor(this, prepRequestProcessor);
    containers =
        new ContainerManager(
            getZKDatabase(),
            prepRequestProcessor,
            Integer.getInteger(
                "znode.container.checkIntervalMs", (int) TimeUnit.MINUTES.toMillis(1)),
            Integer.getInteger("znode.container.maxPerMinute", 10000),
            Long.getLong("znode.container.maxNeverUsedIntervalMs", 0));
    leading.start();
  }

  @Override
  public synchronized void startup() {
    super.startup();
    containers.start();
    if (peer.settings().durability() != Durability.SYNC || peer.settings().needsLeases()) {
      // A follower that needed nothing to catch up still shows the old epoch, and would refuse
      // clients that have seen writes of it which are lost: give everyone a number of this epoch.
      // Who has applied it has applied all before the epoch as well, and may become a reader.
      prepRequestProcessor.processRequest(OrcaFiles.noOperation());
    }
  }

  @Override
  protected synchronized void shutdownComponents() {
    if (containers != null) {
      containers.stop();
    }
    hosted.suspendReads();
    super.shutdownComponents();
    if (hosted.close()) {
      leader().end();
      peer.log().detach(false);
    }
  }

  @Override
  protected void registerMetrics() {
    super.registerMetrics();
    OrcaLeader leader = leader();
    hosted.show(
        new OrcaMetricsGauges(hosted.role())
            .with("orca_unreplicated_txns", leader::unreplicatedCount)
            .with("orca_unreplicated_bytes", leader::unreplicatedBytes)
            .with("orca_flush_rounds_total", leader.coordinator()::flushRounds)
            .with("orca_active_set_size", leader.coordinator()::activeSetSize)
            .with("orca_shows_late", () -> leader.visibility().showsLate() ? 1 : 0)
            .with("orca_leader_lease_millis", () -> leader.coordinator().leaseNanos() / 1_000_000));
  }

  @Override
  protected void unregisterMetrics() {
    super.unregisterMetrics();
    hosted.hideGauges();
  }

  @Override
  public boolean authWriteRequest(Request request) {
    return hosted.admits(request, super::authWriteRequest);
  }

  @Override
  public Request checkUpgradeSession(Request request) throws IOException, KeeperException {
    // What cannot be decoded is refused where writes are ordered, and asks for no global session.
    return !peer.areLocalSessionsEnabled() || WriteScreen.decodesApart(request)
        ? super.checkUpgradeSession(request)
        : null;
  }

  @Override
  public File takeSnapshot(boolean syncSnap, boolean isSevere) throws IOException {
    return hosted.snapshot(peer.log(), isSevere, () -> super.takeSnapshot(syncSnap, isSevere));
  }

  @Override
  protected void killSession(long sessionId, long zxid) {
    hosted.onSessionForgotten();
    super.killSession(sessionId, zxid);
  }

  @Override
  public long restoreFromSnapshot(InputStream inputStream) throws IOException {
    return hosted.restore(peer.settings(), () -> super.restoreFromSnapshot(inputStream));
  }
}
