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
import java.net.SocketAddress;
import org.apache.zookeeper.ZooDefs.OpCode;
import org.apache.zookeeper.server.Request;
import org.apache.zookeeper.server.quorum.flexible.QuorumVerifier;
import org.orcagrid.cad.LateWrites;
import org.orcagrid.cad.QuorumIndex;
import org.orcagrid.cad.ReplicationWindow;
import org.orcagrid.server.gate.GateMetrics;
import org.orcagrid.server.role.OrcaRole;
import org.orcagrid.server.settings.Durability;
import org.orcagrid.server.settings.OrcaSettings;
import org.orcagrid.server.settings.Replication;
import org.orcagrid.server.wire.PeerMessage;

/**
 * The leader: commits at once where replication is asynchronous (section 4.3.1), and leaves what is
 * durable and who may read to its {@link LeaderCoordinator}.
 *
 * <p>A write that commits at once is one packet to each follower of ours, not two.
 *
 * <p>The stock leader's monitor guards proposals, the unreplicated window, the writes that are
 * shown late, and the syncs that wait for the lease.
 */
final class OrcaLeader extends Leader implements OrcaLeaderCommitProcessor.Order {

  private static final long LOOK_MILLIS = 10;

  private final OrcaQuorumPeer peer;
  private final OrcaSettings settings;
  private final boolean asynchronous;
  private final ReplicationWindow window;
  private final LeaderCoordinator coordinator;
  private QuorumIndex replicated = new QuorumIndex(0);
  private final LateWrites lateWrites = new LateWrites();
  private final LeaderVisibility visibility;
  private volatile long lateUpTo;

  /** The last of the late writes that became durable together: its commit asks for reports. */
  private long lastLateDurable = LateWrites.NONE;

  /** Whether the proposal that is made is to wait in {@link #unsent}. */
  private boolean withholdsProposal;

  /** A proposal that may be sent together with its commit. */
  private QuorumPacket unsent;

  /** The last commit of this epoch, for readers without the monitor; written under it. */
  private volatile long committed;

  OrcaLeader(OrcaQuorumPeer peer, OrcaLeaderZooKeeperServer server) throws IOException {
    super(peer, server);
    this.peer = peer;
    this.settings = peer.settings();
    this.asynchronous = settings.replication() == Replication.ASYNC;
    this.window =
        new ReplicationWindow(
            settings.unreplicatedCountMax(),
            settings.unreplicatedBytesMax(),
            settings.unreplicatedAgeMaxNanos());
    this.visibility = new LeaderVisibility(settings);
    this.coordinator = new LeaderCoordinator(peer, this);
  }

  LeaderCoordinator coordinator() {
    return coordinator;
  }

  /** The quorum stands; everything up to {@code start} is durable on it. */
  void begin(OrcaRole leading, long start) {
    synchronized (this) {
      replicated = new QuorumIndex(start);
    }
    coordinator.begin(leading, start);
  }

  void end() {
    coordinator.end();
  }

  /** As the stock leader; it counts itself once it has kept what it promised to the last one. */
  @Override
  public void waitForNewLeaderAck(long sid, long zxid) throws InterruptedException {
    if (sid == peer.getMyId()) {
      peer.keepPromise(zxid);
    }
    super.waitForNewLeaderAck(sid, zxid);
  }

  // ---- writes

  @Override
  public Proposal propose(Request request) throws XidRolloverException {
    if (waitsForQuorum(request) || isLastOfEpoch(request)) {
      return super.propose(request);
    }
    boolean late = visibility.showsLate();
    if (asynchronous && !late) {
      return proposeAndCommit(request);
    }
    Proposal proposal = late ? proposeLate(request) : super.propose(request);
    if (settings.replication() == Replication.ACTIVE_SET && !late) {
      // Its answer waits for that, at whichever server. The commit of a late one asks for it.
      coordinator.demand(0, request.zxid);
    }
    return proposal;
  }

  /** As the stock leader; the commit waits until the write is durable, too. */
  private Proposal proposeLate(Request request) throws XidRolloverException {
    synchronized (this) {
      // Before it is in the log: what is in there by then is forced with it.
      lateUpTo = request.zxid;
      lateWrites.add(request.zxid, System.nanoTime());
      return super.propose(request);
    }
  }

  /** The last write that is to be forced by the thread that appends it; 0 for none. */
  long lateUpTo() {
    return lateUpTo;
  }

  private boolean isLate(long zxid) {
    Proposal proposal = outstandingProposals.get(zxid);
    return proposal != null && proposal.getQuorumPacket().getAuthinfo() == PacketMarks.LATE;
  }

