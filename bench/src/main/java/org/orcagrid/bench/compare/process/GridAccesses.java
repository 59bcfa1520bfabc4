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
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import org.orcagrid.client.Codec;
import org.orcagrid.client.GridSession;
import org.orcagrid.client.View;
import org.orcagrid.client.map.GridMap;

/**
 * The operations of clients on a grid of ours. Callbacks run in the node's thread, or in the
 * caller's: they only count.
 */
final class GridAccesses {
  private GridAccesses() {}

  /** Those of a map. */
  static Accesses of(GridMap<Long, byte[]> given) {
    GridMap<Long, byte[]> map = given.executor(Runnable::run);
    return new Accesses(map::getAsync, map::setAsync, map::get, map::set);
  }

  /** Those of a map of this process only. */
  static Accesses of(ConcurrentMap<Long, byte[]> map) {
    return new Accesses(
        key -> CompletableFuture.completedFuture(map.get(key)),
        (key, value) -> CompletableFuture.completedFuture(map.put(key, value)),
        map::get,
        map::put);
  }

  /** One task for each operation, whatever it is. */
  static Accesses ofTasks(Supplier<CompletableFuture<byte[]>> task) {
    return new Accesses(
        key -> task.get(),
        (key, value) -> task.get(),
        key -> task.get().join(),
        (key, value) -> task.get().join());
  }

  /** Those of keys or of a map of which so many in a hundred synchronize. */
  static Accesses ofReleases(View<Long, byte[]> given, double percent) {
    View<Long, byte[]> view = given.executor(Runnable::run);
    Accesses relaxed = new Accesses(view::getAsync, view::setAsync, view::get, view::set);
    if (percent == 0) {
      return relaxed;
    }
    Accesses synchronizing =
        new Accesses(
            view::getAcquireAsync, view::setReleaseAsync, view::getAcquire, view::setRelease);
    Supplier<Accesses> next =
        () -> ThreadLocalRandom.current().nextDouble() * 100 < percent ? synchronizing : relaxed;
    return new Accesses(
        key -> next.get().read(key),
        (key, value) -> next.get().write(key, value),
        key -> next.get().get(key),
        (key, value) -> next.get().set(key, value));
  }

  /** The same of the grid's keys by a session that no other thread uses. */
  static Accesses ofSession(GridSession session, double percent) {
    Accesses all = ofReleases(session.view(Codec.LONG, Codec.BYTES), percent);
    return new Accesses(
        key -> {
          session.awaitRoom();
          return all.read(key);
        },
        (key, value) -> {
          session.awaitRoom();
          return all.write(key, value);
        },
        all::get,
        all::set);
  }
}
