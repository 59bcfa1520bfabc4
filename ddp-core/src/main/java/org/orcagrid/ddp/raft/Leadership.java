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

import java.util.Arrays;
import java.util.List;
import org.orcagrid.ddp.Quorum;

/** A leader's part of {@link Raft}, for as long as it leads (section 5.3). */
final class Leadership {
  private final Raft raft;
  private final RaftSettings settings;
  private final RaftLog log;
  private final RaftEffects effects;

  /** Of the other members, by their numbers. */
  private final Progress[] followers = new Progress[Quorum.NODES_MAX];

  private long beatNanos;
  private int heir = Raft.NOBODY;
  private long heirNanos;

  Leadership(Raft raft, RaftSettings settings, RaftEffects effects, long nowNanos) {
    this.raft = raft;
    this.settings = settings;
    this.log = raft.log();
    this.effects = effects;
    this.beatNanos = nowNanos;
    follow(nowNanos);
  }

  /** Follows the members of the log: each has a progress, and nobody else. */
  private void follow(long nowNanos) {
    int others = log.members().all() & ~Quorum.of(settings.self());
    for (int node = 0; node < followers.length; node++) {
      boolean isOther = (others & Quorum.of(node)) != 0;
      if (!isOther) {
        followers[node] = null;
      } else if (followers[node] == null) {
        followers[node] = new Progress(log.lastIndex() + 1, nowNanos);
      }
    }
  }

  boolean isTransferring() {
    return heir != Raft.NOBODY;
  }

  void transfer(int to, long nowNanos) {
    heir = to;
    heirNanos = nowNanos;
    inheritIfReady();
  }

  private void inheritIfReady() {
    Progress next = heir == Raft.NOBODY ? null : followers[heir];
    if (next != null && next.match() == log.lastIndex()) {
      effects.send(heir, new RaftMessage.Stand(raft.term()));
    }
  }

  /** An entry was added. */
  void appended(long nowNanos) {
    follow(nowNanos);
    for (int node = 0; node < followers.length; node++) {
      if (followers[node] != null) {
        replicate(node, followers[node]);
      }
    }
    advance(nowNanos);
  }

  void tick(long nowNanos) {
    if (heir != Raft.NOBODY && nowNanos - heirNanos >= settings.electionNanos()) {
      heir = Raft.NOBODY;
    }
    if (!isHeardByMajority(nowNanos)) {
      raft.follow(raft.term(), Raft.NOBODY, nowNanos);
      return;
    }
    if (nowNanos - beatNanos >= settings.beatNanos()) {
      beatNanos = nowNanos;
      for (int node = 0; node < followers.length; node++) {
        if (followers[node] != null) {
          beat(node, followers[node]);
        }
      }
    }
  }

  private boolean isHeardByMajority(long nowNanos) {
    int heard = Quorum.of(settings.self());
    for (int node = 0; node < followers.length; node++) {
      Progress each = followers[node];
      if (each != null && nowNanos - each.heardNanos() < settings.electionNanos()) {
        heard |= Quorum.of(node);
      }
    }
    int counted = raft.counted();
    return Quorum.isMajority(heard & counted, Integer.bitCount(counted));
  }

  private void beat(int node, Progress to) {
    to.beat();
    boolean isBehind = log.term(to.next() - 1) == RaftLog.UNKNOWN;
    if (isBehind || to.mode() == Progress.Mode.TAKES_SNAPSHOT) {
      if (!log.mark().equals(to.snapshot())) {
        to.takesSnapshot(log.mark());
      }
      effects.readSnapshot(node, to.snapshot(), to.offset());
      sendAppend(node, log.lastIndex(), List.of());
      return;
    }
    replicate(node, to);
    if (to.mode() != Progress.Mode.TAKES_SNAPSHOT) {
      sendAppend(node, to.next() - 1, List.of());
    }
  }

