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

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.orcagrid.ddp.Quorum;
import org.orcagrid.ddp.paxos.Acceptor;
import org.orcagrid.ddp.store.Bytes;
import org.orcagrid.ddp.store.KeyHash;
import org.orcagrid.ddp.store.Reading;
import org.orcagrid.ddp.store.ReplicaStore;
import org.orcagrid.ddp.wire.Message;
import org.orcagrid.ddp.wire.MessageType;

/**
 * A worker's part in forgetting removed keys. Each worker says of new {@link Marks} whether it has
 * something under way with their keys. The first one answers the first node; at that node it looks
 * for removed keys when the store is crowded, has all nodes mark them, and asks for a purge view.
 *
 * <p>The first node asks for one <i>attempt</i> at a time. It wants a purge view only when each
 * mark of the attempt is at all nodes, or at none; it asks for nothing more in that view then.
 */
final class Purge {
  private static final int PLACES_AT_ONCE_MAX = 4096;
  private static final int ASKED_AT_ONCE_MAX = 512;

  /** In times after which messages are sent again: how long a removed key has to have rested. */
  private static final int REST = 10;

  /** The same: how long an attempt may take. */
  private static final int GIVE_UP = 20;

  /** A purge costs a view: it has to be worth that, unless there is no room at all. */
  private static final int WORTH_SHARE = 64;

  /** A store without room for a key of that length is full. */
  private static final int SHORT_KEY_BYTES = 8;

  private enum Step {
    SEARCHING,
    RESTING,
    MARKING,
    /** The next view is a purge view, or another one; nothing to do in this one. */
    WANTED
  }

  /** A removed key, as it was found, and who has marked it, or has dropped its mark. */
  private static final class Candidate {
    private final long record;
    private final long clock;
    private final long rmw;
    private long log;
    private int marked;
    private int dropped;
    private boolean isDropped;

    private Candidate(long record, long clock, long rmw) {
      this.record = record;
      this.clock = clock;
      this.rmw = rmw;
    }
  }

  private final WorkerContext context;
  private final PendingWrites writes;
  private final ReplicaStore store;
  private final Acceptor acceptor;
  private final Marks marks;
  private final Marks.UnderWay underWay = new WorkerUnderWay();

  // What this worker has looked at.
  private long lookedAttempt;
  private int looked;

  // What the first worker has to answer.
  private long answeredAttempt;
  private final BitSet unanswered = new BitSet();

  // --- the first worker of the first node

  private final List<Candidate> candidates = new ArrayList<>();
  private final Bytes key = new Bytes(64);
  private Step step = Step.SEARCHING;
  private int view;
  private long place;
  private long attempt;
  private long sinceNanos = WorkerContext.LONG_AGO;
  private long sentNanos = WorkerContext.LONG_AGO;
  private int toSend;
  private boolean givenUp;

  Purge(WorkerContext context, PendingWrites writes, Acceptor acceptor) {
    this.context = context;
    this.writes = writes;
    this.store = context.store;
    this.acceptor = acceptor;
    this.marks = context.node.marks();
  }

  private final class WorkerUnderWay implements Marks.UnderWay {
    @Override
    public boolean hasOperation(long hash) {
      for (int i = 0; i < context.activeCount(); i++) {
        if (context.active(i).hash == hash) {
          return true;
        }
      }
      return false;
    }

    @Override
    public boolean hasWrite(long record) {
      return writes.has(record);
    }
  }

  /** Does what is due. */
  void poll() {
    if (!marks.isEmpty()) {
      look();
    }
    if (context.worker == 0) {
      answerLate();
      if (context.self == context.first()) {
        lead();
      }
    }
  }

  private void look() {
    long present = marks.attempt();
    if (present != lookedAttempt) {
      lookedAttempt = present;
      looked = 0;
    }
    if (looked < marks.asked()) {
      looked = marks.look(context.view(), present, looked, underWay);
    }
  }

  // --- a node that is asked ----------------------------------------------------------------------

