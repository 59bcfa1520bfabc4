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

import java.util.concurrent.locks.StampedLock;
import org.orcagrid.server.role.OrcaRole;

/** Works out what each reply needs before it is made, and tells the role what was applied. */
public final class OrcaFinalRequestProcessor extends FinalRequestProcessor {

  /** Told after each transaction. */
  @FunctionalInterface
  public interface AppliedListener {
    /** The transaction {@code zxid} has been applied to the tree. */
    void onApplied(long zxid);
  }

  private final ZooKeeperServer server;
  private final OrcaRole role;
  private final AppliedListener onApplied;

  /** Held for writing while a transaction is applied, for reading by {@link #readNow}. */
  private final StampedLock applying = new StampedLock();

  /** A stream of reads leaves no moment without one: those that come now give way. */
  private volatile boolean transactionWaits;

  private volatile boolean readsSuspended;

  /** The last processor of a server with this role. */
  public OrcaFinalRequestProcessor(
      ZooKeeperServer server, OrcaRole role, AppliedListener onApplied) {
    super(server);
    this.server = server;
    this.role = role;
    this.onApplied = onApplied;
  }

  @Override
  public void processRequest(Request request) {
    if (request.getHdr() == null) {
      execute(request);
    } else {
      transactionWaits = true;
      long stamp = applying.writeLock();
      transactionWaits = false;
      try {
        execute(request);
      } finally {
        applying.unlockWrite(stamp);
      }
      onApplied.onApplied(request.getHdr().getZxid());
    }
    if (request.cnxn instanceof OrcaConnection connection) {
      // Its reply has its place: what comes now may be answered by another thread.
      connection.gate().requestEnds();
    }
  }

  /**
   * Executes a read that has come to no processor, in this thread.
   *
   * @return false if a transaction is applied just now, or is to be; nothing was done then
   */
  boolean readNow(Request read) {
    long stamp = transactionWaits ? 0 : applying.tryReadLock();
    if (stamp == 0) {
      return false;
    }
    try {
      if (readsSuspended) {
        return false;
      }
      server.incInProcess();
      execute(read);
      return true;
    } finally {
      applying.unlockRead(stamp);
    }
  }

  /** Whether {@link #readNow} executes nothing, for now or for good. */
  boolean suspendsReads() {
    return readsSuspended;
  }

  /** Has {@link #readNow} execute nothing; those that it had begun have ended on return. */
  void suspendReads() {
    readsSuspended = true;
    applying.unlockWrite(applying.writeLock());
  }

  /** As before {@link #suspendReads}. */
  void resumeReads() {
    readsSuspended = false;
  }

  private void execute(Request request) {
    if (request.cnxn instanceof OrcaConnection connection) {
      ConnectionGate gate = connection.gate();
      gate.executes(request);
      if (role.gates()) {
        role.prepare(request, gate.needs(), gate.wantsDurability());
      }
      try {
        super.processRequest(request);
      } finally {
        gate.needs().clear();
        gate.executes(null);
      }
    } else {
      super.processRequest(request);
    }
  }
}
