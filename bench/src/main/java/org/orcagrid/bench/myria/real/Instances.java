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
package org.orcagrid.bench.myria.real;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.io.IOException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.ServiceLoader;
import javax.sql.DataSource;
import org.orcagrid.bench.system.DelayedLinks;
import org.orcagrid.bench.system.ServerAddress;

/**
 * One or two instances of PostgreSQL that the user runs. The first has the linearizable store, the
 * second the causal one, and each a table for JDBC. Their databases are made here, and dropped at
 * the end.
 */
public final class Instances implements AutoCloseable {
  /** Its databases; nobody else's are called so. */
  private static final String PREFIX = "orca_bench_";

  private static final int POOL = 16;
  private static final int PORT = 5432;
  private static final String JDBC = "jdbc:";

  private final List<URI> addresses = new ArrayList<>();
  private final URLClassLoader loader;
  private final Driver driver;
  private final List<HikariDataSource> pools = new ArrayList<>();
  private final Map<Double, DelayedLinks> links = new HashMap<>();
  private final List<String> made = new ArrayList<>();

  /** What is put into one. */
  enum Place {
    STRONG(0),
    CAUSAL(1),
    PLAIN(0),
    OTHER_PLAIN(1);

    private final int instance;

    Place(int instance) {
      this.instance = instance;
    }

    String database() {
      return PREFIX + name().toLowerCase(java.util.Locale.ROOT);
    }
  }

  /**
   * Connects, and makes databases.
   *
   * @param addresses one or two, as {@code jdbc:postgresql://localhost:5432/postgres?user=app}
   * @param jar of the driver
   * @throws IllegalArgumentException if they are not as they should be, saying what to do
   * @throws IOException if they cannot be reached
   */
  public static Instances open(List<String> addresses, Path jar) throws IOException {
    if (!Files.isReadable(jar)) {
      throw new IllegalArgumentException(
          "The JDBC driver " + jar + " cannot be read; give the path of postgresql-VERSION.jar.");
    }
    URLClassLoader loader =
        new URLClassLoader(new URL[] {jar.toUri().toURL()}, Instances.class.getClassLoader());
    Instances all = new Instances(addresses, loader);
    try {
      all.make();
      return all;
    } catch (SQLException e) {
      all.close();
      throw new IOException("PostgreSQL at " + addresses + ": " + e.getMessage(), e);
    } catch (IllegalArgumentException e) {
      all.close();
      throw e;
    }
  }

