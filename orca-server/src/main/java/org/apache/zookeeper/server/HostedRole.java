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
package org.apache.zookeeper.server;

import java.io.File;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Predicate;
import org.apache.zookeeper.server.util.ZxidUtils;
import org.orcagrid.server.log.OrcaTxnSnapLog;
import org.orcagrid.server.role.OrcaMetricsGauges;
import org.orcagrid.server.role.OrcaRole;
import org.orcagrid.server.settings.OrcaSettings;

/**
 * The role of one of our servers, with what begins and ends with it: the reads that are executed
 * where they are received, and the gauges. The same for all four kinds of servers, whose stock
 * classes have nothing in common that could hold it.
 */
public final class HostedRole {
  private final ZooKeeperServer server;
  private volatile OrcaRole role;
  private volatile DirectReads directReads;
  private OrcaMetricsGauges gauges;

  /** Of the thread that loads. */
  private boolean isLoading;

  private boolean hasForgotten;

  /** The role that {@code server} is to have. */
  public HostedRole(ZooKeeperServer server) {
    this.server = server;
  }

  /** Returns the role, null before the server has one. */
  public OrcaRole role() {
    return role;
  }

  /** The server has its role. */
  public void begin(OrcaRole begun) {
    role = begun;
  }

  /**
   * Reads are executed where they are received from now on.
   *
   * @param last the server's last processor
   * @param mayAnswer whether the server may answer a read now from what it has applied
   * @param checksSession whether it knows which server each session is connected to
   */
  public void readDirectly(
      OrcaFinalRequestProcessor last, Predicate<Request> mayAnswer, boolean checksSession) {
    directReads = new DirectReads(server, last, mayAnswer, checksSession);
  }

  /**
   * Takes a request that a connection has received. Called by one thread at a time for each
   * connection.
   *
   * @return false if it is to be submitted as stock does
   */
  public boolean takes(Request request) {
    return DirectReads.take(directReads, request);
  }

  /**
   * Whether a write may go on to where writes are ordered, if permissions are checked before that.
   *
   * @param check stock's, which answers what it refuses
   */
  public boolean admits(Request request, Predicate<Request> check) {
    if (!ZooKeeperServer.isEnableEagerACLCheck() || WriteScreen.passes(request, check)) {
      return true;
    }
    if (request.cnxn instanceof OrcaConnection connection) {
      // It has its answer and comes to no other processor.
      connection.gate().requestEnds();
    }
    return false;
  }

  /** What loads the tree, as stock does. */
  @FunctionalInterface
  public interface Loading {
    /** Loads it. */
    void run() throws IOException, InterruptedException;
  }

  /**
   * Loads the tree, or prepares the one that is there for another role. Stock writes a snapshot
   * each time, before it serves: a server with a large tree would be down for as long.
   */
  public void load(Loading stock) throws IOException, InterruptedException {
    isLoading = true;
    hasForgotten = false;
    try {
      stock.run();
    } finally {
      isLoading = false;
    }
  }

  /** A session that has nodes and no time-out is removed, which no log says. */
  public void onSessionForgotten() {
    hasForgotten = true;
  }

  /** What takes a snapshot, as stock does. */
  @FunctionalInterface
  public interface Snapshot {
    /** Takes it. */
    File take() throws IOException;
  }

  /**
   * Takes a snapshot, unless the tree is being loaded and the newest one does for it.
   *
   * @param isSevere whether stock ends the process if it cannot be written
   */
  public File snapshot(OrcaTxnSnapLog log, boolean isSevere, Snapshot stock) throws IOException {
    Optional<File> inPlace = snapshotInPlace(log);
    if (inPlace.isPresent()) {
      return inPlace.get();
    }
    File taken = stock.take();
    return isSevere ? taken : OrcaFiles.published(taken);
  }

  private Optional<File> snapshotInPlace(OrcaTxnSnapLog log) throws IOException {
    if (!isLoading || hasForgotten) {
      return Optional.empty();
    }
    long zxid = server.getZKDatabase().getDataTreeLastProcessedZxid();
    boolean beginsEpoch = ZxidUtils.getCounterFromZxid(zxid) == 0;
    return beginsEpoch || zxid <= log.lastOnDisk() ? log.recentSnapshot() : Optional.empty();
  }

  /** Shows these gauges until {@link #hideGauges}. */
  public void show(OrcaMetricsGauges shown) {
    gauges = shown;
    shown.register();
  }

  /** Shows them no more, if they are shown. */
  public void hideGauges() {
    if (gauges != null) {
      gauges.unregister();
    }
  }

  /** Has all requests go through the processors from now on; what was begun here has ended. */
  public void suspendReads() {
    if (directReads != null) {
      directReads.suspend();
    }
  }

  /**
   * Ends the role; the server's processors have ended.
   *
   * @return false if the server had none
   */
  public boolean close() {
    if (role == null) {
      return false;
    }
    role.close();
    return true;
  }

  /** Replaces the tree by one that an administrator has sent, while no read is executed. */
  public synchronized long restore(OrcaSettings settings, DirectReads.Restore restore)
      throws IOException {
    OrcaFiles.checkRestore(settings);
    return directReads.whileSuspended(restore);
  }
}