  private Proposal proposeAndCommit(Request request) throws XidRolloverException {
    // One step for the followers' acknowledgements: they may come before this method returns, and
    // would commit the proposal a second time.
    synchronized (this) {
      try {
        withholdsProposal = true;
        Proposal proposal = super.propose(request);
        withholdsProposal = false;
        long bytes = proposal.getQuorumPacket().getData().length;
        if (allowedToCommit && window.admit(request.zxid, bytes, System.nanoTime())) {
          for (SyncedLearnerTracker.QuorumVerifierAcksetPair each : proposal.qvAcksetPairs) {
            each.getAckset().addAll(each.getQuorumVerifier().getVotingMembers().keySet());
          }
          tryToCommit(proposal, request.zxid, null);
        }
        return proposal;
      } finally {
        withholdsProposal = false;
        sendUnsent();
      }
    }
  }

  private void sendUnsent() {
    QuorumPacket proposal = unsent;
    unsent = null;
    if (proposal != null) {
      super.sendPacket(proposal);
    }
  }

  /** Called with the monitor for proposals and commits. */
  @Override
  void sendPacket(QuorumPacket packet) {
    if (packet.getType() == PROPOSAL && withholdsProposal) {
      unsent = packet;
    } else if (packet.getType() == COMMIT) {
      sendCommit(packet);
    } else if (packet.getType() == PROPOSAL && packet.getZxid() == lateUpTo) {
      packet.setAuthinfo(PacketMarks.LATE);
      super.sendPacket(packet);
    } else {
      super.sendPacket(packet);
    }
  }

  private void sendCommit(QuorumPacket commit) {
    QuorumPacket proposal = unsent;
    if (proposal == null || proposal.getZxid() != commit.getZxid()) {
      sendUnsent();
      if (coordinator.isDurable(commit.getZxid())) {
        boolean asks =
            commit.getZxid() == lastLateDurable && coordinator.onLateCommit(lastLateDurable);
        commit.setAuthinfo(asks ? PacketMarks.ASKS_APPLIED : PacketMarks.PLAIN);
      }
      super.sendPacket(commit);
      return;
    }
    unsent = null;
    QuorumPacket both =
        new QuorumPacket(PROPOSAL, proposal.getZxid(), proposal.getData(), PacketMarks.PLAIN);
    for (LearnerHandler each : getForwardingFollowers()) {
      if (coordinator.learners().isCurrent(each)) {
        each.queuePacket(both);
      } else {
        each.queuePacket(proposal);
        each.queuePacket(commit);
      }
    }
  }

  /** All up to {@code index} is durable: commits what has waited for that. */
  synchronized void onDurable(long index) {
    long waited = lateWrites.onDurable(index, System.nanoTime());
    if (waited != LateWrites.NONE) {
      lastLateDurable = waited;
      commitThoseBehind();
    }
  }

  LeaderVisibility visibility() {
    return visibility;
  }

  /** A heartbeat is sent; {@code last} is the last entry of the log. */
  void onHeartbeat(long last, GateMetrics metrics) {
    long count;
    long waitedNanos;
    synchronized (this) {
      count = lateWrites.count();
      waitedNanos = lateWrites.waitedNanos();
      if (lateWrites.oldestAgeNanos(System.nanoTime()) > settings.undurableAgeMaxNanos()) {
        // The disks of a majority hang. Sessions and reads through the leader wait behind these.
        visibility.onOverdue();
        lateWrites.giveUp();
        commitThoseBehind();
      }
    }
    visibility.onHeartbeat(peer.getMyId(), last, count, waitedNanos, metrics);
  }

  /** Sessions and configurations outlive their leader: they commit once a quorum has them. */
  private static boolean waitsForQuorum(Request request) {
    return switch (request.getHdr().getType()) {
      case OpCode.createSession, OpCode.closeSession, OpCode.reconfig -> true;
      default -> false;
    };
  }

  /**
   * The epoch has no number left: the leader shuts down from within the call, and the threads that
   * it waits for may be waiting for its monitor.
   */
  private static boolean isLastOfEpoch(Request request) {
    return (request.zxid & 0xffffffffL) == 0xffffffffL;
  }

  @Override
  public synchronized void processAck(long sid, long zxid, SocketAddress followerAddress) {
    if (asynchronous && replicated.onReport(sid, zxid, coordinator.quorum())) {
      window.onReplicated(replicated.value());
    }
    boolean late = isLate(zxid);
    if (zxid > lastCommitted) {
      super.processAck(sid, zxid, followerAddress);
      commitThoseBehind();
    }
    if (settings.durability() != Durability.SYNC
        && sid != peer.getMyId()
        && acknowledgesForced(sid, late)) {
      coordinator.onProgress(sid, zxid, -1);
    }
  }

  /**
   * Whether what is acknowledged is on the server's disk, so that it counts as persisted: a late
   * write, and all of a stock learner and of one that has not been welcomed yet.
   */
  private boolean acknowledgesForced(long sid, boolean late) {
    // What an old connection still has may have been lost since.
    boolean isOld =
        Thread.currentThread() instanceof LearnerHandler learner
            && !coordinator.learners().isNewest(learner);
    return !isOld && (late || !coordinator.learners().reports(sid));
  }