  private Instances(List<String> all, URLClassLoader loader) {
    if (all.isEmpty() || all.size() > 2) {
      throw new IllegalArgumentException(
          "There are " + all.size() + " instances of PostgreSQL; give one or two.");
    }
    for (String each : all) {
      URI address = URI.create(each.startsWith(JDBC) ? each.substring(JDBC.length()) : each);
      if (!"postgresql".equals(address.getScheme()) || address.getHost() == null) {
        throw new IllegalArgumentException(
            "'"
                + each
                + "' is no address of PostgreSQL; write it as"
                + " jdbc:postgresql://localhost:5432/postgres?user=app.");
      }
      addresses.add(address);
    }
    this.loader = loader;
    this.driver =
        ServiceLoader.load(Driver.class, loader).stream()
            .map(ServiceLoader.Provider::get)
            .filter(each -> each.getClass().getName().startsWith("org.postgresql."))
            .findFirst()
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "There is no driver of PostgreSQL in the jar; give that of"
                            + " org.postgresql:postgresql."));
  }

  private URI at(Place place) {
    return addresses.get(Math.min(place.instance, addresses.size() - 1));
  }

  private static String url(URI at, ServerAddress server, String database) {
    String query = at.getRawQuery() == null ? "" : "?" + at.getRawQuery();
    return "jdbc:postgresql://" + server.host() + ":" + server.port() + "/" + database + query;
  }

  private static ServerAddress server(URI at) {
    return new ServerAddress(at.getHost(), at.getPort() < 0 ? PORT : at.getPort());
  }

  private Connection administer(URI at) throws SQLException {
    String path = at.getPath();
    String database = path == null || path.length() < 2 ? "postgres" : path.substring(1);
    return driver.connect(url(at, server(at), database), new Properties());
  }

  private void make() throws SQLException {
    for (URI each : addresses) {
      try (Connection connection = administer(each)) {
        if (Integer.parseInt(setting(connection, "max_prepared_transactions")) < POOL) {
          throw new IllegalArgumentException(
              "PostgreSQL at "
                  + server(each)
                  + " cannot prepare "
                  + POOL
                  + " transactions; set max_prepared_transactions = 50 and start it again.");
        }
      }
    }
    for (Place each : Place.values()) {
      try (Connection connection = administer(at(each));
          Statement statement = connection.createStatement()) {
        statement.execute("DROP DATABASE IF EXISTS " + each.database() + " WITH (FORCE)");
        statement.execute("CREATE DATABASE " + each.database());
        made.add(each.database());
      }
      if (each.name().endsWith("PLAIN")) {
        String address = url(at(each), server(at(each)), each.database());
        try (Connection connection = driver.connect(address, new Properties());
            Statement statement = connection.createStatement()) {
          statement.execute("CREATE TABLE objects (key bigint PRIMARY KEY, value bigint)");
          statement.execute(
              "INSERT INTO objects SELECT i, 0 FROM generate_series(0, "
                  + (RealExperiment.KEYS - 1)
                  + ") AS i");
        }
      }
    }
  }

  private static String setting(Connection connection, String name) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SHOW " + name)) {
      row.next();
      return row.getString(1);
    }
  }

  /** What they are, and whether they force what they write. */
  public List<String> settings() throws IOException {
    List<String> all = new ArrayList<>();
    for (URI each : addresses) {
      try (Connection connection = administer(each)) {
        all.add(
            "PostgreSQL "
                + setting(connection, "server_version").replaceAll(" .*", "")
                + ", fsync "
                + setting(connection, "fsync")
                + ", full_page_writes "
                + setting(connection, "full_page_writes"));
      } catch (SQLException e) {
        throw new IOException("PostgreSQL at " + server(each) + ": " + e.getMessage(), e);
      }
    }
    return all;
  }

  /**
   * Connections to one.
   *
   * @param awayMs there and back, for each statement
   */
  DataSource pool(Place place, double awayMs) throws IOException {
    ServerAddress near = server(at(place));
    ServerAddress server =
        awayMs == 0
            ? near
            : links.computeIfAbsent(awayMs, each -> new DelayedLinks(each / 2)).to(near);
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(url(at(place), server, place.database()));
    config.setMaximumPoolSize(POOL);
    if (place.name().endsWith("PLAIN")) {
      config.setTransactionIsolation("TRANSACTION_SERIALIZABLE");
    }
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    // That is where the pool looks for the driver.
    thread.setContextClassLoader(loader);
    try {
      config.setDriverClassName(driver.getClass().getName());
      HikariDataSource pool = new HikariDataSource(config);
      pools.add(pool);
      return pool;
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  /** Gives up all connections: a database has few, and what is measured next takes its own. */
  void closePools() {
    pools.forEach(HikariDataSource::close);
    pools.clear();
  }

  @Override
  public void close() throws IOException {
    closePools();
    links.values().forEach(DelayedLinks::close);
    try {
      for (Place each : Place.values()) {
        if (made.contains(each.database())) {
          try (Connection connection = administer(at(each));
              Statement statement = connection.createStatement()) {
            statement.execute("DROP DATABASE IF EXISTS " + each.database() + " WITH (FORCE)");
          }
        }
      }
    } catch (SQLException e) {
      throw new IOException("A database " + PREFIX + "… is left: " + e.getMessage(), e);
    } finally {
      loader.close();
    }
  }
}
