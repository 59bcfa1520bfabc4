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
package org.orcagrid.server;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.zookeeper.server.ZooKeeperServer;
import org.apache.zookeeper.server.quorum.QuorumPeer;
import org.orcagrid.server.role.OrcaHost;
import org.orcagrid.server.role.OrcaRole;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How a leader stops that was asked to: once what it has acknowledged to its clients is durable on
 * a majority. Whoever leads next has it. In a crash that is lost which has not been read, as {@code
 * orca.durability} says; here nothing needs to be.
 */
final class LeaderStop {
  private static final Logger LOG = LoggerFactory.getLogger(LeaderStop.class);
  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private LeaderStop() {}

  /** Returns when nothing can be lost any more, or after {@code limit}. */
  static void prepare(QuorumPeer peer, ZooKeeperServer server, Duration limit) {
    OrcaRole role = server instanceof OrcaHost host ? host.role() : null;
    if (role == null || peer.getPeerState() != QuorumPeer.ServerState.LEADING) {
      return;
    }
    // Nothing is acknowledged from here on; clients go to other servers.
    peer.setZooKeeperServer(null);
    peer.closeAllConnections();
    long acknowledged = server.getZKDatabase().getDataTreeLastProcessedZxid();
    role.demand(acknowledged);
    long endNanos = System.nanoTime() + limit.toNanos();
    while (role.durableIndex() < acknowledged && System.nanoTime() - endNanos < 0) {
      LockSupport.parkNanos(POLL_NANOS);
    }
    if (role.durableIndex() < acknowledged) {
      LOG.warn(
          "Stopping as a leader while writes up to 0x{} are not known to be on the disks of a"
              + " majority (durable up to 0x{}): what of them nobody has read may be lost. Do the"
              + " other servers run?",
          Long.toHexString(acknowledged),
          Long.toHexString(role.durableIndex()));
    }
  }
}
