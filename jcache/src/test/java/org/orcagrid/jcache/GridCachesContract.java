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
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import javax.cache.Cache;
import javax.cache.CacheException;
import javax.cache.configuration.MutableCacheEntryListenerConfiguration;
import javax.cache.configuration.MutableConfiguration;
import javax.cache.event.CacheEntryCreatedListener;
import javax.cache.event.CacheEntryEvent;
import javax.cache.event.CacheEntryExpiredListener;
import javax.cache.event.CacheEntryRemovedListener;
import javax.cache.event.CacheEntryUpdatedListener;
import javax.cache.expiry.AccessedExpiryPolicy;
import javax.cache.expiry.CreatedExpiryPolicy;
import javax.cache.expiry.Duration;
import javax.cache.expiry.ExpiryPolicy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.orcagrid.client.Codec;
import org.orcagrid.client.map.GridMaps;
import org.orcagrid.ddp.model.Ddp;

/** Caches of managers at three places of one grid, whatever way the program has it. */
@Timeout(120)
abstract class GridCachesContract {
  static final int NODES = 3;

  @TempDir Path folder;
  private List<? extends GridMaps> places;
  private final AtomicLong clock = new AtomicLong(1_000_000);
  private final List<OrcaCacheManager> managers = new ArrayList<>();

  /** Starts a grid; three places where a program has it. */
  abstract List<? extends GridMaps> start() throws Exception;

  /** Ends it. */
  abstract void stop() throws Exception;

  @BeforeEach
  void begin() throws Exception {
    places = start();
    for (int node = 0; node < NODES; node++) {
      managers.add(
          OrcaCachingProvider.managerOf(
              places.get(node),
              URI.create("orca:node-" + node),
              null,
              new Properties(),
              clock::get));
    }
  }

  @AfterEach
  void close() throws Exception {
    managers.forEach(OrcaCacheManager::close);
    stop();
  }

  private Cache<String, Long> cache(int node, MutableConfiguration<String, Long> configuration) {
    return managers
        .get(node)
        .createCache("counts", configuration.setTypes(String.class, Long.class));
  }

  private static OrcaConfiguration<String, Long> plain() {
    return new OrcaConfiguration<>();
  }

  @Test
  void whatOneManagerWritesAnotherOneReads() {
    Cache<String, Long> here = cache(0, plain());
    Cache<String, Long> there = cache(1, plain());
    here.put("a", 1L);
    assertEquals(1L, there.get("a"));
    assertEquals(1L, there.getAndReplace("a", 2L));
    assertFalse(here.putIfAbsent("a", 9L));
    assertFalse(here.replace("a", 1L, 9L));
    assertTrue(here.replace("a", 2L, 3L));
    assertEquals(3L, there.getAndRemove("a"));
    assertNull(here.get("a"));
    Map<String, Long> many = new HashMap<>();
    for (long i = 0; i < 1000; i++) {
      many.put("key" + i, i);
    }
    here.putAll(many);
    assertEquals(many, there.getAll(many.keySet()));
    Map<String, Long> iterated = new HashMap<>();
    there.forEach(entry -> iterated.put(entry.getKey(), entry.getValue()));
    assertEquals(many, iterated);
    there.removeAll(Set.of("key0", "key1", "none"));
    assertFalse(here.containsKey("key0"));
    here.removeAll();
    assertFalse(there.iterator().hasNext());
  }

