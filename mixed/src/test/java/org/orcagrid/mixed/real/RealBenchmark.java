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
package org.orcagrid.mixed.real;

import static org.orcagrid.mixed.Mixed.value;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;
import org.orcagrid.mixed.Change;
import org.orcagrid.mixed.Handle;
import org.orcagrid.mixed.Out;
import org.orcagrid.mixed.StoreName;
import org.orcagrid.mixed.commit.Intent;
import org.orcagrid.mixed.commit.Part;
import org.orcagrid.mixed.level.Causal;
import org.orcagrid.mixed.level.Linearizable;
import org.orcagrid.mixed.plan.StoredObject;
import org.orcagrid.mixed.plan.TransactionId;
import org.orcagrid.mixed.run.MixedClient;
import org.orcagrid.mixed.store.Merge;
import org.orcagrid.mixed.store.Operations;
import org.orcagrid.mixed.store.Store;
import org.orcagrid.mixed.store.StoreException;
import org.orcagrid.mixed.store.postgres.PostgresCausalStore;
import org.orcagrid.mixed.store.postgres.PostgresStore;
import org.orcagrid.mixed.track.Context;

/**
 * Mixed transactions on PostgreSQL beside what one would write with JDBC, by turns in one process:
 * all {@code SERIALIZABLE} at one server, and {@code PREPARE TRANSACTION} at both.
 */
public final class RealBenchmark {
  private static final int KEYS = 1_000;
  private static final int POOL = 16;
  private static final Change<Long, Long> ADD =
      Change.of("add", (present, more) -> (present == null ? 0 : present) + more);

  private final double seconds;
  private final int rounds;
  private final EmbeddedPostgres server;
  private final List<HikariDataSource> pools = new ArrayList<>();
  private final AtomicLong ids = new AtomicLong();

  private RealBenchmark(EmbeddedPostgres server, double seconds, int rounds) {
    this.server = server;
    this.seconds = seconds;
    this.rounds = rounds;
  }

  /** Measures; {@code --seconds N --rounds N --fsync}. */
  public static void main(String[] arguments) throws Exception {
    List<String> all = Arrays.asList(arguments);
    double seconds = all.contains("--seconds") ? number(all, "--seconds") : 3;
    int rounds = all.contains("--rounds") ? (int) number(all, "--rounds") : 5;
    String durable = all.contains("--fsync") ? "on" : "off";
    try (EmbeddedPostgres server =
        EmbeddedPostgres.builder()
            .setServerConfig("max_prepared_transactions", "50")
            .setServerConfig("max_connections", "400")
            .setServerConfig("synchronous_commit", "on")
            .setServerConfig("fsync", durable)
            .setServerConfig("full_page_writes", durable)
            .start()) {
      System.out.println(
          "PostgreSQL, fsync and full_page_writes "
              + durable
              + "; medians of "
              + rounds
              + " rounds");
      new RealBenchmark(server, seconds, rounds).run();
    }
  }

  private static double number(List<String> all, String name) {
    return Double.parseDouble(all.get(all.indexOf(name) + 1));
  }

  private void run() throws Exception {
    for (String each : List.of("strong", "east", "plain", "plain2")) {
      try (Connection connection = server.getPostgresDatabase().getConnection();
          Statement statement = connection.createStatement()) {
        statement.execute("CREATE DATABASE " + each);
      }
    }
    for (String each : List.of("plain", "plain2")) {
      try (Connection connection = pool(each, "serializable").getConnection();
          Statement statement = connection.createStatement()) {
        statement.execute("CREATE TABLE objects (key bigint PRIMARY KEY, value bigint)");
        statement.execute("INSERT INTO objects SELECT i, 0 FROM generate_series(0, 999) AS i");
      }
    }
    calls();
    compare("One object, read and incremented; nothing is far", 0, 0, 1, Kind.INCREMENT);
    compare("The same by 8 threads", 0, 0, 8, Kind.INCREMENT);
    compare("75 % causal, 5 % writes; 85 and 5 ms away, 16 threads", 85, 5, 16, Kind.LOAD);
    compare("A post to both; 85 and 5 ms away, 16 threads", 85, 5, 16, Kind.POST);
    pools.forEach(HikariDataSource::close);
  }

