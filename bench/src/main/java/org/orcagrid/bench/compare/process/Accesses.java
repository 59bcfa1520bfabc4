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

import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadLocalRandom;
import org.orcagrid.client.Codec;
import org.orcagrid.client.GridSession;
import org.orcagrid.client.View;
import org.orcagrid.client.map.GridMap;

/**
 * Reads and writes by the client's asynchronous forms, whose callbacks run in the node's thread:
 * they only count.
 */
interface Accesses {
  CompletionStage<?> read(long key);

  CompletionStage<?> write(long key, byte[] value);

  private static boolean synchronizes(double percent) {
    return ThreadLocalRandom.current().nextDouble() * 100 < percent;
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
    };
  }

  /** Those of keys or of a map of which so many in a hundred synchronize. */
  static Accesses ofReleases(View<Long, byte[]> given, double percent) {
    View<Long, byte[]> map = given.executor(Runnable::run);
    return new Accesses() {
      @Override
      public CompletionStage<?> read(long key) {
        return synchronizes(percent) ? map.getAcquireAsync(key) : map.getAsync(key);
      }

      @Override
      public CompletionStage<?> write(long key, byte[] value) {
        return synchronizes(percent) ? map.setReleaseAsync(key, value) : map.setAsync(key, value);
      }
    };
  }

  /** The same of the grid's keys. A session is for one thread at a time: others wait for it. */
  static Accesses ofKeys(GridSession session, double percent) {
    View<Long, byte[]> keys = session.executor(Runnable::run).view(Codec.LONG, Codec.BYTES);
    return new Accesses() {
      @Override
      public synchronized CompletionStage<?> read(long key) {
        session.awaitRoom();
        return synchronizes(percent) ? keys.getAcquireAsync(key) : keys.getAsync(key);
      }

      @Override
      public synchronized CompletionStage<?> write(long key, byte[] value) {
        session.awaitRoom();
        return synchronizes(percent) ? keys.setReleaseAsync(key, value) : keys.setAsync(key, value);
      }
    };
  }
}
