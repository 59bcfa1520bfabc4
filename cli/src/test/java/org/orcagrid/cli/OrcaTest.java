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
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class OrcaTest {
  @TempDir Path folder;

  @Test
  void tellsItsVersions() {
    Cli version = Cli.run("--version");
    assertEquals(0, version.exitCode());
    assertTrue(version.out().matches("Orca Grid .* \\(ZooKeeper 3\\.9\\.\\d+, Java .*\\)\\R"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "help",
        "help server",
        "help server run",
        "help ensemble start",
        "server --help",
        "server stop --help",
        "ensemble status -h",
        "cli --help"
      })
  void helps(String words) {
    Cli help = Cli.run((Object[]) words.split(" "));
    assertEquals(0, help.exitCode(), help.err());
    assertTrue(help.out().startsWith("Usage: orca"), help.out());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "--nonsense",
        "nonsense",
        "help nonsense",
        "server",
        "server run",
        "server run a b",
        "server start --timeout soon zoo.cfg",
        "ensemble",
        "ensemble start",
        "ensemble start many",
        "ensemble start 0",
        "ensemble start 3 --set novalue"
      })
  void wrongUsageIsOneSentenceAndStatus2(String words) {
    Cli usage = Cli.run(words.isEmpty() ? new Object[0] : (Object[]) words.split(" "));
    assertEquals(2, usage.exitCode(), usage.err());
    assertTrue(usage.err().matches("orca: [^\\n]+\\.\\n"), usage.err());
    assertEquals("", usage.out());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "servr run x; There is no command 'orca servr'; did you mean 'server'? See 'orca --help'.",
        "server strt; There is no command 'orca server strt'; did you mean 'start'?",
        "ensemble stauts; did you mean 'status'?",
        "help gird; There is no command 'orca gird'; did you mean 'grid'?",
        "help grid strat; There is no command 'orca grid strat'; did you mean 'start'?",
        "ensemble start --base-prt 3; has no option '--base-prt'; did you mean '--base-port'?",
        "server start --timeot=3 x; has no option '--timeot'; did you mean '--timeout'?",
        "server run a b; 'orca server run' takes no argument 'b'; see 'orca server run --help'.",
        "xyzzy; There is no command 'orca xyzzy'; see 'orca --help'."
      })
  void whatIsMisspeltIsToldWithWhatWasMeant(String line) {
    String[] halves = line.split("; ", 2);
    Cli usage = Cli.run((Object[]) halves[0].split(" "));
    assertEquals(2, usage.exitCode(), usage.err());
    assertTrue(usage.err().contains(halves[1]), usage.err());
    assertEquals(1, usage.err().lines().count(), usage.err());
  }

  @Test
  void everyCommandSaysInASentenceWhatItDoesAndHasExitStatuses() {
    List<CommandLine> all = new ArrayList<>();
    addAll(Orca.commandLine(), all);
    assertTrue(all.size() > 15, () -> all.size() + " commands");
    for (CommandLine command : all) {
      String name = command.getCommandSpec().qualifiedName();
      String first = command.getCommandSpec().usageMessage().description()[0];
      assertTrue(first.matches("[A-Z][^.]*(\\.\\w[^.]*)*\\."), () -> name + ": " + first);
      String usage = command.getUsageMessage();
      assertTrue(usage.contains("Exit status:"), usage);
    }
  }

  private static void addAll(CommandLine command, List<CommandLine> all) {
    all.add(command);
    command.getSubcommands().values().forEach(each -> addAll(each, all));
  }

  @Test
  void javaIsExplainedAndLeftToTheLauncher() {
    assertTrue(Cli.run("--help").out().contains("Run a Java program of yours"));
    Cli help = Cli.run("help", "java");
    assertTrue(help.out().startsWith("Usage: orca java [JVM-FLAG...] FILE.java"), help.out());
    Cli java = Cli.run("java", "-Xmx1g", "Jobs.java", "--help");
    assertEquals(1, java.exitCode());
    assertEquals(
        "orca: The launcher runs 'orca java'; use the script orca, as in './orca java FILE.java'.",
        java.err().strip());
  }

  @Test
  void settingsThatTheEnsembleOwnsAreWrongUsage() {
    Cli usage = Cli.run("ensemble", "start", "1", "--dir", folder, "--set", "clientPort=1");
    assertEquals(2, usage.exitCode());
    assertTrue(usage.err().contains("clientPort"), usage.err());
  }

  @Test
  void aPortRangeThatEndsTooHighIsWrongUsage() {
    Cli usage = Cli.run("ensemble", "start", "3", "--dir", folder, "--base-port", "65300");
    assertEquals(2, usage.exitCode());
    assertTrue(usage.err().contains("use one from 1 to 65233"), usage.err());
  }

  @Test
  void verboseShowsWhere() {
    Path none = folder.resolve("none");
    Cli quiet = Cli.run("server", "status", none);
    Cli verbose = Cli.run("server", "status", none, "--verbose");
    assertEquals(1, quiet.err().lines().count(), quiet.err());
    assertTrue(verbose.err().startsWith(quiet.err()), verbose.err());
    assertTrue(verbose.err().contains("at org.orcagrid.cli.ZooCfg"), verbose.err());
  }

  @Test
  void otherModulesAddCommands() {
    assertEquals(0, Cli.run("sample").exitCode());
    assertTrue(Cli.run("help").out().contains("A test's command."));
    assertTrue(Cli.run("help", "sample").out().startsWith("Usage: orca sample"));
    Cli failure = Cli.run("sample", "badly");
    assertEquals(1, failure.exitCode());
    assertEquals("orca: It went badly; try 'well'.", failure.err().strip());
    Cli bug = Cli.run("sample", "unexpectedly");
    assertEquals(1, bug.exitCode());
    assertEquals(
        "orca: Unexpected IllegalStateException: state=7; --verbose shows where.",
        bug.err().strip());
  }

  @Test
  void noEnsembleIsSaid() {
    for (String command : List.of("stop", "status")) {
      Cli cli = Cli.run("ensemble", command, "--dir", folder);
      assertEquals(1, cli.exitCode());
      assertTrue(cli.err().startsWith("orca: There is no ensemble in " + folder), cli.err());
    }
  }

  @Test
  void theShellTakesTheDefaultServerWhereNoEnsembleRuns() throws Exception {
    assertEquals("127.0.0.1:2181", ShellCommand.defaultServer(folder));
  }
}
