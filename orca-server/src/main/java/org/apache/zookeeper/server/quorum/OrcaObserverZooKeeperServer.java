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
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.server.HostedRole;
import org.apache.zookeeper.server.OrcaFinalRequestProcessor;
import org.apache.zookeeper.server.OrcaSyncRequestProcessor;
import org.apache.zookeeper.server.Request;
import org.apache.zookeeper.server.WriteScreen;
import org.orcagrid.server.log.OrcaTxnSnapLog;
import org.orcagrid.server.role.OrcaHost;
import org.orcagrid.server.role.OrcaMetricsGauges;
import org.orcagrid.server.role.OrcaRole;
import org.orcagrid.server.tree.OrcaZKDatabase;

/** An observer's server: as a follower's, but its disk counts for no quorum. */
final class OrcaObserverZooKeeperServer extends ObserverZooKeeperServer implements OrcaHost {

  private final OrcaQuorumPeer peer;
  private final HostedRole hosted = new HostedRole(this);
  private final LearnerChain chain;

  OrcaObserverZooKeeperServer(OrcaTxnSnapLog log, OrcaQuorumPeer peer, OrcaZKDatabase database)
      throws IOException {
    super(log, peer, database);
    this.peer = peer;
    this.chain = new LearnerChain(this, peer, hosted);
  }

  @Override
  public OrcaRole role() {
    return hosted.role();
  }

  private LearnerDurability durability() {
    return ((OrcaObserver) getObserver()).durability();
  }

  @Override
  public void submitRequest(Request request) {
    if (!hosted.takes(request)) {
      super.submitRequest(request);
    }
  }

  @Override
  protected void setupRequestProcessors() {
    LearnerDurability durability = durability();
    commitProcessor =
        chain.begin(durability, observing -> applied(observing, durability), pendingSyncs);
    ObserverRequestProcessor first = new ObserverRequestProcessor(this, commitProcessor);
    firstProcessor = first;
    first.start();
    if (peer.getSyncEnabled()) {
      syncProcessor =
          new OrcaSyncRequestProcessor(
              this, null, peer.log(), hosted.role(), durability::mustForce);
      syncProcessor.start();
    }
    hosted.role().start();
  }

  private OrcaFinalRequestProcessor.AppliedListener applied(
      OrcaRole observing, LearnerDurability durability) {
    if (peer.getSyncEnabled()) {
      return durability::onApplied;
    }
    return zxid -> {
      observing.onAppliedWithoutLog(zxid);
      durability.onApplied(zxid);
    };
  }

  @Override
  public synchronized void startup() {
    super.startup();
    durability().greet();
  }

  @Override
  protected void shutdownComponents() {
    chain.suspend();
    super.shutdownComponents();
    if (hosted.close()) {
      peer.log().detach(false);
    }
  }

  @Override
  protected void registerMetrics() {
    super.registerMetrics();
    hosted.show(new OrcaMetricsGauges(hosted.role()));
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
  public long restoreFromSnapshot(InputStream inputStream) throws IOException {
    return hosted.restore(peer.settings(), () -> super.restoreFromSnapshot(inputStream));
  }
}
