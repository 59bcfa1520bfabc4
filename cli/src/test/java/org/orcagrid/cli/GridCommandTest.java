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
package org.orcagrid.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.channel.EventLoopGroup;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.orcagrid.cli.ProcessLauncher.Lifetime;
import org.orcagrid.ddp.kite.OperationKind;
import org.orcagrid.ddp.kite.Outcome;
import org.orcagrid.ddp.node.Request;
import org.orcagrid.node.NodeSettings;
import org.orcagrid.transport.tcp.remote.RemoteNode;
import org.orcagrid.transport.tcp.remote.RemoteSession;

/** {@code orca grid}, with real processes. */
@Timeout(120)
class GridCommandTest {
  @TempDir private Path folder;

  @AfterEach
  void stop() {
    if (Files.exists(folder.resolve("server-1"))) {
      Cli.run("grid", "stop", "--dir", folder.toString());
    }
  }

  /** One grid for all of it. */
  @Test
  void nodesAreRemovedAndAddedWhileTheGridIsUsed() throws Exception {
    String base = Integer.toString(FreePorts.find(1, new java.util.Random()).get(0));
    String[] sized = {
      "--dir", folder.toString(), "--base-port", base, "--set", "grid.value.bytes=1000"
    };
    Cli nothing = Cli.run("grid", "add", "--dir", folder);
    assertEquals(1, nothing.exitCode(), nothing::toString);
    assertTrue(nothing.err().contains("There is no grid in"), nothing.err());
    Cli started = Cli.run(words("2", sized));
    assertEquals(0, started.exitCode(), started::toString);
    aNodeIsRemovedAndItsFolderNeverComesBack();
    aNodeIsAddedWhileTheGridIsUsedAndKept(base);
    assertEquals(0, Cli.run("grid", "stop", "--dir", folder).exitCode());
    Cli again = Cli.run(words("3", sized));
    assertEquals(0, again.exitCode(), again::toString);
    assertEquals(0, Cli.run("grid", "status", "--dir", folder).exitCode());
  }

  private void aNodeIsRemovedAndItsFolderNeverComesBack() throws Exception {
    GridFolder grid = new GridFolder(folder);
    NodeSettings first = grid.nodes().get(0).settings();
    write(first, "kept");
    Cli hosted = Cli.run("grid", "remove", "1", "--dir", folder);
    assertEquals(1, hosted.exitCode());
    assertTrue(hosted.err().startsWith("orca: The ensemble is one server"), hosted.err());
    Path config = folder.resolve("node-2").resolve("grid.cfg");
    Cli voter = Cli.run("grid", "remove", "--config", config, first.home().address());
    assertEquals(1, voter.exitCode());
    assertTrue(voter.err().startsWith("orca: The ensemble is one server"), voter.err());
    Cli unknown = Cli.run("grid", "remove", "7", "--dir", folder);
    assertEquals(2, unknown.exitCode());
    assertTrue(unknown.err().contains("There is no node 7; the grid has 1, 2."), unknown.err());

    Cli removed = Cli.run("grid", "remove", "2", "--dir", folder);
    assertEquals(0, removed.exitCode(), removed::toString);
    Path aside = folder.resolve("node-2.removed-1");
    assertTrue(removed.out().contains("Removed node 2; its folder is " + aside), removed.out());
    assertTrue(Files.exists(aside.resolve("grid.cfg")));
    assertTrue(
        Files.readString(aside.resolve("orca.log")).contains("was removed from the grid and ends"),
        "the node says why it has ended");
    assertEquals(0, Cli.run("grid", "status", "--dir", folder).exitCode());
    Cli same = Cli.run("grid", "start", "1", "--dir", folder);
    assertTrue(same.out().startsWith("All 1 nodes were running; nothing"), same::toString);
    assertEquals("kept", read(first));
    Cli last = Cli.run("grid", "remove", "--config", aside.resolve("grid.cfg"), "127.0.0.1:1");
    assertTrue(last.err().contains("has no node at 127.0.0.1:1; its nodes are at"), last.err());
    Cli back = Cli.run("grid", "run", "--add", aside.resolve("grid.cfg"));
    assertEquals(1, back.exitCode());
    assertTrue(back.err().contains("was removed"), back.err());

    assertEquals(0, Cli.run("grid", "add", "--dir", folder).exitCode());
    assertEquals(2, grid.nodes().size());
    assertEquals("kept", read(grid.nodes().get(1).settings()));
    // The place that was lost is had again.
    Cli status = Cli.run("grid", "status", "--dir", folder);
    assertTrue(status.out().lines().anyMatch(line -> line.startsWith("2 ")), status.out());
  }

