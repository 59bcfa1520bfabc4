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
package org.orcagrid.ddp.kite;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.orcagrid.ddp.Invariant;
import org.orcagrid.ddp.Timestamp;
import org.orcagrid.ddp.paxos.Acceptor;
import org.orcagrid.ddp.store.Reading;
import org.orcagrid.ddp.store.ReplicaStore;

/**
 * The removed keys that a node is ready to forget. A marked key stands still at this node: nothing
 * of it begins, no message about it counts, no thread writes it. What is ours and not the paper's:
 * Kite's keys are never removed.
 *
 * <p>Marks are of one view, and of one attempt of its first node ({@link Purge}). Once all workers
 * are in a later view, the marked keys are forgotten, if that view or one before it is a purge view
 * that follows the marks' view; else the marks are gone.
 *
 * <p>Invariants:
 *
 * <ol>
 *   <li>A key counts as marked once each worker has said that it has nothing under way with it. It
 *       has the version of the mark then, which is a removal, and its acceptor has accepted nothing
 *       that may be undecided.
 *   <li>A marked key does not change before it is forgotten or not marked any more.
 *   <li>Keys are forgotten when all workers are in the purge view, in which messages of earlier
 *       views do not count. So no message of before is ever taken for one about a new key.
 * </ol>
 *
 * <p>Safe for use by many threads.
 */
final class Marks {
  /** Marks of a node at once: each costs a message to every node and back. */
  static final int MARKS_MAX = 4096;

  /** What a node says of a mark that it was asked for. */
  enum Answer {
    /** Not all workers have looked yet. */
    OPEN,
    MARKED,
    REFUSED,
    /** It was marked, or refused, and is not any more. */
    DROPPED
  }

  /** A key that is to be forgotten, with the removal that all nodes must have. */
  private static final class Mark {
    private final long record;
    private final long hash;
    private final long clock;
    private final long rmw;
    private final long log;
    private int workersMissing;
    private Answer answer = Answer.OPEN;

    private Mark(long record, long hash, long clock, long rmw, long log, int workers) {
      this.record = record;
      this.hash = hash;
      this.clock = clock;
      this.rmw = rmw;
      this.log = log;
      this.workersMissing = workers;
    }
  }

  private final KiteNode node;
  private final ReplicaStore store;

  /** Used under this. */
  private final Acceptor acceptor;

  /** By their records; null while there are none. Set before a key is locked to be marked. */
  private volatile Map<Long, Mark> marked;

  /** How many of {@link #marks} workers may have to look at. */
  private volatile int asked;

  // Guarded by this.
  private int view;
  private long attempt;
  private final List<Mark> marks = new ArrayList<>();
  private long forgotten;

  Marks(KiteNode node) {
    this.node = node;
    this.store = node.store();
    this.acceptor = new Acceptor(store, node.committed());
  }

  // --- who must leave a key alone ----------------------------------------------------------------

  /** Whether no key is marked. */
  boolean isEmpty() {
    return marked == null;
  }

  /** Whether a record's key is marked; for callers' threads under the record's lock. */
  boolean has(long record) {
    Map<Long, Mark> all = marked;
    return all != null && all.containsKey(record) && node.keeps(KiteRule.MARKED_STANDS_STILL);
  }

  /** Whether a key is marked; for workers, which need no lock. */
  boolean has(ByteBuffer key, int offset, int length, long hash) {
    // Looked up first: what is forgotten meanwhile is still in it.
    Map<Long, Mark> all = marked;
    if (all == null || !node.keeps(KiteRule.MARKED_STANDS_STILL)) {
      return false;
    }
    long record = store.find(key, offset, length, hash);
    return record != ReplicaStore.NONE && all.containsKey(record);
  }

  // --- what the first node asks for --------------------------------------------------------------

