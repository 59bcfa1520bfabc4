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

import org.apache.zookeeper.ZooDefs.OpCode;
import org.apache.zookeeper.server.Request;
import org.apache.zookeeper.server.RequestProcessor;
import org.apache.zookeeper.server.ZooKeeperServerListener;
import org.orcagrid.server.OrcaRole;
import org.orcagrid.server.gate.ReplyRules;

/**
 * A learner's commit processor that, where reads go through the leader, gives each read a place
 * behind everything that the leader had committed when it was asked.
 *
 * <p>Such a read takes the way of a {@code sync}: it waits in its session's order like a write, the
 * leader is sent a sync for it, and the leader's answer, which comes behind the commits, releases
 * it. What the read then finds may still be ahead of the leader; the gate of the reply sees to
 * that.
 */
final class OrcaCommitProcessor extends CommitProcessor {

  /** Sends a sync for a read to the leader. */
  @FunctionalInterface
  interface Forwarder {
    /** The leader is asked; its answer commits {@code read}. */
    void forward(Request read, Request sync);
  }

  private final boolean readsThroughLeader;
  private final Forwarder forwarder;

  OrcaCommitProcessor(
      RequestProcessor next,
      String id,
      ZooKeeperServerListener listener,
      OrcaRole role,
      Forwarder forwarder) {
    super(next, id, true, listener);
    this.readsThroughLeader = role.readsThroughLeader();
    this.forwarder = forwarder;
  }

  @Override
  protected boolean needCommit(Request request) {
    return goesThroughLeader(request) || super.needCommit(request);
  }

  @Override
  public void processRequest(Request request) {
    super.processRequest(request);
    if (!stopped && goesThroughLeader(request)) {
      forwarder.forward(
          request,
          new Request(null, request.sessionId, request.cxid, OpCode.sync, null, request.authInfo));
    }
  }

  private boolean goesThroughLeader(Request request) {
    return readsThroughLeader && !request.isThrottled() && ReplyRules.isRead(request.type);
  }
}
