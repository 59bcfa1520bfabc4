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
package org.orcagrid.ddp.replica.state;

import java.util.List;

/** What a consistency tells and learns beside the versions of a transfer. */
public interface TransferSteps {

  /** Up to where the updates of each node are visible; zeros where there are none. */
  long[] visible();

  /** Whether all updates up to there are visible here. */
  default boolean shows(long[] visible) {
    return true;
  }

  /** This node has received what {@code visible} stands for, and may have received more. */
  void onLearned(long[] visible);

  /** This node has caught up, and has kept versions that nobody else has. */
  default void onKept(List<Write> kept) {}

  /** A snapshot for a member begins: sends it what it will not see in the versions. */
  default void onSnapshotBegins(int receiver) {}

  /** A snapshot for a member ends: sends it what has become visible here since it began. */
  default void onSnapshotEnds(int receiver) {}
}