  /**
   * As the stock leader; a reconfiguration commits no sooner than the leases allow. What is behind
   * one waits with it.
   */
  @Override
  public synchronized boolean tryToCommit(
      Proposal proposal, long zxid, SocketAddress followerAddress) {
    if (!lateWrites.mayCommit(zxid)) {
      return false;
    }
    if (isReconfiguration(proposal)
        && proposal.hasAllQuorums()
        && !coordinator.mayCommitReconfiguration(
            proposal.qvAcksetPairs.get(proposal.qvAcksetPairs.size() - 1).getQuorumVerifier())) {
      return false;
    }
    try {
      return super.tryToCommit(proposal, zxid, followerAddress);
    } catch (RuntimeException e) {
      // It is neither outstanding nor committed now: nothing behind it may commit.
      allowedToCommit = false;
      peer.stopperOf(zk).accept(e);
      throw e;
    }
  }

  private static boolean isReconfiguration(Proposal proposal) {
    return proposal.request != null && proposal.request.getHdr().getType() == OpCode.reconfig;
  }

  /** The leases may allow a reconfiguration now that they did not allow before. */
  synchronized void commitThoseHeld() {
    commitThoseBehind();
  }

  /** Commits what had to wait for a write before it: for its quorum, or for the leases. */
  private void commitThoseBehind() {
    Proposal next = outstandingProposals.get(lastCommitted + 1);
    while (next != null && allowedToCommit && tryToCommit(next, next.getZxid(), null)) {
      next = outstandingProposals.get(lastCommitted + 1);
    }
  }

  // ---- reads

  /** A read of this server's own client that takes its place as a learner's sync does. */
  private static final class OwnRead extends LearnerSyncRequest {
    OwnRead(Request read) {
      super(null, read.sessionId, read.cxid, OpCode.sync, null, read.authInfo);
      this.zxid = read.zxid;
    }
  }

  @Override
  public boolean isAhead() {
    return committed > zk.getZKDatabase().getDataTreeLastProcessedZxid();
  }

  long committed() {
    return committed;
  }

  /** Under the monitor whatever is committed has been handed to the commit processor. */
  @Override
  public synchronized void place(Request read) {
    super.processSync(new OwnRead(read));
  }

  @Override
  public void sendSync(LearnerSyncRequest sync) {
    if (sync instanceof OwnRead) {
      // Not the read itself: if a write has taken its place, it is executed already.
      zk.commitProcessor.commit(sync);
    } else {
      super.sendSync(sync);
    }
  }

  // Noted before any server learns of it, and so before any client does.

  @Override
  public void commit(long zxid) {
    committed = zxid;
    super.commit(zxid);
  }

  @Override
  public void commitAndActivate(long zxid, long designatedLeader) {
    committed = zxid;
    super.commitAndActivate(zxid, designatedLeader);
  }

  // ---- learners

  /** A sync, and a read that goes through this leader, is of use while the lease holds. */
  @Override
  public synchronized void processSync(LearnerSyncRequest sync) {
    coordinator.onSync(sync.fh);
    super.processSync(sync);
  }

  @Override
  public void submitLearnerRequest(Request request) {
    if (request.type == PeerMessage.OPCODE) {
      coordinator.onMessage(request);
    } else {
      super.submitLearnerRequest(request);
    }
  }

  /**
   * A learner puts the configuration that it was told of in force when this returns, also one that
   * is pending. So the leases must allow it, as they must when it commits.
   */
  @Override
  public void waitForStartup() throws InterruptedException {
    super.waitForStartup();
    while (zk.isRunning() && !leasesAllowPending()) {
      Thread.sleep(LOOK_MILLIS);
    }
  }

  /** Whether a learner may put the configuration that is pending in force, if one is. */
  boolean leasesAllowPending() {
    QuorumVerifier next = coordinator.quorum().pending();
    return next == null || coordinator.leasesAllow(next);
  }

  @Override
  public synchronized long startForwarding(LearnerHandler learner, long lastSeenZxid) {
    coordinator.learners().onSynchronising(learner);
    long last = super.startForwarding(learner, lastSeenZxid);
    // Behind the packet that says how to synchronise and ahead of the one that ends it.
    OrcaLearners.send(learner, new PeerMessage.Announcement());
    return last;
  }

  @Override
  public void removeLearnerHandler(LearnerHandler learner) {
    coordinator.onGone(learner);
    super.removeLearnerHandler(learner);
  }

  synchronized long lastCommittedIndex() {
    return lastCommitted;
  }

  // ---- for the metrics

  synchronized int unreplicatedCount() {
    return window.count();
  }

  synchronized long unreplicatedBytes() {
    return window.bytes();
  }
}
