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
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.cache.Cache;
import javax.cache.integration.CacheWriter;
import javax.cache.integration.CacheWriterException;

/**
 * Write-through: what is told to a {@link CacheWriter} before the cache is changed, if there is
 * one.
 */
final class Writer<K, V> {
  private final CacheWriter<? super K, ? super V> writer;

  /** Null for a cache without write-through. */
  Writer(CacheWriter<? super K, ? super V> writer) {
    this.writer = writer;
  }

  boolean isThere() {
    return writer != null;
  }

  void write(K key, V value) {
    if (writer != null) {
      told(() -> writer.write(new Pair<>(key, value)));
    }
  }

  void delete(K key) {
    if (writer != null) {
      told(() -> writer.delete(key));
    }
  }

  /**
   * Writes; a writer that fails leaves in the collection what it has not written.
   *
   * @return the keys that were written
   */
  Collection<K> writeAll(Map<? extends K, ? extends V> entries, Failures failures) {
    List<Cache.Entry<? extends K, ? extends V>> left = new ArrayList<>();
    entries.forEach((key, value) -> left.add(new Pair<K, V>(key, value)));
    try {
      told(() -> writeAll(writer, left));
      return List.copyOf(entries.keySet());
    } catch (CacheWriterException e) {
      Set<Object> not = new HashSet<>();
      left.forEach(each -> not.add(each.getKey()));
      failures.add(e);
      return without(entries.keySet(), not);
    }
  }

  /** Gives the collection the writer's own types, which it can only take out of it. */
  @SuppressWarnings("unchecked")
  private static <A, B> void writeAll(
      CacheWriter<A, B> writer, List<? extends Cache.Entry<?, ?>> left) {
    writer.writeAll((Collection<Cache.Entry<? extends A, ? extends B>>) (Collection<?>) left);
  }

  /**
   * Deletes; a writer that fails leaves in the collection what it has not deleted.
   *
   * @return the keys that were deleted
   */
  Collection<K> deleteAll(Collection<? extends K> keys, Failures failures) {
    List<K> left = new ArrayList<>(keys);
    try {
      told(() -> writer.deleteAll(left));
      return List.copyOf(keys);
    } catch (CacheWriterException e) {
      failures.add(e);
      return without(keys, new HashSet<>(left));
    }
  }

  private static <K> List<K> without(Collection<? extends K> all, Set<?> not) {
    List<K> done = new ArrayList<>();
    for (K key : all) {
      if (!not.contains(key)) {
        done.add(key);
      }
    }
    return done;
  }

  private static void told(Runnable write) {
    try {
      write.run();
    } catch (CacheWriterException e) {
      throw e;
    } catch (RuntimeException e) {
      throw new CacheWriterException("The writer of the cache has failed: " + e, e);
    }
  }

  void close() {
    Closing.close(writer);
  }
}
