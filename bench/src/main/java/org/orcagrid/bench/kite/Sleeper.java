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
package org.orcagrid.bench.kite;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.orcagrid.ddp.kite.OperationKind;
import org.orcagrid.ddp.node.NodeSession;
import org.orcagrid.ddp.node.Request;
import org.orcagrid.ddp.node.RequestListener;

/**
 * Puts a node to sleep, by what a listener must never do: it keeps the node's only worker. To the
 * other nodes that is a process that sleeps (Kite, section 7.4).
 */
final class Sleeper implements RequestListener {
  private final NodeSession session;
  private final long nanos;
  private final Runnable wakes;
  private final CountDownLatch fellAsleep = new CountDownLatch(1);
  private final CountDownLatch wokeUp = new CountDownLatch(1);
  private volatile long beganNanos;
  private volatile long endedNanos;

  /**
   * For one sleep.
   *
   * @param wakes is called at its end, by the worker
   */
  Sleeper(NodeSession session, long nanos, Runnable wakes) {
    this.session = session;
    this.nanos = nanos;
    this.wakes = wakes;
  }

  /** The node falls asleep when its worker comes to it. */
  void begin() {
    Request request = session.next();
    request.kind(OperationKind.READ);
    request.key().room(Long.BYTES).putLong(0, 0);
    request.key().length(Long.BYTES);
    request.listener(this);
    session.submit(request);
  }

  @Override
  public void onCompleted(Request request) {
    beganNanos = System.nanoTime();
    fellAsleep.countDown();
    try {
      TimeUnit.NANOSECONDS.sleep(nanos);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    endedNanos = System.nanoTime();
    wakes.run();
    wokeUp.countDown();
  }

  /** Waits until the node sleeps, and then until it is awake again. */
  boolean await(long nanosMax) throws InterruptedException {
    return fellAsleep.await(nanosMax, TimeUnit.NANOSECONDS)
        && wokeUp.await(nanosMax + nanos, TimeUnit.NANOSECONDS);
  }

  long beganNanos() {
    return beganNanos;
  }

  long endedNanos() {
    return endedNanos;
  }
}
