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

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import javax.cache.Cache;
import javax.cache.configuration.CacheEntryListenerConfiguration;
import javax.cache.configuration.CompleteConfiguration;
import javax.cache.configuration.Configuration;
import javax.cache.integration.CompletionListener;
import javax.cache.processor.EntryProcessor;
import javax.cache.processor.EntryProcessorException;
import javax.cache.processor.EntryProcessorResult;

/**
 * A cache on a map of a grid. Safe for use by many threads. An operation on one key is atomic at
 * all nodes; bulks are one such operation for each key.
 *
 * <p>Listeners are told of what this manager does while it is done, and of what other nodes do some
 * time after it. What is counted is what this manager has done.
 */
final class OrcaCache<K, V> implements Cache<K, V> {
  private final OrcaCacheManager manager;
  private final String name;
  private final LiveConfiguration<K, V> configuration;
  private final Parts<K, V> parts;
  private final Listeners<K, V> listeners;
  private final Editor editor;
  private final Bulk<K, V> bulk;
  private final KeyLocks locks = new KeyLocks();
  private final Statistics statistics = new Statistics();
  private final AtomicBoolean closed = new AtomicBoolean();
  private final Beans beans;

  /**
   * What a cache is made of.
   *
   * @param entries its map
   * @param forms keys and values as bytes
   * @param expiry when entries expire
   * @param loader what it loads with
   * @param writer what it writes through to
   * @param async who runs asynchronous listeners
   * @param loads who runs loads
   */
  record Parts<K, V>(
      Entries entries,
      Forms<K, V> forms,
      Expiry expiry,
      Loader<K, V> loader,
      Writer<K, V> writer,
      AsyncEvents async,
      Loads loads) {}

  OrcaCache(
      OrcaCacheManager manager,
      String name,
      LiveConfiguration<K, V> configuration,
      Parts<K, V> parts) {
    this.manager = manager;
    this.name = name;
    this.configuration = configuration;
    this.parts = parts;
    this.beans = new Beans(manager.getURI(), name);
    this.listeners = new Listeners<>(this, parts);
    this.editor = new Editor(parts.entries(), parts.expiry(), listeners);
    this.bulk = new Bulk<>(parts, editor, listeners, locks, statistics);
  }

