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

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The files of a grid while its nodes come and go; no process runs here. */
class GridFolderTest {
  private static final int BASE = 7100;
  private static final String DIGEST = "DigestAuthenticationProvider.superDigest";

  @TempDir private Path dir;

  private GridFolder grid;
  private GridFiles files;

  @BeforeEach
  void name() {
    grid = new GridFolder(dir);
    files = new GridFiles(grid);
  }

  private List<Integer> numbers(boolean hosted) throws CommandFailure {
    return grid.nodes().stream()
        .filter(each -> each.isHosted() == hosted)
        .map(GridNode::number)
        .toList();
  }

  private GridNode node(int number) throws CommandFailure {
    return grid.nodes().stream().filter(each -> each.number() == number).findFirst().orElseThrow();
  }

  /** As a server does that follows the ensemble: it keeps what was agreed beside its zoo.cfg. */
  private void tell(int server, String version, Integer... voters) throws Exception {
    List<EnsembleMember> all = grid.servers();
    Path zooCfg = EnsembleFiles.folder(dir, server).resolve("zoo.cfg");
    Path dynamic = zooCfg.resolveSibling("zoo.cfg.dynamic." + version);
    List<String> lines = new ArrayList<>();
    for (EnsembleMember each : all) {
      if (List.of(voters).contains(each.id())) {
        lines.add("server." + each.id() + "=" + each.line());
      }
    }
    Files.write(dynamic, lines);
    String rest =
        Files.readAllLines(zooCfg).stream()
            .filter(line -> !line.matches("(server\\.|clientPort|dynamicConfigFile).*"))
            .collect(Collectors.joining("\n"));
    Files.writeString(zooCfg, rest + "\ndynamicConfigFile=" + dynamic + "\n");
  }

  private void agree(String version, Integer... voters) throws Exception {
    for (int server : voters) {
      tell(server, version, voters);
    }
  }

  @Test
  void theNumberOfAServerIsHadOnceAndThatOfAnotherNodeAgain() throws Exception {
    files.write(4, BASE, Map.of());
    assertEquals(List.of(1, 2, 3), numbers(true));
    assertEquals(List.of(4), numbers(false));
    Path plain = grid.setAside(node(4));
    assertEquals(dir.resolve("node-4.removed-1"), plain);
    assertEquals(4, files.writeOneMore().number());
    agree("100000000", 1, 2, 3);
    assertEquals(dir.resolve("server-1.removed-1"), grid.setAside(node(1)));
    GridNode fifth = files.writeOneMore();
    assertEquals(5, fifth.number());
    assertTrue(fifth.isHosted(), "the ensemble lacks a server");
    GridNode sixth = files.writeOneMore();
    assertEquals(6, sixth.number());
    assertFalse(sixth.isHosted());
    assertEquals(BASE + 5, sixth.settings().home().address().port());
  }

  @Test
  void aNodeThatBecomesHostedKeepsItsAddressAndItsMaps() throws Exception {
    files.write(4, BASE, new GridConsoles(9000), Map.of("grid.value.bytes", "1000"));
    agree("100000000", 1, 2, 3);
    Path maps = node(4).settings().home().folder();
    Files.createDirectories(maps);
    GridNode hosted = files.writeHosted(4);
    assertEquals(hosted.toString(), node(4).toString());
    assertEquals(List.of(1, 2, 3, 4), numbers(true));
    assertEquals(maps, hosted.settings().home().folder());
    assertEquals(BASE + 3, hosted.settings().home().address().port());
    assertEquals(4, hosted.settings().home().size());
    assertEquals("1000", hosted.line("grid.value.bytes"));
    assertEquals("9003", hosted.line("orca.consolePort"));
    String zooCfg = Files.readString(hosted.config());
    for (EnsembleMember each : grid.servers()) {
      assertTrue(zooCfg.contains("server." + each.id() + "=" + each.line()), zooCfg);
    }
    assertEquals(
        12, grid.servers().stream().flatMap(each -> each.ports().stream()).distinct().count());
    assertEquals(dir.resolve("server-4.removed-1"), grid.setAside(hosted));
    assertTrue(Files.exists(dir.resolve("node-4.removed-1").resolve("data")));
    assertEquals(List.of(1, 2, 3), grid.numbers(grid.nodes()));
  }

