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
package org.orcagrid.grid;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.orcagrid.cli.GridProcesses;
import org.orcagrid.cli.Orca;
import org.orcagrid.cli.ServerProbe;
import org.orcagrid.cli.ServerProgram;
import org.orcagrid.client.Codec;
import org.orcagrid.client.Grid;
import org.orcagrid.client.GridSession;
import org.orcagrid.client.RemoteGrid;
import org.orcagrid.client.View;
import org.orcagrid.client.map.GridMap;
import org.orcagrid.ddp.model.Ddp;

/**
 * Nodes are added while clients use the grid. Then one that was there from the beginning and one
 * that was added are killed, and the last one has it all. And nodes are removed, dead or alive, and
 * with or without a vote in the ensemble. {@code -Dgrid.removals=N} removes more with a vote.
 */
@Timeout(600)
class GridGrowthTest {
  private static final Ddp CAUSAL = Ddp.parse("causal/synchronous");
  private static final Pattern VOTERS = Pattern.compile("voters are servers ([0-9, ]+): ");
  private static final String ASIDE = ".removed-1";
  private static final long STEPS = 30;

  /** Of nodes with a vote, alive and dead by turns, beside the first two. */
  private static final int MORE_REMOVALS = Integer.getInteger("grid.removals", 0);

  @TempDir private Path dir;

  /** One grid for all of it, as to start one takes longer than what happens to it. */
  @Test
  void aGridGrowsAndLosesNodesAndGetsOthers() throws Exception {
    int base = Ports.base();
    int dead;
    RemoteLoad done;
    try (GridProcesses grid = GridProcesses.start(dir, 3, base, Ports.SMALL, Ports.PATIENCE)) {
      whatIsAcknowledgedWhileAGridGrowsIsAtTheNodesThatWereAdded(grid);
      comesBack(grid, 1);
      aGridOfFiveLosesADeadNodeAndALiveOneAndGetsOneAgain(grid, base);
      comesBack(grid, 1);
      assertEquals(5, grid.add(Ports.PATIENCE));
      try (RemoteGrid remote = Grid.connect(addresses(base, 5 + MORE_REMOVALS));
          RemoteLoad load = new RemoteLoad(remote, remote, RemoteLoad.DURABLE, "votes")) {
        dead = aGridOfFiveLosesNodesWithAVoteAndOthersGetIt(grid, load);
        done = load;
      }
    }
    whatIsLeftStartsAgainWithoutTheRest(base, dead, done);
  }

  private void whatIsAcknowledgedWhileAGridGrowsIsAtTheNodesThatWereAdded(GridProcesses grid)
      throws Exception {
    try (RemoteGrid remote = Grid.connect(grid.clients());
        GridSession session = remote.openSession();
        RemoteLoad load = new RemoteLoad(remote)) {
      View<String, Long> keys = session.view(Codec.STRING, Codec.LONG);
      GridMap<String, Long> causal = remote.map("causal", Codec.STRING, Codec.LONG, CAUSAL);
      for (long number = 3; number <= 5; number++) {
        if (number > 3) {
          assertEquals(number, grid.add(Ports.PATIENCE));
        }
        keys.set("size", number);
        assertEquals(number - 3, keys.getAndAdd("grown", 1));
        causal.set("size" + number, number);
        load.awaitSteps(STEPS);
      }
      load.stop();
      String fifth = grid.clients().split(",", -1)[4];
      awaitCausal(fifth, "size3", "size5");
      // One of the ensemble's three servers, and one that was added: a majority is left.
      grid.kill(1);
      grid.kill(4);
      try (RemoteGrid last = Grid.connect(fifth);
          GridSession there = last.openSession()) {
        View<String, Long> left = there.view(Codec.STRING, Codec.LONG);
        assertEquals(3L, left.getAcquire("grown"));
        assertEquals(5L, left.get("size"), "what was written before that");
        load.judge(last);
        GridMap<String, Long> kept = last.map("causal", Codec.STRING, Codec.LONG, CAUSAL);
        for (long number = 3; number <= 5; number++) {
          assertEquals(number, kept.get("size" + number));
        }
      }
    }
  }

