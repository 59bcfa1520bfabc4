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
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.PrintWriter;
import java.io.StringReader;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.orcagrid.client.Codec;
import org.orcagrid.client.Grid;
import org.orcagrid.client.GridSession;
import org.orcagrid.client.MemberGrid;
import org.orcagrid.ddp.kite.KiteSettings;
import org.orcagrid.ddp.map.LocalViews;
import org.orcagrid.ddp.model.Ddp;
import org.orcagrid.node.KeySettings;
import org.orcagrid.node.NodeSettings;
import org.orcagrid.transport.tcp.ClientAdmission;
import org.orcagrid.transport.tcp.HostPort;
import org.orcagrid.transport.tcp.PortSecurity;

/** {@code orca grid shell} at a node in this process, whose clients have to know a secret. */
@Timeout(120)
class GridShellTest {
  @TempDir private static Path folder;

  private static LocalViews views;
  private static MemberGrid member;
  private static String address;
  private static Path config;

  @BeforeAll
  static void start() throws Exception {
    HostPort at = new HostPort("localhost", FreePorts.find(1, new Random()).get(0));
    address = at.toString();
    Path secret = Files.writeString(folder.resolve("secret"), "a secret of enough letters");
    Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-------"));
    config =
        Files.write(
            folder.resolve("client.cfg"),
            List.of("grid.nodes=" + address, "grid.name=shop", "grid.secret.file=" + secret));
    views =
        LocalViews.open(
            1,
            KiteSettings.NODES_MAX,
            folder.resolve("views"),
            System::nanoTime,
            work -> {
              Thread thread = new Thread(work, "views");
              thread.setDaemon(true);
              return thread;
            });
    NodeSettings settings =
        NodeSettings.of("shop", 1, at, folder.resolve("node"))
            .withKeys(new KeySettings(16, 4096, 16 << 20))
            .withSecurity(PortSecurity.NONE.withSecret(secret).withClients(ClientAdmission.SECRET));
    member = Grid.join(settings, views.membership(0, address));
    assertTrue(member.awaitServing(Duration.ofSeconds(60)));
  }

  @AfterAll
  static void stop() throws Exception {
    member.close();
    views.close();
  }

  /** Runs these commands. */
  private static Cli shell(String... commands) {
    List<Object> words = new ArrayList<>(List.of("grid", "shell", "--config", config));
    for (String each : commands) {
      words.addAll(List.of("--command", each));
    }
    return Cli.run(words.toArray());
  }

  private static void prints(String expected, String... commands) {
    Cli cli = shell(commands);
    assertEquals(0, cli.exitCode(), cli::toString);
    assertEquals(expected, String.join(" | ", cli.out().lines().toList()), cli::toString);
  }

  private static void fails(String sentence, String... commands) {
    Cli cli = shell(commands);
    assertEquals(1, cli.exitCode(), cli::toString);
    assertTrue(cli.err().startsWith("orca: Command " + commands.length + " ("), cli::toString);
    assertTrue(cli.err().contains(sentence), cli::toString);
    assertEquals(1, cli.err().lines().count(), cli::toString);
  }

  @Test
  void aMapIsReadAndWritten() {
    prints(
        "(none) | 12 | false | true | a b | 2 | apples | pears | (none)",
        "map stock",
        "get apples",
        "set apples 12",
        "get apples",
        "cas apples 11 13",
        "cas apples 12 'a b'",
        "get apples",
        "set pears -3",
        "size",
        "keys",
        "delete apples",
        "get apples");
    Map<String, String> map =
        member.atomicMap(
            "stock", Codec.STRING, Codec.STRING, Ddp.parse("linearizable/synchronous"));
    assertEquals(Map.of("pears", "-3"), Map.copyOf(map));
  }

  @Test
  void theMapsThatThereAreAreListed() {
    Cli listed = shell("map listed-1 causal/strict", "queue listed-2", "maps");
    assertEquals(0, listed.exitCode(), listed::toString);
    List<String> lines = listed.out().lines().toList();
    assertTrue(lines.get(0).matches("map +model"), listed::toString);
    assertTrue(
        lines.stream().anyMatch(line -> line.matches("listed-1 +causal/strict")), listed::toString);
    assertTrue(
        lines.stream().anyMatch(line -> line.matches("queue.listed-2 +linearizable/synchronous")),
        listed::toString);
  }

  @Test
  void aKeyIsMadeOnce() {
    prints("true | false | 1", "map made", "create k 1", "create k 2", "get k");
    prints("true | false | 1", "kite", "create made 1", "create made 2", "get made");
  }

  @Test
  void theGridsOwnKeysAreReadAndWritten() {
    prints(
        "v | true | w | (none)",
        "kite",
        "set k v",
        "get k",
        "cas k v w",
        "get k",
        "delete k",
        "get k",
        "set left here");
    try (GridSession session = member.openSession()) {
      assertEquals("here", session.view(Codec.STRING, Codec.STRING).getAcquire("left"));
      assertNull(session.view(Codec.STRING, Codec.STRING).getAcquire("k"));
    }
    fails("cannot be listed or counted; ask for one with 'get K'", "kite", "keys");
    fails("cannot be listed", "kite", "size");
  }

  @Test
  void queuesAndCountersAreUsed() {
    prints(
        "first | second | (none)",
        "queue jobs",
        "offer first",
        "offer second",
        "poll",
        "poll",
        "poll");
    prints("5 | 3 | 3", "counter visits transactional/strict", "add 5", "add -2", "get");
    assertEquals(3, member.counter("visits", Ddp.parse("transactional/strict")).get());
    fails("'x' is not a whole number", "counter visits transactional/strict", "add x");
  }

