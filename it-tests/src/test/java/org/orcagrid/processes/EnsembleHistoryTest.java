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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.orcagrid.cli.ServerProgram;
import org.orcagrid.history.HistoryRecorder;
import org.orcagrid.history.ZnodeLoad;
import org.orcagrid.history.ZnodeLoad.Sort;
import org.orcagrid.processes.EnsembleFaults.Fault;
import org.orcagrid.simulator.checker.znode.ZnodeCall;
import org.orcagrid.simulator.checker.znode.ZnodeHistory;
import org.orcagrid.simulator.checker.znode.ZnodeJudge;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Everything that clients are told by server processes that fail, against everything that is
 * promised.
 *
 * <p>{@code -Dminutes=60} repeats it for that long with all kinds of faults, each time with the
 * next seed. {@code -Dseed=N} begins there: it repeats what is done, in its order. Processes and
 * threads are real, so that what happens is not the same. A history that fails is kept in {@code
 * it-tests/target/histories}.
 */
@Timeout(4 * 3600)
class EnsembleHistoryTest {
  private static final Logger LOG = LoggerFactory.getLogger(EnsembleHistoryTest.class);

  private static final long SEED = Long.getLong("seed", 1);
  static final long MINUTES = Long.getLong("minutes", 0);

  private static final int SERVERS = 3;
  private static final int CALLS_BETWEEN_FAULTS = 150;
  static final int WRITE_PERCENT = 30;
  private static final int VIOLATIONS_TOLD = 10;
  private static final int STOCK_ROUNDS_MAX = 5;
  private static final Duration PROGRESS_LIMIT = Duration.ofSeconds(60);

  /** What is needed for TTL nodes, and for a reconfiguration without a password. */
  private static final List<String> FLAGS =
      List.of("-Dzookeeper.extendedTypesEnabled=true", "-Dzookeeper.skipACL=yes");

  /** What CI has time for; the others are for the long form. */
  private static final EnumSet<Fault> SHORT =
      EnumSet.of(Fault.KILL_LEADER, Fault.KILL_ALL, Fault.PAUSE_FOLLOWER, Fault.REMOVE_LEADER);

  @TempDir Path dir;

  @Test
  void clientsAreToldWhatIsPromised() throws Exception {
    Map<String, String> settings = new HashMap<>(Programs.CAD);
    settings.put("immediatePaths", ZnodeLoad.IMMEDIATE);
    ServerProgram program = Programs.orca(settings).withJvmFlags(FLAGS);
    long endNanos = System.nanoTime() + Duration.ofMinutes(MINUTES).toNanos();
    long seed = SEED;
    do {
      List<Fault> faults = new ArrayList<>(MINUTES == 0 ? SHORT : EnumSet.allOf(Fault.class));
      Collections.shuffle(faults, new Random(seed));
      List<String> found = run(program, seed, faults, true);
      long replay = seed;
      assertEquals(
          List.of(),
          found.subList(0, Math.min(VIOLATIONS_TOLD, found.size())),
          () -> found.size() + " violations, seed " + replay + ", faults " + faults);
      seed++;
    } while (System.nanoTime() - endNanos < 0);
  }

  /** The same judge, where reads are not promised to be monotonic across clients. */
  @Test
  void stockServersAreFoundToShowOlderStates() throws Exception {
    ServerProgram stock = Programs.stock(dir.resolve("stock")).withJvmFlags(FLAGS);
    List<String> found = List.of();
    for (int n = 0; n < STOCK_ROUNDS_MAX && found.isEmpty(); n++) {
      found = run(stock, SEED + n, Collections.nCopies(3, Fault.PAUSE_FOLLOWER), false);
    }
    assertTrue(
        found.stream().anyMatch(each -> each.contains("had been shown before")),
        () -> "the judge is blind: " + STOCK_ROUNDS_MAX + " rounds");
  }

