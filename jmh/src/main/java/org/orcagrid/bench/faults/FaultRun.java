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
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeSet;
import org.orcagrid.bench.system.SystemSpec;
import org.orcagrid.cli.CommandFailure;
import org.orcagrid.cli.EnsembleProcesses;
import org.orcagrid.cli.EnsembleSpec;
import org.orcagrid.cli.ServerProbe;
import org.orcagrid.cli.ServerProgram;
import org.orcagrid.simulator.checker.ExposedStates;

/**
 * One system under sequences of faults, as real processes: in each stage servers are killed, which
 * loses what they had not forced, or started again; items are written; the link of one server is
 * held; items are written and read at the others, then at the one that lags (section 5.3).
 *
 * <p>For one thread. {@link #close()} ends every process that was started.
 */
public final class FaultRun implements AutoCloseable {
  private static final Duration SERVING_LIMIT = Duration.ofSeconds(60);
  private static final long LOOK_MILLIS = 20;
  private static final int KEYS = 3;

  private static final Map<String, String> SETTINGS =
      Map.of(
          "tickTime", "500",
          "initLimit", "40",
          "syncLimit", "16",
          "orca.test.loseUnforced", "true");

  private static final List<String> JVM =
      List.of("-Xmx96m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto");

  private final Holds holds;
  private final EnsembleProcesses servers;
  private final FaultClients clients;
  private final int count;
  private final TreeSet<Integer> up = new TreeSet<>();

  private FaultRun(Holds holds, EnsembleProcesses servers, int count) {
    this.holds = holds;
    this.servers = servers;
    this.count = count;
    this.clients = new FaultClients(servers.members());
  }

  /**
   * Starts the servers of a system, with their files below {@code folder}.
   *
   * @throws IOException if they cannot be started or do not serve
   */
  public static FaultRun start(SystemSpec system, int count, Path folder)
      throws IOException, InterruptedException {
    Holds holds = new Holds();
    EnsembleSpec spec =
        EnsembleSpec.of(count, folder)
            .withSettings(system.settings())
            .withSettings(SETTINGS)
            .withProgram(ServerProgram.orca().withJvmFlags(JVM))
            .withRoutes(holds);
    EnsembleProcesses servers;
    try {
      servers = EnsembleProcesses.start(spec);
    } catch (CommandFailure | IOException e) {
      holds.close();
      throw new IOException("System " + system.id() + " did not start: " + e.getMessage(), e);
    }
    FaultRun run = new FaultRun(holds, servers, count);
    try {
      for (int id = 1; id <= count; id++) {
        run.up.add(id);
      }
      run.awaitServing();
      run.clients.prepare(KEYS);
      return run;
    } catch (IOException | InterruptedException | RuntimeException e) {
      run.close();
      throw e;
    }
  }

  /** Runs one sequence, with all servers up before and after it. */
  public SequenceOutcome run(FaultSequence sequence) throws IOException, InterruptedException {
    if (sequence.servers() != count) {
      throw new IllegalArgumentException(
          "The sequence is for " + sequence.servers() + " servers, there are " + count);
    }
    long began = System.nanoTime();
    ExposedStates states = new ExposedStates();
    clients.judgeBy(states);
    for (FaultSequence.Stage stage : sequence.stages()) {
      bring(stage.up());
      run(stage);
    }
    for (int id : up) {
      clients.read(id);
    }
    return new SequenceOutcome(
        sequence.toString(),
        states.violations(),
        states.reads(),
        states.stale(),
        clients.takeRejected(),
        (System.nanoTime() - began) / 1_000_000);
  }

  private void bring(List<Integer> wanted) throws IOException, InterruptedException {
    for (int id : List.copyOf(up)) {
      if (!wanted.contains(id)) {
        servers.kill(id);
        clients.onKilled(id);
        up.remove(id);
      }
    }
    for (int id : wanted) {
      if (up.add(id)) {
        servers.start(id);
      }
    }
    awaitServing();
  }

  private void run(FaultSequence.Stage stage) throws InterruptedException {
    int lagging = laggingFollower(stage);
    List<Integer> prompt = new ArrayList<>(up);
    prompt.remove(Integer.valueOf(lagging));
    clients.write(prompt.get(0));
    for (int id : prompt) {
      clients.read(id);
    }
    if (lagging == FaultSequence.NOBODY) {
      return;
    }
    holds.hold(lagging);
    try {
      clients.write(prompt.get(0));
      for (int id : prompt) {
        clients.read(id);
      }
      clients.readOfLagging(lagging);
    } finally {
      holds.release();
    }
  }

  /** A leader that lags would be replaced, and lead nobody: another server lags in its place. */
  private int laggingFollower(FaultSequence.Stage stage) {
    OptionalInt leader = leader();
    if (stage.lagging() == FaultSequence.NOBODY
        || leader.isEmpty()
        || leader.getAsInt() != stage.lagging()) {
      return stage.lagging();
    }
    return up.stream().filter(id -> id != stage.lagging()).findFirst().orElseThrow();
  }

  private OptionalInt leader() {
    return up.stream().mapToInt(id -> id).filter(id -> servers.probe(id).leads()).findFirst();
  }

  private void awaitServing() throws IOException, InterruptedException {
    long end = System.nanoTime() + SERVING_LIMIT.toNanos();
    for (int id : up) {
      ServerProbe probe = servers.probe(id);
      while (!probe.serving()) {
        if (!servers.running(id)) {
          throw new IOException("Server " + id + " has ended; see " + servers.output(id));
        }
        if (System.nanoTime() > end) {
          throw new IOException(
              "Server "
                  + id
                  + " does not serve after "
                  + SERVING_LIMIT
                  + "; see "
                  + servers.output(id));
        }
        Thread.sleep(LOOK_MILLIS);
        probe = servers.probe(id);
      }
    }
  }

  @Override
  public void close() {
    clients.close();
    servers.close();
    holds.close();
  }
}
