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
package org.orcagrid.mixed.store.postgres;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import javax.sql.DataSource;
import org.orcagrid.mixed.plan.TransactionId;
import org.orcagrid.mixed.store.StoreException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls of one database. What cannot be serialized is done again, as nothing of it is there; so is
 * what finds a key that another one has made at the same moment.
 */
final class Sql {
  private static final Logger LOG = LoggerFactory.getLogger(Sql.class);
  private static final Set<String> AGAIN = Set.of("40001", "40P01", "23505");
  private static final String HELD = "55P03";
  private static final String DATA = "22";
  private static final String INTEGRITY = "23";
  private static final String RAISED = "P0001";
  private static final int TIMES_MAX = 20;

  private final String store;
  private final DataSource source;
  private final int timeoutSeconds;

  /**
   * One.
   *
   * @param timeoutSeconds of each call
   */
  Sql(String store, DataSource source, int timeoutSeconds) {
    this.store = store;
    this.source = source;
    this.timeoutSeconds = timeoutSeconds;
  }

  /** What is done on a connection. */
  interface Work<T> {
    T on(Connection connection) throws SQLException;
  }

  /** Fills in a statement, and reads what it returns. */
  interface Call<T> {
    T with(PreparedStatement statement) throws SQLException;
  }

  <T> T call(String sql, Call<T> call) throws StoreException {
    return run(
        connection -> {
          try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setQueryTimeout(timeoutSeconds);
            return call.with(statement);
          }
        });
  }

  <T> T run(Work<T> work) throws StoreException {
    try (Connection connection = source.getConnection()) {
      if (!connection.getAutoCommit()) {
        connection.setAutoCommit(true);
      }
      for (int times = 1; ; times++) {
        try {
          return work.on(connection);
        } catch (SQLException e) {
          String state = e.getSQLState();
          if (state == null || !AGAIN.contains(state) || times == TIMES_MAX) {
            throw e;
          }
        }
      }
    } catch (SQLException e) {
      throw new StoreException("The store " + store + " has failed: " + e.getMessage(), e);
    }
  }

  /** Whether nothing was done, since something else was held for too long. */
  static boolean isHeld(StoreException e) {
    return e.getCause() instanceof SQLException cause && HELD.equals(cause.getSQLState());
  }

  /**
   * Whether nothing was done, since the data are refused: by a type, a constraint, or a trigger.
   */
  static boolean isRefused(StoreException e) {
    return e.getCause() instanceof SQLException cause
        && cause.getSQLState() != null
        && (cause.getSQLState().startsWith(DATA)
            || cause.getSQLState().startsWith(INTEGRITY)
            || cause.getSQLState().equals(RAISED));
  }

  /** Decides nothing any more that began up to a time. */
  void refuse(long millis) throws StoreException {
    call(
        "SELECT orca_refuse(?)",
        statement -> {
          statement.setLong(1, millis);
          return statement.execute();
        });
  }

  /** Whether no intent is open that began up to a time. */
  boolean isDone(String table, long millis) throws StoreException {
    return call(
        "SELECT NOT EXISTS (SELECT 1 FROM " + table + " WHERE intent IS NOT NULL AND millis <= ?)",
        statement -> {
          statement.setLong(1, millis);
          try (ResultSet row = statement.executeQuery()) {
            return row.next() && row.getBoolean(1);
          }
        });
  }

  /** Forgets intents. */
  void close(String table, Set<TransactionId> ids) throws StoreException {
    call(
        "UPDATE " + table + " SET intent = NULL WHERE id = ANY (?) AND intent IS NOT NULL",
        statement -> {
          statement.setArray(1, texts(statement, texts(ids)));
          return statement.executeUpdate();
        });
  }

  /** A setting of the database. */
  String setting(String name) throws StoreException {
    return call(
        "SELECT current_setting(?)",
        statement -> {
          statement.setString(1, name);
          try (ResultSet row = statement.executeQuery()) {
            if (!row.next()) {
              throw new SQLException("The database has returned nothing");
            }
            return row.getString(1);
          }
        });
  }

  /**
   * Whether the database is as the stores need it: functions look at what is there when they have
   * their locks, and what is decided is there after a crash.
   */
  void checkSettings() throws StoreException {
    String isolation = setting("default_transaction_isolation");
    if (!isolation.equals("read committed")) {
      throw new StoreException(
          "Connections of the store "
              + store
              + " are "
              + isolation
              + "; give it some with default_transaction_isolation = 'read committed'",
          null);
    }
    if (setting("synchronous_commit").equals("off")) {
      throw new StoreException(
          "The store "
              + store
              + " loses what is decided when it crashes; set synchronous_commit = on",
          null);
    }
    if (setting("fsync").equals("off")) {
      LOG.warn("The store {} loses what is decided when its machine crashes: fsync is off", store);
    }
  }

  /** Makes what a resource says, in one transaction. */
  void script(String resource) throws StoreException {
    execute(text(resource));
  }

  /** Executes statements in one transaction. */
  void execute(String text) throws StoreException {
    run(
        connection -> {
          connection.setAutoCommit(false);
          try (Statement statement = connection.createStatement()) {
            statement.execute(text);
            connection.commit();
            return null;
          } finally {
            connection.rollback();
            connection.setAutoCommit(true);
          }
        });
  }

  private static String text(String resource) {
    try (InputStream in = Sql.class.getResourceAsStream(resource)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new IllegalStateException("The product lacks " + resource, e);
    }
  }

  static java.sql.Array texts(PreparedStatement statement, Collection<String> all)
      throws SQLException {
    return statement.getConnection().createArrayOf("text", all.toArray());
  }

  static java.sql.Array numbers(PreparedStatement statement, Collection<Long> all)
      throws SQLException {
    return statement.getConnection().createArrayOf("bigint", all.toArray());
  }

  static java.sql.Array bytes(PreparedStatement statement, List<byte[]> all) throws SQLException {
    return statement.getConnection().createArrayOf("bytea", all.toArray(new byte[0][]));
  }

  static List<String> texts(Collection<TransactionId> ids) {
    return ids.stream().map(TransactionId::toString).toList();
  }
}
