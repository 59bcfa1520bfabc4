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
package org.orcagrid.ddp.replica.removal;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.orcagrid.ddp.Invariant;
import org.orcagrid.ddp.Quorum;
import org.orcagrid.ddp.replica.log.Journal;
import org.orcagrid.ddp.replica.log.LogRecord;
import org.orcagrid.ddp.replica.state.Entry;
import org.orcagrid.ddp.replica.state.Key;
import org.orcagrid.ddp.replica.state.ReplicaRule;
import org.orcagrid.ddp.replica.state.ReplicaState;
import org.orcagrid.ddp.replica.state.Write;
import org.orcagrid.ddp.replica.wire.Links;
import org.orcagrid.ddp.replica.wire.ReplicaMessage;

/**
 * Forgets removed keys. A node asks all others whether they could; each says of which keys it has
 * the removal or a later version durable, and has nothing older under way; what all have said so of
 * is forgotten everywhere. Only while all nodes there are serve: what a node has in its log that is
 * away would come back with it.
 *
 * <p>The clock of a read-modify-write follows that of what it replaces. Where that was forgotten it
 * follows the latest clock of all that was: it must not be earlier than that of a removal which is
 * in a log still. That all members have seen, so that it comes before whatever they write.
 *
 * <p>Invariants, for a removal that all have agreed to forget:
 *
 * <ol>
 *   <li>in no log does an older version of the key count, now or later;
 *   <li>no older version is on its way to any node, or will ever be sent;
 *   <li>every later version of the key has a later clock, be it a write or a read-modify-write.
 * </ol>
 */
public final class Tombstones {
  /** A node that is not the first one asks so much less often, for what that one has not. */
  private static final int OTHERS_WAIT = 8;

  /** Where nothing can be forgotten, intervals grow to so many times what they were. */
  private static final int PATIENCE_MAX = 64;

  private final ReplicaState state;
  private final Links links;
  private final Journal journal;
  private final RemovalGuard guard;

  /** What this node has asked, null for nothing. */
  private Round round;

  private int rounds;
  private int patience = 1;

  /** When the last round had ended; nothing while this node has not looked at the time. */
  private long endedNanos;

  private boolean timed;

  /** What this node is about to answer, by who has asked. */
  private final Map<Integer, Answer> answers = new HashMap<>();

  private static final class Round {
    private final long number;
    private final Set<Write> agreed;
    private int answered;

    private Round(long number, List<Write> asked) {
      this.number = number;
      this.agreed = new HashSet<>(asked);
    }
  }

  /**
   * To be said when all is durable that was logged by then, and all has arrived that was sent.
   *
   * @param sent for each node, how many messages
   */
  private record Answer(long round, List<Write> agreed, long position, List<Long> sent) {}

  /** Nothing has been asked yet. */
  public Tombstones(ReplicaState state, Links links, Journal journal, RemovalGuard guard) {
    this.state = state;
    this.links = links;
    this.journal = journal;
    this.guard = guard;
  }

  /** There is a new view: what was asked in the last one is void. */
  public void onView() {
    round = null;
    answers.clear();
    patience = 1;
  }

  /** Time has passed: answers what can be answered, and asks when that is due. */
  public void tick(long nowNanos) {
    if (!mayForget()) {
      return;
    }
    for (int asker : List.copyOf(answers.keySet())) {
      answerIfDone(asker);
    }
    if (round != null || !timed) {
      timed = true;
      endedNanos = nowNanos;
    }
    if (nanosToAsk(nowNanos) == 0) {
      ask();
    }
  }

  /** Nanoseconds until this node asks, {@link Long#MAX_VALUE} if nothing is to be forgotten. */
  public long nanosToAsk(long nowNanos) {
    if (round != null || !mayForget() || !state.entries().hasRemovals()) {
      return Long.MAX_VALUE;
    }
    long interval =
        state.settings().times().progressNanos() * patience * (state.self() == 0 ? 1 : OTHERS_WAIT);
    return timed ? Math.max(0, interval - (nowNanos - endedNanos)) : 0;
  }

  private boolean mayForget() {
    return state.isServing()
        && (state.view().serving() == state.view().parts()
            || !state.keeps(ReplicaRule.FORGET_WITH_ALL));
  }

  private void ask() {
    List<Write> removals = state.entries().removals(state.settings().limits().pageBytes());
    if (removals.isEmpty()) {
      return;
    }
    if (!state.keeps(ReplicaRule.FORGET_WHEN_AT_ALL)) {
      forget(removals);
      return;
    }
    long number = (long) state.view().number() << Integer.SIZE | ++rounds;
    round = new Round(number, removals);
    links.broadcast(new ReplicaMessage.ForgetAsk(number, removals));
    onAsk(state.self(), number, removals);
  }

