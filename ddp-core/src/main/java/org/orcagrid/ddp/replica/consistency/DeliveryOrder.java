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

import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.orcagrid.ddp.Invariant;
import org.orcagrid.ddp.model.Consistency;
import org.orcagrid.ddp.replica.state.ReplicaRule;
import org.orcagrid.ddp.replica.state.ReplicaState;
import org.orcagrid.ddp.replica.wire.Update;

/**
 * In which order the updates of all nodes become visible at one: those of a node in the order of
 * their numbers, and with causal consistency each after its history. What has come before its turn
 * waits here.
 */
final class DeliveryOrder {
  private final ReplicaState state;
  private final boolean causal;

  /** Up to where the updates of each node are on their way to being visible here, and are so. */
  private final long[] delivered;

  private final long[] visible;

  /**
   * By node, the first update of its last life that was given up: it may come again from who does
   * not know that, when what its history lacks counts as delivered with the next life.
   */
  private final long[] givenUp;

  /** What waits for its turn, by node and number. */
  private final List<NavigableMap<Long, WaitingUpdate>> waiting = new ArrayList<>();

  DeliveryOrder(ReplicaState state) {
    this.state = state;
    this.causal = state.model().consistency() == Consistency.CAUSAL;
    this.delivered = new long[state.nodes()];
    this.visible = new long[state.nodes()];
    this.givenUp = new long[state.nodes()];
    for (int node = 0; node < state.nodes(); node++) {
      waiting.add(new TreeMap<>());
    }
  }

  /** Up to where the updates of each node are visible here: the array itself, which changes. */
  long[] visible() {
    return visible;
  }

  /** Whether all updates up to there are visible here. */
  boolean isVisible(long[] history) {
    for (int node = 0; node < visible.length; node++) {
      if (history[node] > visible[node]) {
        return false;
      }
    }
    return true;
  }

  /** Whether an update has had its turn. */
  boolean isDelivered(Update update) {
    return update.sequence() <= delivered[update.origin()];
  }

  /** Whether an update was given up here, or one before it, and so is given up at all nodes. */
  boolean isGivenUp(Update update) {
    long first = givenUp[update.origin()];
    return first != 0
        && update.sequence() >= first
        && Update.life(update.sequence()) == Update.life(first)
        && state.keeps(ReplicaRule.GIVEN_UP_STAYS);
  }

  /** Whether an update is of a node's life in the view. */
  boolean isOfMember(Update update) {
    return state.view().incarnations().get(update.origin()) == Update.life(update.sequence());
  }

  /** An update has its turn. */
  void deliver(Update update) {
    delivered[update.origin()] = Math.max(delivered[update.origin()], update.sequence());
  }

  /** An update is visible; its number counts if no other one belongs to it. */
  void show(Update update) {
    if (!update.more()) {
      visible[update.origin()] = Math.max(visible[update.origin()], update.sequence());
    }
  }

  /** An update waits for its turn; null if it does so already. */
  WaitingUpdate add(Update update) {
    NavigableMap<Long, WaitingUpdate> of = waiting.get(update.origin());
    if (of.containsKey(update.sequence())) {
      return null;
    }
    WaitingUpdate arrived = new WaitingUpdate(update);
    of.put(update.sequence(), arrived);
    return arrived;
  }

  /** Those of a node that wait for their turn. */
  Iterable<WaitingUpdate> waiting(int origin) {
    return waiting.get(origin).values();
  }

  /** Takes the next one of a node whose turn it is; null if there is none. */
  WaitingUpdate pollReady(int origin) {
    NavigableMap<Long, WaitingUpdate> of = waiting.get(origin);
    boolean isReady = !of.isEmpty() && isReady(of.firstEntry().getValue());
    return isReady ? of.pollFirstEntry().getValue() : null;
  }

