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

import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.LongSupplier;
import javax.cache.Cache;
import javax.cache.CacheException;
import javax.cache.CacheManager;
import javax.cache.configuration.CompleteConfiguration;
import javax.cache.configuration.Configuration;
import javax.cache.configuration.Factory;
import javax.cache.expiry.ExpiryPolicy;
import javax.cache.integration.CacheLoader;
import javax.cache.integration.CacheWriter;
import javax.cache.spi.CachingProvider;
import org.orcagrid.client.Codec;
import org.orcagrid.client.map.AtomicGridMap;
import org.orcagrid.client.map.GridMaps;
import org.orcagrid.ddp.model.Ddp;

/**
 * The caches of a grid, as {@link OrcaCachingProvider} gives them. Safe for use by many threads.
 *
 * <p>A cache is a map of the grid, and all managers of the grid that create a cache of one name use
 * the same entries, also later ones if the map is durable. What belongs to a manager alone are the
 * cache's configuration, listeners, loader, writer and statistics: each manager creates the cache
 * with its own. {@link #destroyCache} removes the map at all nodes; caches of other managers fail
 * then.
 */
public final class OrcaCacheManager implements CacheManager {
  private final OrcaCachingProvider provider;
  private final Identity identity;
  private final ManagerSettings settings;
  private final GridLease lease;
  private final LongSupplier clockMillis;
  private final AsyncEvents async;
  private final Loads loads;
  private final ConcurrentMap<String, OrcaCache<?, ?>> caches = new ConcurrentHashMap<>();

  /** Guards the making and ending of caches, and of this. */
  private final Object life = new Object();

  private volatile boolean closed;

  /**
   * Who a manager is.
   *
   * @param uri its name
   * @param loader where classes of keys and values come from
   * @param properties what was given, not to be changed
   */
  record Identity(URI uri, ClassLoader loader, Properties properties) {}