  /**
   * Asks for a mark.
   *
   * @param inView the view of the asker and of the worker that has been asked
   * @param nextAttempt of the asker; a higher one is after all that it has asked for before
   * @param index of the mark in its attempt; they are asked for in their order at first
   */
  synchronized Answer ask(
      int inView,
      long nextAttempt,
      int index,
      ByteBuffer key,
      int offset,
      int length,
      long hash,
      long clock,
      long rmw,
      long log) {
    if (inView < view || (inView == view && nextAttempt < attempt) || isDue()) {
      return Answer.OPEN;
    }
    if (inView > view || nextAttempt > attempt) {
      clear();
      view = inView;
      attempt = nextAttempt;
    }
    if (index < marks.size()) {
      return marks.get(index).answer;
    }
    if (index > marks.size() || index >= MARKS_MAX) {
      return Answer.OPEN;
    }
    long record = store.findOrCreate(key, offset, length, hash);
    Mark mark = new Mark(record, hash, clock, rmw, log, node.settings().workers());
    marks.add(mark);
    if (record == ReplicaStore.NONE || !take(mark)) {
      mark.answer = Answer.REFUSED;
      forgetEmpty();
    }
    asked = marks.size();
    return mark.answer;
  }

  /** The key is marked from now on, if it is not newer here; it has the mark's version then. */
  private boolean take(Mark mark) {
    if (marked == null) {
      marked = new ConcurrentHashMap<>();
    }
    store.lock(mark.record);
    try {
      boolean isNewer =
          Timestamp.isAfter(store.clock(mark.record), store.rmw(mark.record), mark.clock, mark.rmw);
      if (marked.containsKey(mark.record) || (isNewer && node.keeps(KiteRule.MARKED_IS_THE_SAME))) {
        return false;
      }
      if (!isNewer) {
        store.set(mark.record, mark.clock, mark.rmw, null, 0, Reading.ABSENT);
      }
      marked.put(mark.record, mark);
      return true;
    } finally {
      store.unlock(mark.record);
    }
  }

  /** Nobody is to forget this key in this attempt. */
  synchronized boolean drop(int inView, long ofAttempt, int index) {
    if (inView != view || ofAttempt != attempt || isDue()) {
      return false;
    }
    if (index < marks.size()) {
      drop(marks.get(index), Answer.DROPPED);
    }
    return index < marks.size();
  }

  private void drop(Mark mark, Answer instead) {
    if (mark.answer == Answer.MARKED || mark.answer == Answer.OPEN) {
      marked.remove(mark.record);
      forgetEmpty();
    }
    mark.answer = instead;
  }

  private void forgetEmpty() {
    if (marked != null && marked.isEmpty()) {
      marked = null;
    }
  }

  /** What became of a mark that this node was asked for. */
  synchronized Answer answer(long ofAttempt, int index) {
    return ofAttempt == attempt && index < marks.size() ? marks.get(index).answer : Answer.OPEN;
  }

  // --- what workers say --------------------------------------------------------------------------

  /** How many marks workers were asked about; fewer than before if there is another attempt. */
  int asked() {
    return asked;
  }

  /** Tells attempts apart, for workers that count what they have looked at. */
  synchronized long attempt() {
    return attempt;
  }

  /** What a worker has under way. */
  interface UnderWay {
    /** Whether an operation on a key of this hash is under way. */
    boolean hasOperation(long hash);

    /** Whether a write to this record is not at all nodes yet. */
    boolean hasWrite(long record);
  }

  /**
   * A worker in {@code inView} says of the marks from {@code first} on whether it has nothing under
   * way with their keys. From then on it begins nothing.
   *
   * @return how many marks it has looked at
   */
  synchronized int look(int inView, long ofAttempt, int first, UnderWay underWay) {
    if (inView != view || ofAttempt != attempt) {
      return 0;
    }
    for (int index = first; index < marks.size(); index++) {
      Mark mark = marks.get(index);
      if (mark.answer == Answer.OPEN) {
        boolean free = !underWay.hasOperation(mark.hash) && !underWay.hasWrite(mark.record);
        mark.workersMissing--;
        if (!free && node.keeps(KiteRule.MARKED_IS_IDLE)) {
          drop(mark, Answer.REFUSED);
        } else if (mark.workersMissing == 0) {
          decide(mark);
        }
      }
    }
    return marks.size();
  }

