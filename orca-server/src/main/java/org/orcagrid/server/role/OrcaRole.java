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
package org.orcagrid.server.role;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.apache.zookeeper.ZooDefs.OpCode;
import org.apache.zookeeper.server.Request;
import org.orcagrid.cad.FlushSchedule;
import org.orcagrid.cad.UndurableWindow;
import org.orcagrid.server.gate.GateMetrics;
import org.orcagrid.server.gate.HeldReplies;
import org.orcagrid.server.gate.ReplyGate;
import org.orcagrid.server.gate.ReplyNeeds;
import org.orcagrid.server.gate.ReplyRules;
import org.orcagrid.server.log.LogFlusher;
import org.orcagrid.server.log.OrcaTxnSnapLog;
import org.orcagrid.server.settings.Durability;
import org.orcagrid.server.settings.OrcaSettings;
import org.orcagrid.server.settings.Readers;
import org.orcagrid.server.settings.Replication;
import org.orcagrid.server.sizes.MessageSizes;
import org.orcagrid.server.tree.OrcaZKDatabase;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What one server does about durability while it has one role (standalone, leader, follower or
 * observer): its gate, its flusher, and what its replies need.
 *
 * <p>A server gets a new one each time it starts to serve and closes it when it stops. Safe for use
 * by many threads.
 */
public final class OrcaRole implements OrcaTxnSnapLog.Publisher, AutoCloseable {

  /** Where the role turns for what it cannot do alone: to the ensemble. */
  public interface Ensemble {

    /** Replies wait for these indexes. */
    void demand(long durable, long applied);

    /** This server's log is on disk up to {@code index}. */
    void onPersisted(long index);

    /** The last transaction that is committed, as far as this server knows. */
    long lastCommitted();
  }

  /** What part a server has. */
  public enum Part {
    /** It is alone. */
    STANDALONE,
    LEADER,
    /** It follows or observes a leader. */
    LEARNER
  }

  private static final Logger LOG = LoggerFactory.getLogger(OrcaRole.class);

  /** How long after one warning that writes wait the next one may follow. */
  private static final long WARN_AGAIN_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final OrcaSettings settings;
  private final OrcaZKDatabase database;
  private final OrcaTxnSnapLog log;
  private final Ensemble ensemble;
  private final Part part;
  private final long beginNanos = System.nanoTime();
  private final ReplyGate gate;
  private final ReplyRules rules;
  private final LongSupplier lastApplied;
  private final GateMetrics metrics = new GateMetrics();
  private final MessageSizes sizes = new MessageSizes();
  private final LogFlusher flusher;
  private final AtomicLong persisted;

  /** What is logged here and is not durable; guards itself and {@link #bytesNoted}. */
  private final UndurableWindow window;

  private long bytesNoted;

  /** When it may be said again that writes wait, by {@link System#nanoTime}. */
  private final AtomicLong nextWarningNanos;

  private volatile boolean gatesDurability;
  private volatile boolean gatesApplied;
  private volatile boolean asksLeader;

  /** Whether the answer to a write waits until all members have applied it. */
  private volatile boolean writesWaitForMembers;

  /**
   * Whether this is a learner whose gate is not open for good. Replies may be held then, also if no
   * mode asks for it any more: none may overtake them.
   */
  private volatile boolean learnerHolds;

  /** A learner's lease, by the clock of {@link System#nanoTime}; it has none before this time. */
  private volatile long leaseEndNanos = beginNanos;

  private volatile long withheld;

