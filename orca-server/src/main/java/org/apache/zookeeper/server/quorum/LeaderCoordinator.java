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
import java.util.ArrayDeque;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.apache.zookeeper.server.Request;
import org.apache.zookeeper.server.quorum.flexible.QuorumVerifier;
import org.orcagrid.cad.LeaderDurability;
import org.orcagrid.server.admin.OrcaAdminCommand;
import org.orcagrid.server.role.OrcaRole;
import org.orcagrid.server.settings.Durability;
import org.orcagrid.server.settings.LeaseSettings;
import org.orcagrid.server.settings.OrcaSettings;
import org.orcagrid.server.settings.Readers;
import org.orcagrid.server.vital.VitalTimer;
import org.orcagrid.server.wire.PeerMessage;
import org.orcagrid.server.wire.PeerMessageCodec;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a leader does about durability and about reads: keeps the durable-index (4.3.3), has the
 * ensemble flush when a read needs it (4.3.4), and grants the leases of those that may answer reads
 * (4.4). {@link LeaderDurability} decides; this class brings it what happens and carries out what
 * it wants.
 *
 * <p>Locks: {@code durability} guards the decisions. It may be taken inside the leader's monitor,
 * never the other way round, and nothing is called while it is held.
 */
final class LeaderCoordinator implements OrcaRole.Ensemble {

  private static final Logger LOG = LoggerFactory.getLogger(LeaderCoordinator.class);

  private final OrcaQuorumPeer peer;
  private final OrcaLeader leader;
  private final OrcaSettings settings;
  private final ConfiguredQuorum quorum;
  private final OrcaLearners learners = new OrcaLearners();

  /** Guards {@link #decisions}. */
  private final Object durability = new Object();

  private LeaderDurability decisions;

  /** Answers to syncs that are to be confirmed; this and the next guarded by leader's monitor. */
  private final ArrayDeque<Confirmation> confirmations = new ArrayDeque<>();

  private final LeaseWarning leaseWarning = new LeaseWarning();
  private long withheld;

  private VitalTimer heartbeat;
  private volatile OrcaRole role;
  private volatile long epochStart;

  /** What this leader is to call for once it has applied it; 0 for nothing. */
  private volatile long wantedApplied;

  /** Whether a reconfiguration waits for a heartbeat to be answered. */
  private volatile boolean reconfigurationHeld;

  /** An answer to a learner's sync, and when that came. */
  private record Confirmation(LearnerHandler learner, long number, long askedNanos) {}

  LeaderCoordinator(OrcaQuorumPeer peer, OrcaLeader leader) {
    this.peer = peer;
    this.leader = leader;
    this.settings = peer.settings();
    this.quorum = new ConfiguredQuorum(peer);
  }

  /** The quorum stands; everything up to {@code start} is durable on it. */
  void begin(OrcaRole leading, long start) {
    role = leading;
    epochStart = start;
    synchronized (durability) {
      LeaseSettings leases = settings.leases();
      decisions =
          new LeaderDurability(
              peer.getMyId(), start, setSizeMax(), leases.times(), leases.slowNanos(), quorum);
    }
    heartbeat =
        new VitalTimer(
            "OrcaHeartbeat:" + peer.getMyId(),
            0,
            settings.leases().times().heartbeatNanos(),
            this::beat,
            peer.stopperOf(leader.zk));
  }

  private int setSizeMax() {
    return settings.readers() == Readers.ACTIVE_SET
        ? settings.leases().size().of(peer.getQuorumVerifier().getVotingMembers().size())
        : 1;
  }

  void end() {
    if (heartbeat != null) {
      // Waits for one that is under way: it may be writing this server's promise.
      heartbeat.close();
    }
  }

  // ---- durability

  @Override
  public void onPersisted(long index) {
    onProgress(peer.getMyId(), index, -1);
  }

  void onProgress(long sid, long persisted, long applied) {
    decide(now -> decisions.onReport(sid, persisted, applied, now));
  }

  @Override
  public void demand(long durable, long applied) {
    decide(now -> decisions.onDemand(durable, applied, false, now));
    recheckApplied();
  }

  /** A transaction was applied to this leader's tree. */
  void onApplied(long zxid) {
    long wanted = wantedApplied;
    if (wanted != 0 && zxid >= wanted) {
      decide(decisions::onOwnProgress);
    }
  }

  /** What is wanted may have been applied before it was wanted. */
  private void recheckApplied() {
    if (wantedApplied != 0) {
      onApplied(applied());
    }
  }

  private void decide(Function<LeaderDurability.Now, LeaderDurability.Effects> decision) {
    decideIf(() -> true, decision);
  }