  /** All the models that a cache can have. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "linearizable/synchronous",
        "read-enforced/synchronous",
        "transactional/synchronous",
        "release/synchronous",
        "linearizable/scope",
        "linearizable/eventual"
      })
  void entryProcessorsAtAllNodesLoseNoIncrement(String model) throws Exception {
    int threads = 6;
    int increments = 60;
    List<Cache<String, Long>> caches = new ArrayList<>();
    for (int node = 0; node < NODES; node++) {
      caches.add(cache(node, plain().setModel(Ddp.parse(model))));
    }
    AtomicInteger runs = new AtomicInteger();
    inParallel(
        threads,
        thread -> {
          Cache<String, Long> cache = caches.get(thread % NODES);
          for (int i = 0; i < increments; i++) {
            cache.invoke(
                "count",
                (entry, arguments) -> {
                  runs.incrementAndGet();
                  entry.setValue(entry.exists() ? entry.getValue() + 1 : 1);
                  return null;
                });
          }
        });
    Long count = caches.get(1).invoke("count", (entry, arguments) -> entry.getValue());
    assertEquals((long) threads * increments, count);
    assertTrue(runs.get() >= threads * increments, "each ran at least once");
  }

  @Test
  void aProcessorRunsAgainOnWhatAnotherNodeHasWritten() {
    Cache<String, Long> here = cache(0, plain());
    Cache<String, Long> there = cache(1, plain());
    here.put("a", 1L);
    AtomicInteger runs = new AtomicInteger();
    here.invoke(
        "a",
        (entry, arguments) -> {
          long value = entry.getValue();
          if (runs.incrementAndGet() == 1) {
            there.put("a", 10L);
          }
          entry.setValue(value + 1);
          return null;
        });
    assertEquals(2, runs.get());
    assertEquals(11L, there.get("a"));
  }

  @Test
  void aDeadlineThatAReadSetsUndoesNoWrite() {
    Cache<String, Long> there = cache(1, plain());
    ExpiryPolicy meddling =
        new ExpiryPolicy() {
          @Override
          public Duration getExpiryForCreation() {
            return new Duration(TimeUnit.SECONDS, 10);
          }

          @Override
          public Duration getExpiryForAccess() {
            there.put("a", 2L);
            return new Duration(TimeUnit.SECONDS, 20);
          }

          @Override
          public Duration getExpiryForUpdate() {
            return null;
          }
        };
    Cache<String, Long> here = cache(0, plain().setExpiryPolicyFactory(() -> meddling));
    here.put("a", 1L);
    clock.addAndGet(1);
    assertEquals(1L, here.get("a"));
    assertEquals(2L, there.get("a"));
  }

  @Test
  void ofManyThatPutIfAbsentOneDoes() throws Exception {
    List<Cache<String, Long>> caches = new ArrayList<>();
    for (int node = 0; node < NODES; node++) {
      caches.add(cache(node, plain()));
    }
    AtomicInteger won = new AtomicInteger();
    inParallel(
        6,
        thread -> {
          for (long i = 0; i < 50; i++) {
            if (caches.get(thread % NODES).putIfAbsent("key" + i, (long) thread)) {
              won.incrementAndGet();
            }
          }
        });
    assertEquals(50, won.get());
  }

  private interface Work {
    void run(int thread);
  }

  private static void inParallel(int threads, Work work) throws Exception {
    ExecutorService executor = Executors.newFixedThreadPool(threads);
    try {
      List<CompletableFuture<?>> all = new ArrayList<>();
      for (int thread = 0; thread < threads; thread++) {
        int number = thread;
        all.add(CompletableFuture.runAsync(() -> work.run(number), executor));
      }
      CompletableFuture.allOf(all.toArray(CompletableFuture[]::new)).get(90, TimeUnit.SECONDS);
    } finally {
      executor.shutdownNow();
    }
  }

  @Test
  void anEntryExpiresAtAllNodesWhereverItWasWritten() {
    Cache<String, Long> here =
        cache(
            0,
            plain()
                .setExpiryPolicyFactory(
                    CreatedExpiryPolicy.factoryOf(new Duration(TimeUnit.SECONDS, 10))));
    Cache<String, Long> there = cache(1, plain());
    here.put("a", 1L);
    clock.addAndGet(9_999);
    assertEquals(1L, there.get("a"));
    assertTrue(there.iterator().hasNext());
    clock.addAndGet(1);
    assertNull(there.get("a"));
    assertFalse(here.containsKey("a"));
    assertFalse(here.iterator().hasNext());
    assertTrue(here.putIfAbsent("a", 2L));
  }

  /** Puts what it hears into a queue. */
  private interface Hears
      extends CacheEntryCreatedListener<String, Long>,
          CacheEntryUpdatedListener<String, Long>,
          CacheEntryRemovedListener<String, Long>,
          CacheEntryExpiredListener<String, Long> {
    BlockingQueue<String> heard();

    private void hear(Iterable<CacheEntryEvent<? extends String, ? extends Long>> events) {
      events.forEach(each -> heard().add(each.toString()));
    }

    @Override
    default void onCreated(Iterable<CacheEntryEvent<? extends String, ? extends Long>> events) {
      hear(events);
    }

    @Override
    default void onUpdated(Iterable<CacheEntryEvent<? extends String, ? extends Long>> events) {
      hear(events);
    }

    @Override
    default void onRemoved(Iterable<CacheEntryEvent<? extends String, ? extends Long>> events) {
      hear(events);
    }

    @Override
    default void onExpired(Iterable<CacheEntryEvent<? extends String, ? extends Long>> events) {
      hear(events);
    }
  }