  /**
   * A role that starts from a state which is wholly on this server's disk.
   *
   * @param part what part the server has
   * @param start the index up to which the state is durable on a quorum
   * @param onFailure told why nothing is flushed any more
   */
  public OrcaRole(
      OrcaSettings settings,
      OrcaZKDatabase database,
      OrcaTxnSnapLog log,
      Ensemble ensemble,
      Part part,
      long start,
      Consumer<? super Throwable> onFailure) {
    this.settings = settings;
    this.database = database;
    this.log = log;
    this.ensemble = ensemble;
    this.part = part;
    // A learner is told its leader's modes in the welcome, and serves clients before it reads that.
    // Until then the strongest hold.
    this.learnerHolds = part == Part.LEARNER;
    this.gatesDurability = part == Part.LEARNER || settings.gatesReads();
    this.asksLeader = part == Part.LEARNER;
    this.writesWaitForMembers =
        part == Part.LEARNER
            || (part == Part.LEADER && settings.replication() == Replication.ACTIVE_SET);
    this.gatesApplied =
        asksLeader || (part == Part.LEADER && settings.readers() == Readers.ACTIVE_SET);
    boolean waitsForReaders = part == Part.LEARNER || gatesApplied;
    long durable =
        part != Part.LEARNER && settings.durability() == Durability.SYNC ? Long.MAX_VALUE : start;
    this.gate = new ReplyGate(durable, waitsForReaders ? start : Long.MAX_VALUE, ensemble::demand);
    this.lastApplied = database::getDataTreeLastProcessedZxid;
    this.rules = new ReplyRules(settings, database.tree().changes(), lastApplied);
    this.window =
        new UndurableWindow(
            settings.undurableBytesMax(), settings.undurableAgeMaxNanos(), gate.durable());
    this.bytesNoted = log.log().bytesAppended();
    this.nextWarningNanos = new AtomicLong(beginNanos);
    long onDisk = Math.max(start, database.getDataTreeLastProcessedZxid());
    this.persisted = new AtomicLong(onDisk);
    this.flusher =
        settings.flushesInBackground()
            ? new LogFlusher(
                "LogFlusher",
                log,
                new FlushSchedule(settings.flushIntervalNanos(), onDisk, System.nanoTime()),
                this::setPersisted,
                metrics::onFlush,
                onFailure)
            : null;
  }

  /** Starts to flush and to note changes. */
  public void start() {
    // A learner may find that its leader gates what it itself does not.
    if (part == Part.LEARNER || gates()) {
      database.tree().noteChanges(gate::settled);
      log.attach(this);
    }
    if (flusher != null) {
      flusher.start();
    }
  }

  /** The settings of the server. */
  public OrcaSettings settings() {
    return settings;
  }

  /** The gate of the server's replies. */
  public ReplyGate gate() {
    return gate;
  }

  /** What has been counted since the role began. */
  public GateMetrics metrics() {
    return metrics;
  }

  /** What was too long since the role began. */
  public MessageSizes sizes() {
    return sizes;
  }

  /** Whether replies may have to wait. If not, connections need not look at the gate. */
  public boolean gates() {
    return settings.durability() != Durability.SYNC
        || gatesApplied
        || gatesDurability
        || learnerHolds
        || needsOwnLease();
  }

  /** Whether what this server shows depends on its own lease as a leader. */
  private boolean needsOwnLease() {
    return part == Part.LEADER && settings.needsLeases();
  }

  /** Nanoseconds since the role began, by the monotonic clock. */
  public long nanosSinceBegin() {
    return System.nanoTime() - beginNanos;
  }

  /**
   * Whether a read that has just come must be confirmed by the leader. It need not if this server
   * holds a lease: from the time at which it does, its tree has everything that any client was
   * shown before, and the read is executed later.
   *
   * @param sessionWantsConfirmation whether the session asked for linearizable reads
   */
  public boolean mustAskLeader(boolean sessionWantsConfirmation) {
    return asksLeader
        && (mustBeLinearizable(sessionWantsConfirmation) || System.nanoTime() - leaseEndNanos >= 0);
  }

  /**
   * Whether a read must show everything that any server has acknowledged before it came.
   *
   * @param sessionWantsConfirmation whether the session asked for linearizable reads
   */
  public boolean mustBeLinearizable(boolean sessionWantsConfirmation) {
    return sessionWantsConfirmation || settings.leases().linearizable();
  }

  /**
   * Whether this server may answer reads from its own state now: as a member of the active set, or
   * as the leader.
   */
  public boolean holdsLease() {
    return part == Part.LEADER
        ? nanosSinceBegin() < gate.leaseEnd()
        : part == Part.LEARNER && System.nanoTime() - leaseEndNanos < 0;
  }

  /** A learner's lease ends at {@code endNanos} of {@link System#nanoTime}. */
  public void setLeaseEnd(long endNanos) {
    leaseEndNanos = endNanos;
  }

  /**
   * The leader of this learner has answered without a lease; what is executed from now on through
   * the leader leaves once {@link ReplyGate#extendLease} was called with this number or a later
   * one.
   */
  public void withhold(long number) {
    withheld = number;
  }

  /** The number of the last answer that the leader withheld, 0 for none. */
  public long withheld() {
    return withheld;
  }

  /** Whether the log is to be forced before a write is acknowledged. */
  public boolean forcesBeforeAcknowledging() {
    return flusher == null;
  }

  /** The index up to which this server's log is on disk. */
  public long persisted() {
    return persisted.get();
  }

  @Override
  public long durableIndex() {
    return gate.durable();
  }

