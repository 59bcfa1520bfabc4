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

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Starts PostgreSQL, runs a command with its address as last word, and ends it again. The product
 * has no PostgreSQL on its class path; its tests have.
 */
public final class WithPostgres {
  private WithPostgres() {}

  /** Takes {@code on} or {@code off} for forced writes, and the command. */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    int code;
    try (EmbeddedPostgres server =
        EmbeddedPostgres.builder()
            .setServerConfig("max_prepared_transactions", "50")
            .setServerConfig("max_connections", "100")
            .setServerConfig("synchronous_commit", "on")
            .setServerConfig("fsync", arguments[0])
            .setServerConfig("full_page_writes", arguments[0])
            .start()) {
      List<String> command = new ArrayList<>(Arrays.asList(arguments).subList(1, arguments.length));
      command.add(server.getJdbcUrl("postgres", "postgres"));
      code = new ProcessBuilder(command).inheritIO().start().waitFor();
    }
    System.exit(code);
  }
}
