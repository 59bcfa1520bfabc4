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
 * The servers that may answer reads from their own state, as their leader keeps them (sections
 * 4.4.1 and 4.4.2).
 *
 * <p>R1: nothing is shown to a client before every member has applied it; {@link #applied()} is how
 * far that is. R2: only members answer reads; they know by the grants that {@link #onBeat} allows.
 * What is shown must also be persisted by a quorum, which {@link QuorumIndex} keeps. The paper has
 * every member persist it as well; that is more than its proof needs: a member that crashes comes
 * back without a lease and is admitted again only once it has applied all that was shown.
 *
 * <p>A server is admitted in two steps: one that has nearly caught up counts for {@link #applied()}
 * first, so that the leader does not run ahead of it, and is admitted when it has applied
 * everything that was shown.
 *
 * <p>A member leaves in two steps. It marks itself out when its grant has run out, or when it is
 * told to; the leader removes it when {@code removalNanos} have passed since the last grant, or
 * when it says that it has marked itself out, or when it comes back with a new connection, which it
 * makes only after it has stopped to serve. Until then it counts for {@link #applied()}.
 *
 * <p>Invariants:
 *
 * <ol>
 *   <li>the leader itself is always a member;
 *   <li>a server is admitted only if it has applied everything that was shown so far;
 *   <li>a server that may hold a valid grant is a member.
 * </ol>
 *
 * <p>Not thread-safe; the owner guards it. Times are nanoseconds of the leader's monotonic clock
 * since its role began.
 */
public final class ActiveSet {

  /** How far apart two removals of a slow server are at least, in removal times. */
  private static final int PENALTY_MAX = 64;

  /** Told of what changes, in the order in which it does. */
  public interface Listener {

    /** The server is a member from now on. */
    void onAdmitted(long serverId);

    /** The server is no member any more. */
    void onRemoved(long serverId);

    /** The server is to mark itself out, and to say so. */
    void onMarkOut(long serverId);
  }

  private enum State {
    /** Does not count, and is given nothing. */
    OUT,
    /** Counts already, so that what is shown waits for it, but is given nothing yet. */
    JOINING,
    /** Counts, and is given grants. */
    ACTIVE,
    /** Counts, since it may hold a grant, but is given none any more. */
    LEAVING
  }

  private static final class Member {
    private final long id;
    private State state = State.OUT;
    private boolean connected;
    private boolean eligible;
    private long applied;

    /** What was shown when it reported before: who has applied this is nearly there. */
    private long catchUp;

    private boolean granted;
    private long lastGrantNanos;
    private long readmitNanos;
    private long penaltyNanos;

    private Member(long id) {
      this.id = id;
    }
  }

  private final LeaseTimes times;
  private final Member self;
  private final List<Member> members = new ArrayList<>();
  private int sizeMax;

  /**
   * A set of the leader alone.
   *
   * @param selfId the leader
   * @param applied what it has applied
   * @param sizeMax how many servers may be members, the leader included
   */
  public ActiveSet(long selfId, long applied, int sizeMax, LeaseTimes times) {
    this.times = times;
    this.sizeMax = sizeMax;
    this.self = new Member(selfId);
    self.state = State.ACTIVE;
    self.applied = applied;
    members.add(self);
  }

  /** How far every member has applied the log. */
  public long applied() {
    long lowest = Long.MAX_VALUE;
    for (int i = 0; i < members.size(); i++) {
      Member member = members.get(i);
      if (member.state != State.OUT) {
        lowest = Math.min(lowest, member.applied);
      }
    }
    return lowest;
  }

  /** How many servers are members. */
  public int size() {
    int size = 0;
    for (int i = 0; i < members.size(); i++) {
      size += members.get(i).state == State.OUT ? 0 : 1;
    }
    return size;
  }

  /** Whether the server is a member, or may still believe that it is. */
  public boolean contains(long serverId) {
    Member member = find(serverId);
    return member != null && (member.state == State.ACTIVE || member.state == State.LEAVING);
  }

  /** Whether a learner votes, as far as it is known here. */
  public boolean isEligible(long serverId) {
    Member member = find(serverId);
    return member != null && member.eligible;
  }

  /** What the server has reported last, or -1 if it has not. */
  public long appliedBy(long serverId) {
    Member member = find(serverId);
    return member == null ? -1 : member.applied;
  }

  /** How long it takes until the last grant of a server must have ended, 0 if it has. */
  public long grantNanos(long serverId, long nowNanos) {
    Member member = find(serverId);
    if (member == null || !member.granted) {
      return 0;
    }
    return Math.max(0, member.lastGrantNanos + times.removalNanos() - nowNanos);
  }

  /** From now on {@code max} servers may be members; those that are too many are marked out. */
  public void setSizeMax(int max, Listener listener) {
    sizeMax = max;
    for (int i = members.size() - 1; i > 0 && joinedOrJoining() > sizeMax; i--) {
      if (isOneOf(members.get(i), State.ACTIVE, State.JOINING)) {
        markOut(members.get(i), listener);
      }
    }
  }

  /**
   * The configuration decides who may be a member; it may change while a server is connected. One
   * that may be a member no more is marked out, one that may be from now on is admitted when it has
   * caught up.
   */
  public void setEligible(LongPredicate eligible, Listener listener) {
    for (int i = 1; i < members.size(); i++) {
      Member member = members.get(i);
      member.eligible = eligible.test(member.id);
      if (!member.eligible && isOneOf(member, State.ACTIVE, State.JOINING)) {
        markOut(member, listener);
      }
    }
  }

  /**
   * A server has connected, in sync with this leader.
   *
   * @param eligible whether it may become a member, until {@link #setEligible} says otherwise
   * @param shown what may have been shown to a client so far
   */
  public void onJoined(
      long serverId, long applied, boolean eligible, long shown, Listener listener) {
    Member member = find(serverId);
    if (member == null) {
      member = new Member(serverId);
      members.add(member);
    } else if (member.state != State.OUT) {
      // It has stopped to serve before it connected again.
      remove(member, listener);
    }
    member.connected = true;
    member.eligible = eligible;
    member.applied = applied;
    member.catchUp = shown;
  }

  /** The connection to a server is gone. It may hold a grant all the same. */
  public void onLeft(long serverId) {
    Member member = find(serverId);
    if (member != null) {
      member.connected = false;
    }
  }

  /** A server has applied the log up to {@code applied}. */
  public void onApplied(long serverId, long applied) {
    Member member = find(serverId);
    if (member != null && applied > member.applied) {
      member.applied = applied;
    }
  }

  /**
   * A server asks for a grant.
   *
   * @param leaseValid whether the leader holds its own lease now
   * @param shown what may have been shown to a client so far
   * @return whether it is granted, from now on counted as given
   */
  public boolean onBeat(long serverId, boolean leaseValid, long shown, long nowNanos) {
    Member member = find(serverId);
    if (member != null && member.state == State.OUT) {
      member.catchUp = shown;
    }
    if (!leaseValid || member == null || member.state != State.ACTIVE || !member.connected) {
      return false;
    }
    member.granted = true;
    member.lastGrantNanos = nowNanos;
    if (nowNanos - member.readmitNanos > PENALTY_MAX * times.removalNanos()) {
      member.penaltyNanos = 0;
    }
    return true;
  }

  /** A server that was told to mark itself out has done so. */
  public void onMarkedOut(long serverId, Listener listener) {
    Member member = find(serverId);
    if (member != null && member.state == State.LEAVING) {
      remove(member, listener);
    }
  }

  /**
   * Members that have not applied {@code index} hold a read up for too long: they are marked out,
   * and come back after a while that grows each time.
   */
  public void markOutSlow(long index, long nowNanos, Listener listener) {
    for (int i = 1; i < members.size(); i++) {
      Member member = members.get(i);
      if (isOneOf(member, State.ACTIVE, State.JOINING) && member.applied < index) {
        member.penaltyNanos =
            Math.min(
                PENALTY_MAX * times.removalNanos(),
                Math.max(times.removalNanos(), 2 * member.penaltyNanos));
        member.readmitNanos = nowNanos + member.penaltyNanos;
        markOut(member, listener);
      }
    }
  }

  /**
   * Removes those whose grants must have ended, and admits those that have applied all that was
   * shown.
   *
   * @param shown what may have been shown to a client so far
   */
  public void update(long shown, long nowNanos, Listener listener) {
    for (int i = 1; i < members.size(); i++) {
      Member member = members.get(i);
      if (member.state != State.OUT && mustHaveEnded(member, nowNanos)) {
        remove(member, listener);
      }
    }
    for (int i = 1; i < members.size() && size() < sizeMax; i++) {
      Member member = members.get(i);
      if (member.state == State.OUT
          && member.connected
          && member.eligible
          && member.applied >= member.catchUp
          && nowNanos - member.readmitNanos >= 0) {
        member.state = State.JOINING;
        member.granted = false;
      }
    }
    for (int i = 1; i < members.size(); i++) {
      Member member = members.get(i);
      if (member.state == State.JOINING && member.applied >= shown) {
        member.state = State.ACTIVE;
        member.lastGrantNanos = nowNanos;
        listener.onAdmitted(member.id);
      }
    }
  }

  private boolean mustHaveEnded(Member member, long nowNanos) {
    if (!member.granted && (!member.connected || member.state == State.LEAVING)) {
      return true;
    }
    return member.state != State.JOINING
        && nowNanos - member.lastGrantNanos >= times.removalNanos();
  }

  private static void markOut(Member member, Listener listener) {
    if (member.state == State.ACTIVE && member.granted) {
      member.state = State.LEAVING;
      listener.onMarkOut(member.id);
    } else {
      remove(member, listener);
    }
  }

  private static void remove(Member member, Listener listener) {
    boolean wasMember = member.state != State.JOINING;
    member.state = State.OUT;
    member.granted = false;
    member.catchUp = Long.MAX_VALUE;
    if (wasMember) {
      listener.onRemoved(member.id);
    }
  }

  private static boolean isOneOf(Member member, State one, State other) {
    return member.state == one || member.state == other;
  }

  private int joinedOrJoining() {
    int count = 0;
    for (int i = 0; i < members.size(); i++) {
      count += isOneOf(members.get(i), State.ACTIVE, State.JOINING) ? 1 : 0;
    }
    return count;
  }

  private Member find(long serverId) {
    for (int i = 0; i < members.size(); i++) {
      if (members.get(i).id == serverId) {
        return members.get(i);
      }
    }
    return null;
  }
}