  @Test
  void aStartLeavesWhatTheServersHaveAgreedOn() throws Exception {
    files.write(4, BASE, Map.of("grid.value.bytes", "1000"));
    agree("100000000", 1, 2, 3);
    Files.createDirectories(node(4).settings().home().folder());
    List<EnsembleMember> before = grid.servers();
    GridNode hosted = files.writeHosted(4);
    EnsembleMember fourth = grid.server(4).orElseThrow();
    grid.setAside(node(2));
    agree("200000000", 1, 3, 4);
    // One that was away knows the earlier configuration alone.
    tell(3, "100000000", 1, 3);
    List<GridNode> written = files.write(3, BASE, Map.of());
    assertEquals(List.of(1, 3, 4), written.stream().map(GridNode::number).toList());
    assertEquals(List.of(before.get(0), before.get(2), fourth), grid.servers());
    for (GridNode node : written) {
      String zooCfg = Files.readString(node.config());
      String version = node.number() == 3 ? "100000000" : "200000000";
      Path dynamic = node.config().resolveSibling("zoo.cfg.dynamic." + version);
      assertTrue(zooCfg.contains("dynamicConfigFile=" + dynamic + "\n"), zooCfg);
      assertFalse(zooCfg.contains("server."), zooCfg);
      assertEquals("1000", node.line("grid.value.bytes"));
      assertEquals(BASE + node.number() - 1, node.settings().home().address().port());
    }
    assertEquals(hosted.settings().home().folder(), node(4).settings().home().folder());
    CommandFailure four = assertThrows(CommandFailure.class, () -> files.write(4, BASE, Map.of()));
    assertTrue(four.getMessage().contains("holds a grid of 3 nodes"), four::getMessage);
  }

  @Test
  void aFolderThatWasMovedIsTheSameGrid(@TempDir Path elsewhere) throws Exception {
    files.write(3, BASE, Map.of());
    agree("100000000", 1, 2, 3);
    List<Integer> ports = grid.servers().stream().map(EnsembleMember::clientPort).toList();
    GridFolder moved = new GridFolder(Files.move(dir, elsewhere.resolve("moved")));
    Files.createDirectories(dir);
    List<GridNode> nodes = new GridFiles(moved).write(3, BASE, Map.of());
    assertEquals(ports, moved.servers().stream().map(EnsembleMember::clientPort).toList());
    String zooCfg = Files.readString(nodes.get(0).config());
    assertTrue(
        zooCfg.contains("dynamicConfigFile=" + elsewhere.resolve("moved").resolve("server-1")),
        zooCfg);
  }

  @Test
  void aServerOutsideTheEnsembleStartsAsOneThatJoins() throws Exception {
    files.write(3, BASE, Map.of());
    agree("100000000", 1, 2, 3);
    EnsembleMember second = grid.server(2).orElseThrow();
    tell(2, "200000000", 1, 3);
    assertEquals(second, grid.server(2).orElseThrow(), "its ports are known");
    EnsembleFiles.readmit(second, grid.servers());
    String zooCfg = Files.readString(second.zooCfg());
    assertFalse(zooCfg.contains("dynamicConfigFile"), zooCfg);
    for (EnsembleMember each : grid.servers()) {
      assertTrue(zooCfg.contains("server." + each.id() + "=" + each.line()), zooCfg);
    }
    assertTrue(zooCfg.contains("clientPort=" + second.clientPort()), zooCfg);
    EnsembleMember first = grid.server(1).orElseThrow();
    String own = Files.readString(first.zooCfg());
    EnsembleFiles.readmit(first, grid.servers());
    assertEquals(own, Files.readString(first.zooCfg()), "one that is in it keeps its files");
  }

  @Test
  void theSuperusersSecretIsItsOwnersAndTheSameAfterAStart() throws Exception {
    GridNode first = files.write(3, BASE, Map.of()).get(0);
    Path secret = dir.resolve("ensemble.secret");
    assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(secret)));
    assertEquals("true", first.line("reconfigEnabled"));
    String digest = first.line(DIGEST);
    assertTrue(digest.startsWith("super:"), digest);
    assertFalse(Files.readString(first.config()).contains(Files.readString(secret).strip()));
    assertEquals(digest, files.write(3, BASE, Map.of()).get(0).line(DIGEST));
  }

  @Test
  void whatAUserSaysOfReconfigurationStays() throws Exception {
    Map<String, String> own = Map.of("reconfigEnabled", "false", DIGEST, "super:own");
    GridNode first = files.write(3, BASE, own).get(0);
    assertEquals("false", first.line("reconfigEnabled"));
    assertEquals("super:own", first.line(DIGEST));
    assertFalse(Files.exists(dir.resolve("ensemble.secret")));
    assertEquals("super:own", files.write(3, BASE, Map.of()).get(0).line(DIGEST));
    // A server that is reconfigured would write the file anew, and lose the escape.
    GridFolder other = new GridFolder(dir.resolve("other"));
    GridNode escaped =
        new GridFiles(other).write(3, BASE, Map.of("grid.name", "back\\slash")).get(0);
    assertEquals(null, escaped.line("reconfigEnabled"));
    assertNotEquals(null, escaped.line("grid.name"));
  }
}
