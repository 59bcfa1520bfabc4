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

import static org.orcagrid.mixed.Mixed.value;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;
import org.orcagrid.mixed.Change;
import org.orcagrid.mixed.Handle;
import org.orcagrid.mixed.Out;
import org.orcagrid.mixed.StoreName;
import org.orcagrid.mixed.level.Causal;
import org.orcagrid.mixed.level.Linearizable;
import org.orcagrid.mixed.run.MixedClient;

/** The same operations, done in two ways. */
final class Transactions {
  static final Change<Long, Long> ADD =
      Change.of("add", (present, more) -> (present == null ? 0 : present) + more);
  static final StoreName<Linearizable> STRONG = new StoreName<>("strong", Linearizable.class);
  static final StoreName<Causal> CAUSAL = new StoreName<>("causal", Causal.class);

  private static final Set<String> CONFLICTS = Set.of("40001", "40P01");

  private final DataSource one;
  private final DataSource other;
  private final AtomicLong names = new AtomicLong();

  /** With JDBC, at two databases whose connections are {@code SERIALIZABLE}. */
  Transactions(DataSource one, DataSource other) {
    this.one = one;
    this.other = other;
  }

  // --- mixed -------------------------------------------------------------------------------------

  static void mixed(MixedClient client, Operation operation, long key) {
    Handle<Linearizable, Long> strong = STRONG.object(key);
    Handle<Causal, Long> causal = CAUSAL.object(key);
    switch (operation) {
      case STRONG_READ ->
          client.transaction(new Out<Linearizable, Long>(Linearizable.class).set(strong.get()));
      case STRONG_WRITE -> client.transaction(strong.change(ADD, value(1L)));
      case CAUSAL_READ -> client.transaction(new Out<Causal, Long>(Causal.class).set(causal.get()));
      case CAUSAL_WRITE -> client.transaction(causal.change(ADD, value(1L)));
      case POST -> client.transaction(strong.change(ADD, value(1L)), causal.change(ADD, value(1L)));
    }
  }

  // --- JDBC --------------------------------------------------------------------------------------

  /** All at the first database, but for posts; again after a conflict. */
  void jdbc(Operation operation, long key) throws SQLException {
    while (true) {
      try {
        switch (operation) {
          case STRONG_READ, CAUSAL_READ -> read(key);
          case STRONG_WRITE, CAUSAL_WRITE -> increment(key);
          case POST -> post(key);
        }
        return;
      } catch (SQLException e) {
        if (e.getSQLState() == null || !CONFLICTS.contains(e.getSQLState())) {
          throw e;
        }
      }
    }
  }

  private void read(long key) throws SQLException {
    try (Connection connection = one.getConnection()) {
      select(connection, key);
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
    long present = select(connection, key);
    try (PreparedStatement statement =
        connection.prepareStatement("UPDATE objects SET value = ? WHERE key = ?")) {
      statement.setLong(1, present + 1);
      statement.setLong(2, key);
      statement.executeUpdate();
    }
  }

  private void increment(long key) throws SQLException {
    try (Connection connection = one.getConnection()) {
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

  private void post(long key) throws SQLException {
    long name = names.incrementAndGet();
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
