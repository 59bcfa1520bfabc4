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
package org.orcagrid.client;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Operations on many keys, made of those on one. */
final class Bulk {
  private Bulk() {}

  static <K, V> CompletionStage<Map<K, V>> getAll(View<K, V> view, Collection<? extends K> keys) {
    Map<K, CompletableFuture<V>> reads = new LinkedHashMap<>();
    try {
      for (K key : new LinkedHashSet<K>(keys)) {
        reads.put(key, view.getAsync(key).toCompletableFuture());
      }
    } catch (RuntimeException e) {
      // No collection, or a key that has no hash.
      return CompletableFuture.failedFuture(e);
    }
    return all(reads.values())
        .thenApply(
            done -> {
              Map<K, V> found = new LinkedHashMap<>();
              reads.forEach(
                  (key, read) -> {
                    V value = read.join();
                    if (value != null) {
                      found.put(key, value);
                    }
                  });
              return found;
            });
  }

  static <K, V> CompletionStage<Void> setAll(
      View<K, V> view, Map<? extends K, ? extends V> entries) {
    List<CompletableFuture<Void>> writes = new ArrayList<>();
    try {
      entries.forEach((key, value) -> writes.add(view.setAsync(key, value).toCompletableFuture()));
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
    return all(writes);
  }

  /** Ends when all have. */
  private static CompletableFuture<Void> all(Collection<? extends CompletableFuture<?>> many) {
    return CompletableFuture.allOf(many.toArray(CompletableFuture<?>[]::new));
  }
}
