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
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import javax.cache.CacheException;
import org.orcagrid.client.OutcomeUnknownException;
import org.orcagrid.client.map.AtomicGridMap;

/**
 * All that a cache does with its map. What goes wrong there is a {@link CacheException} here, with
 * the map's own exception as its cause. Safe for use by many threads.
 */
final class Entries {
  /** So many operations of a bulk are under way at once. */
  private static final int BULK = 512;

  /** As the map's own operations wait. */
  private static final int ANSWER_SECONDS_MAX = 10;

  private final AtomicGridMap<byte[], byte[]> map;

  Entries(AtomicGridMap<byte[], byte[]> map) {
    this.map = map;
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
          if (expected == null) {
            return map.putIfAbsent(key.bytes(), value.bytes()) == null;
          } else if (value == null) {
            return map.remove(key.bytes(), expected.bytes());
          }
          return map.replace(key.bytes(), expected.bytes(), value.bytes());
        });
  }

  /** Gives a key something; what it had before. */
  Stored put(EntryKey key, Stored value) {
    return told(() -> Stored.parse(map.put(key.bytes(), value.bytes())));
  }

  /** Gives keys something, many at a time; what they had before. */
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
