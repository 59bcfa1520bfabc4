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

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import javax.cache.Cache;

/**
 * The entries of a cache, by the keys that this node had when it was made: each with the value that
 * it had a moment before it is given out, and at most once. For one thread.
 */
final class EntryIterator<K, V> implements Iterator<Cache.Entry<K, V>> {
  /** So many entries are read ahead, many at a time. */
  private static final int AHEAD = 64;

  private final OrcaCache<K, V> cache;
  private final List<EntryKey> keys;
  private final Deque<Read> ahead = new ArrayDeque<>();
  private int at;
  private K last;

  private record Read(EntryKey key, Stored stored) {}

  EntryIterator(OrcaCache<K, V> cache, List<EntryKey> keys) {
    this.cache = cache;
    this.keys = keys;
  }

  /** The next entry that is there and has not expired, without taking it. */
  private Read peek() {
    while (true) {
      Read next = ahead.peek();
      if (next != null && cache.isLive(next.stored())) {
        return next;
      } else if (next != null) {
        ahead.remove();
        cache.dropIfExpired(next.key(), next.stored());
      } else if (at == keys.size()) {
        return null;
      } else {
        List<EntryKey> some = keys.subList(at, Math.min(keys.size(), at + AHEAD));
        List<Stored> read = cache.readAll(some);
        for (int i = 0; i < some.size(); i++) {
          if (read.get(i) != null) {
            ahead.add(new Read(some.get(i), read.get(i)));
          }
        }
        at += some.size();
      }
    }
  }

  @Override
  public boolean hasNext() {
    return peek() != null;
  }

  @Override
  public Cache.Entry<K, V> next() {
    Read next = peek();
    if (next == null) {
      throw new NoSuchElementException("There are no more entries");
    }
    ahead.remove();
    Pair<K, V> entry = cache.shown(next.key(), next.stored());
    last = entry.key();
    return entry;
  }

  @Override
  public void remove() {
    if (last == null) {
      throw new IllegalStateException("There is no entry that next() has given out");
    }
    cache.remove(last);
    last = null;
  }
}
