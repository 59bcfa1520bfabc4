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
package org.orcagrid.simulator;

import java.util.PriorityQueue;
import java.util.SplittableRandom;

/**
 * Virtual time and all chance of one run. Not thread-safe: a run is one thread.
 *
 * <p>What is scheduled for the same moment happens in the order in which it was scheduled.
 */
public final class Simulation {

  private static final class Event implements Comparable<Event> {
    private final long atNanos;
    private final long order;
    private final Runnable action;

    private Event(long atNanos, long order, Runnable action) {
      this.atNanos = atNanos;
      this.order = order;
      this.action = action;
    }

    @Override
    public int compareTo(Event other) {
      int byTime = Long.compare(atNanos, other.atNanos);
      return byTime != 0 ? byTime : Long.compare(order, other.order);
    }
  }

  private final SplittableRandom random;
  private final PriorityQueue<Event> events = new PriorityQueue<>();
  private long nowNanos;
  private long scheduled;

  /** A run that {@code seed} determines. */
  public Simulation(long seed) {
    this.random = new SplittableRandom(seed);
  }

  /** The true time, which no simulated node can see: nanoseconds since the run began. */
  public long nowNanos() {
    return nowNanos;
  }

  /** Where all chance comes from. */
  public SplittableRandom random() {
    return random;
  }

  /** A duration from {@code minNanos} to {@code maxNanos}, both included. */
  public long between(long minNanos, long maxNanos) {
    return random.nextLong(minNanos, maxNanos + 1);
  }

  /** Whether something happens that happens {@code percent} times in a hundred. */
  public boolean chance(double percent) {
    return random.nextDouble() * 100 < percent;
  }

  /** Does {@code action} once {@code delayNanos} have passed. */
  public void after(long delayNanos, Runnable action) {
    events.add(new Event(nowNanos + Math.max(0, delayNanos), scheduled++, action));
  }

  /** Runs until {@code endNanos}; what is due then has been done. */
  public void runUntil(long endNanos) {
    for (Event next = events.peek();
        next != null && next.atNanos <= endNanos;
        next = events.peek()) {
      events.poll();
      nowNanos = next.atNanos;
      next.action.run();
    }
    nowNanos = endNanos;
  }
}
