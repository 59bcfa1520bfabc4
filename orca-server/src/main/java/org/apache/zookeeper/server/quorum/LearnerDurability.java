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
import org.apache.zookeeper.server.util.ZxidUtils;
import org.orcagrid.cad.AskedReports;
import org.orcagrid.cad.MemberLease;
import org.orcagrid.server.role.OrcaRole;
import org.orcagrid.server.settings.Durability;
import org.orcagrid.server.settings.Readers;
import org.orcagrid.server.settings.Replication;
import org.orcagrid.server.wire.PeerMessage;
import org.orcagrid.server.wire.PeerMessageCodec;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a follower or an observer does about durability and about reads: reports its persisted-index
 * and what it has applied, flushes when the leader says so, asks the leader for what its replies
 * need, and keeps its lease.
 */
final class LearnerDurability implements OrcaRole.Ensemble {

  private static final Logger LOG = LoggerFactory.getLogger(LearnerDurability.class);

  private final OrcaQuorumPeer peer;
  private final Learner learner;

  private final MemberLease lease;
  private volatile OrcaRole role;
  private volatile boolean welcomed;
  private volatile boolean leaderForces;

  /** The last run of writes that the leader commits late. */
  private volatile LateRun late = new LateRun(0, 0);

  /** Used by the one thread that synchronises with the leader. */
  private boolean announced;

  /** That of the leader; of the same thread. */
  private long epoch;

  /** What the leader is to be told of; guards itself. */
  private final AskedReports asked = new AskedReports();

  /** What is applied below this is not reported: {@link AskedReports#next}. */
  private volatile long nextAsked = asked.next();

  private long demandedDurable;
  private long demandedApplied;
  private long sentDurable;
  private long sentApplied;

  /** Proposals of one epoch, one after the other, all of them late. */
  private record LateRun(long first, long last) {
    boolean has(long zxid) {
      return first <= zxid && zxid <= last;
    }
  }

  LearnerDurability(OrcaQuorumPeer peer, Learner learner) {
    this.peer = peer;
    this.learner = learner;
    this.lease = new MemberLease();
  }

  void begin(OrcaRole following) {
    role = following;
  }

  /**
   * This server is to acknowledge a leader: waits until it has kept what it promised to the last.
   *
   * @param zxid one of the leader's epoch
   * @throws InterruptedException if the server is shut down before that
   */
  void acknowledge(long zxid) throws InterruptedException {
    peer.keepPromise(zxid);
    epoch = ZxidUtils.getEpochFromZxid(zxid);
  }

  /**
   * Looks at each packet as it comes; one that comes during the synchronisation gets no further.
   */
  void onRead(QuorumPacket packet) throws IOException {
    if (packet.getType() == PeerMessage.PACKET_TYPE
        && PeerMessageCodec.decode(packet.getData()) instanceof PeerMessage.Announcement) {
      announced = true;
    }
  }

  /** Says hello to a leader of ours; called once this server is in sync and can take messages. */
  void greet() {
    if (announced) {
      send(new PeerMessage.Hello(role.persisted(), applied()));
      return;
    }
    LOG.warn(
        "The leader is a stock ZooKeeper: its writes are durable when they commit, and this server"
            + " answers reads from what it has");
    role.openForGood();
  }

  /**
   * Whether a batch is to be forced before it is acknowledged: always for a leader that counts an
   * acknowledgement as durable, and for one that has not said yet that it does not.
   */
  boolean mustForce() {
    return !welcomed
        || leaderForces
        || role.forcesBeforeAcknowledging()
        || late.last() > role.persisted();
  }

  /** The leader commits this write once it is durable: it is forced as it is appended. */
  void onLateProposal(long zxid) {
    LateRun before = late;
    late = new LateRun(zxid == before.last() + 1 ? before.first() : zxid, zxid);
  }

  @Override
  public void demand(long durable, long applied) {
    synchronized (this) {
      demandedDurable = Math.max(demandedDurable, durable);
      demandedApplied = Math.max(demandedApplied, applied);
    }
    sendDemand();
  }

  private void sendDemand() {
    PeerMessage.Demand message;
    synchronized (this) {
      if (!welcomed || (demandedDurable <= sentDurable && demandedApplied <= sentApplied)) {
        return;
      }
      sentDurable = demandedDurable;
      sentApplied = demandedApplied;
      message = new PeerMessage.Demand(sentDurable, sentApplied);
    }
    send(message);
  }

  @Override
  public void onPersisted(long index) {
    // One report says both, if it is applied as well. The acknowledgement of a late write is one.
    if (forgetAnswered() || !late.has(index)) {
      reportProgress();
    }
  }

  /** A transaction was applied to this server's tree. */
  void onApplied(long zxid) {
    if (zxid >= nextAsked) {
      reportIfDone();
    }
  }

  private void onFlush(long target) {
    synchronized (asked) {
      asked.askFlushed(target);
      nextAsked = asked.next();
    }
    role.flush(target);
    reportIfDone();
  }

  private void onAskApplied(long target) {
    synchronized (asked) {
      asked.askApplied(target);
      nextAsked = asked.next();
    }
    reportIfDone();
  }

  /** Reports once for all that was asked: what is still to be forced reports when it is. */
  private void reportIfDone() {
    if (forgetAnswered()) {
      reportProgress();
    }
  }

