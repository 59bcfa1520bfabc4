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
import java.io.UncheckedIOException;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.server.DirectReads;
import org.apache.zookeeper.server.OrcaFiles;
import org.apache.zookeeper.server.OrcaFinalRequestProcessor;
import org.apache.zookeeper.server.OrcaSessions;
import org.apache.zookeeper.server.OrcaSyncRequestProcessor;
import org.apache.zookeeper.server.Request;
import org.apache.zookeeper.server.WriteScreen;
import org.apache.zookeeper.server.util.ZxidUtils;
import org.orcagrid.server.log.OrcaTxnSnapLog;
import org.orcagrid.server.role.OrcaHost;
import org.orcagrid.server.role.OrcaMetricsGauges;
import org.orcagrid.server.role.OrcaRole;
import org.orcagrid.server.tree.OrcaZKDatabase;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A follower's server: the stock chain of processors, with our log, commit and last step. */
final class OrcaFollowerZooKeeperServer extends FollowerZooKeeperServer implements OrcaHost {

  private static final Logger LOG = LoggerFactory.getLogger(OrcaFollowerZooKeeperServer.class);

  private final OrcaQuorumPeer peer;
  private volatile OrcaRole role;
  private volatile DirectReads directReads;
  private OrcaMetricsGauges gauges;
  private ReadHoldWatch watch;

  OrcaFollowerZooKeeperServer(OrcaTxnSnapLog log, OrcaQuorumPeer peer, OrcaZKDatabase database)
      throws IOException {
    super(log, peer, database);
    this.peer = peer;
  }

  @Override
  public OrcaRole role() {
    return role;
  }

  private LearnerDurability durability() {
    return ((OrcaFollower) getFollower()).durability();
  }

  @Override
  public void submitRequest(Request request) {
    if (!DirectReads.take(directReads, request)) {
      super.submitRequest(request);
    }
  }

  @Override
  protected void setupRequestProcessors() {
    LearnerDurability durability = durability();
    // A quorum has acknowledged this epoch with everything before it on its disks.
    OrcaRole following = peer.newRole(this, durability, OrcaRole.Part.LEARNER, acceptedEpoch());
    role = following;
    durability.begin(following);
    OrcaFinalRequestProcessor last =
        new OrcaFinalRequestProcessor(this, following, durability::onApplied);
    OrcaCommitProcessor committing =
        new OrcaCommitProcessor(
            last,
            Long.toString(getServerId()),
            getZooKeeperServerListener(),
            following,
            this::forward);
    commitProcessor = committing;
    commitProcessor.start();
    directReads =
        new DirectReads(
            this,
            last,
            read -> !following.mustAskLeader(OrcaSessions.wantsConfirmation(read.cnxn)),
            false);
    watch =
        new ReadHoldWatch(
            getServerId(), committing, peer.settings().leases().holdNanos(), peer.stopperOf(this));
    FollowerRequestProcessor first = new FollowerRequestProcessor(this, commitProcessor);
    firstProcessor = first;
    first.start();
    syncProcessor =
        new OrcaSyncRequestProcessor(
            this,
            new SendAckRequestProcessor(getFollower()),
            peer.log(),
            following,
            durability::mustForce);
    syncProcessor.start();
    following.start();
  }

  private long acceptedEpoch() {
    try {
      return ZxidUtils.makeZxid(peer.getAcceptedEpoch(), 0);
    } catch (IOException e) {
      throw new UncheckedIOException("The accepted epoch cannot be read", e);
    }
  }

  private void forward(Request read, Request sync) {
    // Not the read: a write of its number may take its place, and it is executed then.
    pendingSyncs.add(sync);
    try {
      getFollower().request(sync);
    } catch (IOException e) {
      LOG.warn("Closing the connection to the leader: a read cannot be sent", e);
      getFollower().closeSocket();
    }
  }

  @Override
  public synchronized void startup() {
    super.startup();
    durability().greet();
  }

  @Override
  protected void shutdownComponents() {
    if (watch != null) {
      watch.close();
    }
    if (directReads != null) {
      directReads.suspend();
    }
    super.shutdownComponents();
    if (role != null) {
      role.close();
      peer.log().detach(false);
    }
  }

  @Override
  protected void registerMetrics() {
    super.registerMetrics();
    gauges = new OrcaMetricsGauges(role);
    gauges.register();
  }

  @Override
  protected void unregisterMetrics() {
    super.unregisterMetrics();
    if (gauges != null) {
      gauges.unregister();
    }
  }

  @Override
  public boolean authWriteRequest(Request request) {
    return !isEnableEagerACLCheck() || WriteScreen.passes(request, super::authWriteRequest);
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
    File snapshot = super.takeSnapshot(syncSnap, isSevere);
    return isSevere ? snapshot : OrcaFiles.published(snapshot);
  }

  @Override
  public long restoreFromSnapshot(InputStream inputStream) throws IOException {
    OrcaFiles.checkRestore(peer.settings());
    return directReads.whileSuspended(() -> super.restoreFromSnapshot(inputStream));
  }
}
