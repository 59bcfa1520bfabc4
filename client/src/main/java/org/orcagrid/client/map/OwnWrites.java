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
package org.orcagrid.client.map;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.orcagrid.ddp.map.MapSession;
import org.orcagrid.ddp.replica.consistency.Batch;
import org.orcagrid.ddp.replica.consistency.Operation;
import org.orcagrid.ddp.replica.state.Key;
import org.orcagrid.ddp.replica.state.Write;

/**
 * What this process writes to a map of nodes elsewhere, so that its listeners know it from what
 * others write. A version names the node that has written it, not that node's client; but the
 * answer to a write tells the clock of its version, which no other version of the key has.
 *
 * <p>A change may be told before the answer comes: whoever looks waits for what is under way on the
 * key. While nobody listens nothing is noted. Safe for use by many threads.
 */
final class OwnWrites {
  /** So many keys are kept for a listener, those that were written last. */
  private static final int KEYS_MAX = 1 << 16;

  private final int map;

  /** Until they have ended, by the thread that ends them. */
  private final Map<Key, List<CompletableFuture<Void>>> underWay = new HashMap<>();

  private final List<Seen> listeners = new CopyOnWriteArrayList<>();

  /** Nothing yet. */
  OwnWrites(int map) {
    this.map = map;
  }

  /** The number of the map. */
  int map() {
    return map;
  }

  /** For one listener: the versions that were written since it listens, and were not told yet. */
  final class Seen implements AutoCloseable {
    private final Map<Key, List<Long>> clocks =
        new LinkedHashMap<>() {
          private static final long serialVersionUID = 1L;

          @Override
          protected boolean removeEldestEntry(Map.Entry<Key, List<Long>> eldest) {
            return size() > KEYS_MAX;
          }
        };

    private synchronized void add(Key key, long clock) {
      clocks.computeIfAbsent(key, each -> new ArrayList<>()).add(clock);
    }

    /** Whether it was written here; forgets it, and what came before it. */
    private synchronized boolean take(Write version) {
      List<Long> own = clocks.get(version.key());
      if (own == null) {
        return false;
      }
      boolean isOwn = own.contains(version.clock());
      // Versions of a key become visible in the order of their clocks.
      own.removeIf(clock -> clock <= version.clock());
      if (own.isEmpty()) {
        clocks.remove(version.key());
      }
      return isOwn;
    }

    /** Whether a version that has become visible was written by this process. */
    boolean isOwn(Write version, long nanosMax) throws InterruptedException {
      long end = System.nanoTime() + nanosMax;
      // Before that: one that ends in between is in the clocks.
      List<CompletableFuture<Void>> mayBeIt = underWay(version.key());
      if (take(version)) {
        return true;
      }
      for (CompletableFuture<Void> each : mayBeIt) {
        try {
          each.get(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
          throw new IllegalStateException("Nobody lets it fail", e);
        } catch (TimeoutException e) {
          // Its outcome is as unknown as it is to its caller.
          return false;
        }
      }
      return !mayBeIt.isEmpty() && take(version);
    }

    @Override
    public void close() {
      listeners.remove(this);
    }
  }

  /** Begins before its listener is told anything. */
  Seen listen() {
    Seen seen = new Seen();
    listeners.add(seen);
    return seen;
  }

  private synchronized List<CompletableFuture<Void>> underWay(Key key) {
    return List.copyOf(underWay.getOrDefault(key, List.of()));
  }

  private synchronized CompletableFuture<Void> begin(Key key) {
    CompletableFuture<Void> end = new CompletableFuture<>();
    underWay.computeIfAbsent(key, each -> new ArrayList<>()).add(end);
    return end;
  }

  private void end(Key key, CompletableFuture<Void> which, Operation done) {
    if (done != null && done.hasWritten()) {
      listeners.forEach(each -> each.add(key, done.clock()));
    }
    synchronized (this) {
      List<CompletableFuture<Void>> ofKey = underWay.get(key);
      ofKey.removeIf(each -> each == which);
      if (ofKey.isEmpty()) {
        underWay.remove(key);
      }
    }
    which.complete(null);
  }

  /** A session whose writes are noted. */
  MapSession noting(MapSession session) {
    return new Noted(session);
  }

  private final class Noted implements MapSession {
    private final MapSession session;

    Noted(MapSession session) {
      this.session = session;
    }

    @Override
    public CompletableFuture<Operation> submit(Operation operation) {
      // A write that began before anybody listened is taken for another's.
      if (!operation.mayWrite() || listeners.isEmpty()) {
        return session.submit(operation);
      }
      Map<Key, CompletableFuture<Void>> ends = new HashMap<>();
      keys(operation).forEach(key -> ends.put(key, begin(key)));
      CompletableFuture<Operation> answer;
      try {
        answer = session.submit(operation);
      } catch (RuntimeException e) {
        ends.forEach((key, end) -> end(key, end, null));
        throw e;
      }
      // Who waits for it goes on when it is noted.
      return answer.whenComplete(
          (done, failure) -> ends.forEach((key, end) -> end(key, end, done)));
    }

    private static List<Key> keys(Operation writes) {
      return writes.batch() == null
          ? List.of(writes.key())
          : writes.batch().parts().stream()
              .filter(Batch.Part::writes)
              .map(Batch.Part::key)
              .toList();
    }

    @Override
    public MapSession openBeside() {
      return new Noted(session.openBeside());
    }

    @Override
    public boolean isEnded() {
      return session.isEnded();
    }

    @Override
    public void close() {
      session.close();
    }
  }
}