  /** Forgets what a report of now answers; whether there is any such. */
  private boolean forgetAnswered() {
    long applied = applied();
    long persisted = role.forcesBeforeAcknowledging() ? applied : role.persisted();
    synchronized (asked) {
      boolean isDue = asked.answer(persisted, applied);
      nextAsked = asked.next();
      return isDue;
    }
  }

  private void reportProgress() {
    if (welcomed) {
      send(new PeerMessage.Progress(role.persisted(), applied()));
    }
  }

  /**
   * What the tree has, and nothing else: a leader gives its epoch a first transaction, so that who
   * has applied that has all before it.
   */
  private long applied() {
    return learner.zk.getZKDatabase().getDataTreeLastProcessedZxid();
  }

  @Override
  public long lastCommitted() {
    return learner.zk.getLastProcessedZxid();
  }

  /** A message from the leader. */
  void onPacket(QuorumPacket packet) throws IOException {
    PeerMessage message = PeerMessageCodec.decode(packet.getData());
    if (message instanceof PeerMessage.Durable durable) {
      role.advance(durable.durable(), durable.applied());
    } else if (message instanceof PeerMessage.Flush flush) {
      onFlush(flush.target());
    } else if (message instanceof PeerMessage.AskApplied asked) {
      onAskApplied(asked.target());
    } else if (message instanceof PeerMessage.Heartbeat heartbeat) {
      onHeartbeat(heartbeat);
    } else if (message instanceof PeerMessage.Grant grant) {
      onGrant(grant);
    } else if (message instanceof PeerMessage.Withheld withheld) {
      role.withhold(withheld.number());
    } else if (message instanceof PeerMessage.Confirmed confirmed) {
      role.gate().extendLease(confirmed.number());
    } else if (message instanceof PeerMessage.MarkOut) {
      onMarkOut();
    } else if (message instanceof PeerMessage.Welcome welcome) {
      onWelcome(welcome);
    } else if (message instanceof PeerMessage.Announcement) {
      LOG.debug("The leader has announced itself before");
    } else {
      throw new IOException("A leader does not send " + message);
    }
  }

  /** The leader asks who votes, or will once a reconfiguration commits: an answer is a promise. */
  private void onHeartbeat(PeerMessage.Heartbeat heartbeat) throws IOException {
    peer.promiseToLeader(epoch, heartbeat.promiseNanos());
    send(
        new PeerMessage.Beat(
            heartbeat.sentNanos(),
            System.nanoTime(),
            role.persisted(),
            applied(),
            role.metrics().heldUndurable(),
            role.metrics().heldUndurableNanos(),
            role.metrics().reads()));
  }

  /**
   * The leader has committed what is durable, and will not say so again.
   *
   * @param asksApplied whether it wants to know when this server has applied it
   */
  void onDurableCommit(long zxid, boolean asksApplied) {
    role.advance(zxid, 0);
    if (asksApplied) {
      onAskApplied(zxid);
    }
  }

  private void onGrant(PeerMessage.Grant grant) {
    if (role.settings().readers() != Readers.ACTIVE_SET) {
      return;
    }
    synchronized (lease) {
      lease.onGrant(grant.stampNanos(), grant.grantNanos());
      publishLease();
    }
  }

  private void onMarkOut() {
    LOG.warn("The leader has this server leave the active set; its log says why");
    synchronized (lease) {
      lease.onMarkOut(System.nanoTime());
      publishLease();
    }
    send(new PeerMessage.MarkedOut());
  }

  private void publishLease() {
    long now = System.nanoTime();
    role.setLeaseEnd(now + lease.remainingNanos(now));
  }

  private void onWelcome(PeerMessage.Welcome welcome) {
    if (welcome.durability() != role.settings().durability()
        || welcome.replication() != role.settings().replication()
        || welcome.readers() != role.settings().readers()) {
      LOG.warn(
          "The leader has orca.durability={} orca.replication={} orca.readers={}, this server {};"
              + " the stronger holds here until the configurations agree",
          welcome.durability(),
          welcome.replication(),
          welcome.readers(),
          role.settings().describe());
    }
    role.adopt(
        welcome.durability() == Durability.CAD,
        welcome.readers() != Readers.ALL,
        welcome.replication() == Replication.ACTIVE_SET);
    leaderForces = welcome.durability() == Durability.SYNC;
    welcomed = true;
    role.advance(welcome.durable(), welcome.applied());
    if (leaderForces) {
      // What such a leader commits is durable; it does not keep a durable-index.
      role.commitsAreDurable();
    }
    reportProgress();
    sendDemand();
  }

  private void send(PeerMessage message) {
    try {
      learner.writePacket(
          new QuorumPacket(Leader.REQUEST, -1, request(PeerMessageCodec.encode(message)), null),
          true);
    } catch (IOException e) {
      // Usual when the role ends: the reader of the connection has the stack trace if it is not.
      LOG.warn("Closing the connection to the leader, a message cannot be sent: {}", e.toString());
      learner.closeSocket();
    }
  }

  /** The layout of a learner's request: session, client's number, opcode, content. */
  private static byte[] request(byte[] content) {
    return java.nio.ByteBuffer.allocate(Long.BYTES + 2 * Integer.BYTES + content.length)
        .putLong(0)
        .putInt(0)
        .putInt(PeerMessage.OPCODE)
        .put(content)
        .array();
  }
}
