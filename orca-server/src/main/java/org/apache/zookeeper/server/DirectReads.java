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

import java.io.IOException;
import java.util.function.Predicate;
import org.apache.zookeeper.KeeperException;
import org.orcagrid.server.gate.ReplyRules;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Executes a read in the thread that has received it. Stock passes it on through four threads, each
 * of which has to be woken up.
 *
 * <p>What a client sees is as in stock:
 *
 * <ol>
 *   <li>a read is executed here only if no request of its connection is under way: the answers of a
 *       session come in the order of its requests;
 *   <li>none is executed while a transaction is applied: what a read shows is no newer than the
 *       zxid in its reply;
 *   <li>its reply passes the gate as any other, and the same lease is asked for.
 * </ol>
 *
 * <p>All else goes on to the processors, from this thread too while requests are not throttled.
 */
public final class DirectReads {
  private static final Logger LOG = LoggerFactory.getLogger(DirectReads.class);

  private final ZooKeeperServer server;
  private final OrcaFinalRequestProcessor last;
  private final Predicate<Request> mayAnswer;
  private final boolean checksSession;

  /** What is done while no read is executed here. */
  @FunctionalInterface
  public interface Restore {
    /** Does it, and returns the last zxid. */
    long run() throws IOException;
  }

  /**
   * Reads of one server while it has one role.
   *
   * @param last its last processor
   * @param mayAnswer whether the server may answer a read now from what it has applied
   * @param checksSession whether it knows which server each session is connected to
   */
  public DirectReads(
      ZooKeeperServer server,
      OrcaFinalRequestProcessor last,
      Predicate<Request> mayAnswer,
      boolean checksSession) {
    this.server = server;
    this.last = last;
    this.mayAnswer = mayAnswer;
    this.checksSession = checksSession;
  }

  /**
   * Takes a request that a connection has received. Called by one thread at a time for each
   * connection.
   *
   * @param reads null while the server is being set up
   * @return false if it is to be submitted as stock does
   */
  public static boolean take(DirectReads reads, Request request) {
    if (!(request.cnxn instanceof OrcaConnection connection)) {
      return false;
    }
    if (reads != null) {
      return reads.take(request, connection.gate());
    }
    connection.gate().setPassesThrottler(true);
    connection.gate().requestBegins();
    return false;
  }

  private boolean take(Request request, ConnectionGate gate) {
    boolean isFirst = gate.requestsUnderWay() == 0;
    boolean suspended = last.suspendsReads();
    boolean runs = !suspended && server.isRunning() && RequestThrottler.getMaxRequests() <= 0;
    if (isFirst && runs && answer(request)) {
      return true;
    }
    if (isFirst) {
      // Nothing is under way that would be overtaken; those behind this one take the same way.
      gate.setPassesThrottler(!runs);
    } else if (suspended) {
      // Those under way are with the processors already.
      gate.setPassesThrottler(true);
    }
    gate.requestBegins();
    if (gate.passesThrottler()) {
      return false;
    }
    server.submitRequestNow(request);
    return true;
  }

  private boolean answer(Request request) {
    if (!ReplyRules.isRead(request.type) || !mayAnswer.test(request)) {
      return false;
    }
    try {
      if (checksSession) {
        server.sessionTracker.checkSession(request.sessionId, request.getOwner());
      }
      server.touch(request.cnxn);
    } catch (KeeperException | ZooKeeperServer.MissingSessionException e) {
      LOG.debug("Refused in its turn, by the processors: {}", request, e);
      return false;
    }
    return last.readNow(request);
  }

  /** Has all requests go through the processors from now on; what was begun here has ended. */
  public void suspend() {
    last.suspendReads();
  }

  /** Has all requests go through the processors for the time of {@code restore}. */
  public long whileSuspended(Restore restore) throws IOException {
    last.suspendReads();
    try {
      return restore.run();
    } finally {
      last.resumeReads();
    }
  }
}
