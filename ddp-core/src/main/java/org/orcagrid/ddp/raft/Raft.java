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
package org.orcagrid.ddp.raft;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.orcagrid.ddp.Invariant;
import org.orcagrid.ddp.Quorum;

/**
 * A node of a Raft group (USENIX ATC '14; sections below are of it, or of Ongaro's thesis). Pure:
 * messages, completed writes and time go in, and {@link RaftEffects} come out. One thread at a
 * time.
 *
 * <p>Where the paper leaves a choice:
 *
 * <ul>
 *   <li>An election begins with a round that changes nothing (thesis, section 9.6). A node that was
 *       cut off does not depose a leader when it is back.
 *   <li>A leader that has not heard from a majority for an election time-out gives up.
 *   <li>Time-outs differ by node, term and attempt, without chance, so that a run can be replayed.
 *   <li>What a node answers waits for all that it has to write before, terms and votes too.
 *   <li>A voter is a learner first. One that votes alone stands as soon as it starts.
 * </ul>
 *
 * <p>Invariants:
 *
 * <ol>
 *   <li>a term has one leader at most (section 5.2);
 *   <li>what is committed is in the logs of all later leaders (section 5.4), so that all nodes
 *       apply the same entries;
 *   <li>a committed entry is never removed.
 * </ol>
 */
public final class Raft {
  /** Nobody, where there may be a node. */
  public static final int NOBODY = -1;

  /** Not an index: what was asked for is refused. */
  public static final long REFUSED = -1;

  private static final long GOLDEN = 0x9E3779B97F4A7C15L;

  /** What a node is in its term. */
  public enum Role {
    FOLLOWER,
    /** It asks whether it would be elected. */
    PRE_CANDIDATE,
    CANDIDATE,
    LEADER
  }

  private final RaftSettings settings;
  private final EnumSet<RaftRule> rules;
  private final RaftEffects effects;
  private final int selfMask;

  // What the disk has, or will have.
  private final RaftLog log;
  private final Writes writes;
  private long term;
  private int vote;

  private Role role = Role.FOLLOWER;
  private int leader = NOBODY;
  private Leadership leadership;
  private long committed;
  private long applied;

  // Elections.
  private long heardLeaderNanos;
  private long electionNanos;
  private int attempts;
  private int granted;
  private long standingTicket;

  private final SnapshotIntake intake = new SnapshotIntake();

  /**
   * A node that starts with what its disk has.
   *
   * @param rules which it keeps; all but in tests
   */
  public Raft(
      RaftSettings settings,
      Stored stored,
      Set<RaftRule> rules,
      RaftEffects effects,
      long nowNanos) {
    this.settings = settings;
    this.rules = EnumSet.copyOf(rules);
    this.effects = effects;
    this.selfMask = Quorum.of(settings.self());
    this.log = new RaftLog(stored.mark(), stored.entries());
    this.term = Math.max(stored.term(), log.lastTerm());
    this.vote = stored.term() == term ? stored.vote() : NOBODY;
    this.committed = stored.mark().index();
    this.applied = committed;
    this.writes = new Writes(effects, log.lastIndex());
    this.heardLeaderNanos = nowNanos - settings.electionNanos();
    restartTimer(nowNanos);
    electionNanos = counted() == selfMask ? nowNanos : electionNanos;
  }

  // --- what others may know ----------------------------------------------------------------------

  /** What this node is now. */
  public Role role() {
    return role;
  }

  /** The present term. */
  public long term() {
    return term;
  }

  /** The leader of the term, {@link #NOBODY} if it is not known. */
  public int leader() {
    return leader;
  }

  /** The members as of the last entry of this node's log. */
  public Members members() {
    return keeps(RaftRule.MEMBERS_OF_LOG) ? log.members() : log.membersAt(committed);
  }

  /** The last entry that is known to be committed. */
  public long committed() {
    return committed;
  }

  /** The log, to be looked at. */
  public RaftLog log() {
    return log;
  }

  long persistedIndex() {
    return writes.persistedIndex();
  }

  boolean keeps(RaftRule rule) {
    return rules.contains(rule);
  }

