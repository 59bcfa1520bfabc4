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
package org.orcagrid.mixed.rounds;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.BufferedReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.orcagrid.mixed.Out;
import org.orcagrid.mixed.level.Causal;
import org.orcagrid.mixed.level.Linearizable;
import org.orcagrid.mixed.run.Committed;
import org.orcagrid.mixed.run.MixedClient;
import org.orcagrid.mixed.run.MixedWorker;
import org.orcagrid.mixed.store.Store;
import org.orcagrid.mixed.store.postgres.PostgresCausalStore;
import org.orcagrid.mixed.store.postgres.PostgresReplicator;

/**
 * Processes that are killed between the phases of their transactions; workers finish those. {@code
 * -Drounds} says how many.
 */
@Timeout(3_600)
class RoundsTest {
  private static final int ROUNDS = Integer.getInteger("rounds", 5);
  private static final int KILLED_WITHIN = 60;

  @Test
  void whatIsCountedIsThereOnce() throws Exception {
    boolean hasBinaries =
        System.getProperty("os.name").toLowerCase(Locale.ROOT).contains("linux")
            && List.of("amd64", "x86_64").contains(System.getProperty("os.arch"));
    Assumptions.assumeTrue(hasBinaries, "There is no PostgreSQL for this machine");
    try (EmbeddedPostgres server =
        EmbeddedPostgres.builder()
            .setServerConfig("fsync", "off")
            .setServerConfig("full_page_writes", "off")
            .start()) {
      try (Connection connection = server.getPostgresDatabase().getConnection();
          Statement statement = connection.createStatement()) {
        for (String each : Poster.GROUPS) {
          statement.execute("CREATE DATABASE " + each);
        }
      }
      String strong = server.getJdbcUrl("postgres", "postgres");
      String east = server.getJdbcUrl("postgres", "east");
      String west = server.getJdbcUrl("postgres", "west");
      Random random = new Random(26);
      Set<String> told = new HashSet<>();
      int finished = 0;
      for (int round = 1; round <= ROUNDS; round++) {
        told.addAll(killed(random.nextInt(KILLED_WITHIN), strong, east));
        finished += finish(strong, east);
        judge(round, told, strong, west, handed(east, west));
      }
      System.out.println(
          ROUNDS
              + " processes killed, "
              + told.size()
              + " posts told of, "
              + finished
              + " transactions finished by workers");
    }
  }

  /** Lets one post for a while, and kills it; what it was told. */
  private static List<String> killed(int posts, String strong, String east) throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Poster.class.getName(),
                strong,
                east)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    List<String> told = new ArrayList<>();
    try (BufferedReader out =
        new BufferedReader(
            new java.io.InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      String line = out.readLine();
      while (line != null) {
        if (line.startsWith("done ") || line.startsWith("pending ")) {
          told.add(line.substring(line.indexOf(' ') + 1));
        }
        if (told.size() == posts + 1) {
          // In the midst of the next one.
          process.toHandle().destroyForcibly();
        }
        line = out.readLine();
      }
    } finally {
      process.destroyForcibly().waitFor();
    }
    assertTrue(told.size() > posts, "It has ended by itself after " + told);
    return told;
  }

  private static int finish(String strong, String east) throws Exception {
    try (MixedWorker worker =
        new MixedWorker(
            List.of(Poster.strong(strong), Poster.causal("east", east)), Duration.ZERO)) {
      int finished = 0;
      MixedWorker.Round round = worker.round();
      while (!round.open().isEmpty()) {
        finished += round.finished();
        round = worker.round();
      }
      return finished + round.finished();
    }
  }

  private static PostgresCausalStore handed(String from, String to) throws Exception {
    PostgresCausalStore west = Poster.causal("west", to);
    PostgresReplicator replicator = new PostgresReplicator(Poster.causal("east", from), west);
    int taken = replicator.round();
    while (taken > 0) {
      taken = replicator.round();
    }
    return west;
  }

  private static void judge(int round, Set<String> told, String strong, String west, Store inboxes)
      throws Exception {
    try (MixedClient client = new MixedClient(List.of(Poster.strong(strong), inboxes))) {
      Out<Linearizable, Long> count = new Out<>(Linearizable.class);
      Out<Causal, List<String>> inbox = new Out<>(Causal.class);
      Committed read =
          client.transaction(count.set(Poster.POSTS.get()), inbox.set(Poster.INBOX.get()));
      List<String> posts = inbox.of(read.results());
      Set<String> numbers = new HashSet<>();
      Set<String> texts = new HashSet<>();
      for (String each : posts) {
        numbers.add(each.substring(0, each.indexOf(':')));
        texts.add(each.substring(each.indexOf(':') + 1));
      }
      String where = "round " + round + ", at " + west;
      assertEquals(count.of(read.results()), posts.size(), where);
      assertEquals(posts.size(), numbers.size(), where);
      assertTrue(texts.containsAll(told), where);
    }
  }
}
