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
package org.orcagrid.cli;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.sql.Driver;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.orcagrid.client.ClientConfig;
import org.orcagrid.client.Codec;
import org.orcagrid.client.Grid;
import org.orcagrid.client.GridException;
import org.orcagrid.client.RemoteGrid;
import org.orcagrid.client.map.CausalGridMap;
import org.orcagrid.ddp.model.Ddp;
import org.orcagrid.geo.client.GeoException;
import org.orcagrid.geo.client.GeoSettings;
import org.orcagrid.geo.client.RemoteGeo;
import org.orcagrid.mixed.Change;
import org.orcagrid.mixed.store.ChangesProvider;
import org.orcagrid.mixed.store.Merge;
import org.orcagrid.mixed.store.Operations;
import org.orcagrid.mixed.store.Store;
import org.orcagrid.mixed.store.StoreException;
import org.orcagrid.mixed.store.geo.GeoStore;
import org.orcagrid.mixed.store.grid.GridCausalStore;
import org.orcagrid.mixed.store.grid.GridStore;
import org.orcagrid.mixed.store.orca.OrcaStore;
import org.orcagrid.mixed.store.postgres.PostgresCausalStore;
import org.orcagrid.mixed.store.postgres.PostgresReplicator;
import org.orcagrid.mixed.store.postgres.PostgresStore;

/** The stores of a configuration, opened. */
final class MixedStores implements AutoCloseable {
  private static final int CONNECTIONS = 4;

  /** Of an operation; a worker looks again each second. */
  private static final Duration GEO_TIMEOUT = Duration.ofSeconds(2);

  private final URLClassLoader loader;
  private final List<HikariDataSource> pools = new ArrayList<>();
  private final List<RemoteGeo> geos = new ArrayList<>();
  private final List<Store> stores = new ArrayList<>();
  private final List<RemoteGrid> grids = new ArrayList<>();
  private final List<PostgresCausalStore> causal = new ArrayList<>();

  private MixedStores(List<Path> classPath) throws CommandFailure {
    List<URL> urls = new ArrayList<>();
    for (Path each : classPath) {
      try {
        urls.add(each.toUri().toURL());
      } catch (MalformedURLException e) {
        throw new CommandFailure(each + " is no jar's path: " + e.getMessage(), e);
      }
    }
    this.loader = new URLClassLoader(urls.toArray(new URL[0]), MixedStores.class.getClassLoader());
  }

  /**
   * Opens all.
   *
   * @throws CommandFailure if one cannot be; those before it are closed again
   */
  static MixedStores open(MixedConfig config) throws CommandFailure {
    MixedStores all = new MixedStores(config.classPath());
    try {
      Operations operations = all.operations();
      for (MixedConfig.Entry each : config.stores()) {
        all.open(each, config, operations);
      }
      return all;
    } catch (StoreException | IllegalArgumentException e) {
      all.close();
      throw new CommandFailure(e.getMessage(), e);
    } catch (CommandFailure e) {
      all.close();
      throw e;
    }
  }

  /** The store's line, as messages name it. */
  private static String line(MixedConfig.Entry entry) {
    return "The store " + entry.name() + (entry.group() == null ? "" : "." + entry.group());
  }

  private Operations operations() {
    List<Change<?, ?>> changes = new ArrayList<>();
    ServiceLoader.load(ChangesProvider.class, loader)
        .forEach(each -> changes.addAll(each.changes()));
    return new Operations(changes);
  }

  private void open(MixedConfig.Entry entry, MixedConfig config, Operations operations)
      throws StoreException, CommandFailure {
    try {
      openStore(entry, config, operations);
    } catch (GeoException | GridException | IllegalArgumentException | IllegalStateException e) {
      throw new CommandFailure(line(entry) + ": " + e.getMessage(), e);
    }
  }

  private void openStore(MixedConfig.Entry entry, MixedConfig config, Operations operations)
      throws StoreException, CommandFailure {
    switch (entry.kind()) {
      case "orca", "zookeeper" ->
          stores.add(
              new OrcaStore(
                  entry.name(),
                  entry.address(),
                  entry.path(),
                  entry.kind().equals("orca") ? OrcaStore.Reads.LINEARIZABLE : OrcaStore.Reads.SYNC,
                  operations));
      case "postgres" ->
          stores.add(new PostgresStore(entry.name(), pool(entry.address()), operations));
      case "grid" -> stores.add(strong(entry, config, operations));
      case "grid-causal" -> stores.add(causal(entry, config, operations));
      case "geo" -> stores.add(geo(entry, config, operations));
      default -> {
        PostgresCausalStore instance =
            new PostgresCausalStore(
                entry.name(),
                entry.group(),
                groups(entry, config),
                pool(entry.address()),
                operations,
                Merge.standard());
        stores.add(instance);
        causal.add(instance);
      }
    }
  }

  private Store geo(MixedConfig.Entry entry, MixedConfig config, Operations operations) {
    RemoteGeo geo =
        RemoteGeo.connect(
            GeoSettings.of(entry.address())
                .name(entry.path())
                .home(entry.group())
                .timeout(GEO_TIMEOUT));
    geos.add(geo);
    if (config.retention() != null) {
      checkGroups(groups(entry, config), geo.datacenters());
    }
    return new GeoStore(entry.name(), geo, operations, Merge.standard());
  }

