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
package org.orcagrid.ddp.replica;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.orcagrid.ddp.Invariant;
import org.orcagrid.ddp.Quorum;

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
final class Tombstones {
  /** A node that is not the first one asks so much less often, for what that one has not. */
  private static final int OTHERS_WAIT = 8;

  /** Where nothing can be forgotten, intervals grow to so many times what they were. */
  private static final int PATIENCE_MAX = 64;

  private final Replica replica;
  private final Protocol protocol;
  private final Checkpoint checkpoint;

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

  Tombstones(Replica replica, Protocol protocol, Checkpoint checkpoint) {
    this.replica = replica;
    this.protocol = protocol;
    this.checkpoint = checkpoint;
  }

  void onView() {
    round = null;
    answers.clear();
    patience = 1;
  }

  void tick(long nowNanos) {
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
    long waited = (nowNanos - endedNanos) / patience / (replica.self() == 0 ? 1 : OTHERS_WAIT);
    if (round == null && waited >= replica.settings().times().progressNanos()) {
      ask();
    }
  }

  private boolean mayForget() {
    int all = Quorum.all(replica.nodes());
    return replica.isServing()
        && (replica.view().serving() == all || !replica.keeps(ReplicaRule.FORGET_WITH_ALL));
  }

  private void ask() {
    List<Write> removals = replica.state().removals(replica.settings().limits().pageBytes());
    if (removals.isEmpty()) {
      return;
    }
    if (!replica.keeps(ReplicaRule.FORGET_WHEN_AT_ALL)) {
      forget(removals);
      return;
    }
    long number = (long) replica.view().number() << Integer.SIZE | ++rounds;
    round = new Round(number, removals);
    replica.broadcast(new ReplicaMessage.ForgetAsk(number, removals));
    onAsk(replica.self(), number, removals);
  }

  private boolean isOfView(long number) {
    return number >>> Integer.SIZE == replica.view().number();
  }

  boolean onMessage(int from, ReplicaMessage message) {
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
      replica.learn(removal.clock());
      if (has(removal)) {
        agreed.put(removal.key(), removal);
      }
    }
    Consumer<Write> underWay =
        write ->
            agreed.computeIfPresent(write.key(), (k, r) -> write.clock() > r.clock() ? r : null);
    protocol.underWay(underWay);
    replica.scopes().underWay(underWay);
    List<Long> sent = new ArrayList<>();
    for (int node = 0; node < replica.nodes(); node++) {
      sent.add(replica.sent(node));
    }
    long position = replica.journal().appended();
    answers.put(from, new Answer(number, List.copyOf(agreed.values()), position, sent));
    answerIfDone(from);
  }

  /** Whether this node has a removal, or a later version, in its log; or did forget it. */
  private boolean has(Write removal) {
    Entry entry = replica.look(removal.key());
    if (entry.write() == null) {
      return true;
    }
    if (!protocol.isSettled(entry)) {
      // It may not be in the log before it is decided.
      return false;
    }
    Write logged = replica.persistency().isByScope() ? entry.scoped() : entry.write();
    return logged != null && logged.clock() >= removal.clock();
  }

  private void answerIfDone(int asker) {
    Answer answer = answers.get(asker);
    boolean done = replica.journal().isDurable(answer.position()) && replica.landings().isClean();
    for (int node = 0; node < replica.nodes(); node++) {
      done &= replica.arrived(node) >= answer.sent().get(node);
    }
    if (!done) {
      return;
    }
    answers.remove(asker);
    if (asker == replica.self()) {
      onReady(asker, answer.round(), answer.agreed());
    } else {
      replica.send(asker, new ReplicaMessage.ForgetReady(answer.round(), answer.agreed()));
    }
  }

  private void onReady(int from, long number, List<Write> agreed) {
    if (round == null || round.number != number) {
      return;
    }
    round.agreed.retainAll(new HashSet<>(agreed));
    round.answered |= Quorum.of(from);
    if ((replica.members() & ~round.answered) != 0) {
      return;
    }
    List<Write> all = List.copyOf(round.agreed);
    round = null;
    patience = all.isEmpty() ? Math.min(2 * patience, PATIENCE_MAX) : 1;
    if (!all.isEmpty()) {
      replica.broadcast(new ReplicaMessage.Forget(number, all));
      forget(all);
    }
  }

  private void forget(List<Write> removals) {
    for (Write removal : removals) {
      replica.forgot(removal.clock());
      Entry entry = replica.look(removal.key());
      boolean latest = entry.write() != null && entry.clock() == removal.clock();
      if (latest && isScopedToo(entry)) {
        if (checkpoint.isUnderWay()) {
          // An older version may be behind the checkpoint's begin.
          replica.journal().persistLater(new LogRecord.Version(entry.write()));
        }
        replica.state().remove(entry);
      }
    }
  }

  /** What is asked and answered is of this view, and about removals only. */
  void checkInvariants() {
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
    return !replica.persistency().isByScope() || entry.write().equals(entry.scoped());
  }
}
