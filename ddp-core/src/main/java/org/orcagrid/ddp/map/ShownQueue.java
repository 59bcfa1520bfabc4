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
package org.orcagrid.ddp.map;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.orcagrid.ddp.replica.state.Key;

/**
 * Changes of a map on their way to somebody who may be slower than they come: when too many wait,
 * the later ones of a key become one. Safe for use by many threads.
 */
public final class ShownQueue implements MapWatcher {
  private final int waitingMax;
  private final Runnable arrival;
  private final Deque<Shown> waiting = new ArrayDeque<>();

  /** What came when too much was waiting: one change of each key. */
  private final Map<Key, Shown> merged = new LinkedHashMap<>();

  private long mergedCount;
  private boolean ended;

  /**
   * An empty queue.
   *
   * @param waitingMax so many wait before changes of a key become one
   * @param arrival is run when there is a change or the end, by the thread that tells it
   */
  public ShownQueue(int waitingMax, Runnable arrival) {
    this.waitingMax = waitingMax;
    this.arrival = arrival;
  }

  @Override
  public void onShown(Shown change) {
    if (!change.isOfAnything()) {
      return;
    }
    synchronized (this) {
      if (merged.isEmpty() && waiting.size() < waitingMax) {
        waiting.add(change);
      } else {
        merge(change);
      }
    }
    arrival.run();
  }

  /** Two changes as one; that nothing has come of nothing is none. */
  private void merge(Shown later) {
    Shown earlier = merged.get(later.key());
    if (earlier == null) {
      merged.put(later.key(), later);
      return;
    }
    mergedCount++;
    Shown both = earlier.then(later);
    if (both.isOfAnything()) {
      merged.put(later.key(), both);
    } else {
      merged.remove(later.key());
    }
  }

  @Override
  public void onEnded() {
    synchronized (this) {
      ended = true;
    }
    arrival.run();
  }

  /** Takes the next change; null if none waits. */
  public synchronized Shown poll() {
    Shown first = waiting.poll();
    if (first == null && !merged.isEmpty()) {
      Iterator<Shown> each = merged.values().iterator();
      first = each.next();
      each.remove();
    }
    return first;
  }

  /** Whether there is nothing more to come, and nothing waits. */
  public synchronized boolean isOver() {
    return ended && waiting.isEmpty() && merged.isEmpty();
  }

  /** Changes that have become one with an earlier one. */
  public synchronized long merged() {
    return mergedCount;
  }
}
