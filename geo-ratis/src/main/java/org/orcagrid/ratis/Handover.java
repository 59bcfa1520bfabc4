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
package org.orcagrid.ratis;

import java.util.ArrayDeque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.orcagrid.geo.log.HostedLog;
import org.orcagrid.geo.log.LogHost;

/**
 * What a group's own thread has committed, on its way to the host's thread: in its order, and
 * bounded, so that the group waits for a host that is slow.
 */
final class Handover {
  private static final int WAITING_MAX = 10_000;

  private final LogHost host;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition taken = lock.newCondition();
  private final ArrayDeque<Event> waiting = new ArrayDeque<>();
  private boolean closed;

  /** Who takes it, in the host's thread. */
  interface Taker {
    void committed(long index, long term, byte[] command);

    void restore(HostedLog.Base base);
  }

  private sealed interface Event {}

  // Immutable, as nobody changes its bytes.
  @SuppressWarnings("ArrayRecordComponent")
  private record Entry(long index, long term, byte[] command) implements Event {}

  private record Restore(HostedLog.Base base) implements Event {}

  private final Taker taker;

  Handover(LogHost host, Taker taker) {
    this.host = host;
    this.taker = taker;
  }

  /** Of the group's thread, which may wait. */
  void entry(long index, long term, byte[] command) {
    add(new Entry(index, term, command));
  }

  /** The same. */
  void restore(HostedLog.Base base) {
    add(new Restore(base));
  }

  private void add(Event event) {
    lock.lock();
    try {
      while (waiting.size() >= WAITING_MAX && !closed) {
        taken.awaitUninterruptibly();
      }
      if (closed) {
        return;
      }
      waiting.add(event);
      if (waiting.size() > 1) {
        return;
      }
    } finally {
      lock.unlock();
    }
    host.execute(this::take);
  }

  private void take() {
    ArrayDeque<Event> all;
    lock.lock();
    try {
      all = new ArrayDeque<>(waiting);
      waiting.clear();
      taken.signalAll();
      if (closed) {
        return;
      }
    } finally {
      lock.unlock();
    }
    if (!all.isEmpty()) {
      host.wake();
    }
    for (Event each : all) {
      if (each instanceof Entry entry) {
        taker.committed(entry.index(), entry.term(), entry.command());
      } else if (each instanceof Restore restore) {
        taker.restore(restore.base());
      }
    }
  }

  /** Drops what comes from now on; nobody waits any more. */
  void close() {
    lock.lock();
    try {
      closed = true;
      waiting.clear();
      taken.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