  private static void comesBack(GridProcesses grid, int node) throws Exception {
    grid.start(node);
    grid.awaitServing(node, Ports.PATIENCE);
  }

  /** The fourth is dead, and the fifth is alive. */
  private static void aGridOfFiveLosesADeadNodeAndALiveOneAndGetsOneAgain(
      GridProcesses grid, int base) throws Exception {
    try (RemoteGrid remote = Grid.connect(addresses(base, 3));
        GridSession session = remote.openSession();
        RemoteLoad load = new RemoteLoad(remote, remote, RemoteLoad.DURABLE, "losses")) {
      View<String, Long> keys = session.view(Codec.STRING, Codec.LONG);
      GridMap<String, Long> causal = remote.map("causal", Codec.STRING, Codec.LONG, CAUSAL);
      load.awaitSteps(STEPS);
      assertTrue(Files.exists(grid.remove(4, Ports.PATIENCE, System.out::println)));
      assertEquals(0, keys.getAndAdd("lost", 1));
      causal.set("without4", 4L);
      load.awaitSteps(STEPS);
      assertTrue(Files.exists(grid.remove(5, Ports.PATIENCE, System.out::println)));
      assertEquals(1, keys.getAndAdd("lost", 1));
      keys.set("size", 3L);
      causal.set("without5", 3L);
      load.awaitSteps(STEPS);
      assertEquals(4, grid.add(Ports.PATIENCE));
      assertEquals(2, keys.getAndAdd("lost", 1));
      causal.set("before", 4L);
      causal.set("after", 4L);
      load.awaitSteps(STEPS);
      load.stop();
      String fourth = grid.clients().split(",", -1)[3];
      awaitCausal(fourth, "before", "after");
      // Of the four that there are, three are left: a majority.
      grid.kill(1);
      try (RemoteGrid last = Grid.connect(fourth);
          GridSession there = last.openSession()) {
        View<String, Long> left = there.view(Codec.STRING, Codec.LONG);
        assertEquals(3L, left.getAcquire("lost"));
        assertEquals(3L, left.get("size"), "what was written before that");
        load.judge(last);
        GridMap<String, Long> kept = last.map("causal", Codec.STRING, Codec.LONG, CAUSAL);
        assertEquals(4L, kept.get("without4"));
        assertEquals(3L, kept.get("without5"));
      }
    }
  }

  /** Three have a vote. Returns one that had one and was dead. */
  private int aGridOfFiveLosesNodesWithAVoteAndOthersGetIt(GridProcesses grid, RemoteLoad load)
      throws Exception {
    load.awaitSteps(STEPS);
    int first = leader();
    lose(grid, first);
    load.awaitSteps(STEPS);
    int dead = voters().get(0);
    assertEquals(numbers(5, first), nodes());
    assertEquals(numbers(4, first), voters(), "node 4 has the vote of the one that led");
    grid.kill(dead);
    lose(grid, dead);
    load.awaitSteps(STEPS);
    for (int more = 0; more < MORE_REMOVALS; more++) {
      grid.add(Ports.PATIENCE);
      int next = voters().get(0);
      if (more % 2 == 1) {
        grid.kill(next);
        dead = next;
      }
      lose(grid, next);
      load.awaitSteps(STEPS);
      assertEquals(nodes(), voters());
    }
    assertEquals(3, nodes().size());
    assertEquals(nodes(), voters());
    load.stop();
    return dead;
  }

  private void whatIsLeftStartsAgainWithoutTheRest(int base, int dead, RemoteLoad done)
      throws Exception {
    try (GridProcesses again = GridProcesses.start(dir, 3, base, Map.of(), Ports.PATIENCE)) {
      List<Integer> nodes = nodes();
      assertEquals(nodes, voters());
      try (RemoteGrid last = Grid.connect(again.clients())) {
        done.judge(last);
      }
      comesBackInVain(dead);
      assertEquals(nodes, nodes());
      assertEquals(nodes, voters());
    }
  }

