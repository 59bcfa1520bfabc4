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

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.cache.Cache;
import javax.cache.configuration.CacheEntryListenerConfiguration;
import javax.cache.configuration.Factory;
import javax.cache.event.CacheEntryCreatedListener;
import javax.cache.event.CacheEntryEvent;
import javax.cache.event.CacheEntryEventFilter;
import javax.cache.event.CacheEntryExpiredListener;
import javax.cache.event.CacheEntryListener;
import javax.cache.event.CacheEntryListenerException;
import javax.cache.event.CacheEntryRemovedListener;
import javax.cache.event.CacheEntryUpdatedListener;
import javax.cache.event.EventType;

/**
 * The listeners of a cache. Of what this manager does, synchronous ones are told in the thread that
 * does it, before {@link #tell} returns; the others by {@link AsyncEvents}, in the same order. Of
 * what other nodes do, all are told some time later. Safe for use by many threads.
 */
final class Listeners<K, V> {
  private final Cache<K, V> cache;
  private final Forms<K, V> forms;
  private final Entries entries;
  private final Expiry expiry;
  private final AsyncEvents async;
  private final List<Registered<K, V>> registered = new CopyOnWriteArrayList<>();

  /** While there are listeners; guarded by this. */
  private OthersHeard others;

  Listeners(Cache<K, V> cache, OrcaCache.Parts<K, V> parts) {
    this.cache = cache;
    this.forms = parts.forms();
    this.entries = parts.entries();
    this.expiry = parts.expiry();
    this.async = parts.async();
  }

  /** A listener with its filter. */
  private static final class Registered<K, V> {
    private final CacheEntryListenerConfiguration<K, V> configuration;
    private final CacheEntryListener<? super K, ? super V> listener;
    private final CacheEntryEventFilter<? super K, ? super V> filter;
    private volatile boolean closed;

    Registered(CacheEntryListenerConfiguration<K, V> configuration) {
      this.configuration = configuration;
      this.listener = configuration.getCacheEntryListenerFactory().create();
      Factory<CacheEntryEventFilter<? super K, ? super V>> filters =
          configuration.getCacheEntryEventFilterFactory();
      this.filter = filters == null ? null : filters.create();
    }

    boolean hears(EventType type) {
      return switch (type) {
        case CREATED -> listener instanceof CacheEntryCreatedListener;
        case UPDATED -> listener instanceof CacheEntryUpdatedListener;
        case REMOVED -> listener instanceof CacheEntryRemovedListener;
        case EXPIRED -> listener instanceof CacheEntryExpiredListener;
      };
    }

    /** Whether it is this listener's kind of event was asked before. */
    @SuppressWarnings("unchecked")
    void deliver(CacheEvent<K, V> event) {
      if (closed || (filter != null && !filter.evaluate(event))) {
        return;
      }
      List<CacheEntryEvent<? extends K, ? extends V>> events = List.of(event);
      switch (event.getEventType()) {
        case CREATED -> ((CacheEntryCreatedListener<K, V>) listener).onCreated(events);
        case UPDATED -> ((CacheEntryUpdatedListener<K, V>) listener).onUpdated(events);
        case REMOVED -> ((CacheEntryRemovedListener<K, V>) listener).onRemoved(events);
        case EXPIRED -> ((CacheEntryExpiredListener<K, V>) listener).onExpired(events);
      }
    }

    void close() {
      closed = true;
      Closing.close(listener);
      Closing.close(filter);
    }
  }

  AsyncEvents async() {
    return async;
  }

  void register(CacheEntryListenerConfiguration<K, V> configuration) {
    registered.add(new Registered<>(configuration));
    listenToOthers();
  }

  /** Listens to the map while somebody listens to the cache. */
  private synchronized void listenToOthers() {
    if (others == null && !registered.isEmpty()) {
      others = OthersHeard.listen(cache.getName(), entries, this::tellOfOthers);
    } else if (others != null && registered.isEmpty()) {
      others.close();
      others = null;
    }
  }

  void deregister(CacheEntryListenerConfiguration<K, V> configuration) {
    List<Registered<K, V>> those =
        registered.stream().filter(each -> each.configuration.equals(configuration)).toList();
    registered.removeAll(those);
    those.forEach(Registered::close);
    listenToOthers();
  }

  void close() {
    registered.forEach(Registered::close);
    registered.clear();
    listenToOthers();
  }

  boolean isEmpty() {
    return registered.isEmpty();
  }

  /**
   * Tells of what has happened to a key, in order.
   *
   * @throws CacheEntryListenerException of synchronous listeners, when all have been told
   */
  void tell(EntryKey key, List<Event> events) {
    Failures failures = new Failures();
    for (Event event : events) {
      for (Registered<K, V> each : registered) {
        boolean hears = each.hears(event.type());
        if (hears && each.configuration.isSynchronous()) {
          failures.during(() -> deliver(each, key, event));
        } else if (hears) {
          async.submit(() -> deliver(each, key, event));
        }
      }
    }
    failures.rethrow();
  }

  /** Tells of what another node has done, or nobody; nobody waits for that. */
  private void tellOfOthers(EntryKey key, Stored before, Stored after, boolean isOver) {
    List<Event> events =
        isOver ? List.of(Event.gone(before)) : Event.between(before, after, expiry.nowMillis());
    for (Event event : events) {
      for (Registered<K, V> each : registered) {
        boolean hears = each.hears(event.type());
        if (hears && each.configuration.isSynchronous()) {
          try {
            deliver(each, key, event);
          } catch (RuntimeException e) {
            async.hasFailed(e);
          }
        } else if (hears) {
          async.submit(() -> deliver(each, key, event));
        }
      }
    }
  }

  private void deliver(Registered<K, V> to, EntryKey key, Event event) {
    V before = to.configuration.isOldValueRequired() ? forms.value(event.before()) : null;
    // An entry that is gone is told of with the value that it had, if that is wanted.
    V value = event.after() == null ? before : forms.value(event.after());
    try {
      to.deliver(new CacheEvent<>(cache, event.type(), forms.key(key), value, before));
    } catch (CacheEntryListenerException e) {
      throw e;
    } catch (RuntimeException e) {
      throw new CacheEntryListenerException("A listener of the cache has failed: " + e, e);
    }
  }
}