  private boolean isReady(WaitingUpdate first) {
    Update update = first.update;
    boolean ofNewLife = Update.life(update.sequence()) > Update.life(delivered[update.origin()]);
    if (ofNewLife && !state.isViewSettled()) {
      // Others may be about to tell what it has left in its last life.
      return false;
    }
    if (update.previous() > delivered[update.origin()]
        || (state.persistency().isBeforeCompletion() && !first.persisted)) {
      return false;
    }
    if (!causal || !state.keeps(ReplicaRule.HISTORY_FIRST)) {
      return true;
    }
    for (int node = 0; node < delivered.length; node++) {
      if (node != update.origin() && update.history()[node] > delivered[node]) {
        return false;
      }
    }
    return true;
  }

  /**
   * This node has received what {@code until} stands for.
   *
   * @param told takes what has waited and is in that
   */
  void onLearned(long[] until, Consumer<Update> told) {
    boolean together = state.view().serving() == 0;
    for (int node = 0; node < delivered.length; node++) {
      // After a recovery by all nothing of an earlier life is under way any more.
      long from =
          together ? (long) state.view().incarnations().get(node) << Integer.SIZE : until[node];
      delivered[node] = Math.max(delivered[node], from);
      visible[node] = Math.max(visible[node], from);
      NavigableMap<Long, WaitingUpdate> over = waiting.get(node).headMap(from, true);
      over.values().forEach(each -> told.accept(each.update));
      over.clear();
    }
  }

  /**
   * Gives up what a node that is gone has left without its history, which nobody will complete: all
   * that anybody has of those that are gone was told before the view was settled.
   *
   * @param told takes what was given up
   */
  void forgetHopeless(Consumer<Update> told) {
    boolean again = true;
    while (again) {
      again = false;
      for (NavigableMap<Long, WaitingUpdate> of : waiting) {
        again |= of.values().removeIf(each -> giveUpIfHopeless(each.update, told));
      }
    }
  }

  private boolean giveUpIfHopeless(Update update, Consumer<Update> told) {
    boolean hopeless = isHopeless(update);
    if (hopeless) {
      long first = givenUp[update.origin()];
      boolean isOfLaterLife = Update.life(update.sequence()) > Update.life(first);
      boolean isOfThatLife = Update.life(update.sequence()) == Update.life(first);
      if (isOfLaterLife || (isOfThatLife && update.sequence() < first)) {
        givenUp[update.origin()] = update.sequence();
      }
      told.accept(update);
    }
    return hopeless;
  }

  private boolean isHopeless(Update update) {
    if (isOfMember(update)) {
      return false;
    }
    boolean hopeless = isMissing(update.origin(), update.previous());
    for (int node = 0; node < delivered.length && causal; node++) {
      hopeless |= node != update.origin() && isMissing(node, update.history()[node]);
    }
    return hopeless;
  }

  /** Whether an update is not here, and nobody will send it. */
  private boolean isMissing(int origin, long number) {
    return number > delivered[origin]
        && Update.life(number) != state.view().incarnations().get(origin)
        && !waiting.get(origin).containsKey(number);
  }

  /** What waits for its turn, and what has had it and waits for the durable medium. */
  long held() {
    long held = 0;
    for (int node = 0; node < delivered.length; node++) {
      boolean sameLife = Update.life(delivered[node]) == Update.life(visible[node]);
      held += waiting.get(node).size() + (sameLife ? delivered[node] - visible[node] : 0);
    }
    return held;
  }

  /** Whether nothing waits. */
  boolean isEmpty() {
    return waiting.stream().allMatch(NavigableMap::isEmpty);
  }

  /** What is visible has had its turn, and what waits has not. */
  void checkInvariants() {
    for (int node = 0; node < delivered.length; node++) {
      NavigableMap<Long, ?> waits = waiting.get(node);
      Invariant.check(visible[node] <= delivered[node], "what is visible has had its turn");
      Invariant.check(
          waits.isEmpty() || waits.firstKey() > delivered[node], "what waits has had no turn");
    }
  }

  @Override
  public String toString() {
    return "waiting " + waiting.stream().map(NavigableMap::keySet).toList();
  }
}
