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

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.orcagrid.mixed.world.PostgresHere;

/** PostgreSQL on this machine, where there are binaries for it; tests are skipped elsewhere. */
final class Databases implements AutoCloseable {
  private final EmbeddedPostgres server;
  private final List<HikariDataSource> pools = new ArrayList<>();

  Databases() throws IOException {
    PostgresHere.assume();
    this.server =
        EmbeddedPostgres.builder()
            .setServerConfig("max_prepared_transactions", "20")
            .setServerConfig("synchronous_commit", "on")
            .setServerConfig("fsync", "off")
            .setServerConfig("full_page_writes", "off")
            .start();
  }

  EmbeddedPostgres server() {
    return server;
  }

  /** A pool of serializable connections. */
  HikariDataSource pool(String database, String isolation) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(
        server.getJdbcUrl("postgres", database)
            + "&options=-c%20default_transaction_isolation="
            + isolation.replace(" ", "%5C%20"));
    config.setMaximumPoolSize(8);
    HikariDataSource pool = new HikariDataSource(config);
    pools.add(pool);
    return pool;
  }

  @Override
  public void close() throws IOException {
    pools.forEach(HikariDataSource::close);
    server.close();
  }
}