  @Override
  public void demand(long index) {
    if (index > gate.durable()) {
      ensemble.demand(index, 0);
    }
  }

  /** Everything up to {@code index} is in the log, not forced. */
  public void onAppended(long index) {
    noteLogged(index);
    if (flusher != null) {
      flusher.appended(index);
    }
  }

  /** Everything up to {@code index} was forced by the thread that appended it. */
  public void onForced(long index, long nanos) {
    metrics.onFlush(nanos);
    noteLogged(index);
    setPersisted(index);
  }

  /** Everything up to {@code index} was applied by a server that keeps no log: an observer. */
  public void onAppliedWithoutLog(long index) {
    noteLogged(index);
  }

  private void noteLogged(long index) {
    long bytes = log.log().bytesAppended();
    synchronized (window) {
      // A log that was cut back is counted anew.
      long more = bytes >= bytesNoted ? bytes - bytesNoted : bytes;
      bytesNoted = bytes;
      if (gatesDurability) {
        window.onLogged(index, more, System.nanoTime());
      }
    }
  }

  private void setPersisted(long index) {
    if (index > persisted.getAndAccumulate(index, Math::max)) {
      ensemble.onPersisted(index);
    }
  }

  /** Forces the log soon, up to {@code index} at least. */
  public void flush(long index) {
    if (flusher != null) {
      flusher.demand(index);
    }
  }

  /** The state up to {@code durable} is durable; the leader has applied up to {@code applied}. */
  public void advance(long durable, long applied) {
    synchronized (window) {
      window.onDurable(durable);
    }
    gate.advance(durable, applied);
    log.onDurable(durable);
  }

  /**
   * The leader has said which modes it has: from now on the stronger of its and of this server's
   * hold, no longer the strongest that there are.
   *
   * @param leaderGatesDurability whether the leader's ensemble promises that what is read is
   *     durable
   * @param leaderVouchesForReads whether it promises that reads are monotonic across clients
   * @param leaderAwaitsMembers whether it promises that reads show what was acknowledged
   */
  public void adopt(
      boolean leaderGatesDurability, boolean leaderVouchesForReads, boolean leaderAwaitsMembers) {
    writesWaitForMembers = leaderAwaitsMembers || settings.replication() == Replication.ACTIVE_SET;
    gatesDurability = leaderGatesDurability || settings.gatesReads();
    asksLeader = leaderVouchesForReads || settings.readers() != Readers.ALL;
    gatesApplied = asksLeader;
    if (!gatesApplied) {
      advance(0, Long.MAX_VALUE);
    }
  }

  /** What the leader commits is durable: it counts forced acknowledgements only. */
  public void commitsAreDurable() {
    gatesDurability = false;
    advance(Long.MAX_VALUE, 0);
    if (!gatesApplied) {
      database.tree().forgetChanges();
      // Last: what was held has left by now.
      learnerHolds = false;
    }
  }

  /** The leader is a stock one: what it commits is durable, and it will not say so. */
  public void openForGood() {
    gatesDurability = false;
    asksLeader = settings.readers() != Readers.ALL;
    writesWaitForMembers = false;
    gatesApplied = false;
    advance(Long.MAX_VALUE, Long.MAX_VALUE);
    database.tree().forgetChanges();
    learnerHolds = false;
  }

  /** The index that a watch event of transaction {@code zxid} needs to be durable. */
  public long durableForEvent(long zxid) {
    return gatesDurability ? eventIndex(zxid) : 0;
  }

  /** The index that a watch event of transaction {@code zxid} needs to be applied by the leader. */
  public long appliedForEvent(long zxid) {
    return gatesApplied ? eventIndex(zxid) : 0;
  }

  /** When the lease must end, at the earliest, before a watch event of now leaves. */
  public long leaseEndForEvent() {
    return leaseEndNeeded();
  }

  /** 0 while the lease covers this moment; otherwise an end that does. */
  private long leaseEndNeeded() {
    if (!needsOwnLease()) {
      return 0;
    }
    long now = nanosSinceBegin();
    return now < gate.leaseEnd() ? 0 : now + 1;
  }

  private long eventIndex(long zxid) {
    // A watch that is set again after a reconnection fires for a change of which the index is lost.
    return zxid > 0 ? zxid : lastApplied.getAsLong();
  }

