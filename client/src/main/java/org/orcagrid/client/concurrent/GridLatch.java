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

import java.time.Duration;
import org.orcagrid.client.GridSession;
import org.orcagrid.client.View;
import org.orcagrid.client.map.GridMaps;
import org.orcagrid.ddp.model.Ddp;

/**
 * Lets threads wait until others have counted down, as {@link java.util.concurrent.CountDownLatch}.
 * A thread that has waited sees what the others had written before they counted down. With a latch
 * of a session that holds for the grid's keys. With a latch of a model it holds for linearizable,
 * read-enforced and transactional maps.
 *
 * <p>Any number of threads may use one of a model; one of a session belongs to that. All methods
 * throw what {@link org.orcagrid.client.map.GridMap} or {@link View} throws.
 */
public final class GridLatch {
  private final Tally counted;
  private final long count;

  /**
   * A session's handle on the latch of that name.
   *
   * @param count how often it has to be counted down; the same for all
   */
  public GridLatch(GridSession session, String name, long count) {
    this(Tally.of(session, "latch " + name), count);
  }

  /**
   * A handle on the latch of that name, as {@link GridMaps#latch} makes it.
   *
   * @param count how often it has to be counted down; the same for all
   * @throws IllegalArgumentException if the model has no compare-and-set, saying which have
   */
  public GridLatch(GridMaps maps, String name, long count, Ddp model) {
    this(Tally.of(maps, "latch." + name, model), count);
  }

  private GridLatch(Tally counted, long count) {
    if (count < 0) {
      throw new IllegalArgumentException("A latch cannot be counted down " + count + " times");
    }
    this.counted = counted;
    this.count = count;
  }

  /** Counts down once; more often than was asked for does nothing. */
  public void countDown() {
    counted.getAndAdd(1);
  }

  /** How often it is still to be counted down. */
  public long getCount() {
    return Math.max(0, count - counted.get());
  }

  /**
   * Waits until it was counted down. It looks at the grid again and again, up to a hundred times a
   * second.
   *
   * @return false if the time was over before
   */
  public boolean await(Duration timeout) throws InterruptedException {
    Lookout lookout = new Lookout(timeout);
    while (getCount() > 0) {
      if (!lookout.pause()) {
        return false;
      }
    }
    return true;
  }
}