  /** The mask of those whose votes and acknowledgements count. */
  int counted() {
    Members members = members();
    return keeps(RaftRule.LEARNERS_DO_NOT_COUNT) ? members.voters() : members.all();
  }

  // --- what its owner wants ----------------------------------------------------------------------

  /**
   * Appends a command, whose bytes nobody changes from now on. It is {@linkplain RaftEffects#apply
   * applied} if it is committed. If another leader's entry is applied at its index, it never is.
   *
   * @return its index; {@link #REFUSED} unless this node leads, and while too much is not committed
   *     or the leadership is being transferred
   */
  public long propose(byte[] command, long nowNanos) {
    boolean accepts = role == Role.LEADER && !leadership.isTransferring();
    if (!accepts || log.lastIndex() - committed >= settings.backlogMax()) {
      return REFUSED;
    }
    return lead(RaftEntry.command(log.lastIndex() + 1, term, command), nowNanos);
  }

  /**
   * Changes the members. They differ by one voter from those before, and a new voter was a learner.
   *
   * @return the index of the change; {@link #REFUSED} unless this node leads, has committed an
   *     entry of its term, and the last change is committed
   * @throws IllegalArgumentException if more than that changes
   */
  public long change(Members next, long nowNanos) {
    Members present = members();
    int changed = present.voters() ^ next.voters();
    if (Integer.bitCount(changed) > 1 && keeps(RaftRule.ONE_VOTER_AT_A_TIME)) {
      throw new IllegalArgumentException(
          "Members change by one voter at a time, not from " + present + " to " + next);
    }
    if (next.voters() == 0) {
      throw new IllegalArgumentException("A group has one voter at least");
    }
    boolean leads = role == Role.LEADER && !leadership.isTransferring();
    boolean isSettled = leads && log.term(committed) == term && log.membersIndex() <= committed;
    if (!leads || (!isSettled && keeps(RaftRule.ONE_CHANGE_AT_A_TIME))) {
      return REFUSED;
    }
    int added = next.voters() & ~present.voters();
    if ((added & ~present.learners()) != 0 && keeps(RaftRule.ONE_VOTER_AT_A_TIME)) {
      throw new IllegalArgumentException("A voter is a learner first");
    }
    return lead(RaftEntry.members(log.lastIndex() + 1, term, next), nowNanos);
  }

  /**
   * Hands the leadership to a voter (thesis, section 3.10). Until that leads, or an election
   * time-out is over, commands are refused.
   *
   * @return whether it is tried
   */
  public boolean transfer(int to, long nowNanos) {
    boolean may = role == Role.LEADER && to != settings.self() && members().isVoter(to);
    if (may) {
      leadership.transfer(to, nowNanos);
    }
    return may;
  }

  /**
   * The owner has a snapshot on its disk that has all entries up to an index, which was applied.
   */
  public void compact(long index) {
    Invariant.check(
        index <= applied, "what is compacted was applied", "to", index, "applied", applied);
    if (index > log.mark().index()) {
      log.compact(index);
      writes.persist(new RaftRecord.Compacted(log.mark()), 0);
    }
  }

  private long lead(RaftEntry entry, long nowNanos) {
    log.append(entry);
    writes.persist(new RaftRecord.Entries(List.of(entry)), entry.index());
    leadership.appended(nowNanos);
    return entry.index();
  }

  // --- time --------------------------------------------------------------------------------------

  /** Time has passed; to be called a few times a beat. */
  public void tick(long nowNanos) {
    if (role == Role.LEADER) {
      leadership.tick(nowNanos);
    } else if (nowNanos - electionNanos >= 0 && mayStand()) {
      attempts++;
      ask(nowNanos);
    }
  }

  /**
   * A node whose removal is not known to be committed may still be needed, as it may be the only
   * one with that entry (thesis, section 4.2.2).
   */
  private boolean mayStand() {
    return log.isVoterSince(committed, settings.self());
  }

  /** From one to two time-outs, another one for each node, term and attempt. */
  private void restartTimer(long nowNanos) {
    long mixed = (settings.self() + 1) * GOLDEN ^ term * 31 + attempts;
    mixed = (mixed ^ mixed >>> 29) * GOLDEN;
    long more = (mixed >>> 1) % settings.electionNanos();
    electionNanos = nowNanos + settings.electionNanos() + more;
  }

