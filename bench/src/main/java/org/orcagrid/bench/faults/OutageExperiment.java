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
package org.orcagrid.bench.faults;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.orcagrid.bench.faults.Outage.Crash;
import org.orcagrid.bench.faults.Outage.Operation;
import org.orcagrid.bench.system.FourLetterWords;
import org.orcagrid.bench.system.ServerAddress;
import org.orcagrid.bench.system.SystemSpec;
import org.orcagrid.examples.ensemble.FaultyEnsemble;
import org.orcagrid.examples.ensemble.Folders;
import org.orcagrid.examples.ensemble.ServerSessions;

/** For how long the clients of the servers that are left wait when another one crashes. */
public final class OutageExperiment {
  private static final int SERVERS = 3;
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Duration BEFORE = Duration.ofSeconds(1);
  private static final Duration AFTER = Duration.ofSeconds(5);
  private static final Duration SET_LIMIT = Duration.ofSeconds(30);
  private static final String ACTIVE_SET = "zk_orca_active_set_size";

  /** As an operator has them who sets nothing. */
  public static final Map<String, String> DEFAULT_TIMES =
      Map.of(
          "tickTime", "2000",
          "initLimit", "10",
          "syncLimit", "5",
          "orca.heartbeatMs", "100",
          "orca.markOutMs", "200",
          "orca.removalMs", "1000",
          "orca.promiseMs", "600",
          "orca.readHoldMs", "1000");

  private final FaultyEnsemble ensemble;
  private final boolean hasActiveSet;
  private final Map<Outage, List<Double>> longestMillis = new LinkedHashMap<>();

  private OutageExperiment(FaultyEnsemble ensemble, boolean hasActiveSet) {
    this.ensemble = ensemble;
    this.hasActiveSet = hasActiveSet;
  }

  /**
   * Measures one system after the other, as {@link #run(SystemSpec, int, Path, Consumer)} does.
   *
   * @param folder where the servers keep their files, which are deleted in the end
   */
  public static Map<SystemSpec, Map<Outage, List<Double>>> run(
      List<SystemSpec> systems, int rounds, Path folder, Consumer<String> progress)
      throws IOException, InterruptedException {
    Map<SystemSpec, Map<Outage, List<Double>>> results = new LinkedHashMap<>();
    for (SystemSpec system : systems) {
      Path home = Files.createDirectories(folder.resolve(system.id()));
      try {
        results.put(system, run(system, rounds, home, progress));
      } finally {
        Folders.delete(home);
      }
    }
    return results;
  }

  /**
   * Crashes a follower and a leader so often, and returns for each operation how long the one that
   * waited longest took, in milliseconds, for each round.
   */
  private static Map<Outage, List<Double>> run(
      SystemSpec system, int rounds, Path folder, Consumer<String> progress)
      throws IOException, InterruptedException {
    Map<String, String> settings = new LinkedHashMap<>(system.settings());
    settings.putAll(DEFAULT_TIMES);
    try (FaultyEnsemble ensemble =
        FaultyEnsemble.start(system.title(), settings, SERVERS, folder)) {
      OutageExperiment experiment = new OutageExperiment(ensemble, !system.onlyTheLeaderAnswers());
      for (int round = 1; round <= rounds; round++) {
        for (Crash crash : Crash.values()) {
          experiment.run(crash);
          progress.accept(system.title() + ", " + crash.title() + ", round " + round);
        }
      }
      return experiment.longestMillis;
    }
  }

  private void run(Crash crash) throws IOException, InterruptedException {
    int leader = awaitWholeSet();
    int victim = crash == Crash.LEADER ? leader : leader % SERVERS + 1;
    List<Probe> probes = new ArrayList<>();
    for (int id : ensemble.up()) {
      if (id != victim) {
        for (Operation operation : Operation.values()) {
          probes.add(new Probe(operation, id));
        }
      }
    }
    for (Probe probe : probes) {
      probe.start();
    }
    TimeUnit.NANOSECONDS.sleep(BEFORE.toNanos());
    probes.forEach(Probe::reset);
    ensemble.crash(victim);
    TimeUnit.NANOSECONDS.sleep(AFTER.toNanos());
    Map<Operation, Double> longest = new LinkedHashMap<>();
    for (Probe probe : probes) {
      longest.merge(probe.operation, probe.end(), Math::max);
    }
    longest.forEach(
        (operation, millis) ->
            longestMillis
                .computeIfAbsent(new Outage(crash, operation), any -> new ArrayList<>())
                .add(millis));
    ensemble.recover(victim);
  }

  /** Returns the leader once all servers answer reads. */
  private int awaitWholeSet() throws IOException, InterruptedException {
    long end = System.nanoTime() + SET_LIMIT.toNanos();
    while (System.nanoTime() < end) {
      ensemble.awaitServing();
      int leader = ensemble.leader().orElse(FaultyEnsemble.NOBODY);
      if (leader != FaultyEnsemble.NOBODY) {
        int port = ensemble.members().get(leader - 1).clientPort();
        Map<String, String> monitor = FourLetterWords.monitor(new ServerAddress("127.0.0.1", port));
        if (!hasActiveSet || Integer.toString(SERVERS).equals(monitor.get(ACTIVE_SET))) {
          return leader;
        }
      }
      TimeUnit.MILLISECONDS.sleep(20);
    }
    throw new IOException("The servers are not all in the active set after " + SET_LIMIT);
  }

  /** A client that does one thing again and again at one server, and notes what took longest. */
  private final class Probe implements Runnable {
    private final Operation operation;
    private final int server;
    private final ServerSessions sessions = new ServerSessions(ensemble.members());
    private final AtomicLong longestNanos = new AtomicLong();
    private final Thread thread;
    private volatile boolean ended;

    Probe(Operation operation, int server) {
      this.operation = operation;
      this.server = server;
      this.thread = new Thread(this, "probe-" + operation + "-" + server);
    }

    void start() throws InterruptedException {
      sessions.create(server, path(), "", PATIENCE);
      thread.start();
    }

    private String path() {
      return "/probe-" + operation + "-" + server;
    }

    void reset() {
      longestNanos.set(0);
    }

    @Override
    public void run() {
      try {
        for (int n = 0; !ended; n++) {
          step(Integer.toString(n));
          TimeUnit.MILLISECONDS.sleep(1);
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    private void step(String text) throws InterruptedException {
      if (operation == Operation.READ_NEW) {
        sessions.write(server, path(), text, PATIENCE);
      }
      long begin = System.nanoTime();
      if (operation == Operation.WRITE) {
        sessions.write(server, path(), text, PATIENCE);
      } else {
        sessions.read(server, path(), PATIENCE);
      }
      long took = System.nanoTime() - begin;
      longestNanos.accumulateAndGet(took, Math::max);
    }

    /** Ends it and returns what took longest, in milliseconds. */
    double end() throws InterruptedException {
      ended = true;
      thread.join();
      sessions.close();
      return longestNanos.get() / 1e6;
    }
  }
}
