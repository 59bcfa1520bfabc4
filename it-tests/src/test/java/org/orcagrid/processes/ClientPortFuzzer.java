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
package org.orcagrid.processes;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.zookeeper.KeeperException;
import org.orcagrid.cli.ServerProgram;

/**
 * Fuzzes the client ports of three servers of ours, or of stock ZooKeeper as a control: {@code
 * ClientPortFuzzer [--seed N] [--seconds N] [--rounds N] [--servers cad|sync|stock|mixed]}. Each
 * round has new servers and the next seed.
 */
public final class ClientPortFuzzer {
  private static final int PARTICIPANTS = 3;
  private static final int OBSERVER = 4;

  /** Far apart, so that no two rounds have a connection in common. */
  private static final long SEEDS_PER_ROUND = 1L << 32;

  /** Slow disks leave writes outstanding, which is when a wrong order shows. */
  private static final String FSYNC_DELAY_MS = "5";

  /** Those that a fuzzed connection leaves behind end before the trees are compared. */
  private static final Map<String, String> SHORT_SESSIONS = Map.of("maxSessionTimeout", "15000");

  private ClientPortFuzzer() {}

  /** Ends with 1 if a round has failed; the others are run all the same. */
  public static void main(String[] arguments) throws Exception {
    Map<String, String> options = new HashMap<>();
    options.put("--seed", "1");
    options.put("--seconds", "60");
    options.put("--rounds", "1");
    options.put("--servers", "cad");
    for (int i = 0; i < arguments.length; i += 2) {
      if (!options.containsKey(arguments[i]) || i + 1 == arguments.length) {
        throw new IllegalArgumentException(
            "Unknown or without a value: " + arguments[i] + "; there are " + options.keySet());
      }
      options.put(arguments[i], arguments[i + 1]);
    }
    long seed = Long.parseLong(options.get("--seed"));
    Duration time = Duration.ofSeconds(Long.parseLong(options.get("--seconds")));
    int failed = 0;
    for (int round = 0; round < Integer.parseInt(options.get("--rounds")); round++) {
      failed += round(options.get("--servers"), seed + round, time) ? 0 : 1;
    }
    System.exit(failed == 0 ? 0 : 1);
  }

  private static boolean round(String servers, long seed, Duration time) throws Exception {
    Path dir = Files.createTempDirectory("fuzz");
    FuzzRun.Limits limits = new FuzzRun.Limits(time, Long.MAX_VALUE);
    try {
      System.out.println(servers + ", " + run(dir, servers, seed * SEEDS_PER_ROUND, limits));
      delete(dir);
      return true;
    } catch (AssertionError | KeeperException | IOException e) {
      System.out.println(servers + ", --seed " + seed + " FAILED; its files are in " + dir);
      e.printStackTrace(System.out);
      return false;
    }
  }

  private static void delete(Path dir) throws IOException {
    try (Stream<Path> files = Files.walk(dir)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  /**
   * One round with new servers; returns what was done.
   *
   * @param servers {@code cad} or {@code sync} for ours, with an observer; {@code stock}; or {@code
   *     mixed} for a leader of ours with stock followers
   */
  static String run(Path dir, String servers, long seed, FuzzRun.Limits limits) throws Exception {
    Map<String, String> modes = new HashMap<>(Programs.MODES_OFF);
    if (servers.equals("cad")) {
      modes.putAll(Programs.CAD);
      // A machine that stands still for a second is no reason to send a sound client elsewhere.
      modes.put("readHoldMs", "20000");
    }
    modes.put("test.fsyncDelayMs", FSYNC_DELAY_MS);
    ServerProgram ours = flagged(Programs.orca(modes));
    ServerProgram stock = flagged(Programs.stock(dir.resolve("stock")));
    boolean withObserver = servers.equals("cad") || servers.equals("sync");
    int count = withObserver ? OBSERVER : PARTICIPANTS;
    try (TestEnsemble ensemble = TestEnsemble.prepare(dir, count, ours, SHORT_SESSIONS)) {
      if (withObserver) {
        makeObserver(ensemble);
      }
      FuzzRun.Starter starter =
          switch (servers) {
            case "cad", "sync" -> TestEnsemble::startAll;
            case "stock" -> each -> start(each, stock, stock);
            case "mixed" -> each -> start(each, ours, stock);
            default ->
                throw new IllegalArgumentException(
                    "--servers " + servers + ": there are cad, sync, stock and mixed");
          };
      return new FuzzRun(ensemble, starter, seed, limits).run();
    }
  }

  private static void makeObserver(TestEnsemble ensemble) throws IOException {
    Map<Integer, String> roles = new TreeMap<>();
    for (int id : ensemble.all()) {
      roles.put(id, id == OBSERVER ? "observer" : "participant");
    }
    for (int id : ensemble.all()) {
      ensemble.configure(id, roles);
    }
  }

  /** Of two servers with nothing in their logs that with the higher number leads. */
  private static void start(TestEnsemble ensemble, ServerProgram leader, ServerProgram others)
      throws Exception {
    ensemble.use(leader);
    ensemble.start(PARTICIPANTS);
    ensemble.use(others);
    ensemble.start(1);
    ensemble.awaitServing(1, PARTICIPANTS);
    ensemble.start(2);
    ensemble.awaitServing();
  }

  private static ServerProgram flagged(ServerProgram program) {
    return program.withJvmFlags(
        List.of(WholeTree.SUPER_FLAG, "-Dzookeeper.extendedTypesEnabled=true"));
  }
}
