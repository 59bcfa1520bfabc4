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
package org.orcagrid.ddp.replica.consistency;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.orcagrid.ddp.Invariant;
import org.orcagrid.ddp.replica.state.ReplicaRule;
import org.orcagrid.ddp.replica.state.ReplicaState;
import org.orcagrid.ddp.replica.state.Write;
import org.orcagrid.ddp.replica.wire.ReplicaMessage;

/**
 * The moments in which a node knows of no transaction that is decided and not visible yet. Reads of
 * all keys look then. This is ours: the paper has no such reads.
 *
 * <p>Transactions have an order: that in which the last member has learned that each is decided. A
 * read of one key follows it, since it waits for what is decided at its node, and shows no
 * transaction that some member does not know to be decided. At a quiet moment the visible
 * transactions are those that are before it in this order, and all others are after it.
 *
 * <p>A node with a waiting read learns of later transactions only at its next quiet moment; else
 * none might come. Ids follow clocks that nodes take over from each other, so a finite number of
 * transactions has a lower id than one that is decided.
 *
 * <p>Invariants:
 *
 * <ol>
 *   <li>A transaction is held back only while one with a lower id is decided here. So those that
 *       are held back at several nodes never wait for each other, and the lowest one goes on.
 *   <li>Nothing is held back while nobody waits.
 * </ol>
 */
final class QuietMoments {
  private final ReplicaState state;

  /** All transactions that this node knows. */
  private final Collection<Transaction> active;

  private final Set<Operation> waiting = new LinkedHashSet<>();
  private final Deque<Ending> heldBack = new ArrayDeque<>();

  /** A node has told that a transaction is decided. */
  record Ending(int from, ReplicaMessage.TxEnd end) {}

  QuietMoments(ReplicaState state, Collection<Transaction> active) {
    this.state = state;
    this.active = active;
  }

  /** Whether it is one now. */
  boolean isNow() {
    return active.stream().noneMatch(QuietMoments::isDecided)
        || !state.keeps(ReplicaRule.SCAN_AT_QUIET_MOMENT);
  }

  private static boolean isDecided(Transaction transaction) {
    return transaction.state() == Transaction.State.DECIDED;
  }

  /** A read of all keys waits for the next one. */
  void await(Operation scan) {
    waiting.add(scan);
  }

  /** Whether this node is not to learn yet that a transaction is decided, nor to decide it. */
  boolean holdsBack(long transaction) {
    if (waiting.isEmpty()) {
      return false;
    }
    if (!state.keeps(ReplicaRule.HELD_BACK_BY_EARLIER)) {
      return true;
    }
    long latest = Long.MIN_VALUE;
    for (Transaction each : active) {
      if (isDecided(each)) {
        latest = Math.max(latest, each.id());
      }
    }
    return transaction > latest;
  }

  /** Keeps what is held back until {@link #letGo}. */
  void holdBack(int from, ReplicaMessage.TxEnd end) {
    heldBack.add(new Ending(from, end));
  }

  /** Those who wait: nobody does any more. */
  List<Operation> stopWaiting() {
    List<Operation> all = List.copyOf(waiting);
    waiting.clear();
    return all;
  }

  /** What was held back: nothing is any more. */
  List<Ending> letGo() {
    List<Ending> all = List.copyOf(heldBack);
    heldBack.clear();
    return all;
  }

  boolean isAwaited() {
    return !waiting.isEmpty();
  }

  /** Whether nothing is held back. */
  boolean isEmpty() {
    return heldBack.isEmpty();
  }

  /** The writes of what is held back. */
  List<Write> writes() {
    return heldBack.stream().flatMap(each -> each.end().writes().stream()).toList();
  }

  /** The second one. */
  void checkInvariants() {
    Invariant.check(heldBack.isEmpty() || !waiting.isEmpty(), "what is held back is waited for");
  }
}