  /** As {@link #decide}; null if the learner has connected anew since it said this. */
  private LeaderDurability.Effects decideFor(
      LearnerHandler learner, Function<LeaderDurability.Now, LeaderDurability.Effects> decision) {
    return decideIf(() -> learners.isCurrent(learner), decision);
  }

  private LeaderDurability.Effects decideIf(
      BooleanSupplier counts, Function<LeaderDurability.Now, LeaderDurability.Effects> decision) {
    LeaderDurability.Now now = now();
    LeaderDurability.Effects effects = null;
    synchronized (durability) {
      if (counts.getAsBoolean()) {
        effects = decision.apply(now);
      }
    }
    if (effects != null) {
      perform(effects);
    }
    return effects;
  }

  private LeaderDurability.Now now() {
    long last = Math.max(epochStart, leader.getLastProposed());
    return new LeaderDurability.Now(last, leader.committed(), applied(), role.nanosSinceBegin());
  }

  private long applied() {
    return Math.max(epochStart, leader.zk.getZKDatabase().getDataTreeLastProcessedZxid());
  }

  /** Carries out what was decided. */
  private void perform(LeaderDurability.Effects effects) {
    long durable;
    long applied;
    long leaseEnd;
    synchronized (durability) {
      durable = decisions.durable();
      applied = decisions.applied();
      leaseEnd = decisions.lease().endNanos();
      wantedApplied = decisions.ownAppliedWanted();
      if (effects.announce()) {
        decisions.onAnnounced(durable, applied);
      }
    }
    learners.ask(effects);
    if (effects.flushes(peer.getMyId())) {
      role.flush(effects.flush());
    }
    learners.tellMembers(effects, quorum::votes);
    if (effects.announce()) {
      learners.broadcast(new PeerMessage.Durable(durable, applied));
    }
    if (effects.leaseExtended()) {
      role.gate().extendLease(leaseEnd);
      confirm(leaseEnd);
    }
    if (effects.moved()) {
      role.advance(durable, applied);
      leader.onDurable(durable);
    }
  }

  /** A late write commits; whether members are to report that they have applied it. */
  boolean onLateCommit(long zxid) {
    synchronized (durability) {
      return decisions.onLateCommit(zxid);
    }
  }

  @Override
  public long lastCommitted() {
    return leader.lastCommittedIndex();
  }

  // ---- leases

  private void beat() {
    try {
      // The time first: the promise of this server, too, must last as long as the lease that is
      // counted from here. And the promise before the heartbeat leaves.
      LeaderDurability.Now now = now();
      long promise = settings.leases().times().promiseNanos();
      if (settings.needsLeases()) {
        peer.promiseToLeader(leader.getEpoch(), promise);
      }
      LeaderDurability.Effects effects;
      synchronized (durability) {
        // A reconfiguration does not make a follower that joins, or leaves, connect again.
        effects = decisions.onHeartbeat(setSizeMax(), quorum::votes, now);
      }
      if (settings.needsLeases()) {
        PeerMessage heartbeat = new PeerMessage.Heartbeat(now.nowNanos(), promise);
        learners.broadcast(heartbeat, quorum::votesNowOrNext);
        leaseWarning.look(leaseNanos() > 0, now.nowNanos());
      }
      perform(effects);
      leader.onHeartbeat(now.last(), role.metrics());
    } catch (IOException e) {
      LOG.error("No heartbeat: what this server promises by it cannot be written", e);
    } catch (RuntimeException e) {
      // An exception would end the heartbeat for good; the next one may well succeed.
      LOG.error("A heartbeat to the learners failed", e);
    }
    commitReconfiguration();
  }

  /** Whether all up to an index is known to be durable. */
  boolean isDurable(long index) {
    return settings.durability() == Durability.CAD && index <= role.gate().durable();
  }

  private void onBeat(LearnerHandler learner, PeerMessage.Beat beat) {
    long sid = learner.getSid();
    LeaderDurability.Effects effects =
        decideFor(
            learner,
            now -> decisions.onBeat(sid, beat.heartbeat(), beat.persisted(), beat.applied(), now));
    if (effects != null) {
      leader.visibility().onBeat(sid, beat);
      if (effects.grant()) {
        long length = settings.leases().times().markOutNanos();
        OrcaLearners.send(learner, new PeerMessage.Grant(beat.stampNanos(), length));
      }
    }
    commitReconfiguration();
  }

  // ---- reconfigurations

  /**
   * Whether a reconfiguration may commit now: no quorum of {@code next} can have a leader before
   * every lease that is out has ended. If it may not, it is tried again whenever a heartbeat is
   * sent or answered. Called with the leader's monitor.
   */
  boolean mayCommitReconfiguration(QuorumVerifier next) {
    synchronized (durability) {
      // In here: a heartbeat that is answered from now on finds it.
      reconfigurationHeld = !leasesAllow(next);
      return !reconfigurationHeld;
    }
  }