  /** Begins with the listeners and beans of the configuration; closes the cache if that fails. */
  OrcaCache<K, V> open() {
    CompleteConfiguration<K, V> now = configuration.now();
    try {
      now.getCacheEntryListenerConfigurations().forEach(listeners::register);
      enableStatistics(now.isStatisticsEnabled());
      enableManagement(now.isManagementEnabled());
      return this;
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  Listeners<K, V> listeners() {
    return listeners;
  }

  private void requireOpen() {
    if (isClosed()) {
      throw new IllegalStateException("The cache '" + name + "' is closed");
    }
  }

  // --- reading -----------------------------------------------------------------------------------

  @Override
  public V get(K key) {
    requireOpen();
    long begun = statistics.begin();
    EntryKey at = parts.forms().key(key);
    Stored live = read(at);
    V value = parts.forms().value(live);
    if (live == null && parts.loader().isReadThrough()) {
      value = readThrough(key, at);
    }
    statistics.got(begun, live != null);
    return value;
  }

  /** What a key has and has not expired, as something that was read. */
  private Stored read(EntryKey key) {
    Stored stored = parts.entries().get(key);
    if (!isLive(stored)) {
      dropIfExpired(key, stored);
      return null;
    }
    touch(key, stored);
    return stored;
  }

  private void touch(EntryKey key, Stored live) {
    if (!parts.expiry().isEternal()) {
      try (KeyLocks.Held held = locks.hold(key)) {
        editor.touch(key, live);
      }
    }
  }

  boolean isLive(Stored stored) {
    return stored != null && !stored.isExpired(parts.expiry().nowMillis());
  }

  /** Takes away what is not live; null for nothing. */
  void dropIfExpired(EntryKey key, Stored stored) {
    if (stored != null) {
      try (KeyLocks.Held held = locks.hold(key)) {
        editor.drop(key, stored);
      }
    }
  }

  /** Loads what was not found, unless another thread does just that. */
  private V readThrough(K key, EntryKey at) {
    try (KeyLocks.Held held = locks.hold(at)) {
      Stored present = parts.entries().get(at);
      if (isLive(present)) {
        return parts.forms().value(present);
      }
      V loaded = parts.loader().load(key);
      return loaded == null ? null : bulk.keepIfAbsent(at, loaded);
    }
  }

  @Override
  public Map<K, V> getAll(Set<? extends K> keys) {
    requireOpen();
    return bulk.getAll(keys, this::touch);
  }

  @Override
  public boolean containsKey(K key) {
    requireOpen();
    EntryKey at = parts.forms().key(key);
    Stored stored = parts.entries().get(at);
    if (isLive(stored)) {
      return true;
    }
    dropIfExpired(at, stored);
    return false;
  }

  @Override
  public Iterator<Entry<K, V>> iterator() {
    requireOpen();
    return new EntryIterator<>(this, parts.entries().keys());
  }

  /** For iterators: what keys have, without taking it for read. */
  List<Stored> readAll(List<EntryKey> keys) {
    requireOpen();
    return parts.entries().getAll(keys);
  }

  /** For iterators: an entry that is given out, and so is read. */
  Pair<K, V> shown(EntryKey key, Stored stored) {
    requireOpen();
    long begun = statistics.begin();
    touch(key, stored);
    Pair<K, V> entry = new Pair<>(parts.forms().key(key), parts.forms().value(stored));
    statistics.got(begun, true);
    return entry;
  }

  @Override
  public void loadAll(
      Set<? extends K> keys, boolean replaceExistingValues, CompletionListener listener) {
    requireOpen();
    Objects.requireNonNull(keys, "The keys cannot be null");
    keys.forEach(parts.forms()::key);
    Set<K> copy = Set.copyOf(keys);
    parts
        .loads()
        .submit(
            () -> {
              requireOpen();
              if (parts.loader().isThere()) {
                bulk.loadAll(copy, replaceExistingValues);
              }
            },
            listener);
  }

  // --- writing -----------------------------------------------------------------------------------

  @Override
  public void put(K key, V value) {
    requireOpen();
    long begun = statistics.begin();
    statistics.put(begun, putAnyway(key, value).isDone() ? 1 : 0);
  }

  @Override
  public V getAndPut(K key, V value) {
    requireOpen();
    long begun = statistics.begin();
    Editor.Outcome outcome = putAnyway(key, value);
    statistics.got(begun, outcome.before() != null);
    statistics.put(begun, outcome.isDone() ? 1 : 0);
    return parts.forms().value(outcome.before());
  }

  private Editor.Outcome putAnyway(K key, V value) {
    EntryKey at = parts.forms().key(key);
    byte[] bytes = parts.forms().value(value);
    try (KeyLocks.Held held = locks.hold(at)) {
      parts.writer().write(key, value);
      return bulk.put(at, bytes);
    }
  }

  @Override
  public void putAll(Map<? extends K, ? extends V> entries) {
    requireOpen();
    bulk.putAll(entries);
  }

  /**
   * Does an operation that depends on what there is, and counts it: as a read of it, and as a write
   * if it was changed.
   */
  private Editor.Outcome edit(EntryKey at, Function<Stored, EntryEdit> decide) {
    long begun = statistics.begin();
    EntryEdit[] last = new EntryEdit[1];
    try (KeyLocks.Held held = locks.hold(at)) {
      Editor.Outcome outcome = editor.edit(at, present -> last[0] = decide.apply(present));
      statistics.got(begun, outcome.before() != null);
      if (outcome.isDone() && last[0].kind() == EntryEdit.Kind.PUT) {
        statistics.put(begun, 1);
      } else if (outcome.isDone()) {
        statistics.removed(begun, 1);
      }
      return outcome;
    }
  }

  @Override
  public boolean putIfAbsent(K key, V value) {
    requireOpen();
    EntryKey at = parts.forms().key(key);
    byte[] bytes = parts.forms().value(value);
    return edit(at, present -> present != null ? EntryEdit.NONE : written(key, value, bytes))
        .isDone();
  }

  /** A change that the writer has been told of. */
  private EntryEdit written(K key, V value, byte[] bytes) {
    parts.writer().write(key, value);
    return EntryEdit.put(bytes);
  }

  @Override
  public boolean replace(K key, V oldValue, V newValue) {
    requireOpen();
    EntryKey at = parts.forms().key(key);
    byte[] expected = parts.forms().value(oldValue);
    byte[] bytes = parts.forms().value(newValue);
    return edit(
            at,
            present -> {
              if (present == null) {
                return EntryEdit.NONE;
              }
              return parts.forms().has(present, expected, oldValue)
                  ? written(key, newValue, bytes)
                  : EntryEdit.TOUCH;
            })
        .isDone();
  }

  @Override
  public boolean replace(K key, V value) {
    return getAndReplace(key, value) != null;
  }

  @Override
  public V getAndReplace(K key, V value) {
    requireOpen();
    EntryKey at = parts.forms().key(key);
    byte[] bytes = parts.forms().value(value);
    return parts
        .forms()
        .value(
            edit(at, present -> present == null ? EntryEdit.NONE : written(key, value, bytes))
                .before());
  }

  @Override
  public boolean remove(K key) {
    requireOpen();
    long begun = statistics.begin();
    boolean removed = removeAnyway(key).isDone();
    statistics.removed(begun, removed ? 1 : 0);
    return removed;
  }

  @Override
  public V getAndRemove(K key) {
    requireOpen();
    long begun = statistics.begin();
    Editor.Outcome outcome = removeAnyway(key);
    statistics.got(begun, outcome.before() != null);
    statistics.removed(begun, outcome.isDone() ? 1 : 0);
    return parts.forms().value(outcome.before());
  }

  private Editor.Outcome removeAnyway(K key) {
    EntryKey at = parts.forms().key(key);
    try (KeyLocks.Held held = locks.hold(at)) {
      parts.writer().delete(key);
      return editor.edit(at, present -> EntryEdit.REMOVE);
    }
  }

  @Override
  public boolean remove(K key, V oldValue) {
    requireOpen();
    EntryKey at = parts.forms().key(key);
    byte[] expected = parts.forms().value(oldValue);
    return edit(
            at,
            present -> {
              if (present == null) {
                return EntryEdit.NONE;
              } else if (!parts.forms().has(present, expected, oldValue)) {
                return EntryEdit.TOUCH;
              }
              parts.writer().delete(key);
              return EntryEdit.REMOVE;
            })
        .isDone();
  }

  @Override
  public void removeAll(Set<? extends K> keys) {
    requireOpen();
    bulk.removeAll(keys);
  }

  @Override
  public void removeAll() {
    requireOpen();
    bulk.removeAll();
  }

  @Override
  public void clear() {
    requireOpen();
    parts.entries().clear();
  }

  // --- entry processors --------------------------------------------------------------------------

  @Override
  public <T> T invoke(K key, EntryProcessor<K, V, T> processor, Object... arguments) {
    requireOpen();
    Objects.requireNonNull(processor, "The entry processor cannot be null");
    EntryKey at = parts.forms().key(key);
    return Processing.of(parts, editor, locks, statistics).run(key, at, processor, arguments);
  }

  @Override
  public <T> Map<K, EntryProcessorResult<T>> invokeAll(
      Set<? extends K> keys, EntryProcessor<K, V, T> processor, Object... arguments) {
    requireOpen();
    Objects.requireNonNull(processor, "The entry processor cannot be null");
    keys.forEach(parts.forms()::key);
    Map<K, EntryProcessorResult<T>> results = new LinkedHashMap<>();
    for (K key : keys) {
      try {
        T result = invoke(key, processor, arguments);
        if (result != null) {
          results.put(key, () -> result);
        }
      } catch (EntryProcessorException e) {
        results.put(
            key,
            () -> {
              throw e;
            });
      }
    }
    return results;
  }

  // --- what belongs to it ------------------------------------------------------------------------

  @Override
  public String getName() {
    return name;
  }

  @Override
  public OrcaCacheManager getCacheManager() {
    return manager;
  }

  @Override
  public <C extends Configuration<K, V>> C getConfiguration(Class<C> type) {
    return Unwrap.as(type, configuration());
  }

  /** A copy of the moment. */
  CompleteConfiguration<K, V> configuration() {
    return configuration.now();
  }

  @Override
  public void registerCacheEntryListener(CacheEntryListenerConfiguration<K, V> listener) {
    requireOpen();
    configuration.add(listener);
    listeners.register(listener);
  }

  @Override
  public void deregisterCacheEntryListener(CacheEntryListenerConfiguration<K, V> listener) {
    requireOpen();
    Objects.requireNonNull(listener, "The listener's configuration cannot be null");
    configuration.remove(listener);
    listeners.deregister(listener);
  }

  /** Counts what is done, and shows it as a bean, from now on; or no more. */
  void enableStatistics(boolean enabled) {
    configuration.statisticsEnabled(enabled);
    statistics.enabled(enabled);
    beans.showStatistics(statistics, enabled);
  }

  /** Shows the configuration as a bean from now on, or no more. */
  void enableManagement(boolean enabled) {
    configuration.managementEnabled(enabled);
    beans.showConfiguration(new ConfigurationBean(this::configuration), enabled);
  }

  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      manager.forget(this);
      beans.showStatistics(statistics, false);
      beans.showConfiguration(null, false);
      listeners.close();
      parts.loader().close();
      parts.writer().close();
      Closing.close(parts.expiry().policy());
    }
  }

  @Override
  public boolean isClosed() {
    return closed.get();
  }

  @Override
  public <T> T unwrap(Class<T> type) {
    return Unwrap.as(type, this);
  }

  @Override
  public String toString() {
    return "cache '" + name + "' of " + manager.getURI();
  }
}
