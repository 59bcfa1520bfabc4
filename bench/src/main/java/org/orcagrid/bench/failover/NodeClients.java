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
package org.orcagrid.bench.failover;

import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.orcagrid.client.OutcomeUnknownException;
import org.orcagrid.client.map.GridMap;

/**
 * A writer and a reader at a node, each with one operation under way. The writer has keys of its
 * own; the reader reads those of all nodes.
 */
final class NodeClients {
  private static final int KEYS = 100;

  /** Two cores carry all nodes: clients that never rest would measure who gets a core. */
  private static final long REST_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private static final long REST_AFTER_FAILURE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private final GridMap<Long, Long> map;
  private final Standstill writes = new Standstill(System.nanoTime());
  private final Standstill reads = new Standstill(System.nanoTime());

  /** Guarded by this object's monitor, as the two below. */
  private long unknown;

  private long failed;
  private String first = "";

  /**
   * Starts them.
   *
   * @param node from 0
   */
  NodeClients(GridMap<Long, Long> map, int node, int nodes) {
    this.map = map;
    SplittableRandom random = new SplittableRandom();
    SplittableRandom other = random.split();
    start("writer", writes, () -> map.set(key(node, random), random.nextLong()));
    start("reader", reads, () -> map.get(key(other.nextInt(nodes), other)));
  }

  private static long key(int node, SplittableRandom random) {
    return (long) node * KEYS + random.nextInt(KEYS);
  }

  private void start(String name, Standstill standstill, Runnable operation) {
    Thread thread = new Thread(() -> loop(standstill, operation), name);
    thread.setDaemon(true);
    thread.start();
  }

  private void loop(Standstill standstill, Runnable operation) {
    while (true) {
      try {
        operation.run();
        standstill.acknowledged(System.nanoTime());
        LockSupport.parkNanos(REST_NANOS);
      } catch (RuntimeException e) {
        count(e);
        LockSupport.parkNanos(REST_AFTER_FAILURE_NANOS);
      }
    }
  }

  private synchronized void count(RuntimeException e) {
    if (e instanceof OutcomeUnknownException) {
      unknown++;
    } else {
      failed++;
    }
    if (first.isEmpty()) {
      first = e.toString();
    }
    System.err.println(map.name() + ": " + e);
  }

  /** Counts anew from now on. */
  synchronized void mark() {
    writes.mark();
    reads.mark();
    unknown = 0;
    failed = 0;
    first = "";
  }

  /** What they have seen since the mark. */
  synchronized Seen report() {
    long now = System.nanoTime();
    return new Seen(
        writes.longest(now),
        reads.longest(now),
        Math.max(writes.open(now), reads.open(now)),
        unknown,
        failed,
        first);
  }
}