  /**
   * Nothing can be forgotten before all datacenters have said that they have their parts.
   *
   * @throws IllegalArgumentException if one has no line
   */
  static void checkGroups(Set<String> groups, List<String> datacenters) {
    if (!groups.equals(Set.copyOf(datacenters))) {
      throw new IllegalArgumentException(
          "it has lines for "
              + groups
              + ", and the geo store's datacenters are "
              + datacenters
              + "; with retention.ms, give it a line for each of these");
    }
  }

  private static Set<String> groups(MixedConfig.Entry entry, MixedConfig config) {
    Set<String> groups = new TreeSet<>();
    config.stores().stream()
        .filter(each -> each.name().equals(entry.name()))
        .forEach(each -> groups.add(each.group()));
    return groups;
  }

  private Store strong(MixedConfig.Entry entry, MixedConfig config, Operations operations)
      throws CommandFailure {
    RemoteGrid grid = grid(entry, config);
    Ddp model = model(grid, entry);
    try {
      return new GridStore(
          entry.name(),
          grid.transactionalMap(entry.path(), Codec.STRING, Codec.BYTES, model),
          operations);
    } catch (IllegalArgumentException e) {
      throw unusable(entry, e);
    }
  }

  private static CommandFailure unusable(MixedConfig.Entry entry, IllegalArgumentException e) {
    return new CommandFailure(line(entry) + ": the map " + entry.path() + ": " + e.getMessage(), e);
  }

  private Store causal(MixedConfig.Entry entry, MixedConfig config, Operations operations)
      throws CommandFailure {
    RemoteGrid grid = grid(entry, config);
    Ddp model = model(grid, entry);
    CausalGridMap<String, byte[]> map;
    try {
      map = grid.causalMap(entry.path(), Codec.STRING, Codec.BYTES, model);
    } catch (IllegalArgumentException e) {
      throw unusable(entry, e);
    }
    if (map.node() != Integer.parseInt(entry.group())) {
      throw new CommandFailure(
          "The group "
              + entry.group()
              + " of the store "
              + entry.name()
              + " has the address "
              + entry.address()
              + ", where node "
              + map.node()
              + " is; give the address of node "
              + entry.group());
    }
    Set<Integer> nodes =
        groups(entry, config).stream().map(Integer::valueOf).collect(Collectors.toSet());
    return new GridCausalStore(entry.name(), map, nodes, operations, Merge.standard());
  }

  private RemoteGrid grid(MixedConfig.Entry entry, MixedConfig config) throws CommandFailure {
    try {
      RemoteGrid grid =
          Grid.connect(
              config.gridClient() == null
                  ? RemoteGrid.Settings.of(entry.address())
                  : ClientConfig.read(config.gridClient(), entry.address()));
      grids.add(grid);
      return grid;
    } catch (IOException e) {
      throw new CommandFailure(config.gridClient() + " cannot be read: " + e.getMessage(), e);
    }
  }

  /** That of the map; a misspelt one is not made. */
  private static Ddp model(RemoteGrid grid, MixedConfig.Entry entry) throws CommandFailure {
    Map<String, Ddp> maps = grid.definedMaps();
    if (!maps.containsKey(entry.path())) {
      throw new CommandFailure(
          line(entry)
              + ": the grid at "
              + entry.address()
              + " has no map "
              + entry.path()
              + ", but "
              + maps.keySet()
              + "; name one of these, or start again when a client has made it");
    }
    return maps.get(entry.path());
  }

  private DataSource pool(String address) throws CommandFailure {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(address);
    config.setMaximumPoolSize(CONNECTIONS);
    // A database that is down is no reason not to begin; the store says so.
    config.setInitializationFailTimeout(-1);
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    // That is where the pool looks for the driver.
    thread.setContextClassLoader(loader);
    try {
      config.setDriverClassName(driver(address).getClass().getName());
      HikariDataSource pool = new HikariDataSource(config);
      pools.add(pool);
      return pool;
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  private Driver driver(String address) throws CommandFailure {
    for (Driver each : ServiceLoader.load(Driver.class, loader)) {
      try {
        if (each.acceptsURL(address)) {
          return each;
        }
      } catch (SQLException e) {
        throw new CommandFailure(address + " is no address: " + e.getMessage(), e);
      }
    }
    throw new CommandFailure(
        "There is no JDBC driver for " + address + "; name its jar in classpath");
  }

  List<Store> all() {
    return stores;
  }

  /** For each way between two instances of one causal store. */
  List<PostgresReplicator> replicators() {
    List<PostgresReplicator> all = new ArrayList<>();
    for (PostgresCausalStore from : causal) {
      for (PostgresCausalStore to : causal) {
        if (from != to && from.traits().name().equals(to.traits().name())) {
          all.add(new PostgresReplicator(from, to));
        }
      }
    }
    return all;
  }

  @Override
  public void close() {
    stores.forEach(Store::close);
    geos.forEach(RemoteGeo::close);
    pools.forEach(HikariDataSource::close);
    grids.forEach(RemoteGrid::close);
    try {
      loader.close();
    } catch (IOException e) {
      System.err.println("A jar is not closed as it should be: " + e);
    }
  }
}
