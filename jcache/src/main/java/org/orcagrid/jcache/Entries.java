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

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiFunction;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import javax.cache.CacheException;
import org.orcagrid.client.OutcomeUnknownException;
import org.orcagrid.client.map.AtomicGridMap;
import org.orcagrid.client.map.MapChange;
import org.orcagrid.client.map.MapListener;
import org.orcagrid.client.map.MapListening;

/**
 * All that a cache does with its map. What goes wrong there is a {@link CacheException} here, with
 * the map's own exception as its cause. Safe for use by many threads.
 */
final class Entries {
  /** So many operations of a bulk are under way at once. */
  private static final int BULK = 512;

  /** As the map's own operations wait. */
  private static final int ANSWER_SECONDS_MAX = 10;

  /**
   * So much later than its deadline the map itself takes an entry away that nobody has met. Until
   * then whoever meets it does, and tells its listeners.
   */
  private static final long SWEPT_AFTER_MILLIS = 1_000;

  private final AtomicGridMap<byte[], byte[]> map;
  private final LongSupplier clockMillis;

  /** The map of a cache, and the clock of its deadlines. */
  Entries(AtomicGridMap<byte[], byte[]> map, LongSupplier clockMillis) {
    // Whoever has begun an operation waits for it: nothing is to run in its stage.
    this.map = map.executor(Runnable::run);
    this.clockMillis = clockMillis;
  }

  /** Is told of changes that other nodes and clients have made. */
  interface Others {
    /**
     * A key has something else now; null for nothing on both sides.
     *
     * @param isOver whether nobody changed it: the map has taken away what had expired
     */
    void changed(EntryKey key, Stored before, Stored after, boolean isOver);
  }

  /**
   * Tells of what other nodes and clients change from now on, by a thread of its own, some time
   * later.
   *
   * @param ended is run by that thread when it tells no more, and nobody has closed it
   */
  MapListening listen(Others others, Runnable ended) {
    return told(() -> map.listen(new Telling(others, ended)));
  }

  private record Telling(Others others, Runnable ended) implements MapListener<byte[], byte[]> {
    @Override
    public void onChange(MapChange<byte[], byte[]> change) {
      if (!change.here()) {
        others.changed(
            new EntryKey(change.key()),
            Stored.parse(change.before()),
            Stored.parse(change.value()),
            change.kind() == MapChange.Kind.EXPIRED);
      }
    }

    @Override
    public void onEnded() {
      ended.run();
    }
  }

  /** What a key has, expired or not; null if there is nothing. */
  Stored get(EntryKey key) {
    return told(() -> Stored.parse(map.get(key.bytes())));
  }

  /** What keys have, in their order, with null for nothing. */
  List<Stored> getAll(List<EntryKey> keys) {
    return bulk(keys, (at, key) -> map.getAsync(key.bytes()));
  }

  /**
   * Changes what a key has, if it has what is expected; null stands for nothing on both sides.
   *
   * @return whether it had
   */
  boolean replace(EntryKey key, Stored expected, Stored value) {
    return told(
        () -> {
          if (value == null) {
            return map.remove(key.bytes(), expected.bytes());
          }
          Duration lifetime = lifetime(value);
          if (expected == null) {
            return lifetime == null
                ? map.putIfAbsent(key.bytes(), value.bytes()) == null
                : map.putIfAbsent(key.bytes(), value.bytes(), lifetime) == null;
          }
          return lifetime == null
              ? map.replace(key.bytes(), expected.bytes(), value.bytes())
              : map.replace(key.bytes(), expected.bytes(), value.bytes(), lifetime);
        });
  }

  /** For how long the map keeps it; null for ever. */
  private Duration lifetime(Stored value) {
    if (value.deadlineMillis() == Stored.ETERNAL) {
      return null;
    }
    long left = Math.max(0, value.deadlineMillis() - clockMillis.getAsLong());
    return Duration.ofMillis(Math.min(left, Stored.ETERNAL - SWEPT_AFTER_MILLIS))
        .plusMillis(SWEPT_AFTER_MILLIS);
  }

  /** Gives a key something that does not expire; what it had before. */
  Stored put(EntryKey key, Stored value) {
    return told(() -> Stored.parse(map.put(key.bytes(), value.bytes())));
  }

  /** Gives keys something that does not expire, many at a time; what they had before. */
  List<Stored> putAll(List<EntryKey> keys, List<Stored> values) {
    return bulk(keys, (at, key) -> map.putAsync(key.bytes(), values.get(at).bytes()));
  }

  /** Takes away what keys have, many at a time; what that was. */
  List<Stored> removeAll(List<EntryKey> keys) {
    return bulk(keys, (at, key) -> map.removeAsync(key.bytes()));
  }

  /** The keys that this node knows to have something. */
  List<EntryKey> keys() {
    return told(() -> map.keySet().stream().map(EntryKey::new).toList());
  }

  /** Takes everything away. */
  void clear() {
    told(
        () -> {
          map.clear();
          return null;
        });
  }

  private List<Stored> bulk(
      List<EntryKey> keys, BiFunction<Integer, EntryKey, CompletionStage<byte[]>> begin) {
    return told(
        () -> {
          List<Stored> all = new ArrayList<>(keys.size());
          List<CompletionStage<byte[]>> under = new ArrayList<>();
          for (int at = 0; at < keys.size(); at++) {
            under.add(begin.apply(at, keys.get(at)));
            if (under.size() == BULK || at == keys.size() - 1) {
              under.forEach(each -> all.add(Stored.parse(await(each))));
              under.clear();
            }
          }
          return all;
        });
  }

  private static <T> T await(CompletionStage<T> stage) {
    try {
      return stage.toCompletableFuture().get(ANSWER_SECONDS_MAX, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw new CompletionException(e.getCause());
    } catch (TimeoutException e) {
      throw OutcomeUnknownException.ofMap("There was no answer in " + ANSWER_SECONDS_MAX + " s");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw OutcomeUnknownException.ofMap("The thread was interrupted");
    }
  }

  private <T> T told(Supplier<T> operation) {
    try {
      return operation.get();
    } catch (CacheException e) {
      throw e;
    } catch (CompletionException e) {
      throw failure(e.getCause() == null ? e : e.getCause());
    } catch (RuntimeException e) {
      throw failure(e);
    }
  }

  private CacheException failure(Throwable reason) {
    return new CacheException(
        "The map '" + map.name() + "' of this cache says: " + reason.getMessage(), reason);
  }
}
