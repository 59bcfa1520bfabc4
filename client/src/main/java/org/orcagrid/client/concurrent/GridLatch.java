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
import java.util.concurrent.TimeUnit;
import org.orcagrid.client.Codec;
import org.orcagrid.client.GridSession;
import org.orcagrid.client.View;

/**
 * Lets sessions wait until others have counted down, as {@link
 * java.util.concurrent.CountDownLatch}: what a session has done before it counted down is there for
 * whoever has waited.
 *
 * <p>One object belongs to one session. All methods throw what {@link View} throws.
 */
public final class GridLatch {
  private static final long LOOK_NANOS_MIN = 100_000;
  private static final long LOOK_NANOS_MAX = 10_000_000;

  private final View<Part, Long> view;
  private final Part counted;
  private final long count;

  /**
   * A session's handle on the latch of that name.
   *
   * @param count how often it has to be counted down; the same for all sessions
   */
  public GridLatch(GridSession session, String name, long count) {
    if (count < 0) {
      throw new IllegalArgumentException("A latch cannot be counted down " + count + " times");
    }
    this.view = session.view(Part.CODEC, Codec.LONG);
    this.counted = new Part("latch " + name, Part.HEAD, 0);
    this.count = count;
  }

  /** Counts down once; more often than was asked for does nothing. */
  public void countDown() {
    view.getAndAdd(counted, 1);
  }

  /** How often it is still to be counted down. */
  public long getCount() {
    Long done = view.getAcquire(counted);
    return Math.max(0, count - (done == null ? 0 : done));
  }

  /**
   * Waits until it was counted down. It looks at the grid again and again, up to a hundred times a
   * second.
   *
   * @return false if the time was over before
   */
  public boolean await(Duration timeout) throws InterruptedException {
    long deadline = System.nanoTime() + timeout.toNanos();
    long pause = LOOK_NANOS_MIN;
    while (getCount() > 0) {
      long left = deadline - System.nanoTime();
      if (left <= 0) {
        return false;
      }
      TimeUnit.NANOSECONDS.sleep(Math.min(left, pause));
      pause = Math.min(2 * pause, LOOK_NANOS_MAX);
    }
    return true;
  }
}