  private static List<Integer> numbers(int last, int without) {
    return IntStream.rangeClosed(1, last).filter(each -> each != without).boxed().toList();
  }

  private static String addresses(int base, int count) {
    return IntStream.range(base, base + count)
        .mapToObj(port -> "127.0.0.1:" + port)
        .collect(Collectors.joining(","));
  }

  private void lose(GridProcesses grid, int node) throws Exception {
    Path aside = grid.remove(node, Ports.PATIENCE, System.out::println);
    assertEquals(dir.resolve("server-" + node + ASIDE), aside);
    grid.completeVotes(Ports.PATIENCE, System.out::println);
  }

  /** The server that leads the ensemble. */
  private int leader() throws Exception {
    while (true) {
      // Waits while one is elected.
      for (int server : voters()) {
        String line = Files.readString(dir.resolve("server-" + server).resolve("server.line"));
        int port = Integer.parseInt(line.substring(line.lastIndexOf(':') + 1).strip());
        InetAddress here = InetAddress.getLoopbackAddress();
        if (ServerProbe.of(new InetSocketAddress(here, port)).role().equals("leader")) {
          return server;
        }
      }
    }
  }

  /** What 'orca grid status' shows once all nodes serve in one view. */
  private String status() {
    long end = System.nanoTime() + Ports.PATIENCE.toNanos();
    while (true) {
      StringWriter out = new StringWriter();
      int exitCode =
          Orca.commandLine()
              .setOut(new PrintWriter(out))
              .execute("grid", "status", "--dir", dir.toString());
      long views = rows(out.toString()).map(row -> row[4]).distinct().count();
      if (exitCode == 0 && views == 1) {
        return out.toString();
      }
      assertTrue(System.nanoTime() - end < 0, out::toString);
    }
  }

  private static Stream<String[]> rows(String status) {
    return status
        .lines()
        .filter(line -> line.matches("\\d+ .*"))
        .map(line -> line.trim().split(" +", -1));
  }

  private List<Integer> nodes() {
    return rows(status()).map(row -> Integer.parseInt(row[0])).toList();
  }

  private List<Integer> voters() {
    Matcher voters = VOTERS.matcher(status());
    assertTrue(voters.find());
    return Arrays.stream(voters.group(1).split(", ", -1)).map(Integer::parseInt).toList();
  }

  /** What is in its folders is put where it was, and its server is started, as by a mistake. */
  private void comesBackInVain(int removed) throws Exception {
    for (String each : List.of("server-" + removed, "node-" + removed)) {
      if (Files.exists(dir.resolve(each + ASIDE))) {
        Files.move(dir.resolve(each + ASIDE), dir.resolve(each));
      }
    }
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    ServerProgram program = ServerProgram.orca();
    command.addAll(List.of("-cp", program.classPath(), program.mainClass()));
    command.addAll(program.arguments());
    command.add(dir.resolve("server-" + removed).resolve("zoo.cfg").toString());
    Path log = dir.resolve("back.txt");
    Process back =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    try {
      while (!read(log).contains("this server hosts none any more")) {
        assertFalse(back.waitFor(100, TimeUnit.MILLISECONDS), () -> read(log));
      }
    } finally {
      back.destroyForcibly().onExit().join();
    }
    Files.move(dir.resolve("server-" + removed), dir.resolve("server-" + removed + ASIDE));
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What is causal gets to a node some time after it was acknowledged, in the order of writes. */
  private static void awaitCausal(String node, String before, String after) {
    try (RemoteGrid grid = Grid.connect(node)) {
      GridMap<String, Long> causal = grid.map("causal", Codec.STRING, Codec.LONG, CAUSAL);
      while (causal.get(after) == null) {
        Thread.onSpinWait();
      }
      assertNotNull(causal.get(before), "what was written before it");
    }
  }
}
