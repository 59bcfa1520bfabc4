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

import java.util.List;
import java.util.function.Consumer;

/** What a consistency does; where it has nothing to do at a moment, it says nothing of it. */
interface Protocol {

  /** Begins an operation; false if it has to wait, and is to be tried again. */
  boolean begin(Operation operation);

  /** Begins to read all keys, or goes on; false if it has to wait, and is to be tried again. */
  boolean scan(Operation operation);

  /** A message of this protocol. */
  void onMessage(int from, ReplicaMessage message);

  /** Time has passed. */
  default void tick(long nowNanos) {}

  /**
   * There is a new view: sends those that have joined what is under way, and takes over what nodes
   * that are gone have left.
   *
   * @param joined the members that this node had no link to
   */
  void onView(int joined);

  /** Up to where the updates of each node are visible; zeros where there are none. */
  long[] visible();

  /** Whether all updates up to there are visible here. */
  default boolean shows(long[] visible) {
    return true;
  }

  /** This node has learned what {@code visible} stands for, and may have learned more. */
  void onLearned(long[] visible);

  /** This node has caught up, and has kept versions that nobody else has. */
  default void onKept(List<Write> kept) {}

  /** Tells a member that is about to learn the versions here what it does not see in them. */
  default void teach(int learner) {}

  /** Tells a member that was told all versions what has become visible here since they began. */
  default void teachRest(int learner) {}

  /** Writes once more what is in the log and counts, and is not in the entries yet. */
  default void logOpen(Journal journal) {}

  /** Tells of each version that this node may still send to somebody. */
  void underWay(Consumer<Write> each);

  /** Whether a read would show an entry's version now. */
  boolean isShown(Entry entry);

  /** Whether nothing more is to be said of a version by anybody. */
  default boolean isSettled(Entry entry) {
    return true;
  }

  /** All have said of a view what they had to. */
  default void onViewSettled() {}

  /** A session has ended. */
  default void onClosed(ReplicaSession session) {}

  /** How many updates are here that are not visible yet. */
  default long held() {
    return 0;
  }

  /** Fails if a numbered invariant that this node alone can see is broken. */
  void checkInvariants();

  /** Whether nothing is under way. */
  boolean isQuiet();
}
