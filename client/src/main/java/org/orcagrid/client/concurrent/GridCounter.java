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
package org.orcagrid.client.concurrent;

import org.orcagrid.client.GridSession;
import org.orcagrid.client.View;
import org.orcagrid.client.map.GridMaps;
import org.orcagrid.ddp.model.Ddp;

/**
 * A number that a grid's programs count up and down together; linearizable. Any number of threads
 * may use one of a model; one of a session belongs to that. All methods throw what {@link
 * org.orcagrid.client.map.GridMap} or {@link View} throws.
 */
public final class GridCounter {
  private final Tally tally;

  /** A session's handle on the counter of that name, which begins at 0. */
  public GridCounter(GridSession session, String name) {
    this.tally = Tally.of(session, "counter " + name);
  }

  /**
   * A handle on the counter of that name, as {@link GridMaps#counter} makes it.
   *
   * @throws IllegalArgumentException if the model has no compare-and-set, saying which have
   */
  public GridCounter(GridMaps maps, String name, Ddp model) {
    this.tally = Tally.of(maps, "counter." + name, model);
  }

  /** Adds to it and returns what it is then. */
  public long addAndGet(long delta) {
    return tally.getAndAdd(delta) + delta;
  }

  /** Adds 1 and returns what it is then. */
  public long incrementAndGet() {
    return addAndGet(1);
  }

  /** Returns what it is. */
  public long get() {
    return tally.get();
  }
}
