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
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.orcagrid.cli.ServerProbe.Answer;

@Timeout(90)
class EnsembleProcessesTest {
  private static final Duration LIMIT = Duration.ofSeconds(40);
  private static final List<String> SMALL = List.of("-Xmx64m", "-XX:TieredStopAtLevel=1");

  @TempDir Path folder;

  @Test
  void outlivesItsLeader() throws Exception {
    EnsembleSpec spec =
        EnsembleSpec.of(3, folder).withProgram(ServerProgram.orca().withJvmFlags(SMALL));
    List<ProcessHandle> processes;
    try (EnsembleProcesses ensemble = EnsembleProcesses.start(spec)) {
      int first = ensemble.awaitServing(LIMIT);
      processes = ensemble.members().stream().map(m -> ensemble.process(m.id())).toList();
      assertEquals(3, ensemble.connectString().split(",").length);

      ensemble.kill(first);
      assertFalse(ensemble.running(first));
      int second = ensemble.awaitLeader(LIMIT);
      assertNotEquals(first, second);

      ensemble.start(first);
      ensemble.awaitServing(LIMIT);
      int follower = 6 - first - second;
      ensemble.pause(follower);
      assertEquals(Answer.NONE, ensemble.probe(follower).answer());
      ensemble.resume(follower);
      ensemble.awaitServing(LIMIT);
      assertFalse(ensemble.said(first, 1).isEmpty());
      assertThrows(IllegalStateException.class, () -> ensemble.start(first));
    }
    assertTrue(processes.stream().noneMatch(ProcessHandle::isAlive));
  }

  @Test
  void runsStockZooKeeperTheSameWay() throws Exception {
    EnsembleSpec spec =
        EnsembleSpec.of(1, folder).withProgram(ServerProgram.stock().withJvmFlags(SMALL));
    try (EnsembleProcesses ensemble = EnsembleProcesses.start(spec)) {
      assertEquals(1, ensemble.awaitServing(LIMIT));
      assertEquals("standalone", ensemble.probe(1).role());
      assertEquals(
          ensemble.process(1).pid(),
          PidFile.in(ensemble.member(1).dataDir()).running().orElseThrow().pid());
    }
  }

  @Test
  void aServerThatCannotStartIsExplained() throws Exception {
    EnsembleSpec spec =
        EnsembleSpec.of(2, folder).withSettingsOf(2, Map.of("orca.durability", "never"));
    try (EnsembleProcesses ensemble = EnsembleProcesses.start(spec)) {
      CommandFailure failure =
          assertThrows(CommandFailure.class, () -> ensemble.awaitServing(LIMIT));
      assertTrue(failure.getMessage().contains("never"), failure::getMessage);
    }
  }

  @Test
  void commandsStartAskAndStopIt() throws Exception {
    int console = FreePorts.find(1, new java.util.Random(folder.hashCode())).get(0);
    Cli start = Cli.run("ensemble", "start", "1", "--dir", folder, "--admin", "--console", console);
    try {
      assertEquals(0, start.exitCode(), start.err());
      EnsembleMember member = EnsembleFiles.read(folder).get(0);
      assertTrue(
          start.out().contains("Connect string: 127.0.0.1:" + member.clientPort()), start.out());
      assertTrue(start.out().contains(Integer.toString(member.adminPort())), start.out());
      assertEquals("127.0.0.1:" + member.clientPort(), ShellCommand.defaultServer(folder));
      Cli status = Cli.run("ensemble", "status", "--dir", folder);
      assertEquals(0, status.exitCode());
      String url = "Console of server 1: http://127.0.0.1:" + console + "/";
      assertTrue(start.out().contains(url), start.out());
      assertTrue(status.out().contains(url), status.out());
      Cli again = Cli.run("ensemble", "start", "1", "--dir", folder);
      assertEquals(0, again.exitCode(), again.err());
      assertTrue(again.out().startsWith("All 1 servers were running; nothing"), again.out());
    } finally {
      assertEquals(0, Cli.run("ensemble", "stop", "--dir", folder).exitCode());
    }
    assertEquals(1, Cli.run("ensemble", "status", "--dir", folder).exitCode());
  }

