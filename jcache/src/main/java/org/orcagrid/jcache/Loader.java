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

import java.lang.System.Logger.Level;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Supplier;
import javax.cache.integration.CacheLoader;
import javax.cache.integration.CacheLoaderException;

/** What a cache loads with, if there is something. */
final class Loader<K, V> {
  private static final System.Logger LOG = System.getLogger("org.orcagrid.jcache");
  private static final int PATIENCE_SECONDS = 10;

  private final CacheLoader<K, V> loader;
  private final boolean readThrough;

  /** Whoever uses it reads, whoever closes it writes. */
  private final ReentrantReadWriteLock uses = new ReentrantReadWriteLock();

  private volatile boolean closed;

  /** Null for none; whether reads that find nothing load. */
  Loader(CacheLoader<K, V> loader, boolean readThrough) {
    this.loader = loader;
    this.readThrough = readThrough && loader != null;
  }

  boolean isThere() {
    return loader != null;
  }

  boolean isReadThrough() {
    return readThrough;
  }

  /** Null if there is nothing to load. */
  V load(K key) {
    return told(() -> loader.load(key));
  }

  /** What there is of it; values may be null. */
  Map<K, V> loadAll(Iterable<? extends K> keys) {
    Map<K, V> loaded = told(() -> loader.loadAll(keys));
    if (loaded == null) {
      throw new CacheLoaderException("The loader's loadAll has returned null, not a map");
    }
    return loaded;
  }

  private <T> T told(Supplier<T> load) {
    uses.readLock().lock();
    try {
      if (closed) {
        throw new CacheLoaderException("The cache was closed before anything was loaded");
      }
      return load.get();
    } catch (CacheLoaderException e) {
      throw e;
    } catch (RuntimeException e) {
      throw new CacheLoaderException("The loader of the cache has failed: " + e, e);
    } finally {
      uses.readLock().unlock();
    }
  }

  /** Waits for what is being loaded, for a while: a loader that is closed must not be used. */
  void close() {
    if (uses.getReadHoldCount() > 0) {
      // The loader closes its own cache; nobody could wait for it.
      closed = true;
      Closing.close(loader);
      return;
    }
    boolean alone = false;
    try {
      alone = uses.writeLock().tryLock(PATIENCE_SECONDS, TimeUnit.SECONDS);
      if (!alone) {
        LOG.log(
            Level.WARNING,
            "A loader is closed though it has been loading for {0} s",
            PATIENCE_SECONDS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    try {
      closed = true;
      Closing.close(loader);
    } finally {
      if (alone) {
        uses.writeLock().unlock();
      }
    }
  }
}