  /** Works out what the reply to {@code request} will need; called before it is executed. */
  public void prepare(Request request, ReplyNeeds needs, boolean sessionWantsDurability) {
    long shown = 0;
    long shownOnError = 0;
    long mustBeDurable = 0;
    long bounded = 0;
    boolean read = ReplyRules.isRead(request.type);
    try {
      if (read) {
        metrics.onRead();
        long last = lastApplied.getAsLong();
        if (last > gate.durable() || last > gate.applied()) {
          shown = rules.shownByRead(request);
          shownOnError = Math.max(shown, rules.shownByFailedRead(request));
        }
      } else if (request.getHdr() != null) {
        shown =
            settings.durability() == Durability.SYNC
                ? request.getHdr().getZxid()
                : rules.shownByWrite(request);
        shownOnError = shown;
        if (rules.wantsImmediateDurability(request, sessionWantsDurability)) {
          mustBeDurable = request.getHdr().getZxid();
        } else if (gatesDurability
            && shown < request.getHdr().getZxid()
            && !ReplyRules.isOfSession(request)) {
          bounded = boundOf(request.getHdr().getZxid());
        }
      } else if (request.type == OpCode.sync && settings.durability() != Durability.SYNC) {
        mustBeDurable = Math.max(lastApplied.getAsLong(), ensemble.lastCommitted());
      }
    } catch (IOException | RuntimeException e) {
      // What a client sent has no path, or no end: it fails in the same way when it is executed.
      // Until then, the most that it can show. Nothing may escape: it would stop the processors.
      LOG.debug("A request that cannot be understood: {}", request, e);
      shown = mostShownBy(request);
      shownOnError = shown;
    }
    if (read && gatesDurability && shown > gate.durable()) {
      metrics.onReadTriggering();
    }
    long mustBeApplied = mustBeDurable;
    if (writesWaitForMembers && request.getHdr() != null) {
      mustBeApplied = Math.max(mustBeApplied, request.getHdr().getZxid());
    }
    needs.set(
        request.cxid,
        Math.max(gatesDurability ? shown : 0, Math.max(mustBeDurable, bounded)),
        gatesApplied ? Math.max(shown, mustBeApplied) : 0,
        Math.max(gatesDurability ? shownOnError : 0, mustBeDurable),
        gatesApplied ? Math.max(shownOnError, mustBeApplied) : 0);
    if (part == Part.LEARNER) {
      // For a read under a lease of this server's own as well: that has no reason to be here when
      // the leader has none.
      needs.setLeaseEnd(read || request.type == OpCode.sync ? withheld : 0);
    } else if (read || shownOnError > 0 || request.type == OpCode.sync) {
      needs.setLeaseEnd(leaseEndNeeded());
    }
  }

  /** What must be durable before a write that need not wait for itself is: 0, or itself. */
  private long boundOf(long zxid) {
    if (zxid <= gate.durable()) {
      return 0;
    }
    long now = System.nanoTime();
    long bytes;
    long age;
    synchronized (window) {
      if (window.isOpen(now)) {
        return 0;
      }
      bytes = window.bytes();
      age = window.oldestAgeNanos(now);
    }
    metrics.onWriteBounded();
    long next = nextWarningNanos.get();
    if (now - next >= 0 && nextWarningNanos.compareAndSet(next, now + WARN_AGAIN_NANOS)) {
      LOG.warn(
          "Writes wait until they are durable: {} bytes of the log are not known to be on the disks"
              + " of a majority, the oldest for {} ms (orca.maxUndurableBytes={},"
              + " orca.maxUndurableMs={}). Are the disks too slow, or do they hang?",
          bytes,
          TimeUnit.NANOSECONDS.toMillis(age),
          settings.undurableBytesMax(),
          TimeUnit.NANOSECONDS.toMillis(settings.undurableAgeMaxNanos()));
    }
    return zxid;
  }

  private long mostShownBy(Request request) {
    long last = lastApplied.getAsLong();
    return request.getHdr() == null ? last : Math.max(last, request.getHdr().getZxid());
  }

  /** The queue of a new connection. */
  public HeldReplies newQueue(HeldReplies.Connection connection) {
    return new HeldReplies(connection, gate, metrics, settings.heldRepliesMax());
  }

  /** How many entries of the log are not on this server's disk, as a difference of indexes. */
  public long unpersisted() {
    return flusher == null ? 0 : flusher.appended() - flusher.persisted();
  }

  /** Bytes of the log that are not on this server's disk. */
  public long unpersistedBytes() {
    return log.log().undurableBytes();
  }

  /** Stops flushing. The server then forces what is left itself. */
  @Override
  public void close() {
    if (flusher != null) {
      flusher.close();
    }
    database.tree().forgetChanges();
  }
}
