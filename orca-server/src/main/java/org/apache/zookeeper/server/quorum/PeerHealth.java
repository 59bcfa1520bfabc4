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
import java.util.function.Consumer;
import org.apache.zookeeper.server.ExitCode;
import org.apache.zookeeper.server.ZooKeeperServer;
import org.orcagrid.server.log.OrcaTxnSnapLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Whether a peer may go on: its log works, and no thread has ended that it cannot be without. */
final class PeerHealth {
  private static final Logger LOG = LoggerFactory.getLogger(PeerHealth.class);

  private volatile Throwable vitalFailure;

  /**
   * What a vital thread of a server of this peer tells why it ends: as when a critical thread of
   * stock ends, that server stops, and with it this peer's role. The peer takes no other one.
   */
  Consumer<Throwable> stopperOf(ZooKeeperServer server) {
    return reason -> {
      vitalFailure = reason;
      server
          .getZooKeeperServerListener()
          .notifyStopping(Thread.currentThread().getName(), ExitCode.UNEXPECTED_ERROR.getValue());
    };
  }

  /** Why a thread ended without which this server cannot go on; null while all is well. */
  Throwable vitalFailure() {
    return vitalFailure;
  }

  /**
   * Stops a peer that cannot go on: it does not know what its log has, or what ended a thread has
   * left half done.
   *
   * @param stop ends the peer
   * @throws IllegalStateException if it was stopped
   */
  void require(OrcaTxnSnapLog log, Runnable stop) {
    IOException failure = log.log().failure();
    if (failure != null) {
      LOG.error(
          "The log of this server has failed ({}), so it stops; start it again once its disk works",
          failure.getMessage());
      stop.run();
      throw new IllegalStateException("Stopped: the log has failed", failure);
    }
    Throwable died = vitalFailure;
    if (died != null) {
      LOG.error("A vital thread of this server has failed ({}), so it stops", died.toString());
      stop.run();
      throw new IllegalStateException("Stopped: a vital thread has failed", died);
    }
  }
}