  private List<String> run(ServerProgram program, long seed, List<Fault> faults, boolean ours)
      throws Exception {
    LOG.info("Seed {}, faults {}", seed, faults);
    HistoryRecorder recorder = new HistoryRecorder();
    Path folder = Files.createDirectories(dir.resolve((ours ? "ours-" : "stock-") + seed));
    try (TestEnsemble ensemble =
            TestEnsemble.prepare(folder, SERVERS, program, Map.of("reconfigEnabled", "true"))
                .startAll();
        ZnodeLoad load = new ZnodeLoad(recorder, seed, WRITE_PERCENT)) {
      int[] all = ensemble.all();
      load.prepare(ensemble.connectString(all));
      startSessions(load, ensemble, all, ours);
      EnsembleFaults inflicted = new EnsembleFaults(ensemble, new Random(seed));
      awaitProgress(load, ensemble);
      for (Fault fault : faults) {
        inflicted.inflict(fault);
        awaitProgress(load, ensemble);
        LOG.info("{}: {} answers", fault, recorder.answers());
      }
      load.close();
      lookAtEverything(load, ensemble, all);
    }
    return judge(recorder.history(), folder.getFileName().toString());
  }

  /** A session at each server, and such as go anywhere; ours understand what some ask for. */
  static void startSessions(ZnodeLoad load, Servers servers, int[] all, boolean ours) {
    for (int id : all) {
      load.start(at(id), servers.connectString(id), Sort.PLAIN);
      if (ours) {
        load.start(at(id) + ", linearizable", servers.connectString(id), Sort.LINEARIZABLE);
      }
    }
    load.start("any server", servers.connectString(all), Sort.PLAIN);
    if (ours) {
      load.start("any server, durable", servers.connectString(all), Sort.DURABLE);
    }
  }

  private static String at(int id) {
    return "server " + id;
  }

  static void lookAtEverything(ZnodeLoad load, Servers servers, int[] all) throws Exception {
    for (int id : all) {
      load.lookAtEverything(at(id) + ", at the end", servers.connectString(id));
    }
    assertEquals(List.of(), load.failures());
  }

  /** Every session gets so many answers more; with numbers, those at these servers alone. */
  static void awaitProgress(ZnodeLoad load, Servers servers, int... at) throws Exception {
    Map<String, Long> before = new HashMap<>(load.answers());
    if (at.length > 0) {
      before.keySet().removeIf(name -> Arrays.stream(at).noneMatch(id -> name.equals(at(id))));
    }
    Eventually.await(
        PROGRESS_LIMIT,
        () ->
            before.entrySet().stream()
                .allMatch(
                    e -> load.answers().get(e.getKey()) >= e.getValue() + CALLS_BETWEEN_FAULTS),
        () ->
            "%s, and now %s, %s: %s"
                .formatted(before, load.answers(), load.failures(), servers.logs()));
  }

  /** Judges; keeps what fails. */
  static List<String> judge(ZnodeHistory history, String name) throws Exception {
    long begin = System.nanoTime();
    List<String> found = ZnodeJudge.judge(history);
    LOG.info(
        "{} calls, {} without an answer, {} watches, judged in {} ms: {} violations",
        history.calls().size(),
        history.calls().stream().filter(call -> !call.ended()).count(),
        history.watches().size(),
        (System.nanoTime() - begin) / 1_000_000,
        found.size());
    if (!found.isEmpty()) {
      Path file = Path.of("target", "histories", name + ".txt");
      Files.createDirectories(file.getParent());
      List<String> lines = new ArrayList<>(found);
      history.calls().stream()
          .sorted(Comparator.comparingLong(ZnodeCall::beginNanos))
          .forEach(call -> lines.add(call.toString()));
      history.watches().forEach(watch -> lines.add(watch.toString()));
      Files.write(file, lines);
      LOG.warn("{} violations in {}", found.size(), file.toAbsolutePath());
    }
    return found;
  }
}