  private static BlockingQueue<String> listenTo(Cache<String, Long> cache, boolean synchronously) {
    BlockingQueue<String> heard = new LinkedBlockingQueue<>(1000);
    Hears listener = () -> heard;
    cache.registerCacheEntryListener(
        new MutableCacheEntryListenerConfiguration<>(() -> listener, null, true, synchronously));
    return heard;
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void listenersAreToldOnceOfWhatAnyNodeDoes(boolean synchronously) throws Exception {
    Cache<String, Long> here = cache(0, plain());
    Cache<String, Long> there =
        cache(
            1,
            plain()
                .setExpiryPolicyFactory(
                    AccessedExpiryPolicy.factoryOf(new Duration(TimeUnit.SECONDS, 10))));
    BlockingQueue<String> heard = listenTo(here, synchronously);
    List<String> expected =
        List.of(
            "CREATED a: null -> 1",
            "UPDATED a: 1 -> 2",
            "REMOVED a: 2 -> 2",
            "CREATED b: null -> 3",
            "EXPIRED b: 3 -> 3",
            "CREATED end: null -> 0");
    there.put("a", 1L);
    assertEquals(expected.get(0), heard.poll(30, TimeUnit.SECONDS));
    here.put("a", 2L);
    assertEquals(expected.get(1), heard.poll(30, TimeUnit.SECONDS));
    there.remove("a");
    assertEquals(expected.get(2), heard.poll(30, TimeUnit.SECONDS));
    there.put("b", 3L);
    assertEquals(expected.get(3), heard.poll(30, TimeUnit.SECONDS));
    clock.addAndGet(1);
    assertEquals(3L, there.get("b"), "which changes its deadline, and tells nobody");
    clock.addAndGet(10_000);
    assertFalse(there.containsKey("b"));
    assertEquals(expected.get(4), heard.poll(30, TimeUnit.SECONDS));
    there.put("end", 0L);
    assertEquals(expected.get(5), heard.poll(30, TimeUnit.SECONDS));
    assertTrue(heard.isEmpty());
  }

  /**
   * Also where the map tells of a change before its own operation has its answer. What another
   * place has written may be followed by the next value before it is visible here.
   */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void underLoadNoChangeIsToldTwiceAndNoneOfOnesOwnIsLeftOut(boolean synchronously)
      throws Exception {
    int increments = 50;
    List<Cache<String, Long>> caches = new ArrayList<>();
    List<BlockingQueue<String>> heard = new ArrayList<>();
    List<Set<Long>> own = new ArrayList<>();
    for (int node = 0; node < NODES; node++) {
      caches.add(cache(node, plain()));
      heard.add(listenTo(caches.get(node), synchronously));
      own.add(ConcurrentHashMap.newKeySet());
    }
    inParallel(
        2 * NODES,
        thread -> {
          for (int i = 0; i < increments; i++) {
            own.get(thread % NODES)
                .add(
                    caches
                        .get(thread % NODES)
                        .invoke(
                            "count",
                            (entry, arguments) -> {
                              long next = entry.exists() ? entry.getValue() + 1 : 1;
                              entry.setValue(next);
                              return next;
                            }));
          }
        });
    for (int node = 0; node < NODES; node++) {
      caches.get((node + 1) % NODES).put("end" + node, 0L);
      Set<Long> told = toldBefore("CREATED end" + node + ": null -> 0", heard.get(node));
      assertTrue(told.containsAll(own.get(node)), "all that it has written");
      assertTrue(told.contains(2L * NODES * increments), "the last");
    }
  }

  /** The values of a key that were told before something else, each of them once. */
  private static Set<Long> toldBefore(String end, BlockingQueue<String> heard) throws Exception {
    Set<Long> told = new HashSet<>();
    while (true) {
      String next = heard.poll(30, TimeUnit.SECONDS);
      assertNotNull(next, "in time");
      if (next.equals(end)) {
        return told;
      } else if (next.contains(" count: ")) {
        long value = Long.parseLong(next.substring(next.lastIndexOf(' ') + 1));
        assertTrue(told.add(value), () -> "told twice: " + next);
      }
    }
  }

  @Test
  void whatNobodyMeetsAfterItHasExpiredIsTakenAwayAndToldOf() throws Exception {
    Cache<String, Long> here =
        cache(
            0,
            plain()
                .setExpiryPolicyFactory(
                    CreatedExpiryPolicy.factoryOf(new Duration(TimeUnit.MILLISECONDS, 1))));
    Cache<String, Long> there = cache(1, plain());
    BlockingQueue<String> heardHere = listenTo(here, true);
    BlockingQueue<String> heardThere = listenTo(there, true);
    here.put("a", 1L);
    clock.addAndGet(1);
    for (BlockingQueue<String> heard : List.of(heardHere, heardThere)) {
      assertEquals("CREATED a: null -> 1", heard.poll(30, TimeUnit.SECONDS));
      assertEquals("EXPIRED a: 1 -> 1", heard.poll(60, TimeUnit.SECONDS));
    }
    assertEquals(
        0L,
        places
            .get(2)
            .map("jcache.counts", Codec.BYTES, Codec.BYTES, Ddp.parse("linearizable/synchronous"))
            .sizeInBytes());
  }

  @Test
  void aCacheIsDestroyedAtAllNodes() {
    Cache<String, Long> here = cache(0, plain());
    Cache<String, Long> there = cache(1, plain());
    there.put("a", 1L);
    managers.get(0).destroyCache("counts");
    assertTrue(here.isClosed());
    assertThrows(IllegalStateException.class, () -> here.get("a"));
    // The other nodes learn of it by the next view, a moment later.
    await(() -> isDestroyed(there));
    there.close();
    assertNull(cache(1, plain()).get("a"), "a new one, with nothing in it");
  }

  private static boolean isDestroyed(Cache<String, Long> cache) {
    try {
      cache.get("a");
      return false;
    } catch (CacheException e) {
      return true;
    }
  }

  private static void await(BooleanSupplier condition) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (!condition.getAsBoolean()) {
      assertTrue(System.nanoTime() < end, "in time");
      Thread.onSpinWait();
    }
  }

