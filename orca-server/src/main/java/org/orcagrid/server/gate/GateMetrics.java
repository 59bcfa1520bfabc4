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
package org.orcagrid.server.gate;

import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;

/** What the gate of one server counts. Safe for use by many threads. */
public final class GateMetrics {

  private final LongAdder reads = new LongAdder();
  private final LongAdder readsTriggering = new LongAdder();
  private final LongAdder readsThroughLeader = new LongAdder();
  private final LongAdder writesBounded = new LongAdder();
  private final LongAdder held = new LongAdder();
  private final LongAdder heldNanos = new LongAdder();
  private final LongAdder undurable = new LongAdder();
  private final LongAdder undurableNanos = new LongAdder();
  private final LongAccumulator heldNanosMax = new LongAccumulator(Math::max, 0);
  private final LongAdder flushes = new LongAdder();
  private final LongAdder flushNanos = new LongAdder();
  private final LongAccumulator flushNanosMax = new LongAccumulator(Math::max, 0);

  /** A client's read was executed. */
  public void onRead() {
    reads.increment();
  }

  /** A read failed the durability check: what it shows was not durable yet. */
  public void onReadTriggering() {
    readsTriggering.increment();
  }

  /** A read was sent to the leader, since this server may not answer it alone. */
  public void onReadThroughLeader() {
    readsThroughLeader.increment();
  }

  /** Reads that were sent to the leader. */
  public long readsThroughLeader() {
    return readsThroughLeader.sum();
  }

  /** A write has to wait until it is durable, since too much is not durable yet. */
  public void onWriteBounded() {
    writesBounded.increment();
  }

  /** Writes that had to wait since too much was not durable yet. */
  public long writesBounded() {
    return writesBounded.sum();
  }

  void onReleased(long nanos, boolean forDurability) {
    if (forDurability) {
      undurable.increment();
      undurableNanos.add(nanos);
    }
    held.increment();
    heldNanos.add(nanos);
    heldNanosMax.accumulate(nanos);
  }

  /** The log was forced. */
  public void onFlush(long nanos) {
    flushes.increment();
    flushNanos.add(nanos);
    flushNanosMax.accumulate(nanos);
  }

  /** Reads that were executed for clients. */
  public long reads() {
    return reads.sum();
  }

  /** Reads that failed the durability check. */
  public long readsTriggering() {
    return readsTriggering.sum();
  }

  /** Replies that were held and have left. */
  public long repliesHeld() {
    return held.sum();
  }

  /** Replies that were held since what they show was not durable, and have left. */
  public long heldUndurable() {
    return undurable.sum();
  }

  /** How long those have waited, together. */
  public long heldUndurableNanos() {
    return undurableNanos.sum();
  }

  /** How long the log was forced, all times together. */
  public long flushNanos() {
    return flushNanos.sum();
  }

  /** Mean time that a held reply waited, in microseconds. */
  public double heldMicrosMean() {
    return mean(heldNanos.sum(), held.sum());
  }

  /** Longest time that a held reply waited, in microseconds. */
  public double heldMicrosMax() {
    return heldNanosMax.get() / 1e3;
  }

  /** How often the log was forced. */
  public long flushes() {
    return flushes.sum();
  }

  /** Mean time of forcing the log, in microseconds. */
  public double flushMicrosMean() {
    return mean(flushNanos.sum(), flushes.sum());
  }

  /** Longest time of forcing the log, in microseconds. */
  public double flushMicrosMax() {
    return flushNanosMax.get() / 1e3;
  }

  private static double mean(long nanos, long count) {
    return count == 0 ? 0 : nanos / 1e3 / count;
  }
}
