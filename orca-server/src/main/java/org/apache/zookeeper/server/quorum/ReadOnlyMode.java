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
import org.orcagrid.server.log.OrcaTxnSnapLog;
import org.orcagrid.server.tree.OrcaZKDatabase;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What this server may show while it has no quorum, to clients that ask for read-only sessions: its
 * tree once the tree holds what the log holds and the log is forced.
 *
 * <p>The stock peer makes its read-only server itself, in each election that lasts longer than two
 * seconds, and connects clients with it from a thread that it interrupts when the election ends. An
 * interrupt closes the file that is being forced; so the peer's own thread forces, and that thread
 * waits for it.
 */
final class ReadOnlyMode {

  /** The switch, a system property without {@code zookeeper.} before it, as stock reads it. */
  static final String PROPERTY = "readonlymode.enabled";

  private static final Logger LOG = LoggerFactory.getLogger(ReadOnlyMode.class);

  /** Whether no role has begun since the log was forced. */
  private boolean forced;

  static boolean enabled() {
    return Boolean.getBoolean(PROPERTY);
  }

  /** Says once, when the server starts, what the operator has switched on. */
  static void warn(boolean localSessions) {
    LOG.warn(
        "readonlymode.enabled=true: without a quorum this server answers clients that ask for"
            + " read-only sessions, from what its own log has forced; the guarantees do not cover"
            + " these answers{}",
        localSessions
            ? ""
            : ". No client gets such a session without localSessionsEnabled=true; add it to"
                + " zoo.cfg");
  }

  /** From now on the log takes entries that are not forced yet. */
  synchronized void onRole() {
    forced = false;
  }

  /**
   * Forces the log and brings the tree to its end; called before an election, while no role applies
   * or logs anything.
   */
  void onElection(OrcaZKDatabase database, OrcaTxnSnapLog log) {
    try {
      log.commit();
      if (database.isInitialized()) {
        // A role that ended in the middle of its synchronisation leaves what it had not logged.
        database.fastForwardDataBase();
      } else {
        // One that ended while it took a snapshot leaves no tree at all.
        database.loadDataBase();
      }
    } catch (IOException e) {
      // The election finds the same and stops this server, if it is the log that has failed.
      LOG.error("No read-only sessions until the next election: the log cannot be forced", e);
      return;
    }
    synchronized (this) {
      forced = true;
      notifyAll();
    }
  }

  /**
   * Returns once the log is forced. Stock interrupts the thread when the election has ended; a
   * read-only server that started then would go on beside the role, and its clients with it.
   *
   * @throws IllegalStateException if the election has ended
   */
  synchronized void awaitForced() {
    try {
      while (!forced) {
        wait();
      }
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("The election has ended before the log was forced", e);
    }
  }
}
