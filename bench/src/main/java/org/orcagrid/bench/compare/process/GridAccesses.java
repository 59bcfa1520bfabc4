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
package org.orcagrid.bench.compare.process;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import org.orcagrid.client.Codec;
import org.orcagrid.client.GridSession;
import org.orcagrid.client.View;
import org.orcagrid.client.map.GridMap;

/**
 * What clients do with a grid of ours. Callbacks run in the node's thread, or in the caller's: they
 * only count.
 */
final class GridAccesses {
  private GridAccesses() {}

  private static boolean synchronizes(double percent) {
    return percent > 0 && ThreadLocalRandom.current().nextDouble() * 100 < percent;
  }

  /** Those of a map. */
  static Accesses of(GridMap<Long, byte[]> given) {
    GridMap<Long, byte[]> map = given.executor(Runnable::run);
    return new Accesses() {
      @Override
      public CompletionStage<?> read(long key) {
        return map.getAsync(key);
      }

      @Override
      public CompletionStage<?> write(long key, byte[] value) {
        return map.setAsync(key, value);
      }

      @Override
      public Object get(long key) {
        return map.get(key);
      }

      @Override
      public void set(long key, byte[] value) {
        map.set(key, value);
      }
    };
  }

  /** Those of a map of this process only. */
  static Accesses of(ConcurrentMap<Long, byte[]> map) {
    return new Accesses() {
      @Override
      public CompletionStage<?> read(long key) {
        return CompletableFuture.completedFuture(map.get(key));
      }

      @Override
      public CompletionStage<?> write(long key, byte[] value) {
        return CompletableFuture.completedFuture(map.put(key, value));
      }

      @Override
      public Object get(long key) {
        return map.get(key);
      }

      @Override
      public void set(long key, byte[] value) {
        map.put(key, value);
      }
    };
  }

  /** Those that do the same whatever is asked. */
  static Accesses ofTasks(Supplier<CompletableFuture<byte[]>> task) {
    return new Accesses() {
      @Override
      public CompletionStage<?> read(long key) {
        return task.get();
      }

      @Override
      public CompletionStage<?> write(long key, byte[] value) {
        return task.get();
      }

      @Override
      public Object get(long key) {
        return task.get().join();
      }

      @Override
      public void set(long key, byte[] value) {
        task.get().join();
      }
    };
  }

  /** Those of keys or of a map of which so many in a hundred synchronize. */
  static Accesses ofReleases(View<Long, byte[]> given, double percent) {
    View<Long, byte[]> view = given.executor(Runnable::run);
    return new Accesses() {
      @Override
      public CompletionStage<?> read(long key) {
        return synchronizes(percent) ? view.getAcquireAsync(key) : view.getAsync(key);
      }

      @Override
      public CompletionStage<?> write(long key, byte[] value) {
        return synchronizes(percent) ? view.setReleaseAsync(key, value) : view.setAsync(key, value);
      }

      @Override
      public Object get(long key) {
        return synchronizes(percent) ? view.getAcquire(key) : view.get(key);
      }

      @Override
      public void set(long key, byte[] value) {
        if (synchronizes(percent)) {
          view.setRelease(key, value);
        } else {
          view.set(key, value);
        }
      }
    };
  }

  /** The same of the grid's keys by a session that no other thread uses. */
  static Accesses ofSession(GridSession session, double percent) {
    Accesses all = ofReleases(session.view(Codec.LONG, Codec.BYTES), percent);
    return new Accesses() {
      @Override
      public CompletionStage<?> read(long key) {
        session.awaitRoom();
        return all.read(key);
      }

      @Override
      public CompletionStage<?> write(long key, byte[] value) {
        session.awaitRoom();
        return all.write(key, value);
      }

      @Override
      public Object get(long key) {
        return all.get(key);
      }

      @Override
      public void set(long key, byte[] value) {
        all.set(key, value);
      }
    };
  }
}
