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

import java.io.Closeable;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import javax.cache.Cache;
import javax.cache.CacheException;
import javax.cache.configuration.CacheEntryListenerConfiguration;
import javax.cache.configuration.MutableCacheEntryListenerConfiguration;
import javax.cache.configuration.MutableConfiguration;
import javax.cache.event.CacheEntryCreatedListener;
import javax.cache.event.CacheEntryEvent;
import javax.cache.event.CacheEntryExpiredListener;
import javax.cache.event.CacheEntryListenerException;
import javax.cache.event.CacheEntryRemovedListener;
import javax.cache.event.CacheEntryUpdatedListener;
import javax.cache.event.EventType;
import javax.cache.expiry.Duration;
import javax.cache.expiry.ExpiryPolicy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.orcagrid.client.EmbeddedGrid;
import org.orcagrid.client.Grid;

/** When entries expire, by a clock that stands still, and what listeners are told. */
@Timeout(60)
class ExpiryAndEventsTest {
  @TempDir Path folder;
  private EmbeddedGrid grid;
  private OrcaCacheManager manager;
  private final AtomicLong clock = new AtomicLong(1_000_000);
  private final Heard heard = new Heard();

  @BeforeEach
  void start() throws Exception {
    grid = Grid.embedded(EmbeddedGrid.Settings.DEFAULT.withNodes(1).withFolder(folder));
    manager =
        OrcaCachingProvider.managerOf(
            grid.maps(0), URI.create("orca:test"), null, new Properties(), clock::get);
  }

  @AfterEach
  void close() {
    manager.close();
    grid.close();
  }

  /** Writes down all events; begins to fail when told to. */
  private static final class Heard
      implements CacheEntryCreatedListener<String, Long>,
          CacheEntryUpdatedListener<String, Long>,
          CacheEntryRemovedListener<String, Long>,
          CacheEntryExpiredListener<String, Long>,
          Closeable {
    private final List<String> events = Collections.synchronizedList(new ArrayList<>());
    private volatile CountDownLatch enough = new CountDownLatch(0);
    private final AtomicBoolean fails = new AtomicBoolean();
    private final AtomicBoolean closed = new AtomicBoolean();

    private void hear(Iterable<CacheEntryEvent<? extends String, ? extends Long>> all) {
      all.forEach(each -> events.add(each.toString()));
      if (fails.get()) {
        throw new UnsupportedOperationException("as the test wants it");
      }
      enough.countDown();
    }

    @Override
    public void onCreated(Iterable<CacheEntryEvent<? extends String, ? extends Long>> all) {
      hear(all);
    }

    @Override
    public void onUpdated(Iterable<CacheEntryEvent<? extends String, ? extends Long>> all) {
      hear(all);
    }

    @Override
    public void onRemoved(Iterable<CacheEntryEvent<? extends String, ? extends Long>> all) {
      hear(all);
    }

    @Override
    public void onExpired(Iterable<CacheEntryEvent<? extends String, ? extends Long>> all) {
      hear(all);
    }

    @Override
    public void close() {
      closed.set(true);
    }
  }

  private record Policy(Duration created, Duration accessed, Duration updated)
      implements ExpiryPolicy {
    @Override
    public Duration getExpiryForCreation() {
      return created;
    }

    @Override
    public Duration getExpiryForAccess() {
      return accessed;
    }

    @Override
    public Duration getExpiryForUpdate() {
      return updated;
    }
  }

  private static Duration seconds(long count) {
    return new Duration(TimeUnit.SECONDS, count);
  }

  private CacheEntryListenerConfiguration<String, Long> listening(boolean synchronously) {
    return new MutableCacheEntryListenerConfiguration<>(() -> heard, null, true, synchronously);
  }

  private Cache<String, Long> cache(Policy policy) {
    MutableConfiguration<String, Long> configuration =
        new MutableConfiguration<String, Long>()
            .setTypes(String.class, Long.class)
            .addCacheEntryListenerConfiguration(listening(true));
    if (policy != null) {
      configuration.setExpiryPolicyFactory(() -> policy);
    }
    return manager.createCache("cache", configuration);
  }