  @Test
  void aKilledServerIsStartedAgainByTheSameWords() throws Exception {
    Object[] words = {"ensemble", "start", "3", "--dir", folder, "--set", "tickTime=1000"};
    Cli start = Cli.run(words);
    try {
      assertEquals(0, start.exitCode(), start.err());
      List<EnsembleMember> members = EnsembleFiles.read(folder);
      ServerProcess first = PidFile.in(members.get(0).dataDir()).running().orElseThrow();
      ServerProcess killed = PidFile.in(members.get(1).dataDir()).running().orElseThrow();
      killed.kill();
      assertTrue(killed.awaitEnd(LIMIT));

      int port = members.get(0).clientPort();
      refused("has 3 servers and not 5", "5");
      refused("has the base port " + port + " and not 30000", "3", "--base-port", "30000");
      refused("has no AdminServer, which --admin asks for", "3", "--admin");
      refused("has tickTime=1000 at server 1 and not tickTime=7", "3", "--set", "tickTime=7");
      refused(
          "has no line orca.durability at server 1 and not orca.durability=sync",
          "3",
          "--set",
          "orca.durability=sync");
      assertEquals(members, EnsembleFiles.read(folder), "nothing was changed");

      Cli again = Cli.run(words);
      assertEquals(0, again.exitCode(), again.err());
      long pid = PidFile.in(members.get(1).dataDir()).running().orElseThrow().pid();
      assertTrue(
          again.out().startsWith("Server 2 was not running; started again with pid " + pid + "."),
          again.out());
      assertTrue(first.alive());
      assertEquals(members, EnsembleFiles.read(folder));
      assertEquals(0, Cli.run("ensemble", "status", "--dir", folder).exitCode());
    } finally {
      assertEquals(0, Cli.run("ensemble", "stop", "--dir", folder).exitCode());
    }
  }

  private void refused(String difference, Object... words) {
    List<Object> all = new ArrayList<>(List.of("ensemble", "start"));
    all.addAll(List.of(words));
    all.addAll(List.of("--dir", folder));
    Cli cli = Cli.run(all.toArray());
    assertEquals(1, cli.exitCode(), cli::toString);
    assertEquals(
        "orca: The ensemble that runs in "
            + folder
            + " "
            + difference
            + "; stop it first with 'orca ensemble stop', or choose another --dir.",
        cli.err().strip());
  }

  @Test
  void whatHoldsItsDataFolderRunsAlsoWhereNoPidFileNamesIt() throws Exception {
    Object[] words = {"ensemble", "start", "1", "--dir", folder};
    Cli start = Cli.run(words);
    assertEquals(0, start.exitCode(), start.err());
    EnsembleMember member = EnsembleFiles.read(folder).get(0);
    PidFile pidFile = PidFile.in(member.dataDir());
    List<String> right = Files.readAllLines(pidFile.file());
    // As it looks after a step of the clock, or from another container.
    List<String> wrong = List.of(right.get(0), "1");
    Files.write(pidFile.file(), wrong);
    try {
      String zooCfg = Files.readString(member.zooCfg());
      Cli again = Cli.run(words);
      assertEquals(0, again.exitCode(), again::toString);
      assertTrue(again.out().startsWith("All 1 servers were running; nothing"), again.out());
      refused("has no line tickTimes at server 1 and not tickTimes=7", "1", "--set", "tickTimes=7");
      EnsembleSpec spec = EnsembleSpec.of(1, folder).withAdmin();
      assertThrows(CommandFailure.class, () -> EnsembleFiles.write(spec));
      assertEquals(zooCfg, Files.readString(member.zooCfg()));
      Object[] stopOne = {"server", "stop", member.zooCfg()};
      Object[] stopAll = {"ensemble", "stop", "--dir", folder};
      for (Object[] stop : List.of(stopOne, stopAll)) {
        Cli cli = Cli.run(stop);
        assertEquals(1, cli.exitCode(), cli::toString);
        assertEquals(
            "orca: The data folder "
                + member.dataDir()
                + " is in use by a running server, pid "
                + right.get(0)
                + " where it was started, though orca.pid names no process here; end it there.",
            cli.err().strip());
        assertEquals("", cli.out());
        assertEquals(wrong, Files.readAllLines(pidFile.file()), "it is not deleted");
      }
    } finally {
      Files.write(pidFile.file(), right);
      assertEquals(0, Cli.run("ensemble", "stop", "--dir", folder).exitCode());
    }
  }

