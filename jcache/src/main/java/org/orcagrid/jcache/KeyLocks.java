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
package org.orcagrid.jcache;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import javax.cache.CacheException;

/**
 * Locks of keys, among the threads of one cache: what one of them does to a key, its writer and its
 * listeners come after each other. Other processes are kept away by compare-and-set alone.
 *
 * <p>A thread that holds one may take it again. Waiting ends after {@value #WAIT_SECONDS_MAX} s
 * with an exception, since a listener, writer or entry processor that uses the cache may wait for
 * another one that waits for it.
 */
final class KeyLocks {
  private static final int WAIT_SECONDS_MAX = 30;

  private final ConcurrentHashMap<EntryKey, Counted> locks = new ConcurrentHashMap<>();

  /** A lock, and how many threads hold it or want it; counted within the map's own locks. */
  private static final class Counted {
    private final ReentrantLock lock = new ReentrantLock();
    private int users;
  }

  /** Locks that are held, until they are closed by the same thread. */
  final class Held implements AutoCloseable {
    private final List<EntryKey> keys = new ArrayList<>();

    private void take(EntryKey key) {
      Counted counted =
          locks.compute(
              key,
              (same, present) -> {
                Counted one = present == null ? new Counted() : present;
                one.users++;
                return one;
              });
      boolean taken = false;
      try {
        taken = counted.lock.tryLock(WAIT_SECONDS_MAX, TimeUnit.SECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new CacheException("Interrupted while waiting for another operation on the key", e);
      } finally {
        if (!taken) {
          leave(key);
        }
      }
      if (!taken) {
        throw new CacheException(
            "Another operation on the key has not ended for "
                + WAIT_SECONDS_MAX
                + " s; does a listener, writer or entry processor use its own cache?");
      }
      keys.add(key);
    }

    private void leave(EntryKey key) {
      locks.computeIfPresent(key, (same, counted) -> --counted.users == 0 ? null : counted);
    }

    @Override
    public void close() {
      for (EntryKey key : keys) {
        locks.get(key).lock.unlock();
        leave(key);
      }
    }
  }

  /** Takes the lock of a key. */
  Held hold(EntryKey key) {
    Held held = new Held();
    held.take(key);
    return held;
  }

  /** Takes the locks of keys, in an order that all threads keep to. */
  Held holdAll(Collection<EntryKey> keys) {
    Held held = new Held();
    try {
      new TreeSet<>(keys).forEach(held::take);
      return held;
    } catch (CacheException e) {
      held.close();
      throw e;
    }
  }
}
