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
package org.orcagrid.cad;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongPredicate;

/**
 * What a leader knows and decides about durability and about who may read: the durable-index
 * (section 4.3.3), the flush rounds (4.3.4), the active set and the leases (4.4).
 *
 * <p>Two indexes open the gates of all servers. The <em>durable</em> index is persisted by a
 * quorum; the <em>applied</em> index is applied by every member of the active set. What a reply
 * shows must be below both.
 *
 * <p>Each method takes what has happened and returns what is to be done about it; the caller does
 * it after it has left its monitor, in any order, except that {@link Effects#grant} may be acted on
 * only after the method has returned it. Nothing else is promised about the order in which the
 * effects of two calls are carried out: messages that overtake each other are stale, not wrong.
 *
 * <p>Not thread-safe; the owner guards it. Times are nanoseconds of the leader's monotonic clock
 * since its role began.
 */
public final class LeaderDurability {

  /** What is to be done. */
  public static final class Effects implements ActiveSet.Listener {
    private boolean moved;
    private boolean announce;
    private boolean grant;
    private boolean leaseExtended;
    private long flush = FlushRounds.NONE;

    /** Null for all servers. */
    private long[] flushers;

    private boolean flushAsksApplied;
    private long askApplied = FlushRounds.NONE;
    private final List<Long> markOut = new ArrayList<>(0);
    private final List<Long> admitted = new ArrayList<>(0);
    private final List<Long> removed = new ArrayList<>(0);

    private Effects() {}

    /** The gate opens: {@link #durable()} or {@link #applied()} has advanced. */
    public boolean moved() {
      return moved;
    }

    /** The learners are to be told both indexes now. */
    public boolean announce() {
      return announce;
    }

    /** The beat is to be answered with a grant. */
    public boolean grant() {
      return grant;
    }

    /** The leader's own lease ends later than before. */
    public boolean leaseExtended() {
      return leaseExtended;
    }

    /** Servers are to flush up to this index at least, or {@link FlushRounds#NONE}. */
    public long flush() {
      return flush;
    }

    /** Whether a server is one of those that are to do so. */
    public boolean flushes(long serverId) {
      if (flushers == null) {
        return flush != FlushRounds.NONE;
      }
      for (long each : flushers) {
        if (each == serverId) {
          return true;
        }
      }
      return false;
    }

    /** Whether the other learners are to report when they have applied what is flushed. */
    public boolean flushAsksApplied() {
      return flushAsksApplied;
    }

    /** Members are to report when they have applied this, or {@link FlushRounds#NONE}. */
    public long askApplied() {
      return askApplied;
    }

    /** The servers that are to mark themselves out. */
    public List<Long> markOut() {
      return markOut;
    }

    /** The servers that became members. */
    public List<Long> admitted() {
      return admitted;
    }

    /** The servers that are members no more. */
    public List<Long> removed() {
      return removed;
    }

    @Override
    public void onAdmitted(long serverId) {
      admitted.add(serverId);
    }

    @Override
    public void onRemoved(long serverId) {
      removed.add(serverId);
    }

    @Override
    public void onMarkOut(long serverId) {
      markOut.add(serverId);
    }
  }

  /**
   * Where the leader itself stands.
   *
   * @param last the last entry of its log
   * @param committed the last one that every server may apply; behind it are those shown late, and
   *     those that wait for a quorum
   * @param applied what it has applied
   * @param nowNanos the time
   */
  public record Now(long last, long committed, long applied, long nowNanos) {}

  private final long selfId;
  private final QuorumRule rule;
  private final FlushRounds rounds = new FlushRounds();
  private final FlushQuorum flushers;
  private final Announcements announcements = new Announcements();
  private final LeaderLease lease;
  private final ActiveSet active;
  private final QuorumIndex persisted;
  private final long slowNanos;

  private long applied;

  /** The round that was under way at the last heartbeat. */
  private long targetAtHeartbeat = FlushRounds.NONE;

  private long announcedDurable;
  private long announcedApplied;

  /** The highest index that members were asked to report once they have applied it. */
  private long askedApplied;

  /** The highest index that a reply waits for every member to have applied, and the oldest such. */
  private long wantedApplied;

  private long oldestWanted;
  private long oldestWantedNanos;