  /** The first node asks for a mark, or has it dropped. */
  void onMark(int from, Message m) {
    if (context.worker != 0 || from != context.first() || m.view() != context.view()) {
      return;
    }
    if (m.id() != answeredAttempt) {
      answeredAttempt = m.id();
      unanswered.clear();
    }
    if (m.has(Message.UNMARK)) {
      if (marks.drop(context.view(), m.id(), m.count())) {
        answer(m.count(), Marks.Answer.DROPPED);
      }
      return;
    }
    long hash = KeyHash.hash(m.buffer(), m.keyAt(), m.keyLength());
    Marks.Answer answer =
        marks.ask(
            context.view(),
            m.id(),
            m.count(),
            m.buffer(),
            m.keyAt(),
            m.keyLength(),
            hash,
            m.clock(),
            m.rmw(),
            m.log());
    if (answer == Marks.Answer.OPEN) {
      unanswered.set(m.count());
    } else {
      answer(m.count(), answer);
    }
  }

  private void answerLate() {
    for (int at = unanswered.nextSetBit(0); at >= 0; at = unanswered.nextSetBit(at + 1)) {
      Marks.Answer answer = marks.answer(answeredAttempt, at);
      if (answer != Marks.Answer.OPEN) {
        unanswered.clear(at);
        answer(at, answer);
      }
    }
  }

  private void answer(int index, Marks.Answer answer) {
    Message reply = context.message(context.first(), MessageType.PURGE_MARKED, 0, Message.NO_VALUE);
    if (reply != null) {
      int flags =
          switch (answer) {
            case DROPPED -> Message.UNMARK;
            case REFUSED -> Message.REFUSED;
            case MARKED, OPEN -> 0;
          };
      reply.flags(flags).id(answeredAttempt).count(index);
    }
  }

  // --- the first node ----------------------------------------------------------------------------

  private void lead() {
    if (context.view() != view) {
      view = context.view();
      search();
    }
    long waited = context.now() - sinceNanos;
    long resend = context.settings.times().resendNanos();
    switch (step) {
      case SEARCHING -> {
        if (waited >= resend) {
          sinceNanos = context.now();
          searchOn();
        }
      }
      case RESTING -> {
        if (waited >= REST * resend) {
          begin();
        }
      }
      case MARKING -> {
        if (waited >= GIVE_UP * resend) {
          givenUp = true;
        }
        mark();
      }
      case WANTED -> {
        // A view decides.
      }
    }
  }

  private void search() {
    step = Step.SEARCHING;
    sinceNanos = context.now();
    place = 0;
    candidates.clear();
  }

  /** Looks at a page of the store. */
  private void searchOn() {
    KiteView now = context.node.view();
    if (!store.isCrowded() || !now.whole() || now.number() != view) {
      search();
      return;
    }
    for (int i = 0; i < PLACES_AT_ONCE_MAX && !hasSearchedAll(); i++) {
      long record = store.recordAt(place);
      if (record != ReplicaStore.NONE) {
        store.read(record, null, context.local);
        if (context.local.length == Reading.ABSENT) {
          candidates.add(new Candidate(record, context.local.clock, context.local.rmw));
        }
      }
      place = store.nextPlace(place);
    }
    if (!hasSearchedAll()) {
      return;
    }
    boolean enough =
        candidates.size() > store.keys() / WORTH_SHARE
            || (!candidates.isEmpty() && !store.hasRoomForKey(SHORT_KEY_BYTES));
    if (enough) {
      step = Step.RESTING;
    } else {
      search();
    }
  }

  private boolean hasSearchedAll() {
    return place == ReplicaStore.PLACES_END || candidates.size() == Marks.MARKS_MAX;
  }

  /** Those that have not changed meanwhile are to be marked. */
  private void begin() {
    // A split of the index may have shown one twice.
    Set<Long> records = new HashSet<>();
    candidates.removeIf(each -> !hasRested(each) || !records.add(each.record));
    if (candidates.isEmpty()) {
      search();
      return;
    }
    step = Step.MARKING;
    attempt = context.nextOperation();
    givenUp = false;
    sinceNanos = context.now();
    toSend = candidates.size();
    sentNanos = WorkerContext.LONG_AGO;
    for (int index = 0; index < candidates.size(); index++) {
      Candidate each = candidates.get(index);
      copyKey(each);
      marks.ask(
          view,
          attempt,
          index,
          key.buffer(),
          0,
          key.length(),
          KeyHash.hash(key.buffer(), 0, key.length()),
          each.clock,
          each.rmw,
          each.log);
    }
  }