  /** Sends what may be sent. */
  private void replicate(int node, Progress to) {
    while (to.maySend(settings.messagesMax()) && to.next() <= log.lastIndex()) {
      if (log.term(to.next() - 1) == RaftLog.UNKNOWN) {
        to.takesSnapshot(log.mark());
        effects.readSnapshot(node, log.mark(), 0);
        return;
      }
      List<RaftEntry> entries = log.from(to.next(), settings.batchBytesMax());
      sendAppend(node, to.next() - 1, entries);
      to.sent(entries.get(entries.size() - 1).index());
    }
  }

  private void sendAppend(int node, long previous, List<RaftEntry> entries) {
    if (log.term(previous) != RaftLog.UNKNOWN) {
      effects.send(
          node,
          new RaftMessage.Append(
              raft.term(), previous, log.term(previous), entries, raft.committed()));
    }
  }

  void onMessage(int from, RaftMessage message, long nowNanos) {
    Progress of = followers[from];
    if (of == null) {
      return;
    }
    of.heard(nowNanos);
    if (message instanceof RaftMessage.Appended answer) {
      onAppended(from, of, answer, nowNanos);
    } else if (message instanceof RaftMessage.SnapshotTaken taken) {
      onSnapshotTaken(from, of, taken, nowNanos);
    }
  }

  private void onAppended(int from, Progress of, RaftMessage.Appended answer, long nowNanos) {
    if (!answer.matches()) {
      of.differs(answer.index());
    } else if (of.matches(answer.index())) {
      advance(nowNanos);
      inheritIfReady();
    }
    replicate(from, of);
  }

  private void onSnapshotTaken(
      int from, Progress of, RaftMessage.SnapshotTaken taken, long nowNanos) {
    if (of.mode() != Progress.Mode.TAKES_SNAPSHOT || taken.index() != of.snapshot().index()) {
      return;
    }
    if (taken.offset() != RaftMessage.SnapshotTaken.WHOLE) {
      of.offset(taken.offset());
      effects.readSnapshot(from, of.snapshot(), of.offset());
      return;
    }
    of.matches(taken.index());
    advance(nowNanos);
    replicate(from, of);
  }

  void onSnapshotRead(int follower, SnapshotPart part) {
    Progress to = followers[follower];
    boolean isWanted =
        to != null
            && to.mode() == Progress.Mode.TAKES_SNAPSHOT
            && part.mark().equals(to.snapshot())
            && part.offset() == to.offset();
    if (isWanted) {
      effects.send(follower, new RaftMessage.Snapshot(raft.term(), part));
    }
  }

  /** Commits what a majority has (sections 5.3 and 5.4.2). */
  void advance(long nowNanos) {
    long index = atMajority();
    boolean isOwn = log.term(index) == raft.term() || !raft.keeps(RaftRule.COUNTS_OWN_TERM);
    if (index <= raft.committed() || !isOwn) {
      return;
    }
    raft.commit(index);
    for (int node = 0; node < followers.length; node++) {
      Progress each = followers[node];
      if (each != null && each.mode() == Progress.Mode.STREAMS) {
        sendAppend(node, each.next() - 1, List.of());
      }
    }
    boolean isGone =
        log.membersIndex() <= raft.committed() && !log.members().isVoter(settings.self());
    if (isGone) {
      raft.follow(raft.term(), Raft.NOBODY, nowNanos);
    }
  }

  private long atMajority() {
    int counted = raft.counted();
    long[] has = new long[Integer.bitCount(counted)];
    int at = 0;
    for (int left = counted; left != 0; left &= left - 1) {
      has[at++] = has(Integer.numberOfTrailingZeros(left));
    }
    Arrays.sort(has);
    int needed = has.length / 2 + 1;
    int asked = raft.keeps(RaftRule.COMMITTED_BY_MAJORITY) ? needed : Math.max(1, needed - 1);
    return has.length == 0 ? 0 : has[has.length - asked];
  }

  private long has(int node) {
    if (node == settings.self()) {
      return raft.keeps(RaftRule.LEADER_COUNTS_PERSISTED) ? raft.persistedIndex() : log.lastIndex();
    }
    return followers[node] == null ? 0 : followers[node].match();
  }
}