  // --- elections ---------------------------------------------------------------------------------

  private void ask(long nowNanos) {
    become(Role.PRE_CANDIDATE, NOBODY);
    restartTimer(nowNanos);
    granted = selfMask;
    askForVotes(new RaftMessage.Vote(term + 1, true, false, log.lastIndex(), log.lastTerm()));
    standIfElected(nowNanos);
  }

  private void stand(boolean transfer, long nowNanos) {
    term++;
    vote = settings.self();
    become(Role.CANDIDATE, NOBODY);
    restartTimer(nowNanos);
    granted = 0;
    writes.persist(new RaftRecord.Term(term, vote), 0);
    standingTicket = writes.lastTicket();
    askForVotes(new RaftMessage.Vote(term, false, transfer, log.lastIndex(), log.lastTerm()));
    countOwnVote(nowNanos);
  }

  private void askForVotes(RaftMessage.Vote request) {
    int others = counted() & ~selfMask;
    for (int left = others; left != 0; left &= left - 1) {
      reply(Integer.numberOfTrailingZeros(left), request, RaftRule.VOTE_PERSISTED_FIRST);
    }
  }

  private void countOwnVote(long nowNanos) {
    boolean isWritten = writes.isPersisted(standingTicket) || !keeps(RaftRule.VOTE_PERSISTED_FIRST);
    if (role == Role.CANDIDATE && isWritten) {
      granted |= selfMask;
      standIfElected(nowNanos);
    }
  }

  private void standIfElected(long nowNanos) {
    int voters = Integer.bitCount(counted());
    int votes = Integer.bitCount(granted & counted());
    int needed = keeps(RaftRule.ELECTED_BY_MAJORITY) ? voters / 2 + 1 : Math.max(1, voters / 2);
    if (votes < needed) {
      return;
    }
    if (role == Role.PRE_CANDIDATE) {
      stand(false, nowNanos);
    } else if (role == Role.CANDIDATE) {
      become(Role.LEADER, settings.self());
      leadership = new Leadership(this, settings, effects, nowNanos);
      lead(RaftEntry.nothing(log.lastIndex() + 1, term), nowNanos);
    }
  }

  /** The only place where the role changes. */
  private void become(Role next, int itsLeader) {
    role = next;
    leader = itsLeader;
    leadership = null;
  }

  /** Follows a leader, or nobody yet, in a term that is not earlier. */
  void follow(long itsTerm, int itsLeader, long nowNanos) {
    if (itsTerm > term) {
      term = itsTerm;
      vote = NOBODY;
      writes.persist(new RaftRecord.Term(term, vote), 0);
    }
    if (role != Role.FOLLOWER) {
      restartTimer(nowNanos);
    }
    become(Role.FOLLOWER, itsLeader);
  }

  private void heardLeader(int from, long nowNanos) {
    follow(term, from, nowNanos);
    heardLeaderNanos = nowNanos;
    attempts = 0;
    restartTimer(nowNanos);
  }

  // --- messages ----------------------------------------------------------------------------------

  /** A message of another node has arrived. */
  public void onMessage(int from, RaftMessage message, long nowNanos) {
    if (message instanceof RaftMessage.Vote asked && isDisturbance(asked, nowNanos)) {
      return;
    }
    if (message.term() > term && !message.isHypothetical()) {
      follow(message.term(), NOBODY, nowNanos);
    }
    if (message.term() < term && refusesEarlier(from, message)) {
      return;
    }
    if (message instanceof RaftMessage.Vote asked) {
      onVote(from, asked, nowNanos);
    } else if (message instanceof RaftMessage.Voted voted) {
      onVoted(from, voted, nowNanos);
    } else if (message instanceof RaftMessage.Append append) {
      onAppend(from, append, nowNanos);
    } else if (message instanceof RaftMessage.Snapshot snapshot) {
      onSnapshot(from, snapshot.part(), nowNanos);
    } else if (message instanceof RaftMessage.Stand) {
      onStand(from, nowNanos);
    } else if (role == Role.LEADER) {
      leadership.onMessage(from, message, nowNanos);
    }
  }

