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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.orcagrid.mixed.store.Operations;
import org.orcagrid.mixed.store.Role;
import org.orcagrid.mixed.store.Store;
import org.orcagrid.mixed.store.StoreContract;
import org.orcagrid.mixed.store.StoreException;

class PostgresStoreTest extends StoreContract {
  private static Databases databases;
  private static Store store;

  @BeforeAll
  static void start() throws IOException, StoreException {
    databases = new Databases();
    store =
        new PostgresStore(
            "sql", databases.pool("postgres", "read committed"), new Operations(List.of(ADD)));
  }

  @AfterAll
  static void stop() throws IOException {
    if (databases != null) {
      databases.close();
    }
  }

  @Override
  protected Store store() {
    return store;
  }

  @Test
  void itPreparesWhereTheServerDoes() {
    assertEquals(Role.PREPARES, store.traits().role());
  }

  @Test
  void otherConnectionsAreRefused() {
    StoreException e =
        assertThrows(
            StoreException.class,
            () ->
                new PostgresStore(
                    "sql", databases.pool("postgres", "serializable"), Operations.none()));
    assertTrue(e.getMessage().contains("are serializable"), e.getMessage());
  }

  @Test
  void whatIsLostInACrashIsRefused() throws SQLException {
    DataSource source = databases.server().getPostgresDatabase();
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE DATABASE careless");
      statement.execute("ALTER DATABASE careless SET synchronous_commit = off");
    }
    StoreException e =
        assertThrows(
            StoreException.class,
            () ->
                new PostgresStore(
                    "sql", databases.pool("careless", "read committed"), Operations.none()));
    assertTrue(e.getMessage().contains("set synchronous_commit = on"), e.getMessage());
  }
}