  /** Nobody but this node's marks removes records, and there are none of another attempt. */
  private void copyKey(Candidate each) {
    int length = store.keyLength(each.record);
    key.length(length);
    store.copyKey(each.record, key.room(length), 0);
    key.length(length);
  }

  private boolean hasRested(Candidate each) {
    store.read(each.record, null, context.local);
    if (context.local.length != Reading.ABSENT) {
      return false;
    }
    store.lock(each.record);
    try {
      if (!store.isInUse(each.record)
          || store.clock(each.record) != each.clock
          || store.rmw(each.record) != each.rmw) {
        return false;
      }
      if (store.paxos(each.record) != ReplicaStore.NONE && acceptor.turnTo(each.record)) {
        each.log = acceptor.lastLog();
      }
      return true;
    } finally {
      store.unlock(each.record);
    }
  }

  private void mark() {
    int all = context.all();
    int marked = 0;
    boolean settled = true;
    for (int index = 0; index < candidates.size(); index++) {
      Candidate each = candidates.get(index);
      noteHere(index, each);
      if (each.isDropped) {
        settled &= each.dropped == all;
      } else {
        boolean enough = each.marked == all || !context.keeps(KiteRule.MARKED_BY_ALL);
        settled &= enough;
        marked += enough ? 1 : 0;
      }
    }
    if (!settled) {
      askAgain();
    } else if (marked > 0) {
      step = Step.WANTED;
      context.node.wantPurge(view);
    } else {
      search();
    }
  }

  private void noteHere(int index, Candidate each) {
    Marks.Answer here = marks.answer(attempt, index);
    if (here == Marks.Answer.REFUSED || givenUp) {
      each.isDropped = true;
    } else if (here == Marks.Answer.MARKED) {
      each.marked |= context.selfMask;
    }
    if (each.isDropped && (each.dropped & context.selfMask) == 0) {
      marks.drop(view, attempt, index);
      each.dropped |= context.selfMask;
    }
  }

  /** Asks those who have not answered, some at a time. */
  private void askAgain() {
    if (toSend >= candidates.size()) {
      if (context.now() - sentNanos < context.settings.times().resendNanos()) {
        return;
      }
      sentNanos = context.now();
      toSend = 0;
    }
    int end = Math.min(candidates.size(), toSend + ASKED_AT_ONCE_MAX);
    for (; toSend < end; toSend++) {
      Candidate each = candidates.get(toSend);
      int missing = context.all() & ~(each.isDropped ? each.dropped : each.marked);
      for (int left = missing & ~context.selfMask; left != 0; left &= left - 1) {
        ask(Integer.numberOfTrailingZeros(left), toSend, each);
      }
    }
  }

  private void ask(int peer, int index, Candidate each) {
    copyKey(each);
    Message m = context.message(peer, MessageType.PURGE_MARK, key.length(), Message.NO_VALUE);
    if (m != null) {
      m.flags(each.isDropped ? Message.UNMARK : 0).id(attempt).count(index);
      m.clock(each.clock).rmw(each.rmw).log(each.log);
      WorkerContext.fill(m, key, null);
    }
  }

  /** A node has answered. */
  void onMarked(int from, Message m) {
    if (context.worker != 0
        || step != Step.MARKING
        || m.id() != attempt
        || m.view() != view
        || m.count() >= candidates.size()) {
      return;
    }
    Candidate each = candidates.get(m.count());
    if (m.has(Message.UNMARK)) {
      each.dropped |= each.isDropped ? Quorum.of(from) : 0;
    } else if (m.has(Message.REFUSED)) {
      each.isDropped = true;
    } else {
      each.marked |= Quorum.of(from);
    }
  }
}
