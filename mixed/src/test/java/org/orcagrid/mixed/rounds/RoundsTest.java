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
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.orcagrid.mixed.Out;
import org.orcagrid.mixed.level.Causal;
import org.orcagrid.mixed.level.Linearizable;
import org.orcagrid.mixed.run.Committed;
import org.orcagrid.mixed.run.MixedClient;
import org.orcagrid.mixed.run.MixedWorker;
import org.orcagrid.mixed.store.postgres.PostgresCausalStore;
import org.orcagrid.mixed.store.postgres.PostgresReplicator;
import org.orcagrid.mixed.world.PostgresHere;

/**
 * Clients, workers and the database itself are killed between the phases of transactions. {@code
 * -Drounds} says how often.
 */
@Timeout(7_200)
class RoundsTest {
  private static final int ROUNDS = Integer.getInteger("rounds", 5);
  private static final int KILLED_WITHIN = 60;
  private static final Duration RESTART = Duration.ofSeconds(60);

  @TempDir private Path folder;

  private final Random random = new Random(26);
  private final Set<String> told = new HashSet<>();
  private EmbeddedPostgres server;
  private int port;
  private int finished;

  /** Who is killed, in turns. */
  private enum Victim {
    CLIENT,
    DATABASE,
    WORKER
  }

  @Test
  void whatIsCountedIsThereOnce() throws Exception {
    PostgresHere.assume();
    server = start();
    port = server.getPort();
    try {
      try (Connection connection = server.getPostgresDatabase().getConnection();
          Statement statement = connection.createStatement()) {
        for (String each : Poster.GROUPS) {
          statement.execute("CREATE DATABASE " + each);
        }
      }
      for (int round = 1; round <= ROUNDS; round++) {
        Victim victim = Victim.values()[round % Victim.values().length];
        play(victim);
        finished += finish();
        judge("round " + round + ", " + victim + " killed");
      }
      System.out.println(
          ROUNDS
              + " rounds, "
              + told.size()
              + " posts told of, "
              + finished
              + " transactions finished by workers at last");
    } finally {
      server.close();
    }
  }

  private EmbeddedPostgres start() throws IOException {
    EmbeddedPostgres.Builder builder =
        EmbeddedPostgres.builder()
            .setDataDirectory(folder.resolve("data"))
            .setCleanDataDirectory(false)
            .setServerConfig("synchronous_commit", "on")
            .setServerConfig("fsync", "off")
            .setServerConfig("full_page_writes", "off");
    if (port > 0) {
      builder.setPort(port);
    }
    return builder.start();
  }

  private String address(String database) {
    return server.getJdbcUrl("postgres", database);
  }

  // --- rounds ------------------------------------------------------------------------------------

  private void play(Victim victim) throws Exception {
    int posts = random.nextInt(KILLED_WITHIN);
    Process client = process("post");
    Process worker = victim == Victim.WORKER ? process("work") : null;
    try {
      int seen = 0;
      boolean killed = false;
      BufferedReader out = reader(client);
      String line = out.readLine();
      while (line != null) {
        if (line.startsWith("done ") || line.startsWith("pending ")) {
          told.add(line.substring(line.indexOf(' ') + 1));
          seen++;
        }
        if (seen > posts && !killed) {
          // In the midst of the next one.
          killed = true;
          kill(victim, client, worker);
        }
        line = out.readLine();
      }
      assertTrue(killed, "It has ended by itself after " + seen);
      if (victim == Victim.DATABASE) {
        restart();
      }
    } finally {
      client.destroyForcibly().waitFor();
      if (worker != null) {
        worker.destroyForcibly().waitFor();
      }
    }
  }

  private void kill(Victim victim, Process client, Process worker) throws IOException {
    switch (victim) {
      case CLIENT -> client.toHandle().destroyForcibly();
      case WORKER -> {
        worker.toHandle().destroyForcibly();
        client.toHandle().destroyForcibly();
      }
      case DATABASE -> postmaster().destroyForcibly();
    }
  }

  private ProcessHandle postmaster() throws IOException {
    long pid =
        Long.parseLong(
            Files.readAllLines(folder.resolve("data").resolve("postmaster.pid")).get(0).trim());
    return ProcessHandle.of(pid).orElseThrow();
  }

  /** Its own processes end by and by; until then it does not start. */
  private void restart() throws IOException {
    server.close();
    long until = System.nanoTime() + RESTART.toNanos();
    while (true) {
      try {
        server = start();
        return;
      } catch (IOException | IllegalStateException e) {
        if (System.nanoTime() > until) {
          throw e;
        }
      }
    }
  }

  private Process process(String what) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            System.getProperty("java.class.path"),
            Poster.class.getName(),
            what,
            address("postgres"),
            address("east"))
        .redirectError(ProcessBuilder.Redirect.DISCARD)
        .start();
  }

  private static BufferedReader reader(Process process) {
    return new BufferedReader(
        new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
  }

  private int finish() throws Exception {
    try (MixedWorker worker =
        new MixedWorker(
            List.of(Poster.strong(address("postgres")), Poster.causal("east", address("east"))),
            Duration.ZERO)) {
      int all = 0;
      MixedWorker.Round round = worker.round();
      while (!round.open().isEmpty()) {
        all += round.finished();
        round = worker.round();
      }
      return all + round.finished();
    }
  }

  private void judge(String where) throws Exception {
    PostgresCausalStore west = Poster.causal("west", address("west"));
    PostgresReplicator replicator =
        new PostgresReplicator(Poster.causal("east", address("east")), west);
    int taken = replicator.round();
    while (taken > 0) {
      taken = replicator.round();
    }
    try (MixedClient client = new MixedClient(List.of(Poster.strong(address("postgres")), west))) {
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
      assertEquals(count.of(read.results()), posts.size(), where);
      assertEquals(posts.size(), numbers.size(), where);
      assertTrue(texts.containsAll(told), where);
    }
  }
}
