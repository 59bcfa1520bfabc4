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
package org.orcagrid.history;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.zookeeper.RecordedWatch;
import org.orcagrid.simulator.checker.znode.ZnodeCall;
import org.orcagrid.simulator.checker.znode.ZnodeHistory;

/** What all sessions of a run were told. Safe for use by many threads. */
public final class HistoryRecorder {
  private final ConcurrentLinkedQueue<ZnodeCall> calls = new ConcurrentLinkedQueue<>();
  private final ConcurrentLinkedQueue<RecordedWatch> watches = new ConcurrentLinkedQueue<>();
  private final ConcurrentLinkedQueue<ZnodeHistory.Loss> losses = new ConcurrentLinkedQueue<>();
  private final AtomicInteger sessions = new AtomicInteger();
  private final AtomicLong values = new AtomicLong();

  /** Guarded by the monitor. */
  private long answers;

  /** The number of a new session. */
  public int nextSession() {
    return sessions.incrementAndGet();
  }

  /** A value that nobody has written yet. */
  public String nextValue() {
    return "v" + values.incrementAndGet();
  }

  /** A call has ended, or nobody will know how. */
  public synchronized void onCall(ZnodeCall call) {
    calls.add(call);
    if (call.ended()) {
      answers++;
      notifyAll();
    }
  }

  /** A watch is set; its event is asked for when the history is taken. */
  public void onWatch(RecordedWatch watch) {
    watches.add(watch);
  }

  /** A session has lost its connection now. */
  public void onLoss(int session) {
    losses.add(new ZnodeHistory.Loss(session, System.nanoTime()));
  }

  /** How many calls were answered. */
  public synchronized long answers() {
    return answers;
  }

  /** Waits until so many calls were answered; returns whether they were in time. */
  public synchronized boolean awaitAnswers(long count, long seconds) throws InterruptedException {
    long endNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    while (answers < count) {
      long leftMs = TimeUnit.NANOSECONDS.toMillis(endNanos - System.nanoTime());
      if (leftMs <= 0) {
        return false;
      }
      wait(leftMs);
    }
    return true;
  }

  /** What was told so far. */
  public ZnodeHistory history() {
    List<ZnodeCall> all = new ArrayList<>(calls);
    return new ZnodeHistory(
        all, watches.stream().map(RecordedWatch::recorded).toList(), List.copyOf(losses));
  }
}
