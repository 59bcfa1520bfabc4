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
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.ZooDefs.OpCode;
import org.apache.zookeeper.server.Request;
import org.apache.zookeeper.server.quorum.flexible.QuorumVerifier;
import org.orcagrid.cad.Announcements;
import org.orcagrid.cad.FlushRounds;
import org.orcagrid.cad.QuorumIndex;
import org.orcagrid.cad.ReplicationWindow;
import org.orcagrid.server.Durability;
import org.orcagrid.server.OrcaRole;
import org.orcagrid.server.OrcaSettings;
import org.orcagrid.server.Replication;
import org.orcagrid.server.wire.PeerMessage;
import org.orcagrid.server.wire.PeerMessageCodec;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The leader: commits at once where replication is asynchronous (section 4.3.1), keeps the
 * durable-index (4.3.3), and has the ensemble flush when a read needs it (4.3.4).
 *
 * <p>Locks: the stock leader's monitor guards proposals and the unreplicated window; {@code
 * durability} guards the durable-index and the flush rounds. The second may be taken inside the
 * first, never the other way round, and nothing is called while it is held.
 */
final class OrcaLeader extends Leader implements OrcaRole.Ensemble {

  private static final Logger LOG = LoggerFactory.getLogger(OrcaLeader.class);

  private final OrcaQuorumPeer peer;
  private final OrcaSettings settings;
  private final boolean asynchronous;
  private final ReplicationWindow window;
  private final Map<Long, LearnerHandler> orcaLearners = new ConcurrentHashMap<>();

  /**
   * The learners that report what they have persisted apart from what they acknowledge. One that is
   * removed stays in here until it connects again: its last acknowledgements may still be read.
   */
  private final Set<Long> reporting = ConcurrentHashMap.newKeySet();

  private final Object durability = new Object();
  private final FlushRounds rounds = new FlushRounds();
  private final Announcements announcements = new Announcements();

  private QuorumIndex persisted = new QuorumIndex(0);
  private QuorumIndex replicated = new QuorumIndex(0);
  private ScheduledExecutorService heartbeat;
  private ScheduledFuture<?> heartbeatTask;
  private volatile OrcaRole role;

  /** What a learner waits for the leader to apply; 0 for nothing. */
  private volatile long wantedApplied;