  /** Who hears from a leader needs no election (thesis, section 4.2.3). */
  private boolean isDisturbance(RaftMessage.Vote asked, long nowNanos) {
    boolean hears =
        role == Role.LEADER
            || (leader != NOBODY && nowNanos - heardLeaderNanos < settings.electionNanos());
    return hears && !asked.transfer() && keeps(RaftRule.LEADER_IS_NOT_DISTURBED);
  }

  /** Who is behind hears of the term. */
  private boolean refusesEarlier(int from, RaftMessage message) {
    if (message instanceof RaftMessage.Vote asked) {
      reply(from, new RaftMessage.Voted(term, asked.pre(), false), RaftRule.VOTE_PERSISTED_FIRST);
      return true;
    }
    boolean ofLeader =
        message instanceof RaftMessage.Append || message instanceof RaftMessage.Snapshot;
    if (ofLeader && keeps(RaftRule.EARLIER_TERMS_ARE_REFUSED)) {
      reply(from, new RaftMessage.Appended(term, false, 0), RaftRule.ENTRIES_PERSISTED_FIRST);
    }
    return !ofLeader || keeps(RaftRule.EARLIER_TERMS_ARE_REFUSED);
  }

  private void onVote(int from, RaftMessage.Vote asked, long nowNanos) {
    boolean isComplete = log.isIn(asked.lastIndex(), asked.lastTerm());
    boolean isFree = asked.pre() ? asked.term() > term : vote == NOBODY || vote == from;
    boolean gives =
        (isFree || !keeps(RaftRule.ONE_VOTE_A_TERM))
            && (isComplete || !keeps(RaftRule.VOTE_FOR_COMPLETE_LOGS));
    if (gives && !asked.pre()) {
      if (vote != from) {
        vote = from;
        writes.persist(new RaftRecord.Term(term, vote), 0);
      }
      restartTimer(nowNanos);
    }
    reply(
        from,
        new RaftMessage.Voted(gives ? asked.term() : term, asked.pre(), gives),
        RaftRule.VOTE_PERSISTED_FIRST);
  }

  private void onVoted(int from, RaftMessage.Voted voted, long nowNanos) {
    boolean isAsked =
        voted.pre()
            ? role == Role.PRE_CANDIDATE && voted.term() == term + 1
            : role == Role.CANDIDATE && voted.term() == term;
    if (isAsked && voted.granted()) {
      granted |= Quorum.of(from);
      standIfElected(nowNanos);
    }
  }

  private void onStand(int from, long nowNanos) {
    if (role == Role.FOLLOWER && from == leader && mayStand()) {
      stand(true, nowNanos);
    }
  }

  // --- a follower's log --------------------------------------------------------------------------

  private void onAppend(int from, RaftMessage.Append append, long nowNanos) {
    Invariant.check(role != Role.LEADER || append.term() < term, "a term has one leader at most");
    heardLeader(from, nowNanos);
    long previous = append.previousIndex();
    if (previous < log.mark().index()) {
      // What is in this node's snapshot is in all logs.
      acknowledge(from, true, committed);
      return;
    }
    boolean matches =
        keeps(RaftRule.PREVIOUS_MATCHES)
            ? log.term(previous) == append.previousTerm()
            : previous <= log.lastIndex();
    if (!matches) {
      acknowledge(from, false, log.lastThatMayMatch(previous, committed));
      return;
    }
    List<RaftEntry> taken = take(append.entries());
    if (!taken.isEmpty()) {
      writes.persist(new RaftRecord.Entries(taken), log.lastIndex());
    }
    long last = previous + append.entries().size();
    boolean exact = keeps(RaftRule.COMMITS_WHAT_MATCHES);
    commit(Math.min(append.committed(), exact ? last : log.lastIndex()));
    acknowledge(from, true, last);
  }

  private void acknowledge(int to, boolean matches, long index) {
    reply(to, new RaftMessage.Appended(term, matches, index), RaftRule.ENTRIES_PERSISTED_FIRST);
  }