  /**
   * A leader at the start of its epoch.
   *
   * @param start everything up to it is durable, and applied by the leader
   * @param sizeMax how many servers may be in the active set, the leader included
   * @param slowNanos how long a reply waits for a connected member before that is marked out
   */
  public LeaderDurability(
      long selfId, long start, int sizeMax, LeaseTimes times, long slowNanos, QuorumRule rule) {
    this.selfId = selfId;
    this.slowNanos = slowNanos;
    this.rule = rule;
    this.flushers = new FlushQuorum(selfId, rule);
    this.persisted = new QuorumIndex(start);
    this.lease = new LeaderLease(times);
    this.active = new ActiveSet(selfId, start, sizeMax, times);
    this.applied = start;
  }

  /** The index up to which a quorum has persisted the log. */
  public long durable() {
    return persisted.value();
  }

  /** The index up to which every member of the active set has applied the log. */
  public long applied() {
    return applied;
  }

  /** The leader's own lease. */
  public LeaderLease lease() {
    return lease;
  }

  /** The servers that may answer reads. */
  public ActiveSet active() {
    return active;
  }

  /** The flush rounds so far. */
  public FlushRounds rounds() {
    return rounds;
  }

  /** The persisted-index that a server has reported last, or -1. */
  public long persistedBy(long serverId) {
    return persisted.reportedBy(serverId);
  }

  /**
   * The index that the leader itself should apply before it calls {@link #onOwnProgress}; 0 if it
   * need not call for what it applies.
   */
  public long ownAppliedWanted() {
    return wantedApplied;
  }

  /** A server has persisted, and applied, up to these indexes; -1 where it does not say. */
  public Effects onReport(long serverId, long persistedIndex, long appliedIndex, Now now) {
    Effects effects = new Effects();
    boolean durable = persistedIndex >= 0 && onPersisted(serverId, persistedIndex);
    active.onApplied(serverId, appliedIndex);
    advance(durable, now, effects);
    return effects;
  }

  private boolean onPersisted(long serverId, long index) {
    if (serverId == selfId || active.isEligible(serverId)) {
      flushers.onPersisted(serverId, index);
    }
    return persisted.onReport(serverId, index, rule);
  }

  /** The leader has applied what {@link #ownAppliedWanted} asked for. */
  public Effects onOwnProgress(Now now) {
    Effects effects = new Effects();
    advance(false, now, effects);
    return effects;
  }

  /**
   * Replies wait until these indexes are durable, and applied by all members.
   *
   * @param ofLearner whether a learner holds them
   */
  public Effects onDemand(long durableIndex, long appliedIndex, boolean ofLearner, Now now) {
    Effects effects = new Effects();
    if (ofLearner) {
      announcements.onDemand();
    }
    advance(false, now, effects);
    flush(rounds.onDemand(durableIndex, durable(), now.last(), now.nowNanos()), effects);
    if (appliedIndex > applied) {
      if (wantedApplied <= applied) {
        oldestWanted = appliedIndex;
        oldestWantedNanos = now.nowNanos();
      }
      wantedApplied = Math.max(wantedApplied, appliedIndex);
      if (effects.flush != FlushRounds.NONE && effects.flush <= now.committed()) {
        // Who flushes reports what it has applied as well.
        effects.flushAsksApplied = true;
        askedApplied = Math.max(askedApplied, effects.flush);
      } else if (appliedIndex > askedApplied) {
        // Later entries too, but none that waits for a disk first: replies would wait with it.
        askedApplied = Math.max(appliedIndex, now.committed());
        effects.askApplied = askedApplied;
      }
    }
    if (ofLearner
        && ((durableIndex > 0 && durableIndex <= durable())
            || (appliedIndex > 0 && appliedIndex <= applied))) {
      // It has not been told: an advance is not announced while nobody asks.
      effects.announce = true;
    }
    return effects;
  }

  /**
   * Writes up to {@code index} are committed late. Where that is chosen they are read at once, and
   * a read would have to ask members what they have applied.
   *
   * @return whether the commit is to ask them
   */
  public boolean onLateCommit(long index) {
    boolean asks = active.size() > 1 && index > askedApplied;
    askedApplied = asks ? index : askedApplied;
    return asks;
  }

  /** A learner of ours is in sync; it may become a member while it is {@code eligible}. */
  public Effects onJoined(
      long serverId, boolean eligible, long persistedIndex, long appliedIndex, Now now) {
    Effects effects = new Effects();
    active.onJoined(serverId, appliedIndex, eligible, applied, effects);
    flushers.onJoined();
    boolean durable = onPersisted(serverId, persistedIndex);
    advance(durable, now, effects);
    if (askedApplied > appliedIndex) {
      // It was not connected, or was not in sync, when the others were asked.
      effects.askApplied = askedApplied;
    }
    return effects;
  }