  private volatile long announcedDurable;
  private volatile long announcedApplied;

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
  }

  /** The quorum stands; everything up to {@code epochStart} is durable on it. */
  void begin(OrcaRole leading, long epochStart) {
    role = leading;
    synchronized (durability) {
      persisted = new QuorumIndex(epochStart);
      replicated = new QuorumIndex(epochStart);
    }
    heartbeat =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread thread = new Thread(task, "OrcaHeartbeat:" + peer.getMyId());
              thread.setDaemon(true);
              return thread;
            });
    heartbeatTask =
        heartbeat.scheduleAtFixedRate(
            this::announceIfChanged,
            settings.heartbeatNanos(),
            settings.heartbeatNanos(),
            TimeUnit.NANOSECONDS);
  }

  void end() {
    if (heartbeat != null) {
      heartbeatTask.cancel(false);
      heartbeat.shutdownNow();
    }
  }

  // ---- writes

  @Override
  public Proposal propose(Request request) throws XidRolloverException {
    if (!asynchronous || waitsForQuorum(request) || isLastOfEpoch(request)) {
      return super.propose(request);
    }
    // One step for the followers' acknowledgements: they may come before this method returns, and
    // would commit the proposal a second time.
    synchronized (this) {
      Proposal proposal = super.propose(request);
      long bytes = proposal.getQuorumPacket().getData().length;
      if (allowedToCommit && window.admit(request.zxid, bytes, System.nanoTime())) {
        for (SyncedLearnerTracker.QuorumVerifierAcksetPair each : proposal.qvAcksetPairs) {
          each.getAckset().addAll(each.getQuorumVerifier().getVotingMembers().keySet());
        }
        tryToCommit(proposal, request.zxid, null);
      }
      return proposal;
    }
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
    if (asynchronous && replicated.onReport(sid, zxid, this::isQuorum)) {
      window.onReplicated(replicated.value());
    }
    if (zxid > lastCommitted) {
      super.processAck(sid, zxid, followerAddress);
      if (asynchronous) {
        commitThoseBehind();
      }
    }
    if (settings.durability() != Durability.SYNC
        && sid != peer.getMyId()
        && !reporting.contains(sid)) {
      // A stock learner, and one that has not been welcomed yet, acknowledges what it has forced.
      onPersisted(sid, zxid);
    }
  }

  /** Commits what had to wait for a write before it that needed a quorum. */
  private void commitThoseBehind() {
    Proposal next = outstandingProposals.get(lastCommitted + 1);
    while (next != null && allowedToCommit && tryToCommit(next, next.getZxid(), null)) {
      next = outstandingProposals.get(lastCommitted + 1);
    }
  }

  // ---- durability

  @Override
  public void onPersisted(long index) {
    onPersisted(peer.getMyId(), index);
  }

  private void onPersisted(long sid, long index) {
    long last = getLastProposed();
    boolean advanced;
    boolean announce = false;
    long durable;
    long round = FlushRounds.NONE;
    synchronized (durability) {
      advanced = persisted.onReport(sid, index, this::isQuorum);
      durable = persisted.value();
      if (advanced) {
        round = rounds.onDurable(durable, last);
        announce = announcements.onAdvance();
      }
    }
    if (advanced) {
      role.advance(durable, Long.MAX_VALUE);
    }
    if (announce) {
      announce(durable);
    }
    flushEverywhere(round);
  }

  @Override
  public void demand(long durable, long applied) {
    long last = getLastProposed();
    long round;
    synchronized (durability) {
      round = rounds.onDemand(durable, persisted.value(), last);
    }
    flushEverywhere(round);
    if (applied > 0) {
      wantApplied(applied);
    }
  }

  private void flushEverywhere(long target) {
    if (target == FlushRounds.NONE) {
      return;
    }
    broadcast(new PeerMessage.Flush(target));
    role.flush(target);
  }

  @Override
  public synchronized long lastCommitted() {
    return lastCommitted;
  }

  // ---- what learners that read through this leader need to know

  private void wantApplied(long index) {
    if (index <= applied()) {
      announce(role.durableIndex());
      return;
    }
    synchronized (durability) {
      wantedApplied = Math.max(wantedApplied, index);
    }
    onApplied(applied());
  }

  /** A transaction was applied to this leader's tree. */
  void onApplied(long zxid) {
    long wanted = wantedApplied;
    if (wanted == 0 || zxid < wanted) {
      return;
    }
    synchronized (durability) {
      if (wantedApplied <= zxid) {
        wantedApplied = 0;
      }
    }
    announce(role.durableIndex());
  }

  private long applied() {
    return zk.getZKDatabase().getDataTreeLastProcessedZxid();
  }

  private void announce(long durable) {
    if (orcaLearners.isEmpty()) {
      return;
    }
    long applied = applied();
    announcedDurable = durable;
    announcedApplied = applied;
    broadcast(new PeerMessage.Durable(durable, applied));
  }

  private void announceIfChanged() {
    try {
      long durable = role.durableIndex();
      if (durable != announcedDurable || applied() != announcedApplied) {
        announce(durable);
      }
    } catch (RuntimeException e) {
      // An exception would end the heartbeat for good; the next one may well succeed.
      LOG.error("A heartbeat to the learners failed", e);
    }
  }

  private void broadcast(PeerMessage message) {
    if (orcaLearners.isEmpty()) {
      return;
    }
    byte[] bytes = PeerMessageCodec.encode(message);
    for (LearnerHandler learner : orcaLearners.values()) {
      learner.queuePacket(packet(bytes));
    }
  }

  private static QuorumPacket packet(byte[] bytes) {
    return new QuorumPacket(PeerMessage.PACKET_TYPE, 0, bytes, null);
  }

  // ---- messages from learners

  @Override
  public void submitLearnerRequest(Request request) {
    if (request.type != PeerMessage.OPCODE) {
      super.submitLearnerRequest(request);
      return;
    }
    LearnerHandler learner = (LearnerHandler) request.getOwner();
    try {
      onMessage(learner, PeerMessageCodec.decode(request.readRequestBytes()));
    } catch (IOException e) {
      LOG.error(
          "Closing the connection of learner {}: a message that cannot be read",
          learner.getSid(),
          e);
      learner.closeSocket();
    }
  }

  private void onMessage(LearnerHandler learner, PeerMessage message) throws IOException {
    if (message instanceof PeerMessage.Persisted report) {
      onPersisted(learner.getSid(), report.index());
    } else if (message instanceof PeerMessage.Demand wanted) {
      onDemand(wanted);
    } else if (message instanceof PeerMessage.Hello hello) {
      onHello(learner, hello);
    } else {
      throw new IOException("A learner does not send " + message);
    }
  }

  private void onDemand(PeerMessage.Demand wanted) {
    long durable;
    synchronized (durability) {
      announcements.onDemand();
      durable = persisted.value();
    }
    demand(wanted.durable(), wanted.applied());
    if (wanted.durable() > 0 && wanted.durable() <= durable) {
      // The learner has not been told: the advance was not announced while nobody asked.
      announce(durable);
    }
  }

  private void onHello(LearnerHandler learner, PeerMessage.Hello hello) {
    reporting.add(learner.getSid());
    orcaLearners.put(learner.getSid(), learner);
    onPersisted(learner.getSid(), hello.persisted());
    long durable = role.durableIndex();
    learner.queuePacket(
        packet(
            PeerMessageCodec.encode(
                new PeerMessage.Welcome(
                    settings.durability(), settings.readers(), durable, applied()))));
    long round;
    synchronized (durability) {
      round = rounds.target();
    }
    if (round > durable) {
      learner.queuePacket(packet(PeerMessageCodec.encode(new PeerMessage.Flush(round))));
    }
  }

  @Override
  public synchronized long startForwarding(LearnerHandler learner, long lastSeenZxid) {
    reporting.remove(learner.getSid());
    long last = super.startForwarding(learner, lastSeenZxid);
    // Behind the packet that says how to synchronise and ahead of the one that ends it.
    learner.queuePacket(packet(PeerMessageCodec.encode(new PeerMessage.Announcement())));
    return last;
  }

  @Override
  public void removeLearnerHandler(LearnerHandler learner) {
    orcaLearners.remove(learner.getSid(), learner);
    super.removeLearnerHandler(learner);
  }

  private boolean isQuorum(long[] sids, int count) {
    QuorumVerifier current = self.getQuorumVerifier();
    QuorumVerifier next = self.getLastSeenQuorumVerifier();
    return contains(current, sids, count)
        && (next == null
            || next.getVersion() <= current.getVersion()
            || contains(next, sids, count));
  }

  private static boolean contains(QuorumVerifier verifier, long[] sids, int count) {
    Set<Long> voters = new HashSet<>();
    for (int i = 0; i < count; i++) {
      if (verifier.getVotingMembers().containsKey(sids[i])) {
        voters.add(sids[i]);
      }
    }
    return verifier.containsQuorum(voters);
  }

  // ---- for the metrics and the admin command

  synchronized int unreplicatedCount() {
    return window.count();
  }

  synchronized long unreplicatedBytes() {
    return window.bytes();
  }

  long flushRounds() {
    synchronized (durability) {
      return rounds.started();
    }
  }

  /** The persisted-index that each voter has reported last. */
  Map<Long, Long> persistedIndexes() {
    Map<Long, Long> indexes = new TreeMap<>();
    for (Long sid : self.getQuorumVerifier().getVotingMembers().keySet()) {
      synchronized (durability) {
        indexes.put(sid, persisted.reportedBy(sid));
      }
    }
    return indexes;
  }
}