  @Test
  void closedCachesKeepTheirEntries() {
    Cache<String, Long> cache = cache(0, plain());
    cache.put("a", 1L);
    cache.close();
    cache.close();
    assertNull(managers.get(0).getCache("counts"));
    assertEquals(1L, cache(0, plain()).get("a"));
  }

  @Test
  void codecsAndModelsAreThoseOfTheConfiguration() {
    OrcaConfiguration<String, Long> configuration = plain();
    configuration.setKeyCodecFactory(() -> Codec.STRING).setValueCodecFactory(() -> Codec.LONG);
    configuration.setModel(Ddp.parse("transactional/eventual"));
    Cache<String, Long> cache = cache(0, configuration);
    cache.put("a", 7L);
    assertEquals(7L, cache.get("a"));
    assertEquals(
        "a".length() + 1 + Long.BYTES + Long.BYTES,
        places
            .get(0)
            .map("jcache.counts", Codec.BYTES, Codec.BYTES, Ddp.parse("transactional/eventual"))
            .sizeInBytes(),
        "key, header, deadline and value, and nothing else");
    assertEquals(configuration, ((OrcaCache<String, Long>) cache).configuration());
    assertThrows(CacheException.class, () -> cache(1, plain()), "the same map with another model");
  }

  @Test
  void aModelWithoutAtomicOperationsIsRefused() {
    CacheException refused =
        assertThrows(
            CacheException.class,
            () -> cache(0, plain().setModel(Ddp.parse("causal/synchronous"))));
    assertTrue(refused.getMessage().contains("linearizable"), refused.getMessage());
  }

  @Test
  void anyTextIsANameForACache() {
    Set<String> maps = new HashSet<>();
    for (String name :
        List.of("a b", "a_20b", "ä/ö:*?", "", "x".repeat(200), "x".repeat(201), ".", "日本")) {
      assertTrue(maps.add(MapNames.of(name)), name);
      Cache<String, Long> cache = managers.get(0).createCache(name, plain());
      cache.put("name", (long) name.length());
      managers.get(0).enableStatistics(name, true);
      managers.get(0).enableManagement(name, true);
      assertEquals(
          (long) name.length(), managers.get(1).createCache(name, plain()).get("name"), name);
    }
  }

  @Test
  void aKeyThatIsTooLongIsRefused() {
    Cache<String, Long> cache = cache(0, plain());
    CacheException refused =
        assertThrows(CacheException.class, () -> cache.put("x".repeat(1024), 1L));
    assertTrue(refused.getMessage().contains("1024"), refused.getMessage());
    cache.put("x".repeat(1000), 1L);
  }
}