  @Test
  void modelsAreShownAndExplained() {
    Cli models = shell("models");
    assertEquals(Cli.run("models").out(), models.out());
    Cli explained = shell("explain causal/synchronous");
    assertEquals(Cli.run("models", "causal/synchronous").out(), explained.out());
    Cli help = shell("help");
    for (String verb : List.of("cas K EXPECTED V", "queue NAME [MODEL]", "exit")) {
      assertTrue(help.out().contains(verb), help.out());
    }
  }

  @Test
  void aWrongCommandNamesTheFix() {
    fails("There is no command 'sett'; did you mean 'set'?", "map stock", "sett a b");
    fails("There is no command 'frobnicate'; 'help' shows all", "frobnicate");
    fails("The command is 'set K V', and one word came after its name", "map stock", "set a");
    fails("and 3 words came after", "map stock", "set a b c");
    fails("No map is chosen; choose one with 'map NAME'", "get a");
    fails("No map is chosen", "queue jobs", "set a b");
    fails("No map is chosen", "get");
    fails("No queue is chosen; choose one with 'queue NAME'", "map stock", "offer a");
    fails("No counter is chosen; choose one with 'counter NAME'", "add 1");
    fails("A counter is chosen, whose 'get' has no key", "counter visits2", "get a");
    fails("The key is missing; it is 'get K'", "map stock", "get");
    fails("There is no model 'casual/strict'", "map stock casual/strict");
    fails("has no end; close it with '", "map 'stock");
    fails("'stock' (linearizable/synchronous)", "map stock", "map stock causal/strict");
    fails("a map keeps its model", "map stock", "map stock causal/strict");
    fails("has no compare-and-set", "map weak causal/strict", "set a 1", "cas a 1 2");
  }

  @Test
  void aScriptEndsAtTheFirstCommandThatFails() throws Exception {
    Process shell =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                ServerProgram.serverClassPath(),
                Orca.class.getName(),
                "grid",
                "shell",
                "--config",
                config.toString())
            .redirectErrorStream(true)
            .start();
    try (Writer script = shell.outputWriter(StandardCharsets.UTF_8)) {
      script.write("# a script\n\nmap scripted\nset k ok\nget k\nwrong\nset k never\n");
    }
    String said = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertTrue(shell.waitFor(60, TimeUnit.SECONDS));
    assertEquals(1, shell.exitValue(), said);
    assertTrue(
        said.endsWith("ok\norca: Line 6 (wrong): There is no command 'wrong'; 'help' shows all.\n"),
        said);
    prints("ok", "map scripted", "get k");
  }

  @Test
  void exitEndsWhatFollows() throws Exception {
    prints("1", "map left", "set k 1", "get k", "exit", "wrong");
    StringWriter out = new StringWriter();
    try (ShellSession session = new ShellSession(member, new PrintWriter(out))) {
      new ShellInput(session)
          .runScript(new BufferedReader(new StringReader("map left\nget k\nexit\nwrong\n")));
    }
    assertEquals("1\n", out.toString());
  }

  @Test
  void whoTypesIsToldOfAFailureAndGoesOn() throws Exception {
    assertEquals(
        """
        orca> typed> orca: There is no command 'gett'; did you mean 'get'?
        typed> (none)
        typed> typed> \\u001b[2J
        typed>\s
        """,
        typed("map typed\ngett\nget k\nset k \"\u001b[2J\"\nget k\n"));
    assertEquals(
        "orca> counter visits3> 0\ncounter visits3> ", typed("counter visits3\nget\nexit\nget\n"));
  }

  private static String typed(String lines) throws Exception {
    StringWriter out = new StringWriter();
    PrintWriter both = new PrintWriter(out);
    try (ShellSession session = new ShellSession(member, both)) {
      new ShellInput(session).runTyped(new BufferedReader(new StringReader(lines)), both, both);
    }
    return out.toString();
  }

  @Test
  void whereNoGridIsAnswersInOneSentence() throws Exception {
    Cli closed =
        Cli.run(
            "grid", "shell", "--connect", "localhost:" + FreePorts.find(1, new Random()).get(0));
    assertEquals(1, closed.exitCode(), closed::toString);
    assertTrue(closed.err().contains("No node of the grid \"grid\" gives"), closed::toString);
    assertTrue(closed.err().contains("--connect names others"), closed::toString);
    Cli stranger = Cli.run("grid", "shell", "--connect", address, "--command", "kite");
    assertEquals(1, stranger.exitCode(), stranger::toString);
    Cli none = Cli.run("grid", "shell", "--dir", folder.resolve("none"));
    assertTrue(none.err().contains("There is no grid in"), none::toString);
    Cli both = Cli.run("grid", "shell", "--dir", folder, "--connect", address);
    assertEquals(2, both.exitCode(), both::toString);
    assertTrue(both.err().contains("leave out --connect and --config"), both::toString);
    assertEquals(2, Cli.run("grid", "shell", "--connect", "nowhere").exitCode());
    Files.writeString(folder.resolve("wrong.cfg"), "grid.nodse=localhost:1\n");
    Cli wrong = Cli.run("grid", "shell", "--config", folder.resolve("wrong.cfg"));
    assertEquals(2, wrong.exitCode(), wrong::toString);
    assertTrue(wrong.err().contains("A client has no setting grid.nodse; it has"), wrong::toString);
  }
}