  /** All workers have looked: nothing changes the key any more. It may have changed meanwhile. */
  private void decide(Mark mark) {
    boolean same;
    store.lock(mark.record);
    try {
      same = hasVersion(mark) && isDecided(mark);
    } finally {
      store.unlock(mark.record);
    }
    if (same || !node.keeps(KiteRule.MARKED_IS_THE_SAME)) {
      mark.answer = Answer.MARKED;
    } else {
      drop(mark, Answer.REFUSED);
    }
  }

  private boolean hasVersion(Mark mark) {
    return store.clock(mark.record) == mark.clock && store.rmw(mark.record) == mark.rmw;
  }

  /** What was accepted and not committed here was committed elsewhere, if it is not a later log. */
  private boolean isDecided(Mark mark) {
    return store.paxos(mark.record) == ReplicaStore.NONE
        || !acceptor.turnTo(mark.record)
        || acceptor.acceptedBallot() == 0
        || acceptor.lastLog() < mark.log;
  }

  // --- views -------------------------------------------------------------------------------------

  private boolean isDue() {
    return node.view().purgedIn() == view + 1 && marked != null;
  }

  /**
   * Whether a worker in this view waits for the others, so that the node forgets the marked keys.
   * It does nothing that needs room meanwhile: there is less than there will be.
   */
  boolean isDueIn(int inView) {
    return marked != null && isDueSince(inView);
  }

  private synchronized boolean isDueSince(int inView) {
    return inView > view && isDue();
  }

  /** Whether this is the view that these marks are for. */
  synchronized boolean isFor(int purgeView) {
    return purgeView == view + 1;
  }

  /** A worker has entered a view. */
  synchronized void onEntered(KiteView entered) {
    if (view == 0 || entered.number() <= view) {
      return;
    }
    if (entered.purgedIn() != view + 1 || node.isReplaced()) {
      clear();
    } else if (node.isIn(entered.purgedIn()) || !node.keeps(KiteRule.PURGED_BY_ALL_WORKERS)) {
      forget();
      clear();
    }
  }

  private void forget() {
    for (Mark mark : marks) {
      Invariant.check(mark.answer != Answer.OPEN, "all marks were decided before the purge view");
      if (mark.answer != Answer.MARKED) {
        continue;
      }
      store.lock(mark.record);
      try {
        Invariant.check(
            hasVersion(mark),
            "a marked key stands still",
            "clock",
            store.clock(mark.record),
            "marked",
            mark.clock);
        acceptor.forget(mark.record);
        store.remove(mark.record);
      } finally {
        store.unlock(mark.record);
      }
      forgotten++;
    }
  }

  private void clear() {
    view = 0;
    attempt = 0;
    marks.clear();
    asked = 0;
    marked = null;
  }

  // --- for those who look on ---------------------------------------------------------------------

  /** How many keys were forgotten so far. */
  synchronized long forgotten() {
    return forgotten;
  }

  /** The keys that are marked now. */
  synchronized List<KiteNode.MarkedKey> keys() {
    List<KiteNode.MarkedKey> keys = new ArrayList<>();
    for (Mark mark : marks) {
      if (mark.answer == Answer.MARKED) {
        ByteBuffer key =
            ByteBuffer.allocate(store.keyLength(mark.record)).order(ByteOrder.LITTLE_ENDIAN);
        store.copyKey(mark.record, key, 0);
        keys.add(new KiteNode.MarkedKey(key, mark.clock, mark.rmw));
      }
    }
    return keys;
  }
}