  private HikariDataSource pool(String database, String isolation) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(
        server.getJdbcUrl("postgres", database)
            + "&options=-c%20default_transaction_isolation="
            + isolation.replace(" ", "%5C%20"));
    config.setMaximumPoolSize(POOL);
    HikariDataSource pool = new HikariDataSource(config);
    pools.add(pool);
    return pool;
  }

  // --- what stores are busy with -----------------------------------------------------------------

  private interface Call {
    void run(long key) throws Exception;
  }

  private void calls() throws Exception {
    try (Store strong = strong(0);
        Store causal = causal(0)) {
      System.out.println("\nCalls of stores, by 8 threads on this machine (per second):");
      for (Map.Entry<String, Call> each :
          List.of(
              Map.entry("strong read", (Call) key -> read(strong, key)),
              Map.entry("strong commit", (Call) key -> decide(strong, key)),
              Map.entry("causal read", (Call) key -> read(causal, key)),
              Map.entry("causal commit", (Call) key -> apply(causal, key)))) {
        double rate = rate(8, each.getValue());
        System.out.printf(
            Locale.ROOT,
            "  %-14s %8.0f, so %.0f us of 2 processors, with its client%n",
            each.getKey(),
            rate,
            2e6 / rate);
      }
    }
  }

  private static StoredObject object(Store store, long key) {
    return new StoredObject(store.traits().name(), store.traits().level(), key);
  }

  private static void read(Store store, long key) throws StoreException {
    if (store.read(Set.of(object(store, key)), Set.of()).found().isEmpty()) {
      throw new IllegalStateException("Nothing was read");
    }
  }

  private TransactionId id(Store store) {
    return new TransactionId(
        store.traits().group(), System.currentTimeMillis(), ids.incrementAndGet());
  }

  private void decide(Store store, long key) throws StoreException {
    TransactionId id = id(store);
    Part.Write write = new Part.Write(object(store, key), null, 1L, Context.NONE);
    Part part = new Part(store.traits().group(), List.of(write), Map.of(), null);
    store.decide(id, part, new Intent(id, List.of(), List.of()));
  }

  private void apply(Store store, long key) throws StoreException {
    Part.Write write = new Part.Write(object(store, key), ADD.operation(), 1L, Context.NONE);
    Part part = new Part(store.traits().group(), List.of(write), Map.of(), null);
    store.apply(id(store), part);
  }

  /** Calls per second. */
  private double rate(int threads, Call call) throws InterruptedException {
    AtomicLong done = new AtomicLong();
    List<Thread> all = new ArrayList<>();
    long begin = System.nanoTime();
    long until = begin + (long) (seconds * 1e9);
    for (int i = 0; i < threads; i++) {
      long seed = i;
      Thread thread =
          new Thread(
              () -> {
                SplittableRandom random = new SplittableRandom(seed);
                while (System.nanoTime() < until) {
                  try {
                    call.run(random.nextInt(KEYS));
                  } catch (Exception e) {
                    throw new IllegalStateException(e);
                  }
                  done.incrementAndGet();
                }
              });
      all.add(thread);
      thread.start();
    }
    for (Thread each : all) {
      each.join();
    }
    return done.get() / ((System.nanoTime() - begin) / 1e9);
  }

  // --- whole transactions ------------------------------------------------------------------------

  private enum Kind {
    INCREMENT,
    LOAD,
    POST
  }

  private Store strong(long away) throws StoreException {
    return new PostgresStore(
        "strong", Far.away(pool("strong", "read committed"), away), operations());
  }

  private Store causal(long away) throws StoreException {
    return new PostgresCausalStore(
        "causal",
        "east",
        Set.of("east"),
        Far.away(pool("east", "read committed"), away),
        operations(),
        Merge.standard());
  }

  private static Operations operations() {
    return new Operations(List.of(ADD));
  }

  private void compare(String title, long strongAway, long causalAway, int threads, Kind kind)
      throws Exception {
    DataSource plain = Far.away(pool("plain", "serializable"), strongAway);
    DataSource other = Far.away(pool("plain2", "serializable"), causalAway);
    List<Double> ours = new ArrayList<>();
    List<Double> theirs = new ArrayList<>();
    try (MixedClient client =
        new MixedClient(List.of(strong(strongAway), causal(causalAway)), Duration.ofSeconds(10))) {
      SplittableRandom random = new SplittableRandom(7);
      Call mixed = key -> mixed(client, kind, key, of(random));
      Call jdbc = key -> jdbc(plain, other, kind, key);
      rate(threads, mixed);
      rate(threads, jdbc);
      for (int i = 0; i < rounds; i++) {
        ours.add(rate(threads, mixed));
        theirs.add(rate(threads, jdbc));
      }
      System.out.printf(
          Locale.ROOT,
          "%n%s:%n  %.0f a second, JDBC %.0f: %.2f times as many (rounds %s); %s%n",
          title,
          median(ours),
          median(theirs),
          median(ours) / median(theirs),
          ratios(ours, theirs),
          client.metrics());
    }
  }

  private static int of(SplittableRandom random) {
    synchronized (random) {
      return random.nextInt(100);
    }
  }

  private static double median(List<Double> all) {
    List<Double> sorted = all.stream().sorted().toList();
    return sorted.get(sorted.size() / 2);
  }

  private static String ratios(List<Double> ours, List<Double> theirs) {
    List<String> all = new ArrayList<>();
    for (int i = 0; i < ours.size(); i++) {
      all.add(String.format(Locale.ROOT, "%.2f", ours.get(i) / theirs.get(i)));
    }
    return String.join(" ", all);
  }

  private static void mixed(MixedClient client, Kind kind, long key, int of) {
    Handle<Linearizable, Long> strong = new StoreName<>("strong", Linearizable.class).object(key);
    Handle<Causal, Long> causal = new StoreName<>("causal", Causal.class).object(key);
    switch (kind) {
      case INCREMENT -> client.transaction(strong.change(ADD, value(1L)));
      case POST -> client.transaction(strong.change(ADD, value(1L)), causal.change(ADD, value(1L)));
      case LOAD -> {
        boolean isWrite = key % 20 == 0;
        if (of < 25) {
          if (isWrite) {
            client.transaction(strong.change(ADD, value(1L)));
          } else {
            client.transaction(new Out<Linearizable, Long>(Linearizable.class).set(strong.get()));
          }
        } else if (isWrite) {
          client.transaction(causal.change(ADD, value(1L)));
        } else {
          client.transaction(new Out<Causal, Long>(Causal.class).set(causal.get()));
        }
      }
    }
  }

  private static void jdbc(DataSource one, DataSource other, Kind kind, long key)
      throws SQLException {
    while (true) {
      try {
        switch (kind) {
          case INCREMENT -> increment(one, key);
          case POST -> prepared(one, other, key);
          case LOAD -> {
            if (key % 20 == 0) {
              increment(one, key);
            } else {
              try (Connection connection = one.getConnection()) {
                select(connection, key);
              }
            }
          }
        }
        return;
      } catch (SQLException e) {
        if (!Set.of("40001", "40P01").contains(e.getSQLState())) {
          throw e;
        }
      }
    }
  }

  private static long select(Connection connection, long key) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement("SELECT value FROM objects WHERE key = ?")) {
      statement.setLong(1, key);
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return row.getLong(1);
      }
    }
  }

  private static void add(Connection connection, long key) throws SQLException {
    long value = select(connection, key);
    try (PreparedStatement statement =
        connection.prepareStatement("UPDATE objects SET value = ? WHERE key = ?")) {
      statement.setLong(1, value + 1);
      statement.setLong(2, key);
      statement.executeUpdate();
    }
  }

  private static void increment(DataSource source, long key) throws SQLException {
    try (Connection connection = source.getConnection()) {
      connection.setAutoCommit(false);
      try {
        add(connection, key);
        connection.commit();
      } catch (SQLException e) {
        connection.rollback();
        throw e;
      } finally {
        connection.setAutoCommit(true);
      }
    }
  }

  private static final AtomicLong NAMES = new AtomicLong();

  private static void prepared(DataSource one, DataSource other, long key) throws SQLException {
    long name = NAMES.incrementAndGet();
    try (Connection first = one.getConnection();
        Connection second = other.getConnection()) {
      first.setAutoCommit(false);
      second.setAutoCommit(false);
      try {
        add(first, key);
        add(second, key);
        execute(first, "PREPARE TRANSACTION 'a" + name + "'");
        try {
          execute(second, "PREPARE TRANSACTION 'b" + name + "'");
        } catch (SQLException e) {
          first.setAutoCommit(true);
          execute(first, "ROLLBACK PREPARED 'a" + name + "'");
          throw e;
        }
      } catch (SQLException e) {
        if (!first.getAutoCommit()) {
          first.rollback();
        }
        second.rollback();
        throw e;
      } finally {
        first.setAutoCommit(true);
        second.setAutoCommit(true);
      }
      execute(first, "COMMIT PREPARED 'a" + name + "'");
      execute(second, "COMMIT PREPARED 'b" + name + "'");
    }
  }

  private static void execute(Connection connection, String text) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(text);
    }
  }
}