  private void aNodeIsAddedWhileTheGridIsUsedAndKept(String base) throws Exception {
    GridFolder grid = new GridFolder(folder);
    write(grid.nodes().get(0).settings(), "before");
    Cli added = Cli.run("grid", "add", "--dir", folder);
    assertEquals(0, added.exitCode(), added::toString);
    assertEquals(3, grid.nodes().size());
    assertEquals("before", read(grid.nodes().get(2).settings()));
    assertEquals(0, Cli.run("grid", "status", "--dir", folder).exitCode());
    refused("has 3 nodes and not 2", "2", "--base-port", base);

    // A majority of three goes on; and while one is away nothing is added.
    kill(grid, 2);
    write(grid.nodes().get(2).settings(), "after");
    Cli missing = Cli.run("grid", "add", "--dir", folder);
    assertEquals(1, missing.exitCode(), missing::toString);
    assertTrue(missing.err().contains("Node 2 does not run"), missing.err());
    assertEquals(3, grid.nodes().size(), "nothing was added");
  }

  @Test
  void aKilledNodeIsStartedAgainByTheSameWordsAndCatchesUp() throws Exception {
    String base = Integer.toString(FreePorts.find(1, new java.util.Random()).get(0));
    Object[] words = {
      "grid", "start", "3", "--dir", folder, "--base-port", base, "--set", "grid.value.bytes=1000"
    };
    Cli started = Cli.run(words);
    assertEquals(0, started.exitCode(), started::toString);
    GridFolder grid = new GridFolder(folder);
    NodeSettings first = grid.nodes().get(0).settings();
    write(first, "kept");
    kill(grid, 2);
    assertEquals(3, Cli.run("grid", "status", "--dir", folder).exitCode());

    refused("has 3 nodes and not 4", "4", "--base-port", base);
    refused("has the base port " + base + " and not 7100", "3", "--base-port", "7100");
    refused(
        "has grid.value.bytes=1000 and not grid.value.bytes=7", "3", "--set", "grid.value.bytes=7");
    refused("has no line grid.workers and not grid.workers=2", "3", "--set", "grid.workers=2");
    assertEquals(3, grid.nodes().size(), "nothing was deleted");
    assertEquals(3, Cli.run("grid", "status", "--dir", folder).exitCode());

    long others = grid.nodes().get(0).running().orElseThrow().pid();
    anInterruptedStartLeavesNothingThatItLaunched(grid, words);
    Cli again = Cli.run(words);
    assertEquals(0, again.exitCode(), again::toString);
    long pid = grid.nodes().get(1).running().orElseThrow().pid();
    assertTrue(
        again.out().startsWith("Node 2 was not running; started again with pid " + pid + "."),
        again.out());
    assertEquals(others, grid.nodes().get(0).running().orElseThrow().pid());
    assertEquals(0, Cli.run("grid", "status", "--dir", folder).exitCode());

    // Of the two that remain one is the new process: what it had to learn, it has learnt.
    kill(grid, 3);
    assertEquals("kept", read(grid.nodes().get(1).settings()));
    kill(grid, 1);
    kill(grid, 2);
    assertEquals(1, Cli.run("grid", "status", "--dir", folder).exitCode());
    assertEquals(0, Cli.run(words).exitCode(), "what was in memory begins anew");
    assertEquals("", read(first));
  }

