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
package org.orcagrid.geo.partition;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.Consumer;
import org.orcagrid.geo.Positions;
import org.orcagrid.geo.Requirement;
import org.orcagrid.geo.replica.Replica;

/**
 * Requests that wait until a replica has what they ask for, or until their time is over. Each waits
 * for one datacenter at a time, with those that wait for the same.
 */
final class Waiters<T> {
  private final int datacenters;
  private final int most;
  private final List<PriorityQueue<Waiter<T>>> byPosition = new ArrayList<>();
  private final List<PriorityQueue<Waiter<T>>> byTime = new ArrayList<>();

  private final PriorityQueue<Waiter<T>> byDeadline =
      new PriorityQueue<>(Comparator.comparingLong(each -> each.deadlineNanos));

  private int waiting;

  private static final class Waiter<T> {
    private final T request;
    private final Requirement requirement;
    private final long deadlineNanos;

    /** What it waits for of the datacenter that it waits for. */
    private long wanted;

    private boolean over;

    private Waiter(T request, Requirement requirement, long deadlineNanos) {
      this.request = request;
      this.requirement = requirement;
      this.deadlineNanos = deadlineNanos;
    }
  }

  Waiters(int datacenters, int most) {
    this.datacenters = datacenters;
    this.most = most;
    for (int i = 0; i < Positions.DATACENTERS_MAX; i++) {
      byPosition.add(new PriorityQueue<>(Comparator.comparingLong(each -> each.wanted)));
      byTime.add(new PriorityQueue<>(Comparator.comparingLong(each -> each.wanted)));
    }
  }

  int size() {
    return waiting;
  }

  /**
   * Adds a request.
   *
   * @param missing a datacenter of which the replica lacks something
   * @return whether there is room
   */
  boolean add(
      T request, Requirement requirement, long deadlineNanos, int missing, Replica replica) {
    if (waiting >= most) {
      return false;
    }
    Waiter<T> waiter = new Waiter<>(request, requirement, deadlineNanos);
    waiting++;
    byDeadline.add(waiter);
    await(waiter, missing, replica);
    return true;
  }

  private void await(Waiter<T> waiter, int missing, Replica replica) {
    long position = waiter.requirement.positions().at(missing);
    boolean isPosition = replica.stable(missing) < position;
    waiter.wanted = isPosition ? position : waiter.requirement.floor();
    (isPosition ? byPosition : byTime).get(missing).add(waiter);
  }

  /** Hands over those that need not wait any more. */
  void release(Replica replica, Consumer<T> then) {
    if (waiting == 0) {
      return;
    }
    for (int i = 0; i < datacenters; i++) {
      // Of who is removed nothing comes any more.
      boolean isOver = replica.isRemoved(i);
      release(byPosition.get(i), isOver ? Long.MAX_VALUE : replica.stable(i), replica, then);
      release(byTime.get(i), isOver ? Long.MAX_VALUE : replica.safeTime(i), replica, then);
    }
    while (!byDeadline.isEmpty() && byDeadline.peek().over) {
      byDeadline.poll();
    }
  }

  private void release(
      PriorityQueue<Waiter<T>> queue, long reached, Replica replica, Consumer<T> then) {
    while (!queue.isEmpty() && (queue.peek().over || queue.peek().wanted <= reached)) {
      Waiter<T> first = queue.poll();
      if (!first.over) {
        int missing = replica.missing(first.requirement, datacenters);
        if (missing >= 0) {
          await(first, missing, replica);
        } else {
          end(first);
          then.accept(first.request);
        }
      }
    }
  }

  private void end(Waiter<T> waiter) {
    waiter.over = true;
    waiting--;
  }

  /** Hands over those whose time is over. */
  void expire(long nowNanos, Consumer<T> then) {
    while (!byDeadline.isEmpty()) {
      Waiter<T> first = byDeadline.peek();
      if (!first.over && nowNanos - first.deadlineNanos < 0) {
        return;
      }
      byDeadline.poll();
      if (!first.over) {
        end(first);
        then.accept(first.request);
      }
    }
  }

  /** Hands over all. */
  void drain(Consumer<T> then) {
    while (!byDeadline.isEmpty()) {
      Waiter<T> first = byDeadline.poll();
      if (!first.over) {
        end(first);
        then.accept(first.request);
      }
    }
  }

  /** When the first one's time is over; the greatest number if none waits. */
  long deadlineNanos() {
    return waiting == 0 ? Long.MAX_VALUE : byDeadline.peek().deadlineNanos;
  }
}
