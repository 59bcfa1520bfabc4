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
import javax.cache.CacheException;
import org.orcagrid.client.map.MapListening;

/**
 * Hears of what others change in a cache's map until it is closed. When its node is lost it listens
 * anew, from outside at another node. Nobody is told of what was changed in between.
 */
final class OthersHeard implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger("org.orcagrid.jcache");
  private static final long PAUSE_MILLIS = 1_000;

  private final String cache;
  private final Entries entries;
  private final Entries.Others others;

  // Guarded by this.
  private MapListening listening;
  private boolean closed;

  private OthersHeard(String cache, Entries entries, Entries.Others others) {
    this.cache = cache;
    this.entries = entries;
    this.others = others;
  }

  /**
   * Begins to listen; what is changed from now on is told.
   *
   * @throws CacheException if the map cannot be listened to
   */
  static OthersHeard listen(String cache, Entries entries, Entries.Others others) {
    OthersHeard heard = new OthersHeard(cache, entries, others);
    heard.listen();
    return heard;
  }

  private void listen() {
    // It may take its time, and nobody who closes this waits for that.
    MapListening begun = entries.listen(others, this::listenAgain);
    synchronized (this) {
      if (!closed) {
        listening = begun;
        return;
      }
    }
    begun.close();
  }

  /** In the thread that was told of the end, and has nothing else to do. */
  private void listenAgain() {
    LOG.log(
        Level.WARNING,
        "The node that tells of changes in the cache ''{0}'' is lost, or the cache was destroyed:"
            + " until another one tells of them, listeners do not hear what others change",
        cache);
    while (isOpen()) {
      try {
        listen();
        LOG.log(Level.INFO, "Listeners of the cache ''{0}'' hear what others change again", cache);
        return;
      } catch (CacheException e) {
        LOG.log(Level.DEBUG, "The map cannot be listened to yet; tried again in a second", e);
        pause();
      }
    }
  }

  private synchronized boolean isOpen() {
    return !closed;
  }

  private synchronized void pause() {
    long end = System.nanoTime() + PAUSE_MILLIS * 1_000_000;
    try {
      for (long left = PAUSE_MILLIS;
          !closed && left > 0;
          left = (end - System.nanoTime()) / 1_000_000) {
        wait(left);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      LOG.log(Level.WARNING, "Interrupted: listeners of the cache hear no more of others", e);
      closed = true;
    }
  }

  @Override
  public void close() {
    MapListening last;
    synchronized (this) {
      closed = true;
      last = listening;
      notifyAll();
    }
    if (last != null) {
      last.close();
    }
  }
}
