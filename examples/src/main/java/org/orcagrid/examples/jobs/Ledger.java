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
package org.orcagrid.examples.jobs;

import java.util.BitSet;
import java.util.TreeSet;

/**
 * What has become of jobs. Those of a producer have numbers that go up, and a queue keeps their
 * order: one is lost if it was acknowledged and has not come when later ones have, or when the
 * queue is empty. Safe for use by many threads.
 */
final class Ledger {
  /** Consumers may tell of their jobs in another order than that in which they took them. */
  private static final int DISORDER_MAX = 16;

  /** Acknowledged, and not taken yet. */
  private final TreeSet<Integer> waiting = new TreeSet<>();

  private final BitSet taken = new BitSet();
  private final BitSet lost = new BitSet();
  private int mark;
  private int offered;
  private int twice;
  private int pollsInDoubt;

  /**
   * What has become of all jobs.
   *
   * @param offered were acknowledged
   * @param taken have come, each counted once
   * @param waiting are in the queue
   * @param lost were acknowledged and will not come
   * @param twice have come again
   * @param inDoubt polls that were never answered: each may have taken a job with it
   */
  record Counts(int offered, int taken, int waiting, int lost, int twice, int inDoubt) {
    /** Both together. */
    Counts and(Counts other) {
      return new Counts(
          offered + other.offered,
          taken + other.taken,
          waiting + other.waiting,
          lost + other.lost,
          twice + other.twice,
          inDoubt + other.inDoubt);
    }
  }

  /** A job was put in, and that was acknowledged. It may have come already. */
  synchronized void offered(int job) {
    offered++;
    mark = job + 1;
    if (!taken.get(job)) {
      waiting.add(job);
    }
  }

  /** A job has come. */
  synchronized void taken(int job) {
    if (taken.get(job)) {
      twice++;
      return;
    }
    taken.set(job);
    lost.clear(job);
    waiting.remove(job);
    while (!waiting.isEmpty() && waiting.first() < job - DISORDER_MAX) {
      lost.set(waiting.pollFirst());
    }
  }

  /** The job after all that were acknowledged so far. */
  synchronized int mark() {
    return mark;
  }

  /** The queue was empty after all jobs before a mark were acknowledged. */
  synchronized void empty(int from) {
    while (!waiting.isEmpty() && waiting.first() < from) {
      lost.set(waiting.pollFirst());
    }
  }

  /** Nobody knows whether a poll has taken a job. */
  synchronized void pollInDoubt() {
    pollsInDoubt++;
  }

  synchronized Counts counts() {
    return new Counts(
        offered, taken.cardinality(), waiting.size(), lost.cardinality(), twice, pollsInDoubt);
  }
}