  private List<RaftEntry> take(List<RaftEntry> entries) {
    List<RaftEntry> taken = new ArrayList<>();
    for (RaftEntry each : entries) {
      boolean isThere = log.has(each.index());
      if (isThere && log.term(each.index()) != each.term()) {
        if (!keeps(RaftRule.CONFLICTS_ARE_REMOVED)) {
          continue;
        }
        truncate(each.index());
        isThere = false;
      }
      if (!isThere) {
        log.append(each);
        taken.add(each);
      }
    }
    return taken;
  }

  private void truncate(long from) {
    Invariant.check(
        from > committed, "what is committed stays", "from", from, "committed", committed);
    log.truncate(from);
    writes.forget(from - 1);
  }

  /** Entries up to an index are committed. */
  void commit(long upTo) {
    committed = Math.max(committed, upTo);
    while (applied < committed) {
      applied++;
      effects.apply(log.get(applied));
    }
  }

  // --- snapshots of the leader -------------------------------------------------------------------

  private void onSnapshot(int from, SnapshotPart part, long nowNanos) {
    heardLeader(from, nowNanos);
    SnapshotMark mark = part.mark();
    if (mark.index() <= committed && keeps(RaftRule.SNAPSHOT_IS_LATER)) {
      tellTaken(mark, RaftMessage.SnapshotTaken.WHOLE);
      return;
    }
    if (log.term(mark.index()) == mark.term() && keeps(RaftRule.SNAPSHOT_IS_LATER)) {
      // What is behind it may count as acknowledged (section 7).
      commit(mark.index());
      tellTaken(mark, RaftMessage.SnapshotTaken.WHOLE);
      return;
    }
    if (intake.isNext(part)) {
      effects.writeSnapshot(part);
    } else {
      // An answer was lost, or this node has started again since.
      tellTaken(mark, intake.writtenTo(mark));
    }
  }

  /** A piece of the leader's snapshot is on this node's disk. */
  public void onSnapshotWritten(SnapshotPart part) {
    SnapshotMark mark = part.mark();
    if (!intake.isWritten(part)) {
      return;
    }
    if (!part.isLast()) {
      tellTaken(mark, intake.writtenTo(mark));
      return;
    }
    if (mark.index() > committed || !keeps(RaftRule.SNAPSHOT_IS_LATER)) {
      log.install(mark);
      writes.forget(mark.index());
      writes.persist(new RaftRecord.Installed(mark), mark.index());
      committed = mark.index();
      applied = mark.index();
      effects.restore(mark);
    }
    tellTaken(mark, RaftMessage.SnapshotTaken.WHOLE);
  }

  private void tellTaken(SnapshotMark mark, long offset) {
    if (leader != NOBODY && leader != settings.self()) {
      reply(
          leader,
          new RaftMessage.SnapshotTaken(term, mark.index(), offset),
          RaftRule.ENTRIES_PERSISTED_FIRST);
    }
  }

  /** A piece of this node's snapshot was read for a follower. */
  public void onSnapshotRead(int follower, SnapshotPart part) {
    if (role == Role.LEADER) {
      leadership.onSnapshotRead(follower, part);
    }
  }

  // --- the disk ----------------------------------------------------------------------------------

  /** A record is on the disk, and all that were handed out before it. */
  public void onPersisted(long ticket, long nowNanos) {
    writes.onPersisted(ticket);
    countOwnVote(nowNanos);
    if (role == Role.LEADER) {
      leadership.advance(nowNanos);
    }
  }

  /** Sends what says something of this node's disk, when it is true. */
  private void reply(int to, RaftMessage message, RaftRule rule) {
    if (keeps(rule)) {
      writes.sendPersisted(to, message);
    } else {
      effects.send(to, message);
    }
  }

  /** What must hold of a node alone. */
  public void checkInvariants() {
    Invariant.check(
        applied == committed, "what is committed is applied", "applied", applied, "to", committed);
    Invariant.check(
        committed <= log.lastIndex(),
        "what is committed is in the log",
        "committed",
        committed,
        "last",
        log.lastIndex());
    Invariant.check((role == Role.LEADER) == (leadership != null), "a leader leads");
  }
}
