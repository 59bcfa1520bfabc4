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

import java.util.Iterator;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.ZooDefs.OpCode;
import org.apache.zookeeper.common.Time;
import org.apache.zookeeper.server.OrcaSessions;
import org.apache.zookeeper.server.Request;
import org.apache.zookeeper.server.RequestProcessor;
import org.apache.zookeeper.server.ServerCnxn.DisconnectReason;
import org.apache.zookeeper.server.ZooKeeperServerListener;
import org.orcagrid.server.gate.ReplyRules;
import org.orcagrid.server.role.OrcaRole;

/**
 * A learner's commit processor that gives each read which the leader has to confirm a place behind
 * everything that the leader had committed when it was asked. With a lease no read has to be (R2).
 *
 * <p>Such a read takes the way of a {@code sync}: it waits in its session's order like a write, the
 * leader is sent a sync for it, and the leader's answer, which comes behind the commits, releases
 * it. What the read then finds may still be ahead of the leader, and the leader may have lost its
 * lease; the gate of the reply sees to both.
 */
final class OrcaCommitProcessor extends CommitProcessor {

  /** Sends a sync for a read to the leader. */
  @FunctionalInterface
  interface Forwarder {
    /** The leader is asked; its answer commits {@code read}. */
    void forward(Request read, Request sync);
  }

  private final OrcaRole role;
  private final Forwarder forwarder;

  /** Reads that the leader was asked about and that have not been executed yet. */
  private final Set<Request> asked;

  /** Reads that were executed and may not leave before the leader confirms what it withheld. */
  private final Set<Unconfirmed> unconfirmed;

  private record Unconfirmed(Request read, long number) {}

  OrcaCommitProcessor(
      RequestProcessor next,
      String id,
      ZooKeeperServerListener listener,
      OrcaRole role,
      Forwarder forwarder) {
    this(
        new Executing(next, role, ConcurrentHashMap.newKeySet(), ConcurrentHashMap.newKeySet()),
        id,
        listener,
        role,
        forwarder);
  }

  private OrcaCommitProcessor(
      Executing next,
      String id,
      ZooKeeperServerListener listener,
      OrcaRole role,
      Forwarder forwarder) {
    super(next, id, true, listener);
    this.role = role;
    this.forwarder = forwarder;
    this.asked = next.asked();
    this.unconfirmed = next.unconfirmed();
  }

  /** Notes that a read is executed. */
  private record Executing(
      RequestProcessor next, OrcaRole role, Set<Request> asked, Set<Unconfirmed> unconfirmed)
      implements RequestProcessor {
    @Override
    public void processRequest(Request request) throws RequestProcessorException {
      if (ReplyRules.isRead(request.type) && asked.remove(request)) {
        long number = role.withheld();
        if (number > role.gate().leaseEnd()) {
          unconfirmed.add(new Unconfirmed(request, number));
        }
        Request write = CommittedPlace.takeWrite(request);
        if (write != null) {
          next.processRequest(write);
        }
      }
      next.processRequest(request);
    }

    @Override
    public void shutdown() {
      next.shutdown();
    }
  }

  /** Stable for a read from before it is queued until it is executed. */
  @Override
  protected boolean needCommit(Request request) {
    return (ReplyRules.isRead(request.type) && asked.contains(request))
        || super.needCommit(request);
  }

  @Override
  public void processRequest(Request request) {
    boolean ask =
        ReplyRules.isRead(request.type)
            && !request.isThrottled()
            && role.mustAskLeader(OrcaSessions.wantsConfirmation(request.cnxn));
    if (ask) {
      asked.add(request);
      role.metrics().onReadThroughLeader();
    }
    super.processRequest(request);
    if (ask && !stopped) {
      forwarder.forward(
          request,
          new Request(null, request.sessionId, request.cxid, OpCode.sync, null, request.authInfo));
    }
  }

  /**
   * Closes the connections of reads that the leader has left without an answer for too long, so
   * that their clients look for another server.
   *
   * @return how many were closed
   */
  int closeThoseHeldLongerThan(long holdNanos) {
    int closed = 0;
    for (Request read : asked) {
      closed += closeIfOlder(read, holdNanos) ? 1 : 0;
    }
    for (Iterator<Unconfirmed> all = unconfirmed.iterator(); all.hasNext(); ) {
      Unconfirmed each = all.next();
      Request read = each.read();
      boolean over =
          each.number() <= role.gate().leaseEnd() || read.cnxn == null || read.cnxn.isStale();
      boolean close = !over && closeIfOlder(read, holdNanos);
      if (over || close) {
        all.remove();
        closed += close ? 1 : 0;
      }
    }
    return closed;
  }

  private static boolean closeIfOlder(Request read, long holdNanos) {
    long age = Time.currentElapsedTime() - read.createTime;
    if (age <= TimeUnit.NANOSECONDS.toMillis(holdNanos)
        || read.cnxn == null
        || read.cnxn.isStale()) {
      return false;
    }
    read.cnxn.close(DisconnectReason.UNKNOWN);
    return true;
  }
}