  /** Node 2 does not run. */
  private void anInterruptedStartLeavesNothingThatItLaunched(GridFolder grid, Object... words)
      throws Exception {
    // Of two that a new process must ask, one is silent: it cannot serve.
    ServerProcess silent = grid.nodes().get(0).running().orElseThrow();
    silent.pause();
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-cp", ServerProgram.serverClassPath(), Orca.class.getName()));
    Arrays.stream(words).map(Object::toString).forEach(command::add);
    Process start =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("start.txt").toFile())
            .start();
    try {
      assertTrue(
          Deadline.in(Duration.ofSeconds(40))
              .await(() -> !start.isAlive() || grid.nodes().get(1).running().isPresent()));
      ServerProcess launched = grid.nodes().get(1).running().orElseThrow();
      start.destroy();
      assertTrue(start.waitFor(20, TimeUnit.SECONDS));
      assertTrue(launched.awaitEnd(Duration.ofSeconds(20)));
    } finally {
      start.destroyForcibly();
      silent.resume();
    }
    assertTrue(silent.alive(), "what ran before goes on");
  }

  private static Object[] words(String nodes, String... options) {
    List<Object> words = new ArrayList<>(List.of("grid", "start", nodes));
    words.addAll(List.of(options));
    return words.toArray();
  }

  /** A byte a second: the first keys of each other node come, and nothing after them. */
  @Test
  void aNodeThatCatchesUpShowsHowFarItIs() throws Exception {
    Cli started =
        Cli.run(
            "grid",
            "start",
            "3",
            "--dir",
            folder,
            "--base-port",
            FreePorts.find(1, new java.util.Random()).get(0),
            "--set",
            "grid.value.bytes=1000",
            "--set",
            "grid.catch-up.bytes-per-second=1");
    assertEquals(0, started.exitCode(), started::toString);
    GridFolder grid = new GridFolder(folder);
    for (int key = 0; key < 50; key++) {
      access(grid.nodes().get(0).settings(), OperationKind.RELEASE, "key" + key, "value");
    }
    kill(grid, 2);
    try (GridProcesses processes = new GridProcesses(grid, grid.nodes(), Lifetime.ATTACHED)) {
      processes.start(2);
      Deadline deadline = Deadline.in(Duration.ofSeconds(60));
      Cli status = Cli.run("grid", "status", "--dir", folder);
      while (!status.out().matches("(?s).*catches up: 0 of 1 parts, [1-9]\\d* of \\d+ entries.*")) {
        assertFalse(deadline.passed(), status::toString);
        status = Cli.run("grid", "status", "--dir", folder);
      }
      assertEquals(3, status.exitCode(), status::toString);
    }
  }

  private void refused(String difference, Object... words) {
    List<Object> all = new ArrayList<>(List.of("grid", "start"));
    all.addAll(List.of(words));
    all.addAll(List.of("--dir", folder));
    Cli cli = Cli.run(all.toArray());
    assertEquals(1, cli.exitCode(), cli::toString);
    assertEquals(
        "orca: The grid that runs in "
            + folder
            + " "
            + difference
            + "; stop it first with 'orca grid stop', or choose another --dir.",
        cli.err().strip());
  }

  private static void kill(GridFolder grid, int node) throws Exception {
    ServerProcess process = grid.nodes().get(node - 1).running().orElseThrow();
    process.kill();
    assertTrue(process.awaitEnd(Duration.ofSeconds(20)));
  }

  private static void write(NodeSettings node, String value) throws Exception {
    access(node, OperationKind.RELEASE, "key", value);
  }

  private static String read(NodeSettings node) throws Exception {
    return access(node, OperationKind.ACQUIRE, "key", null);
  }

  private static String access(NodeSettings node, OperationKind kind, String key, String value)
      throws Exception {
    EventLoopGroup loops = RemoteNode.newLoops("test");
    try (RemoteNode remote =
        RemoteNode.connect(
                node.home().address(), node.home().grid(), RemoteNode.Credentials.NONE, loops)
            .toCompletableFuture()
            .get(20, TimeUnit.SECONDS)) {
      RemoteSession session = remote.openSession().toCompletableFuture().get(20, TimeUnit.SECONDS);
      Request request = session.next();
      request.kind(kind);
      request.key().set(key.getBytes(StandardCharsets.UTF_8));
      request.value().set(value == null ? null : value.getBytes(StandardCharsets.UTF_8));
      session.submit(request);
      assertTrue(session.await(request, TimeUnit.SECONDS.toNanos(20)), "no answer");
      assertEquals(Outcome.DONE, request.outcome());
      byte[] is = request.result().toArray();
      session.close();
      return is == null ? "" : new String(is, StandardCharsets.UTF_8);
    } finally {
      loops.shutdownGracefully(0, 0, TimeUnit.SECONDS).awaitUninterruptibly();
    }
  }

  @Test
  void aNodeThatWaitsForItsEnsembleIsSeenAndStopped() throws Exception {
    GridFolder grid = new GridFolder(folder);
    int base = FreePorts.find(1, new java.util.Random()).get(0);
    // The first is hosted by the only server, which does not run.
    GridNode node = new GridFiles(grid).write(2, base, Map.of("grid.value.bytes", "1000")).get(1);
    ProcessLauncher.Launched launched =
        ProcessLauncher.launch(
            node.program(), node.config(), node.folder(), ProcessLauncher.Lifetime.ATTACHED);
    Process waits = launched.process();
    try {
      assertTrue(
          Deadline.in(Duration.ofSeconds(40))
              .await(() -> said(launched).contains("Connection refused")),
          () -> said(launched));
      assertEquals(Optional.of(waits.pid()), grid.nodes().get(1).running().map(ServerProcess::pid));
      Cli second = Cli.run("grid", "run", node.config());
      assertEquals(1, second.exitCode(), second::toString);
      assertEquals(
          "orca: The node of "
              + node.config()
              + " runs already, as pid "
              + waits.pid()
              + "; stop it first.",
          second.err().strip());
      assertTrue(waits.isAlive());
      Cli stop = Cli.run("grid", "stop", "--dir", folder);
      assertEquals("Stopped 1 of 2 nodes.", stop.out().strip());
      assertEquals(0, stop.exitCode(), stop::toString);
      assertTrue(waits.waitFor(20, TimeUnit.SECONDS));
    } finally {
      waits.destroyForcibly().onExit().join();
    }
  }

  private static String said(ProcessLauncher.Launched launched) {
    try {
      return String.join("\n", launched.output().tail(launched.mark()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void twoStartsAtOnceAreRefused() throws Exception {
    try (KernelLock first = KernelLock.tryTake(folder.resolve("start.lock")).orElseThrow()) {
      Cli second = Cli.run("grid", "start", "2", "--dir", folder);
      assertEquals(1, second.exitCode(), second::toString);
      assertEquals(
          "orca: Another 'orca grid start', 'add' or 'remove' is at work in "
              + folder
              + ", as pid "
              + ProcessHandle.current().pid()
              + "; wait until it has ended, or choose another --dir.",
          second.err().strip(),
          first::toString);
    }
    assertEquals(List.of(), new GridFolder(folder).nodes());
  }

  @Test
  void optionsThatNoNodeTakesChangeNothing() throws Exception {
    GridFolder grid = new GridFolder(folder);
    List<GridNode> before = new GridFiles(grid).write(2, 7100, Map.of("grid.value.bytes", "1000"));
    List<String> wrongs =
        List.of(
            "grid.bogus=1",
            "grid.console.port=9100",
            "grid.ensemble=127.0.0.1:2181",
            "grid.value.bytes=x",
            "orca.durability=no");
    for (String wrong : wrongs) {
      Cli cli = Cli.run("grid", "start", "2", "--dir", folder, "--set", wrong);
      assertEquals(2, cli.exitCode(), cli::toString);
      assertTrue(cli.err().startsWith("orca: Nodes cannot run with these options ("), cli.err());
      assertTrue(cli.err().contains(wrong.split("=")[0]), cli.err());
      assertEquals(before.toString(), grid.nodes().toString(), wrong);
    }
    Cli more = Cli.run("grid", "start", "3", "--dir", folder);
    assertEquals(1, more.exitCode(), more::toString);
    assertTrue(more.err().contains("holds a grid of 2 nodes; start as many"), more.err());
    Cli port = Cli.run("grid", "start", "2", "--dir", folder, "--base-port", "65534");
    assertEquals(2, port.exitCode(), port::toString);
    assertEquals(before.toString(), grid.nodes().toString());
    assertEquals(1, Cli.run("grid", "status", "--dir", folder).exitCode());
    assertEquals(0, Cli.run("grid", "stop", "--dir", folder).exitCode());
  }

  private void whatRunsIsLeftAloneAlsoWhereNoPidFileNamesIt(Object... words) throws Exception {
    GridFolder grid = new GridFolder(folder);
    List<GridNode> nodes = grid.nodes();
    List<Path> hidden = new ArrayList<>();
    for (GridNode node : nodes) {
      hidden.add(Files.move(PidFile.in(node.folder()).file(), node.folder().resolve("hidden.pid")));
    }
    try {
      for (Cli cli : List.of(Cli.run(words), Cli.run("grid", "stop", "--dir", folder))) {
        assertEquals(1, cli.exitCode(), cli::toString);
        assertTrue(cli.err().startsWith("orca: Node 1 of the grid in " + folder), cli.err());
        assertTrue(
            cli.err()
                .contains(
                    " runs, as "
                        + Files.readString(hidden.get(0))
                            .lines()
                            .findFirst()
                            .map(pid -> "pid " + pid + " ")
                            .orElseThrow()),
            cli.err());
      }
      assertEquals(nodes.toString(), grid.nodes().toString(), "nothing was deleted");
    } finally {
      for (Path each : hidden) {
        Files.move(each, each.resolveSibling("orca.pid"));
      }
    }
    assertEquals(0, Cli.run("grid", "status", "--dir", folder).exitCode());
  }

  private static String get(int port) throws Exception {
    URI address = URI.create("http://127.0.0.1:" + port + "/grid/state");
    return HttpClient.newHttpClient()
        .send(HttpRequest.newBuilder(address).build(), BodyHandlers.ofString())
        .body();
  }

  @Test
  void nodesStartServeAndStopAndEachHasAConsoleThatSaysWhatTheStatusDoes() throws Exception {
    int base = FreePorts.find(1, new java.util.Random()).get(0);
    int console = FreePorts.find(1, new java.util.Random()).get(0);
    List<Object> words = new ArrayList<>(List.of("grid", "start", "2", "--dir", folder));
    words.addAll(List.of("--base-port", base, "--set", "grid.value.bytes=1000"));
    Object[] plain = words.toArray();
    words.addAll(List.of("--console", console, "--timeout", "60"));
    Cli started = Cli.run(words.toArray());
    assertEquals(0, started.exitCode(), started::toString);
    String page = "Console: http://127.0.0.1:" + console + "/grid";
    assertTrue(started.out().contains("Grid.connect(\"127.0.0.1:" + base), started.out());
    assertTrue(started.out().strip().endsWith(page), started::toString);
    refused("has its consoles at " + console + " and not at 9", "2", "--console", "9");
    Cli twice = Cli.run(plain);
    assertEquals(0, twice.exitCode(), "what is not said stays");
    assertTrue(twice.out().startsWith("All 2 nodes were running; nothing"), twice.out());
    whatRunsIsLeftAloneAlsoWhereNoPidFileNamesIt(plain);

    Cli shell =
        Cli.run(
            "grid", "shell", "--dir", folder, "--command", "map stock", "--command", "create a 1");
    assertEquals("true", shell.out().strip(), shell::toString);
    Deadline deadline = Deadline.in(Duration.ofSeconds(60));
    Cli status = Cli.run("grid", "status", "--dir", folder);
    while (!status.out().matches("(?s).*stock +linearizable/synchronous +1 +\\S+ KB +2 of 2 .*")) {
      assertFalse(deadline.passed(), status::toString);
      status = Cli.run("grid", "status", "--dir", folder);
    }
    String node = "\\d+ +127.0.0.1:" + (base + 1) + " +\\d +\\d+ +\\d+ ms +\\d+ +\\d+ +0/0 +serves";
    assertTrue(status.out().lines().anyMatch(line -> line.matches("2 +" + node)), status::toString);
    for (int number = 0; number < 2; number++) {
      String state = get(console + number);
      assertTrue(state.contains("\"self\":\"127.0.0.1:" + (base + number) + "\""), state);
      assertTrue(state.contains("\"name\":\"stock\""), state);
      assertTrue(state.contains("\"address\":\"127.0.0.1:" + (base + 1 - number) + "\""), state);
    }

    kill(new GridFolder(folder), 2);
    Cli one = Cli.run("grid", "status", "--dir", folder);
    assertEquals(3, one.exitCode(), one::toString);
    assertTrue(
        one.out().lines().anyMatch(line -> line.matches("2 .*-  +not running")), one::toString);
    assertEquals(0, Cli.run("grid", "stop", "--dir", folder).exitCode());
    assertEquals(1, Cli.run("grid", "status", "--dir", folder).exitCode());
    Cli again = Cli.run(plain);
    assertEquals(0, again.exitCode(), again::toString);
    assertTrue(again.out().strip().endsWith(page), again::toString);
    assertEquals(0, Cli.run("grid", "stop", "--dir", folder).exitCode());
  }

  @Test
  void aConsoleThatCannotListenNamesItsSetting() throws Exception {
    GridFolder grid = new GridFolder(folder);
    GridNode node = new GridFiles(grid).write(2, 7100, Map.of("grid.value.bytes", "1000")).get(1);
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Files.write(
          node.config(),
          List.of("grid.console.port=" + taken.getLocalPort()),
          StandardOpenOption.APPEND);
      Cli refused = Cli.run("grid", "run", node.config());
      assertEquals(1, refused.exitCode(), refused::toString);
      assertTrue(refused.err().contains("take another port"), refused::toString);
      assertTrue(refused.err().contains("grid.console.port"), refused::toString);
    }
    Files.write(
        node.config(), List.of("grid.console.address=no.such.host."), StandardOpenOption.APPEND);
    Cli nowhere = Cli.run("grid", "run", node.config());
    assertTrue(nowhere.err().contains("grid.console.address=no.such.host."), nowhere::toString);
    Cli wrong = Cli.run("grid", "start", "2", "--dir", folder, "--console", "65535");
    assertEquals(2, wrong.exitCode(), wrong::toString);
    assertTrue(wrong.err().contains("correct --console"), wrong::toString);
  }

  @Test
  void whatCannotBeIsSaidInOneSentence() throws Exception {
    String dir = folder.toString();
    assertEquals(2, Cli.run("grid", "start", "10", "--dir", dir).exitCode());
    Cli none = Cli.run("grid", "status", "--dir", dir);
    assertTrue(none.err().contains("There is no grid in"), none.err());
    Path config = folder.resolve("grid.cfg");
    Files.writeString(config, "grid.ensemble=z:1\ngrid.address=a:1\n");
    Cli broken = Cli.run("grid", "run", config.toString());
    assertEquals(1, broken.exitCode());
    assertTrue(broken.err().contains("grid.size is missing"), broken.err());
  }
}
