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

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.admin.ZooKeeperAdmin;
import org.orcagrid.bench.system.FourLetterWords;
import org.orcagrid.bench.system.ServerAddress;
import org.orcagrid.cli.CommandFailure;
import org.orcagrid.cli.EnsembleMember;
import org.orcagrid.cli.EnsembleProcesses;
import org.orcagrid.cli.EnsembleSpec;
import org.orcagrid.cli.ServerProgram;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Server processes with a dynamic configuration and short ticks. Servers are named by their number,
 * from 1. Closing it ends every process.
 *
 * <p>One thread starts, stops and asks servers; any thread may connect.
 */
final class TestEnsemble implements Servers, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(TestEnsemble.class);

  /** How long servers may take to form a quorum, on a machine that does something else as well. */
  static final Duration SERVING_LIMIT = Duration.ofSeconds(40);

  private static final int SESSION_TIMEOUT_MS = 10_000;

  /** Many times what a server needs to notice that another is gone: two seconds. */
  private static final Map<String, String> SHORT_TICKS =
      Map.of(
          "tickTime", "200",
          "initLimit", "100",
          "syncLimit", "10",
          "maxSessionTimeout", "60000");

  private final EnsembleProcesses processes;
  private final TreeSet<Integer> started = new TreeSet<>();
  private ServerProgram program;

  private TestEnsemble(EnsembleProcesses processes, ServerProgram program) {
    this.processes = processes;
    this.program = program;
  }

  /** Writes the files of so many participants; no server runs yet. */
  static TestEnsemble prepare(
      Path dir, int servers, ServerProgram program, Map<String, String> settings)
      throws IOException, CommandFailure {
    EnsembleSpec spec =
        EnsembleSpec.of(servers, dir).withSettings(SHORT_TICKS).withSettings(settings);
    TestEnsemble ensemble = new TestEnsemble(EnsembleProcesses.prepare(spec), program);
    Map<Integer, String> roles = new TreeMap<>();
    for (int id = 1; id <= servers; id++) {
      roles.put(id, "participant");
    }
    for (int id = 1; id <= servers; id++) {
      ensemble.configure(id, roles);
    }
    return ensemble;
  }

  /** Starts all of them and waits until they serve. */
  TestEnsemble startAll() throws Exception {
    int[] all = all();
    for (int id : all) {
      start(id);
    }
    awaitServing(all);
    return this;
  }

  /** Makes {@code id} start with these servers and roles instead of all as participants. */
  void configure(int id, Map<Integer, String> roles) throws IOException {
    EnsembleMember member = processes.member(id);
    Path dynamic = member.folder().resolve("zoo.cfg.dynamic");
    List<String> lines = new ArrayList<>();
    roles.forEach((server, role) -> lines.add(serverLine(server, role)));
    Files.write(dynamic, lines);
    List<String> fixed =
        Files.readAllLines(member.zooCfg()).stream()
            .filter(line -> !line.matches("(server\\.|clientPort|dynamicConfigFile).*"))
            .collect(Collectors.toCollection(ArrayList::new));
    fixed.add("dynamicConfigFile=" + dynamic);
    if ("observer".equals(roles.get(id))) {
      fixed.add("peerType=observer");
    }
    Files.write(member.zooCfg(), fixed);
  }

  /** A server's line in a dynamic configuration. */
  String serverLine(int id, String role) {
    EnsembleMember member = processes.member(id);
    return "server.%d=127.0.0.1:%d:%d:%s;127.0.0.1:%d"
        .formatted(id, member.quorumPort(), member.electionPort(), role, member.clientPort());
  }

  /** The numbers of all servers. */
  int[] all() {
    return IntStream.rangeClosed(1, size()).toArray();
  }

  int size() {
    return processes.members().size();
  }

  /** What servers run that are started from now on. */
  void use(ServerProgram newProgram) {
    program = newProgram;
  }

  void start(int id) throws IOException {
    processes.start(id, program);
    started.add(id);
  }

  /** SIGTERM; returns when the process has ended. */
  void stop(int id) throws InterruptedException {
    processes.stop(id);
  }

  /** SIGKILL; returns when the process has ended. */
  void kill(int id) throws InterruptedException {
    processes.kill(id);
  }

  /** SIGTERM to all of these at the same time. */
  void stopTogether(int... ids) throws InterruptedException {
    for (int id : ids) {
      processes.process(id).destroy();
    }
    for (int id : ids) {
      processes.stop(id);
    }
  }

  /** SIGKILL to all of these at the same time. */
  void killTogether(int... ids) throws InterruptedException {
    for (int id : ids) {
      processes.process(id).destroyForcibly();
    }
    for (int id : ids) {
      processes.kill(id);
    }
  }

  /** SIGSTOP; returns when every thread stands still. */
  void pause(int id) throws Exception {
    processes.pause(id);
  }

  /** SIGCONT. */
  void resume(int id) throws Exception {
    processes.resume(id);
  }

  /** Returns what the server says it is, or "-" while it serves nobody. */
  String role(int id) {
    return processes.probe(id).role();
  }

  /** Waits until all of these serve and one of them leads; returns the leader. */
  int awaitServing(int... ids) throws Exception {
    int[] leader = {0};
    Eventually.await(
        SERVING_LIMIT,
        () -> {
          for (int id : ids) {
            assertEquals(true, processes.running(id), () -> "server runs: " + log(id));
          }
          List<String> roles = Arrays.stream(ids).mapToObj(this::role).toList();
          OptionalInt found =
              IntStream.range(0, ids.length).filter(i -> roles.get(i).equals("leader")).findFirst();
          found.ifPresent(i -> leader[0] = ids[i]);
          return found.isPresent() && !roles.contains("-");
        },
        () -> "servers " + Arrays.toString(ids) + " do not all serve: " + logs());
    return leader[0];
  }

  /** Waits until all servers serve; returns the leader. */
  int awaitServing() throws Exception {
    return awaitServing(started.stream().mapToInt(Integer::intValue).toArray());
  }

  /** Returns a server's values of {@code mntr}. */
  Map<String, String> monitor(int id) throws IOException {
    return FourLetterWords.monitor(
        new ServerAddress("127.0.0.1", processes.member(id).clientPort()));
  }

  /** Returns one whole number of {@code mntr}. */
  long monitor(int id, String key) throws IOException {
    return Long.parseLong(monitor(id).get(key));
  }

  /** Whether the server that runs is ours, by what it counts. */
  boolean isOurs(int id) throws IOException {
    return monitor(id).containsKey("zk_orca_durable_index");
  }

  Path dataDir(int id) {
    return processes.member(id).dataDir();
  }

  @Override
  public String connectString(int... ids) {
    return Arrays.stream(ids)
        .mapToObj(id -> "127.0.0.1:" + processes.member(id).clientPort())
        .collect(Collectors.joining(","));
  }

  @Override
  public ZooKeeperAdmin connect(int... ids) throws Exception {
    return connect(connectString(ids));
  }

  static ZooKeeperAdmin connect(String connectString) throws IOException, InterruptedException {
    CountDownLatch connected = new CountDownLatch(1);
    Watcher watcher =
        (WatchedEvent event) -> {
          if (event.getState() == KeeperState.SyncConnected) {
            connected.countDown();
          }
        };
    ZooKeeperAdmin client = new ZooKeeperAdmin(connectString, SESSION_TIMEOUT_MS, watcher);
    boolean done = false;
    try {
      done = connected.await(SERVING_LIMIT.toSeconds(), TimeUnit.SECONDS);
    } finally {
      if (!done) {
        client.close();
      }
    }
    if (!done) {
      throw new IOException("No connection to " + connectString);
    }
    return client;
  }

  @Override
  public String logs() {
    return started.stream().map(this::log).collect(Collectors.joining("\n"));
  }

  /** How many lines of a server's log have this text, over all its starts. */
  long logged(int id, String text) throws IOException {
    try (Stream<String> lines = Files.lines(processes.member(id).dataDir().resolve("orca.log"))) {
      return lines.filter(line -> line.contains(text)).count();
    }
  }

  private String log(int id) {
    try {
      return "server " + id + ":\n" + String.join("\n", processes.said(id, 60));
    } catch (IOException e) {
      return "server " + id + " has no log: " + e;
    }
  }

  @Override
  public void close() {
    for (int id : started) {
      if (processes.running(id)) {
        goOn(id);
      }
    }
    processes.close();
  }

  /** A process that stands still would not take the signal to end. */
  private void goOn(int id) {
    try {
      processes.resume(id);
    } catch (IOException e) {
      LOG.debug("Server {} ended by itself just now", id, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
