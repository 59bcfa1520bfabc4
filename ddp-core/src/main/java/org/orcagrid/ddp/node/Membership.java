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
package org.orcagrid.ddp.node;

import java.io.IOException;
import java.util.function.Consumer;

/**
 * Whoever agrees on views. A node registers, gets a place, and is told of every view that follows.
 * Safety rests on views following each other one by one, each with at most one new node, and not on
 * anybody's clock: a node that is cut off and does not know that it was followed is not counted by
 * those who know.
 */
public interface Membership extends AutoCloseable {

  /** What happens later; may be told by any thread, one at a time. */
  interface Listener {
    /** There is a later view. */
    void onRoster(Roster next);

    /** Whether the node has caught up, and others can catch up from it. */
    boolean isServing();

    /** This node has no place any more, for this reason: it must end. */
    void onPlaceLost(String reason);
  }

  /**
   * Registers a node and waits until it has a place.
   *
   * @param address where the node listens
   * @param progress is told what is waited for
   * @return the view in which the node begins
   */
  Roster join(String address, Listener listener, Consumer<String> progress)
      throws IOException, InterruptedException;

  /** Gives up the place. */
  @Override
  void close();
}
