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
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import javax.cache.configuration.OptionalFeature;
import javax.cache.spi.CachingProvider;
import org.orcagrid.client.map.GridMaps;

/**
 * JSR-107's caches on the maps of a grid. {@code Caching.getCachingProvider()} finds it by itself.
 * Safe for use by many threads.
 *
 * <p>A manager that is asked for by its URI starts an embedded grid or connects to one in other
 * processes, as these properties say, which may also stand in the URI, without their prefix: {@code
 * orca:shop?folder=/var/lib/shop&nodes=3}, {@code orca:shop?connect=h1:7100,h2:7100}.
 *
 * <ul>
 *   <li>{@code orca.jcache.connect}: where nodes of the grid listen; then it is in other processes.
 *   <li>{@code orca.jcache.config}: a file with a client's settings, for a secret or TLS, as {@link
 *       org.orcagrid.client.ClientConfig} reads it.
 *   <li>{@code orca.jcache.folder}: where caches are durable. Without it they are in a temporary
 *       folder, and gone when the manager is closed.
 *   <li>{@code orca.jcache.nodes}: nodes of the grid, all in this JVM, 1 to 9; 1 unless it is said.
 *   <li>{@code orca.jcache.model}: when writes are visible and durable, {@code
 *       linearizable/synchronous} unless it is said; one with atomic operations.
 * </ul>
 *
 * <p>Managers of one provider with the same folder share its grid. A provider whose manager is
 * asked for without properties takes those of the JVM that begin with {@code orca.jcache.}. For a
 * grid that the program has already, in any of the three ways, there is {@link #managerOf}.
 */
public final class OrcaCachingProvider implements CachingProvider {
  private static final URI DEFAULT_URI = URI.create("orca:default");

  private final Map<Key, OrcaCacheManager> managers = new HashMap<>();
  private final EmbeddedGrids grids = new EmbeddedGrids();

  private record Key(URI uri, ClassLoader loader) {}

  /** A provider without managers, as {@code Caching} makes one. */
  public OrcaCachingProvider() {}

  // --- managers of a grid that is there ----------------------------------------------------------

  /** A manager of the caches of a grid, with the name {@code orca:grid}. */
  public static OrcaCacheManager managerOf(GridMaps grid) {
    return managerOf(grid, URI.create("orca:grid"), null, null);
  }

  /**
   * A manager of the caches of a grid, which closes no grid. Each call makes another one.
   *
   * @param grid a {@code MemberGrid}, a {@code RemoteGrid}, or one node's maps of an embedded grid
   * @param uri its name, {@code orca:NAME}, of which its beans have theirs
   * @param loader where classes of keys and values come from; null for the thread's context class
   *     loader
   * @param properties {@code orca.jcache.model}, and what else the program wants to find there
   *     again; null for none
   * @throws javax.cache.CacheException if a property is wrong
   */
  public static OrcaCacheManager managerOf(
      GridMaps grid, URI uri, ClassLoader loader, Properties properties) {
    return managerOf(grid, uri, loader, properties, System::currentTimeMillis);
  }

  static OrcaCacheManager managerOf(
      GridMaps grid, URI uri, ClassLoader loader, Properties properties, LongSupplier clockMillis) {
    OrcaCachingProvider provider = new OrcaCachingProvider();
    Properties own = OrcaCacheManager.copy(properties);
    ManagerSettings settings = ManagerSettings.ofGrid(uri, own);
    Objects.requireNonNull(grid, "The grid cannot be null");
    OrcaCacheManager manager =
        new OrcaCacheManager(
            provider,
            new OrcaCacheManager.Identity(
                uri, loader == null ? provider.getDefaultClassLoader() : loader, own),
            settings,
            GridLease.given(grid),
            clockMillis);
    synchronized (provider.managers) {
      provider.managers.put(new Key(uri, manager.getClassLoader()), manager);
    }
    return manager;
  }

  // --- managers by URI ---------------------------------------------------------------------------

  /**
   * The manager of a URI and class loader. As the standard has it, one that is open is returned
   * whatever the properties are.
   *
   * @throws javax.cache.CacheException if a setting is wrong, saying which and what would be right,
   *     or the grid cannot be started or reached
   */
  @Override
  public OrcaCacheManager getCacheManager(URI uri, ClassLoader loader, Properties properties) {
    Key key =
        new Key(
            uri == null ? getDefaultURI() : uri, loader == null ? getDefaultClassLoader() : loader);
    synchronized (managers) {
      OrcaCacheManager manager = managers.get(key);
      if (manager == null || manager.isClosed()) {
        Properties own =
            OrcaCacheManager.copy(properties == null ? getDefaultProperties() : properties);
        ManagerSettings settings = ManagerSettings.of(key.uri(), own);
        manager =
            new OrcaCacheManager(
                this,
                new OrcaCacheManager.Identity(key.uri(), key.loader(), own),
                settings,
                use(settings),
                System::currentTimeMillis);
        managers.put(key, manager);
      }
      return manager;
    }
  }

  private GridLease use(ManagerSettings settings) {
    return settings.client() == null
        ? grids.use(settings)
        : ConnectedGrids.connect(settings.client());
  }

  @Override
  public OrcaCacheManager getCacheManager(URI uri, ClassLoader loader) {
    return getCacheManager(uri, loader, null);
  }

  @Override
  public OrcaCacheManager getCacheManager() {
    return getCacheManager(null, null, null);
  }

  /** The thread's context class loader, or this class's own if there is none. */
  @Override
  public ClassLoader getDefaultClassLoader() {
    ClassLoader context = Thread.currentThread().getContextClassLoader();
    return context == null ? getClass().getClassLoader() : context;
  }

  /** {@code orca:default}. */
  @Override
  public URI getDefaultURI() {
    return DEFAULT_URI;
  }

  /** The properties of the JVM that begin with {@code orca.jcache.}. */
  @Override
  public Properties getDefaultProperties() {
    Properties own = OrcaCacheManager.copy(System.getProperties());
    own.keySet().removeIf(name -> !name.toString().startsWith(ManagerSettings.PREFIX));
    return own;
  }

  // --- ends --------------------------------------------------------------------------------------

  /** Closes all managers; new ones can be asked for. */
  @Override
  public void close() {
    close(key -> true);
  }

  @Override
  public void close(ClassLoader loader) {
    ClassLoader of = loader == null ? getDefaultClassLoader() : loader;
    close(key -> key.loader().equals(of));
  }

  @Override
  public void close(URI uri, ClassLoader loader) {
    URI name = uri == null ? getDefaultURI() : uri;
    ClassLoader of = loader == null ? getDefaultClassLoader() : loader;
    close(key -> key.uri().equals(name) && key.loader().equals(of));
  }

  private void close(Predicate<Key> which) {
    List<OrcaCacheManager> closing = new ArrayList<>();
    synchronized (managers) {
      managers.forEach(
          (key, manager) -> {
            if (which.test(key)) {
              closing.add(manager);
            }
          });
    }
    closing.forEach(OrcaCacheManager::close);
  }

  /** A manager was closed. */
  void forget(OrcaCacheManager manager) {
    synchronized (managers) {
      managers.remove(new Key(manager.getURI(), manager.getClassLoader()), manager);
    }
  }

  /** None: caches store by value. */
  @Override
  public boolean isSupported(OptionalFeature feature) {
    return false;
  }
}