  @Test
  void aReadOnlyServerDoesNotServe() throws Exception {
    EnsembleSpec spec =
        EnsembleSpec.of(3, folder)
            .withProgram(ServerProgram.orca().withJvmFlags(List.of("-Dreadonlymode.enabled=true")));
    try (EnsembleProcesses ensemble = EnsembleProcesses.prepare(spec)) {
      ensemble.start(1);
      assertTrue(
          Deadline.in(LIMIT).await(() -> ensemble.probe(1).readOnly()),
          () -> ensemble.probe(1).toString());
      assertFalse(ensemble.probe(1).serving());
      Cli status = Cli.run("server", "status", ensemble.member(1).zooCfg());
      assertEquals(3, status.exitCode(), status::toString);
      assertTrue(status.out().contains("Running, but read-only: it waits"), status.out());
      Cli all = Cli.run("ensemble", "status", "--dir", folder);
      assertEquals(3, all.exitCode(), all::toString);
      assertTrue(all.out().contains("read-only"), all.out());
    }
  }

  @Test
  void aStoppedEnsembleGoesOnWithTheLinesThatItHas() throws Exception {
    EnsembleSpec first =
        EnsembleSpec.of(3, folder)
            .withSettings(Map.of("orca.durability", "async", "orca.slowMs", "300"));
    assertEquals(Set.of(), EnsembleFiles.kept(first));
    List<EnsembleMember> members = EnsembleFiles.write(EnsembleFiles.goingOn(first));
    SettingsChange change =
        SettingsChange.of(
            Map.of("orca.durability", "sync", "syncLimit", "", "maxClientCnxns", "60"));
    for (EnsembleMember member : members) {
      WholeFile.write(member.zooCfg(), change.applyTo(Files.readString(member.zooCfg())));
    }
    List<String> texts = texts(members);

    EnsembleSpec plain = EnsembleSpec.of(3, folder);
    assertEquals(
        Set.of("maxClientCnxns", "orca.durability", "orca.slowMs", "syncLimit"),
        EnsembleFiles.kept(plain));
    assertEquals(members, EnsembleFiles.write(EnsembleFiles.goingOn(plain)));
    assertEquals(texts, texts(members));

    EnsembleSpec other =
        plain.withSettings(Map.of("orca.durability", "cad", "orca.slowMs", "", "tickTime", "1000"));
    assertEquals(Set.of("maxClientCnxns", "syncLimit"), EnsembleFiles.kept(other));
    EnsembleFiles.write(EnsembleFiles.goingOn(other));
    for (EnsembleMember member : members) {
      Properties lines = ZooCfg.read(member.zooCfg()).properties();
      assertEquals("cad", lines.getProperty("orca.durability"));
      assertEquals("1000", lines.getProperty("tickTime"));
      assertEquals("60", lines.getProperty("maxClientCnxns"));
      assertFalse(lines.containsKey("orca.slowMs"));
      assertFalse(lines.containsKey("syncLimit"));
    }
  }

  private static List<String> texts(List<EnsembleMember> members) throws IOException {
    List<String> texts = new ArrayList<>();
    for (EnsembleMember member : members) {
      texts.add(Files.readString(member.zooCfg()));
    }
    return texts;
  }

  @Test
  void aStoppedEnsembleKeepsItsPorts() throws Exception {
    EnsembleSpec spec = EnsembleSpec.of(3, folder);
    List<EnsembleMember> first = EnsembleFiles.write(spec);
    assertEquals(first, EnsembleFiles.write(spec));
    List<EnsembleMember> withAdmin = EnsembleFiles.write(spec.withAdmin());
    assertEquals(first, withAdmin.stream().map(m -> m.withAdminPort(0)).toList());
    assertEquals(12, withAdmin.stream().flatMap(m -> m.ports().stream()).distinct().count());
    EnsembleSpec larger = EnsembleSpec.of(5, folder);
    CommandFailure failure = assertThrows(CommandFailure.class, () -> EnsembleFiles.write(larger));
    assertTrue(failure.getMessage().contains("holds an ensemble of 3"), failure::getMessage);
  }
}
