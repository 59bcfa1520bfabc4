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
import java.util.List;
import org.orcagrid.ddp.Invariant;

/**
 * The log of a node, in memory: a snapshot's mark and the entries behind it.
 *
 * <p>Invariant: indexes have no gap, and terms do not fall.
 */
public final class RaftLog {
  /** The term of an index that is not in the log. */
  static final long UNKNOWN = -1;

  private SnapshotMark mark;
  private final List<RaftEntry> entries = new ArrayList<>();

  /** Where members change, in the order of the log. */
  private final List<RaftEntry> changes = new ArrayList<>();

  RaftLog(SnapshotMark mark, List<RaftEntry> entries) {
    this.mark = mark;
    entries.forEach(this::append);
  }

  /** What the log begins behind. */
  public SnapshotMark mark() {
    return mark;
  }

  /** The last entry, that of the mark if there is none behind it. */
  public long lastIndex() {
    return mark.index() + entries.size();
  }

  long lastTerm() {
    return entries.isEmpty() ? mark.term() : entries.get(entries.size() - 1).term();
  }

  /** The term of an entry; {@link #UNKNOWN} if it is not here. */
  long term(long index) {
    if (index == mark.index()) {
      return mark.term();
    }
    return has(index) ? get(index).term() : UNKNOWN;
  }

  /** Whether a log that ends with such an entry has all that is committed here (section 5.4.1). */
  boolean isIn(long otherIndex, long otherTerm) {
    return otherTerm > lastTerm() || (otherTerm == lastTerm() && otherIndex >= lastIndex());
  }

  /** Whether an entry is here. */
  public boolean has(long index) {
    return index > mark.index() && index <= lastIndex();
  }

  /** An entry that is here. */
  public RaftEntry get(long index) {
    return entries.get((int) (index - mark.index() - 1));
  }

  /** The entries from an index on, of so many bytes at most, but one at least if there is one. */
  List<RaftEntry> from(long index, int bytesMax) {
    List<RaftEntry> some = new ArrayList<>();
    int bytes = 0;
    for (long at = index; at <= lastIndex(); at++) {
      bytes += get(at).bytes();
      if (bytes > bytesMax && !some.isEmpty()) {
        break;
      }
      some.add(get(at));
    }
    return some;
  }

  /** The members as of the last entry. */
  Members members() {
    return changes.isEmpty() ? mark.members() : changes.get(changes.size() - 1).members();
  }

  /** Where they have changed last. */
  long membersIndex() {
    return changes.isEmpty() ? mark.index() : changes.get(changes.size() - 1).index();
  }

  /** The members as of an entry. */
  Members membersAt(long index) {
    Members members = mark.members();
    for (RaftEntry each : changes) {
      if (each.index() <= index) {
        members = each.members();
      }
    }
    return members;
  }

  /**
   * The last entry that may be the leader's, if {@code previous} is not. Those of the same term are
   * passed over together (section 5.3); committed ones are the leader's.
   */
  long lastThatMayMatch(long previous, long committed) {
    long may = Math.min(previous - 1, lastIndex());
    long conflicting = term(previous);
    while (may > committed && term(may) == conflicting) {
      may--;
    }
    return may;
  }

  /** Whether a node is a voter as of an entry, or of a later one. */
  boolean isVoterSince(long index, int node) {
    boolean isVoter = membersAt(index).isVoter(node);
    for (RaftEntry each : changes) {
      isVoter |= each.index() > index && each.members().isVoter(node);
    }
    return isVoter;
  }

  void append(RaftEntry entry) {
    Invariant.check(
        entry.index() == lastIndex() + 1,
        "the log has no gap",
        "index",
        entry.index(),
        "last",
        lastIndex());
    Invariant.check(
        entry.term() >= lastTerm(), "terms do not fall", "term", entry.term(), "last", lastTerm());
    entries.add(entry);
    if (entry.members() != null) {
      changes.add(entry);
    }
  }

  /** Removes an entry and all behind it. */
  void truncate(long from) {
    entries.subList((int) (from - mark.index() - 1), entries.size()).clear();
    changes.removeIf(each -> each.index() >= from);
  }

  /** What is up to an index is in a snapshot. */
  void compact(long index) {
    SnapshotMark later = new SnapshotMark(index, term(index), membersAt(index));
    entries.subList(0, (int) (index - mark.index())).clear();
    changes.removeIf(each -> each.index() <= index);
    mark = later;
  }

  /** A snapshot takes the place of everything. */
  void install(SnapshotMark later) {
    entries.clear();
    changes.clear();
    mark = later;
  }
}
