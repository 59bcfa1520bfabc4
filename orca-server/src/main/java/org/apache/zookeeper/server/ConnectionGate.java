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

import java.util.concurrent.atomic.AtomicInteger;
import org.apache.jute.Record;
import org.apache.zookeeper.ClientCnxn;
import org.apache.zookeeper.data.Stat;
import org.apache.zookeeper.proto.ReplyHeader;
import org.orcagrid.server.gate.HeldReplies;
import org.orcagrid.server.gate.ReplyNeeds;
import org.orcagrid.server.role.OrcaHost;
import org.orcagrid.server.role.OrcaRole;
import org.orcagrid.server.sizes.LongFrame;
import org.orcagrid.server.sizes.MessageSizes;
import org.orcagrid.server.sizes.ReplyContent;

/**
 * Stands between one connection and its client, and holds back what may not be shown yet. The same
 * for NIO and Netty.
 */
final class ConnectionGate {

  /** A client's xid for its authentication packets; the reply is matched by it, not by order. */
  private static final int AUTH_XID = ClientCnxn.AUTHPACKET_XID;

  private final HeldReplies.Connection connection;
  private final ZooKeeperServer server;
  private final ReplyNeeds needs = new ReplyNeeds();
  private volatile HeldReplies held;

  /** The request in execution, null for none; of the thread that executes it, as {@link #needs}. */
  private Request executing;

  /** Requests that were handed to the processors and have not been executed. */
  private final AtomicInteger underWay = new AtomicInteger();

  private volatile boolean passesThrottler;
  private volatile boolean wantsDurability;
  private volatile boolean wantsConfirmation;

  ConnectionGate(HeldReplies.Connection connection, ZooKeeperServer server) {
    this.connection = connection;
    this.server = server;
  }

  /** What the reply to the request in execution needs. */
  ReplyNeeds needs() {
    return needs;
  }

  /** A request is executed next; null once that is over. */
  void executes(Request request) {
    executing = request;
  }

  /** How many requests of the connection are with the processors. One that is lost stays so. */
  int requestsUnderWay() {
    return underWay.get();
  }

  /** A request is handed to the processors. */
  void requestBegins() {
    underWay.incrementAndGet();
  }

  /** A request was executed, or refused before that, and the reply has its place. */
  void requestEnds() {
    underWay.decrementAndGet();
  }

  /** Whether requests that are under way have come through the throttler. */
  boolean passesThrottler() {
    return passesThrottler;
  }

  /** Says which way the requests take until none is under way. */
  void setPassesThrottler(boolean passes) {
    passesThrottler = passes;
  }

  /** Whether this session wants all its writes durable before they are answered. */
  boolean wantsDurability() {
    return wantsDurability;
  }

  void setWantsDurability(boolean wanted) {
    wantsDurability = wanted;
  }

  /** Whether each read of this session is to be confirmed by the leader. */
  boolean wantsConfirmation() {
    return wantsConfirmation;
  }

  void setWantsConfirmation(boolean wanted) {
    wantsConfirmation = wanted;
  }

  int send(ReplyHeader header, Record body, String tag, String cacheKey, Stat stat, int opCode) {
    ReplyContent content = ReplyContent.of(opCode, cacheKey, body, executing);
    HeldReplies.Response response =
        new HeldReplies.Response(header, body, tag, content.path(), stat, content.opCode());
    OrcaRole role = role();
    int xid = header.getXid();
    if (role == null || !role.gates() || xid == ClientCnxn.PING_XID || xid == AUTH_XID) {
      return connection.deliver(response);
    }
    if (xid == ClientCnxn.NOTIFICATION_XID) {
      long zxid = header.getZxid();
      return queue(role)
          .send(
              response,
              role.durableForEvent(zxid),
              role.appliedForEvent(zxid),
              role.leaseEndForEvent());
    }
    int error = header.getErr();
    return queue(role)
        .send(
            response,
            needs.durableFor(xid, error),
            needs.appliedFor(xid, error),
            needs.leaseEndFor(xid));
  }

  /** A reply has left. */
  void onDelivered(HeldReplies.Response reply, int bytes, ServerCnxn connection) {
    OrcaRole role = LongFrame.isTooLong(bytes) ? role() : null;
    if (role != null) {
      ReplyContent content = new ReplyContent(reply.opCode(), reply.cacheKey(), reply.body());
      role.sizes().onReply(client(connection), content, bytes);
    }
  }

  /**
   * A request is longer than the server reads.
   *
   * @return whether it is to be answered; otherwise the connection is to be closed
   */
  boolean onLong(LongFrame frame, ServerCnxn connection) {
    OrcaRole role = role();
    if (role != null) {
      role.sizes().onRequest(client(connection), frame);
    }
    return role != null && frame.isAnswered();
  }

  private static MessageSizes.Client client(ServerCnxn connection) {
    return new MessageSizes.Client(connection.getSessionId(), connection.getRemoteSocketAddress());
  }

  /** Closes the connection behind the replies that are held. */
  void close() {
    HeldReplies queue = held;
    if (queue == null) {
      connection.deliver(new HeldReplies.Close());
    } else {
      queue.send(new HeldReplies.Close(), 0, 0, 0);
    }
  }

  /** The connection is gone. */
  void closed() {
    HeldReplies queue = held;
    if (queue != null) {
      queue.close();
    }
  }

  private OrcaRole role() {
    return server instanceof OrcaHost host ? host.role() : null;
  }

  private HeldReplies queue(OrcaRole role) {
    HeldReplies queue = held;
    if (queue == null) {
      synchronized (this) {
        queue = held;
        if (queue == null) {
          queue = role.newQueue(connection);
          held = queue;
        }
      }
    }
    return queue;
  }
}