  OrcaCacheManager(
      OrcaCachingProvider provider,
      Identity identity,
      ManagerSettings settings,
      GridLease lease,
      LongSupplier clockMillis) {
    this.provider = provider;
    this.identity = identity;
    this.settings = settings;
    this.lease = lease;
    this.clockMillis = clockMillis;
    this.async = new AsyncEvents("orca-jcache-events");
    this.loads = new Loads("orca-jcache-loads");
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("The cache manager " + identity.uri() + " is closed");
    }
  }

  // --- caches ------------------------------------------------------------------------------------

  /**
   * Creates a cache, or joins one that other managers of the grid have.
   *
   * @throws CacheException if this manager has a cache of the name, or its map cannot be had: it
   *     may have another model
   */
  @Override
  public <K, V, C extends Configuration<K, V>> Cache<K, V> createCache(String name, C given) {
    Objects.requireNonNull(name, "A cache's name cannot be null");
    Objects.requireNonNull(given, "A cache's configuration cannot be null");
    synchronized (life) {
      requireOpen();
      if (caches.containsKey(name)) {
        throw new CacheException("There is a cache '" + name + "' already; getCache has it");
      }
      OrcaCache<K, V> cache = create(name, new LiveConfiguration<>(given));
      caches.put(name, cache);
      return cache;
    }
  }

  private <K, V> OrcaCache<K, V> create(String name, LiveConfiguration<K, V> live) {
    CompleteConfiguration<K, V> now = live.now();
    Factory<Codec<K>> keys = null;
    Factory<Codec<V>> values = null;
    Ddp model = settings.model();
    if (now instanceof OrcaConfiguration<K, V> orca) {
      keys = orca.getKeyCodecFactory();
      values = orca.getValueCodecFactory();
      model = orca.getModel() == null ? model : orca.getModel();
      ManagerSettings.requireAtomic(model, "OrcaConfiguration.setModel(" + model.id() + ")");
    }
    ClassLoader loader = identity.loader();
    Forms<K, V> forms =
        new Forms<>(
            now.getKeyType(),
            now.getValueType(),
            keys == null
                ? ObjectForm.ofKeys(loader, settings.classes())
                : new CodecForm<>(keys.create()),
            values == null
                ? ObjectForm.ofValues(loader, settings.classes())
                : new CodecForm<>(values.create()));
    return new OrcaCache<>(
            this,
            name,
            live,
            new OrcaCache.Parts<>(
                new Entries(map(name, model), clockMillis),
                forms,
                expiry(now.getExpiryPolicyFactory()),
                loader(now),
                writer(now),
                async,
                loads))
        .open();
  }

  private AtomicGridMap<byte[], byte[]> map(String cache, Ddp model) {
    try {
      return lease.grid().atomicMap(MapNames.of(cache), Codec.BYTES, Codec.BYTES, model);
    } catch (RuntimeException e) {
      throw new CacheException("The cache '" + cache + "' cannot be had: " + e.getMessage(), e);
    }
  }

  private Expiry expiry(Factory<ExpiryPolicy> factory) {
    return new Expiry(factory.create(), clockMillis);
  }

  private static <K, V> Loader<K, V> loader(CompleteConfiguration<K, V> of) {
    Factory<CacheLoader<K, V>> factory = of.getCacheLoaderFactory();
    return new Loader<>(factory == null ? null : factory.create(), of.isReadThrough());
  }

  private static <K, V> Writer<K, V> writer(CompleteConfiguration<K, V> of) {
    Factory<CacheWriter<? super K, ? super V>> factory = of.getCacheWriterFactory();
    return new Writer<>(factory == null || !of.isWriteThrough() ? null : factory.create());
  }

  /**
   * The cache of a name, with types that have to be those it was created with.
   *
   * @return null if this manager has not created it
   */
  @Override
  public <K, V> Cache<K, V> getCache(String name, Class<K> keyType, Class<V> valueType) {
    Objects.requireNonNull(keyType, "The type of the keys cannot be null");
    Objects.requireNonNull(valueType, "The type of the values cannot be null");
    Cache<K, V> cache = getCache(name);
    if (cache != null) {
      Configuration<K, V> has = ((OrcaCache<K, V>) cache).configuration();
      if (!has.getKeyType().equals(keyType) || !has.getValueType().equals(valueType)) {
        throw new ClassCastException(
            "The cache '"
                + name
                + "' has keys and values of "
                + has.getKeyType().getName()
                + " and "
                + has.getValueType().getName()
                + ", not of "
                + keyType.getName()
                + " and "
                + valueType.getName());
      }
    }
    return cache;
  }

  /**
   * The cache of a name.
   *
   * @return null if this manager has not created it
   */
  @Override
  @SuppressWarnings("unchecked")
  public <K, V> Cache<K, V> getCache(String name) {
    requireOpen();
    Objects.requireNonNull(name, "A cache's name cannot be null");
    return (Cache<K, V>) caches.get(name);
  }

  @Override
  public Iterable<String> getCacheNames() {
    requireOpen();
    return List.copyOf(caches.keySet());
  }

  /** Closes a cache, and removes it with all that is in it, at all nodes, for good. */
  @Override
  public void destroyCache(String name) {
    Objects.requireNonNull(name, "A cache's name cannot be null");
    synchronized (life) {
      requireOpen();
      OrcaCache<?, ?> cache = caches.get(name);
      if (cache != null) {
        cache.close();
      }
      try {
        lease.grid().removeMap(MapNames.of(name));
      } catch (RuntimeException e) {
        throw new CacheException(
            "The cache '" + name + "' cannot be destroyed: " + e.getMessage(), e);
      }
    }
  }

  /** A cache was closed. */
  void forget(OrcaCache<?, ?> cache) {
    caches.remove(cache.getName(), cache);
  }

  private OrcaCache<?, ?> required(String name) {
    requireOpen();
    Objects.requireNonNull(name, "A cache's name cannot be null");
    OrcaCache<?, ?> cache = caches.get(name);
    if (cache == null) {
      throw new CacheException("This manager has no cache '" + name + "'");
    }
    return cache;
  }

  @Override
  public void enableManagement(String name, boolean enabled) {
    required(name).enableManagement(enabled);
  }

  @Override
  public void enableStatistics(String name, boolean enabled) {
    required(name).enableStatistics(enabled);
  }

  // --- itself ------------------------------------------------------------------------------------

  @Override
  public CachingProvider getCachingProvider() {
    return provider;
  }

  @Override
  public URI getURI() {
    return identity.uri();
  }

  @Override
  public ClassLoader getClassLoader() {
    return identity.loader();
  }

  /** A copy of the properties that it was made with. */
  @Override
  public Properties getProperties() {
    return copy(identity.properties());
  }

  static Properties copy(Properties properties) {
    Properties copy = new Properties();
    if (properties != null) {
      properties.stringPropertyNames().forEach(n -> copy.setProperty(n, properties.getProperty(n)));
    }
    return copy;
  }

  /**
   * Events for asynchronous listeners that nobody was told of, since 16,384 others were waiting, or
   * the manager was closed.
   */
  public long droppedEvents() {
    return async.dropped();
  }

  /** How often a listener has failed that no operation of this manager has waited for. */
  public long failedEvents() {
    return async.failed();
  }

  /** Where its embedded grid is durable; null if it has none. */
  Path folder() {
    return lease.folder();
  }

  /** The grid that the caches are in. */
  public GridMaps grid() {
    return lease.grid();
  }

  /**
   * Closes its caches, which keep what is in them, and its embedded grid or its connection if it
   * has one. A grid that it was given stays as it is.
   */
  @Override
  public void close() {
    synchronized (life) {
      if (closed) {
        return;
      }
      closed = true;
    }
    provider.forget(this);
    loads.close();
    new ArrayList<>(caches.values()).forEach(OrcaCache::close);
    async.close();
    lease.close();
  }

  @Override
  public boolean isClosed() {
    return closed;
  }

  @Override
  public <T> T unwrap(Class<T> type) {
    return Unwrap.as(type, this);
  }

  @Override
  public String toString() {
    return "cache manager " + identity.uri();
  }
}