  private void assertHeard(String... events) {
    assertEquals(List.of(events), List.copyOf(heard.events));
    heard.events.clear();
  }

  @Test
  void eachKindOfDeadlineIsKept() {
    Cache<String, Long> cache = cache(new Policy(seconds(10), seconds(20), seconds(30)));
    cache.put("a", 1L);
    clock.addAndGet(9_999);
    assertEquals(1L, cache.get("a"), "20 s from here");
    clock.addAndGet(19_999);
    assertTrue(cache.containsKey("a"), "which is no access");
    cache.put("a", 2L);
    clock.addAndGet(29_999);
    assertTrue(cache.containsKey("a"));
    clock.addAndGet(1);
    assertFalse(cache.containsKey("a"));
    assertHeard("CREATED a: null -> 1", "UPDATED a: 1 -> 2", "EXPIRED a: 2 -> 2");
  }

  @Test
  void whatHasExpiredIsToldOfOnceAndBeforeWhatComesNext() {
    Cache<String, Long> cache = cache(new Policy(seconds(10), null, null));
    cache.put("a", 1L);
    cache.put("b", 1L);
    clock.addAndGet(10_000);
    cache.put("a", 2L);
    assertNull(cache.get("b"));
    assertNull(cache.get("b"));
    assertHeard(
        "CREATED a: null -> 1",
        "CREATED b: null -> 1",
        "EXPIRED a: 1 -> 1",
        "CREATED a: null -> 2",
        "EXPIRED b: 1 -> 1");
    assertEquals(2L, cache.get("a"), "with a life of its own");
  }

  @Test
  void ofTwoThatMeetAnExpiredEntryOneTellsOfIt() {
    Cache<String, Long> cache = cache(new Policy(seconds(10), null, null));
    cache.put("a", 1L);
    Iterator<Cache.Entry<String, Long>> one = cache.iterator();
    Iterator<Cache.Entry<String, Long>> other = cache.iterator();
    assertTrue(one.hasNext() && other.hasNext(), "both have read it");
    clock.addAndGet(10_000);
    assertFalse(one.hasNext() || other.hasNext());
    assertHeard("CREATED a: null -> 1", "EXPIRED a: 1 -> 1");
  }

  @Test
  void aLifeWithoutLengthIsOverAtOnce() {
    Cache<String, Long> cache = cache(new Policy(seconds(10), Duration.ZERO, Duration.ZERO));
    cache.put("a", 1L);
    assertEquals(1L, cache.get("a"));
    assertFalse(cache.containsKey("a"));
    assertHeard("CREATED a: null -> 1", "EXPIRED a: 1 -> 1");
    cache.put("b", 1L);
    cache.put("b", 2L);
    assertFalse(cache.containsKey("b"));
    assertHeard("CREATED b: null -> 1", "UPDATED b: 1 -> 2", "EXPIRED b: 2 -> 2");
  }

  @Test
  void bulksTellOfEachEntry() {
    Cache<String, Long> cache = cache(null);
    cache.putAll(Map.of("a", 1L));
    cache.putAll(Map.of("a", 2L));
    cache.removeAll();
    assertHeard("CREATED a: null -> 1", "UPDATED a: 1 -> 2", "REMOVED a: 2 -> 2");
    cache.put("b", 1L);
    cache.clear();
    assertHeard("CREATED b: null -> 1");
  }

  @Test
  void aSynchronousListenerThatFailsFailsTheOperationWhichIsDone() {
    Cache<String, Long> cache = cache(null);
    heard.fails.set(true);
    assertThrows(CacheEntryListenerException.class, () -> cache.put("a", 1L));
    assertThrows(CacheEntryListenerException.class, () -> cache.putAll(Map.of("b", 1L, "c", 1L)));
    assertEquals(1L, cache.get("a"));
    assertEquals(1L, cache.get("b"));
    assertEquals(1L, cache.get("c"));
    assertEquals(3, heard.events.size());
    heard.fails.set(false);
    cache.close();
    assertTrue(heard.closed.get());
  }