  /** Whether no lease outlasts what a quorum of {@code next} has promised. */
  boolean leasesAllow(QuorumVerifier next) {
    synchronized (durability) {
      return !settings.needsLeases()
          || decisions.lease().isKeptBy(ConfiguredQuorum.of(next), role.nanosSinceBegin());
    }
  }

  private void commitReconfiguration() {
    if (reconfigurationHeld) {
      leader.commitThoseHeld();
    }
  }

  /**
   * A sync is about to be answered. That is never put off, since a learner waits for its writes and
   * syncs in one order: a late one would bar all behind it. Called with the leader's monitor.
   */
  void onSync(LearnerHandler learner) {
    long asked = role.nanosSinceBegin();
    if (settings.needsLeases() && asked >= role.gate().leaseEnd() && learners.isCurrent(learner)) {
      withheld++;
      confirmations.add(new Confirmation(learner, withheld, asked));
      OrcaLearners.send(learner, new PeerMessage.Withheld(withheld));
    }
  }

  private void confirm(long leaseEnd) {
    synchronized (leader) {
      while (!confirmations.isEmpty() && confirmations.peek().askedNanos() < leaseEnd) {
        Confirmation next = confirmations.poll();
        OrcaLearners.send(next.learner(), new PeerMessage.Confirmed(next.number()));
      }
    }
  }

  // ---- messages from learners

  /** What a quorum is, now. */
  ConfiguredQuorum quorum() {
    return quorum;
  }

  /** A message from a learner. */
  void onMessage(Request request) {
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
    if (message instanceof PeerMessage.Progress report) {
      decideFor(
          learner,
          now -> decisions.onReport(learner.getSid(), report.persisted(), report.applied(), now));
    } else if (message instanceof PeerMessage.Demand wanted) {
      decide(now -> decisions.onDemand(wanted.durable(), wanted.applied(), true, now));
      recheckApplied();
    } else if (message instanceof PeerMessage.Beat beat) {
      onBeat(learner, beat);
    } else if (message instanceof PeerMessage.Hello hello) {
      onHello(learner, hello);
    } else if (message instanceof PeerMessage.MarkedOut) {
      decideFor(learner, now -> decisions.onMarkedOut(learner.getSid(), now));
    } else {
      throw new IOException("A learner does not send " + message);
    }
  }

  private void onHello(LearnerHandler learner, PeerMessage.Hello hello) {
    long sid = learner.getSid();
    boolean eligible = quorum.votes(sid);
    LeaderDurability.Now now = now();
    LeaderDurability.Effects effects;
    long durable;
    long applied;
    long round;
    synchronized (durability) {
      if (!learners.onHello(learner)) {
        return;
      }
      effects = decisions.onJoined(sid, eligible, hello.persisted(), hello.applied(), now);
      durable = decisions.durable();
      applied = decisions.applied();
      round = decisions.rounds().target();
    }
    OrcaLearners.send(
        learner,
        new PeerMessage.Welcome(
            settings.durability(), settings.replication(), settings.readers(), durable, applied));
    if (round > durable) {
      OrcaLearners.send(learner, new PeerMessage.Flush(round));
    }
    perform(effects);
  }

  /** The learners that are ORCA as well. */
  OrcaLearners learners() {
    return learners;
  }

  /** The connection to a learner is gone. */
  void onGone(LearnerHandler learner) {
    synchronized (durability) {
      if (learners.onGone(learner)) {
        decisions.onLeft(learner.getSid());
      }
    }
  }

  // ---- for the metrics and the admin command

  long flushRounds() {
    synchronized (durability) {
      return decisions.rounds().started();
    }
  }

  int activeSetSize() {
    synchronized (durability) {
      return decisions.active().size();
    }
  }

  long leaseNanos() {
    return Math.max(0, role.gate().leaseEnd() - role.nanosSinceBegin());
  }

  Map<Long, OrcaAdminCommand.LeaderView.Voter> voters() {
    Map<Long, OrcaAdminCommand.LeaderView.Voter> voters = new TreeMap<>();
    for (Long sid : peer.getQuorumVerifier().getVotingMembers().keySet()) {
      synchronized (durability) {
        voters.put(
            sid,
            new OrcaAdminCommand.LeaderView.Voter(
                decisions.persistedBy(sid),
                decisions.active().appliedBy(sid),
                decisions.active().contains(sid),
                decisions.active().grantNanos(sid, role.nanosSinceBegin())));
      }
    }
    return voters;
  }
}
