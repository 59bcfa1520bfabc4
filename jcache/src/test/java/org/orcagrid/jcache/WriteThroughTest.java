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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import javax.cache.Cache;
import javax.cache.configuration.MutableConfiguration;
import javax.cache.integration.CacheLoader;
import javax.cache.integration.CacheLoaderException;
import javax.cache.integration.CacheWriter;
import javax.cache.integration.CacheWriterException;
import javax.cache.integration.CompletionListenerFuture;
import javax.cache.processor.EntryProcessorException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.orcagrid.client.EmbeddedGrid;
import org.orcagrid.client.Grid;

/** Caches in front of a store: what they have when that fails. */
@Timeout(60)
class WriteThroughTest {
  @TempDir Path folder;
  private EmbeddedGrid grid;
  private OrcaCacheManager manager;
  private Cache<String, Long> cache;
  private final Store store = new Store();

  /** A store that refuses keys that begin with "bad". */
  private static final class Store implements CacheWriter<String, Long>, CacheLoader<String, Long> {
    private final Map<String, Long> rows = new ConcurrentHashMap<>();

    private static void refuse(Object key) {
      if (key.toString().startsWith("bad")) {
        throw new UnsupportedOperationException("as the test wants it");
      }
    }

    @Override
    public void write(Cache.Entry<? extends String, ? extends Long> entry) {
      refuse(entry.getKey());
      rows.put(entry.getKey(), entry.getValue());
    }

    @Override
    public void writeAll(Collection<Cache.Entry<? extends String, ? extends Long>> entries) {
      Iterator<Cache.Entry<? extends String, ? extends Long>> each = entries.iterator();
      while (each.hasNext()) {
        write(each.next());
        each.remove();
      }
    }

    @Override
    public void delete(Object key) {
      refuse(key);
      rows.remove(key);
    }

    @Override
    public void deleteAll(Collection<?> keys) {
      Iterator<?> each = keys.iterator();
      while (each.hasNext()) {
        delete(each.next());
        each.remove();
      }
    }

    @Override
    public Long load(String key) {
      refuse(key);
      return rows.get(key);
    }

    @Override
    public Map<String, Long> loadAll(Iterable<? extends String> keys) {
      Map<String, Long> loaded = new HashMap<>();
      keys.forEach(key -> loaded.put(key, load(key)));
      return loaded;
    }
  }

  @BeforeEach
  void start() throws Exception {
    grid = Grid.embedded(EmbeddedGrid.Settings.DEFAULT.withNodes(1).withFolder(folder));
    manager = OrcaCachingProvider.managerOf(grid.maps(0));
    cache =
        manager.createCache(
            "cache",
            new MutableConfiguration<String, Long>()
                .setTypes(String.class, Long.class)
                .setReadThrough(true)
                .setWriteThrough(true)
                .setCacheLoaderFactory(() -> store)
                .setCacheWriterFactory(() -> store));
  }

  @AfterEach
  void close() {
    manager.close();
    grid.close();
  }

  /**
   * The same entries, by a cache that writes nothing through and so can have what the store
   * refuses.
   */
  private void putBehind(String key, long value) {
    OrcaCacheManager other = OrcaCachingProvider.managerOf(grid.maps(0));
    try {
      other
          .<String, Long, MutableConfiguration<String, Long>>createCache(
              "cache", new MutableConfiguration<>())
          .put(key, value);
    } finally {
      other.close();
    }
  }

  @Test
  void whatTheStoreRefusesTheCacheDoesNotHave() {
    assertThrows(CacheWriterException.class, () -> cache.put("bad", 1L));
    assertThrows(CacheWriterException.class, () -> cache.putIfAbsent("bad", 1L));
    assertThrows(CacheWriterException.class, () -> cache.getAndPut("bad", 1L));
    assertThrows(
        CacheWriterException.class,
        () ->
            cache.invoke(
                "bad",
                (entry, arguments) -> {
                  entry.setValue(1L);
                  return null;
                }));
    assertFalse(cache.containsKey("bad"));
    putBehind("bad", 5L);
    assertThrows(CacheWriterException.class, () -> cache.remove("bad"));
    assertThrows(CacheWriterException.class, () -> cache.remove("bad", 5L));
    assertThrows(CacheWriterException.class, () -> cache.replace("bad", 6L));
    assertEquals(5L, cache.get("bad"));
    assertFalse(cache.remove("bad", 6L), "which the store is not asked for");
  }

  @Test
  void ofABulkTheCacheHasWhatTheStoreHas() {
    Map<String, Long> entries = new LinkedHashMap<>();
    entries.put("a", 1L);
    entries.put("b", 2L);
    entries.put("bad", 3L);
    entries.put("c", 4L);
    assertThrows(CacheWriterException.class, () -> cache.putAll(entries));
    assertEquals(Map.of("a", 1L, "b", 2L), store.rows);
    assertTrue(cache.containsKey("a") && cache.containsKey("b"));
    assertFalse(cache.containsKey("bad") || cache.containsKey("c"));

    putBehind("bad", 3L);
    assertThrows(CacheWriterException.class, () -> cache.removeAll(entries.keySet()));
    assertTrue(cache.containsKey("bad"));
    for (String key : entries.keySet()) {
      assertEquals(store.rows.containsKey(key), cache.containsKey(key) && !key.equals("bad"), key);
    }
  }

  @Test
  void whatIsNotThereIsLoadedAndKept() throws Exception {
    store.rows.put("a", 1L);
    store.rows.put("b", 2L);
    assertEquals(1L, cache.get("a"));
    store.rows.put("a", 9L);
    assertEquals(1L, cache.get("a"), "kept");
    assertEquals(Map.of("a", 1L, "b", 2L), cache.getAll(Set.of("a", "b", "none")));
    assertNull(cache.get("none"));
    assertThrows(CacheLoaderException.class, () -> cache.get("bad"));
    assertThrows(
        EntryProcessorException.class,
        () -> cache.invoke("bad", (entry, args) -> entry.getValue()));
    CompletionListenerFuture done = new CompletionListenerFuture();
    cache.loadAll(Set.of("a", "b"), true, done);
    done.get(30, TimeUnit.SECONDS);
    assertEquals(9L, cache.get("a"));
    CompletionListenerFuture failed = new CompletionListenerFuture();
    cache.loadAll(Set.of("bad"), true, failed);
    ExecutionException reason =
        assertThrows(ExecutionException.class, () -> failed.get(30, TimeUnit.SECONDS));
    assertTrue(reason.getCause() instanceof CacheLoaderException, reason.toString());
  }
}