  @Test
  void aPolicyThatFailsChangesNothing() {
    ExpiryPolicy failing =
        new ExpiryPolicy() {
          @Override
          public Duration getExpiryForCreation() {
            throw new UnsupportedOperationException("as the test wants it");
          }

          @Override
          public Duration getExpiryForAccess() {
            return null;
          }

          @Override
          public Duration getExpiryForUpdate() {
            return null;
          }
        };
    Cache<String, Long> cache =
        manager.createCache(
            "cache",
            new MutableConfiguration<String, Long>().setExpiryPolicyFactory(() -> failing));
    assertThrows(CacheException.class, () -> cache.put("a", 1L));
    assertFalse(cache.containsKey("a"));
  }

  @Test
  void asynchronousListenersAreToldInOrderAndWhatFindsTheQueueFullIsCounted() throws Exception {
    CountDownLatch mayGoOn = new CountDownLatch(1);
    CountDownLatch waits = new CountDownLatch(1);
    Cache<String, Long> cache = manager.createCache("cache", new MutableConfiguration<>());
    cache.registerCacheEntryListener(
        new MutableCacheEntryListenerConfiguration<>(
            () ->
                (CacheEntryCreatedListener<String, Long>)
                    events -> {
                      waits.countDown();
                      await(mayGoOn);
                    },
            null,
            false,
            false));
    cache.registerCacheEntryListener(listening(false));
    cache.put("first", 0L);
    assertTrue(waits.await(30, TimeUnit.SECONDS));
    // "first" for the second listener is in the queue, too.
    int fit = AsyncEvents.QUEUE_MAX - 1;
    EntryKey key = new EntryKey(ObjectForm.<String>ofKeys(null, AllowedClasses.NONE).encode("k"));
    Stored value =
        Stored.of(ObjectForm.<Long>ofValues(null, AllowedClasses.NONE).encode(1L), Stored.ETERNAL);
    Listeners<String, Long> listeners = listeners(cache);
    heard.enough = new CountDownLatch(1 + fit);
    for (int i = 0; i < fit + 5; i++) {
      listeners.tell(key, List.of(Event.of(EventType.UPDATED, value, value)));
    }
    assertEquals(5, manager.droppedEvents());
    mayGoOn.countDown();
    assertTrue(heard.enough.await(30, TimeUnit.SECONDS));
    assertEquals("CREATED first: null -> 0", heard.events.get(0));
    assertEquals(1 + fit, heard.events.size());
    heard.fails.set(true);
    cache.put("last", 9L);
    CountDownLatch failed = new CountDownLatch(1);
    listeners(cache).async().submit(failed::countDown);
    assertTrue(failed.await(30, TimeUnit.SECONDS));
    assertEquals(1, manager.failedEvents());
  }

  private static Listeners<String, Long> listeners(Cache<String, Long> cache) {
    return ((OrcaCache<String, Long>) cache).listeners();
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await(30, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void changesOfOthersAreToldByTheirContents() {
    long now = 100;
    byte[] bytes = {1};
    Stored live = Stored.of(bytes, now + 1);
    Stored expired = Stored.of(bytes, now);
    assertEquals(List.of(), Event.between(null, null, now));
    assertEquals(List.of(Event.of(EventType.CREATED, null, live)), Event.between(null, live, now));
    assertEquals(List.of(Event.of(EventType.UPDATED, live, live)), Event.between(live, live, now));
    assertEquals(List.of(Event.of(EventType.REMOVED, live, null)), Event.between(live, null, now));
    assertEquals(List.of(Event.gone(expired)), Event.between(expired, null, now));
    assertEquals(
        List.of(Event.gone(expired), Event.of(EventType.CREATED, null, live)),
        Event.between(expired, live, now));
    assertEquals(List.of(), Event.between(live, live.touched(now + 9), now), "read, not changed");
    assertEquals(now + 9, Stored.parse(live.touched(now + 9).bytes()).deadlineMillis());
  }
}