  private boolean isOfView(long number) {
    return number >>> Integer.SIZE == state.view().number();
  }

  /** A message has come; whether it is about removals. */
  public boolean onMessage(int from, ReplicaMessage message) {
    if (message instanceof ReplicaMessage.ForgetAsk ask) {
      if (isOfView(ask.round())) {
        onAsk(from, ask.round(), ask.removals());
      }
    } else if (message instanceof ReplicaMessage.ForgetReady ready) {
      onReady(from, ready.round(), ready.removals());
    } else if (message instanceof ReplicaMessage.Forget forget) {
      if (isOfView(forget.round())) {
        forget(forget.removals());
      }
    } else {
      return false;
    }
    return true;
  }

  private void onAsk(int from, long number, List<Write> removals) {
    Map<Key, Write> agreed = new HashMap<>();
    for (Write removal : removals) {
      // What is written from now on is later.
      state.learn(removal.clock());
      if (has(removal)) {
        agreed.put(removal.key(), removal);
      }
    }
    Consumer<Write> underWay =
        write ->
            agreed.computeIfPresent(write.key(), (k, r) -> write.clock() > r.clock() ? r : null);
    guard.underWay(underWay);
    List<Long> sent = new ArrayList<>();
    for (int node = 0; node < state.nodes(); node++) {
      sent.add(links.sent(node));
    }
    long position = journal.appended();
    answers.put(from, new Answer(number, List.copyOf(agreed.values()), position, sent));
    answerIfDone(from);
  }

  /** Whether this node has a removal, or a later version, in its log; or did forget it. */
  private boolean has(Write removal) {
    Entry entry = state.entry(removal.key());
    if (!entry.hasVersion()) {
      return true;
    }
    if (!guard.isSettled(entry)) {
      // It may not be in the log before it is decided.
      return false;
    }
    long logged = state.persistency().isByScope() ? entry.scopedClock() : entry.clock();
    return logged >= removal.clock();
  }

  private void answerIfDone(int asker) {
    Answer answer = answers.get(asker);
    boolean done = journal.isDurable(answer.position()) && guard.areZonesClean();
    for (int node = 0; node < state.nodes(); node++) {
      done &= links.arrived(node) >= answer.sent().get(node);
    }
    if (!done) {
      return;
    }
    answers.remove(asker);
    if (asker == state.self()) {
      onReady(asker, answer.round(), answer.agreed());
    } else {
      links.send(asker, new ReplicaMessage.ForgetReady(answer.round(), answer.agreed()));
    }
  }

  private void onReady(int from, long number, List<Write> agreed) {
    if (round == null || round.number != number) {
      return;
    }
    round.agreed.retainAll(new HashSet<>(agreed));
    round.answered |= Quorum.of(from);
    if ((state.members() & ~round.answered) != 0) {
      return;
    }
    List<Write> all = List.copyOf(round.agreed);
    round = null;
    timed = false;
    patience = all.isEmpty() ? Math.min(2 * patience, PATIENCE_MAX) : 1;
    if (!all.isEmpty()) {
      links.broadcast(new ReplicaMessage.Forget(number, all));
      forget(all);
    }
  }

  private void forget(List<Write> removals) {
    for (Write removal : removals) {
      state.forgot(removal.clock());
      Entry entry = state.entry(removal.key());
      boolean latest = entry.hasVersion() && entry.clock() == removal.clock();
      if (latest && isScopedToo(entry)) {
        if (guard.isCheckpointUnderWay()) {
          // An older version may be behind the checkpoint's begin.
          journal.persistLater(new LogRecord.Version(entry.write()));
        }
        state.entries().remove(entry);
      }
    }
  }

  /** What is asked and answered is of this view, and about removals only. */
  public void checkInvariants() {
    Invariant.check(
        round == null || isOfView(round.number), "a round ends with the view that it began in");
    Invariant.check(
        round == null || round.agreed.stream().allMatch(each -> each.value() == null),
        "only removals are forgotten");
    for (Answer answer : answers.values()) {
      Invariant.check(
          isOfView(answer.round()) && answer.agreed().stream().allMatch(r -> r.value() == null),
          "only removals are agreed to be forgotten, in the view of who has asked");
    }
  }

  private boolean isScopedToo(Entry entry) {
    return !state.persistency().isByScope() || entry.clock() == entry.scopedClock();
  }
}
