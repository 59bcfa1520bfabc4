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
package org.orcagrid.membership.zookeeper;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection to an ensemble that is soon there again. ZooKeeper's own client waits for up to a
 * second before it connects again, and for another one if it knows one server alone: longer than an
 * ensemble takes to elect a leader. A new handle connects at once, so that a connection which is
 * gone is followed by a new handle, with a session of its own.
 *
 * <p>One thread connects; any thread may use the client.
 */
final class EnsembleClient {
  private static final Logger LOG = LoggerFactory.getLogger(EnsembleClient.class);
  private static final long FIRST_CONNECT_MILLIS_MAX = 30_000;
  private static final long WAIT_MILLIS_MIN = 100;
  private static final long WAIT_MILLIS_MAX = 30_000;

  private final String ensemble;
  private final Opener opener;
  private final Runnable news;

  private long waitMillis = WAIT_MILLIS_MIN;
  private volatile Handle current;

  /** Opens handles. */
  @FunctionalInterface
  interface Opener {
    /** A handle that begins to connect, and tells how that goes. */
    ZooKeeper open(Watcher watcher) throws IOException;
  }

  /** A handle, and whether it is connected: its own state says so long after it is not. */
  private final class Handle implements Watcher {
    private final ZooKeeper client;
    private final CountDownLatch connected = new CountDownLatch(1);
    private volatile boolean isConnected;

    Handle() throws IOException {
      this.client = opener.open(this);
    }

    @Override
    public void process(WatchedEvent event) {
      switch (event.getState()) {
        case SyncConnected -> {
          isConnected = true;
          connected.countDown();
        }
        case Disconnected, Expired, AuthFailed, Closed -> isConnected = false;
        default -> {
          // As after a login: the connection stands.
        }
      }
      news.run();
    }
  }

  /**
   * A client that has not connected yet.
   *
   * @param ensemble its name in messages
   * @param news is run when something has happened to a connection, by a thread that must not wait
   */
  EnsembleClient(String ensemble, Opener opener, Runnable news) {
    this.ensemble = ensemble;
    this.opener = opener;
    this.news = news;
  }

  /** The handle that has connected last. */
  ZooKeeper get() {
    return current.client;
  }

  /**
   * Connects if there is no connection.
   *
   * @return whether there is a new session; what it sees may be older than what others have seen
   * @throws IOException if no server has answered for a while; to be called again then
   */
  boolean connect() throws IOException, InterruptedException {
    Handle last = current;
    if (last != null && last.isConnected) {
      return false;
    }
    long millisMax = last == null ? FIRST_CONNECT_MILLIS_MAX : waitMillis;
    Handle fresh = new Handle();
    boolean isFresh = false;
    try {
      boolean hasAnswered = fresh.connected.await(millisMax, TimeUnit.MILLISECONDS);
      isFresh = hasAnswered && fresh.isConnected;
      if (isFresh || (last != null && last.isConnected)) {
        waitMillis = WAIT_MILLIS_MIN;
        return isFresh;
      }
      // An ensemble that is slow to make sessions gets the time that it needs.
      waitMillis = Math.min(2 * waitMillis, WAIT_MILLIS_MAX);
      throw new IOException(
          "No server of the ensemble at "
              + ensemble
              + " has answered in "
              + millisMax
              + " ms, or the connection was lost at once; look whether they run, and whether these"
              + " are their clients' ports");
    } finally {
      if (isFresh) {
        current = fresh;
        dispose(last);
      } else {
        dispose(fresh);
      }
    }
  }

  /** Closes a handle that nobody uses; one without a connection may take seconds to end. */
  private static void dispose(Handle handle) {
    if (handle == null) {
      return;
    }
    Thread closer =
        new Thread(
            () -> {
              try {
                handle.client.close();
              } catch (InterruptedException e) {
                LOG.debug("Left a session to its time-out", e);
              }
            },
            "orca-grid-old-session");
    closer.setDaemon(true);
    closer.start();
  }

  void close() throws InterruptedException {
    Handle last = current;
    if (last != null) {
      last.client.close();
    }
  }

  /**
   * Why the ensemble has not done what it was to do, and what helps.
   *
   * @param what it was to do it for
   */
  static IOException explain(Object what, KeeperException e) {
    return e instanceof KeeperException.NoAuthException
        ? new IOException(
            ("Cannot use %s: no permission to write %s. Give all nodes the same"
                    + " grid.secret.file, or check the ACL")
                .formatted(what, e.getPath()),
            e)
        : new IOException(
            "Cannot use " + what + ": " + e.getMessage() + ". Check grid.ensemble", e);
  }
}