  /** The connection to a learner is gone. */
  public void onLeft(long serverId) {
    active.onLeft(serverId);
    flushers.onLeft(serverId);
  }

  /**
   * A voter has answered the heartbeat of {@code sentNanos}; a member asks for its grant with it.
   */
  public Effects onBeat(
      long serverId, long sentNanos, long persistedIndex, long appliedIndex, Now now) {
    Effects effects = new Effects();
    effects.leaseExtended = lease.onAnswered(serverId, sentNanos, rule);
    boolean durable = onPersisted(serverId, persistedIndex);
    active.onApplied(serverId, appliedIndex);
    advance(durable, now, effects);
    effects.grant = active.onBeat(serverId, lease.isValid(now.nowNanos()), applied, now.nowNanos());
    return effects;
  }

  /** A member that was told to mark itself out has done so. */
  public Effects onMarkedOut(long serverId, Now now) {
    Effects effects = new Effects();
    active.onMarkedOut(serverId, effects);
    advance(false, now, effects);
    return effects;
  }

  /**
   * As {@link #onHeartbeat(int, LongPredicate, Now)}, while everybody may be a member as before.
   */
  public Effects onHeartbeat(int sizeMax, Now now) {
    return heartbeat(sizeMax, now, new Effects());
  }

  /**
   * The leader sends a heartbeat now; it is its own first answer.
   *
   * @param sizeMax how many servers may be in the active set now, the leader included
   * @param eligible who may be in it now
   */
  public Effects onHeartbeat(int sizeMax, LongPredicate eligible, Now now) {
    Effects effects = new Effects();
    active.setEligible(eligible, effects);
    return heartbeat(sizeMax, now, effects);
  }

  private Effects heartbeat(int sizeMax, Now now, Effects effects) {
    effects.leaseExtended = lease.onAnswered(selfId, now.nowNanos(), rule);
    active.setSizeMax(sizeMax, effects);
    boolean durable = persisted.onConfigurationChange(rule);
    advance(durable, now, effects);
    if (wantedApplied > applied
        && now.applied() >= oldestWanted
        && now.nowNanos() - oldestWantedNanos >= slowNanos) {
      active.markOutSlow(oldestWanted, now.nowNanos(), effects);
    }
    if (announcedDurable != durable() || announcedApplied != applied) {
      effects.announce = true;
    }
    if (effects.flush == FlushRounds.NONE) {
      // A demand waits for a round that was short when it came, and is not any more.
      flush(rounds.onDurable(durable(), now.last(), now.nowNanos()), effects);
    }
    askEverybodyIfOverdue(effects);
    return effects;
  }

  /** Who was asked to flush may have crashed, or its disk hangs. */
  private void askEverybodyIfOverdue(Effects effects) {
    long target = rounds.target();
    if (target > durable() && target == targetAtHeartbeat && effects.flush == FlushRounds.NONE) {
      effects.flush = target;
      effects.flushers = null;
      flushers.onOverdue(target, persistedBy(selfId));
    }
    targetAtHeartbeat = target;
  }

  private void flush(long target, Effects effects) {
    effects.flush = target;
    if (target != FlushRounds.NONE) {
      effects.flushers = flushers.choose(target, persistedBy(selfId));
    }
  }

  /** Both indexes are on their way to the learners. */
  public void onAnnounced(long durableIndex, long appliedIndex) {
    announcedDurable = Math.max(announcedDurable, durableIndex);
    announcedApplied = Math.max(announcedApplied, appliedIndex);
  }

  /** Recomputes what members have applied; the set changes first, for it decides what counts. */
  private void advance(boolean durableMoved, Now now, Effects effects) {
    active.onApplied(selfId, now.applied());
    active.update(applied, now.nowNanos(), effects);
    long all = active.applied();
    boolean appliedMoved = all > applied;
    if (appliedMoved) {
      applied = all;
      if (applied >= wantedApplied) {
        wantedApplied = 0;
      } else if (applied >= oldestWanted) {
        oldestWanted = wantedApplied;
        oldestWantedNanos = now.nowNanos();
      }
    }
    if (durableMoved) {
      flush(rounds.onDurable(durable(), now.last(), now.nowNanos()), effects);
    }
    if (durableMoved || appliedMoved) {
      effects.moved = true;
      effects.announce |= announcements.onAdvance();
    }
  }
}
