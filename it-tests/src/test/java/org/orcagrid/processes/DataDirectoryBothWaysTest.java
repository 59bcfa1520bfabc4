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
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.orcagrid.cli.ServerProgram;

/**
 * The folders of a stock ensemble are those of ours, and the other way round, whether the servers
 * were stopped or killed. A session, with its ephemeral nodes, lives on through both changes.
 * {@code -Dwrites=N} is for so many small writes by each kind of server.
 */
@Timeout(120)
class DataDirectoryBothWaysTest {
  private static final int SMALL_WRITES = Integer.getInteger("writes", 80);

  /** So that there are several snapshots. */
  private static final Map<String, String> SETTINGS =
      Map.of("snapCount", Integer.toString(SMALL_WRITES / 2));

  /** How a whole ensemble ends. */
  private enum End {
    STOP,
    KILL
  }

  @TempDir Path dir;

  @ParameterizedTest
  @EnumSource
  void eachKindOfServerFindsWhatTheOtherWrote(End end) throws Exception {
    ServerProgram stock = Programs.stock(dir);
    try (TestEnsemble ensemble =
        TestEnsemble.prepare(dir.resolve("ensemble"), 3, stock, SETTINGS).startAll()) {
      try (ZooKeeper owner = ensemble.connect(ensemble.all())) {
        SampleTree.write(owner, "stock", SMALL_WRITES);
        Map<String, SampleTree.Node> written = SampleTree.read(owner);
        assertTrue(snapshots(ensemble.dataDir(1)) > 1, "several snapshots");

        restart(ensemble, end, Programs.orca(Programs.CAD));
        assertTrue(ensemble.isOurs(1));
        assertShowsEverywhere(ensemble, written);
        assertEquals(SMALL_WRITES, SampleTree.nextInQueue(owner, "stock"));
        SampleTree.change(owner, "stock");
        SampleTree.write(owner, "orca", SMALL_WRITES);
        written = SampleTree.read(owner);
        assertTrue(snapshots(ensemble.dataDir(1)) > 2, "our own snapshots");

        restart(ensemble, end, stock);
        assertFalse(ensemble.isOurs(1));
        assertShowsEverywhere(ensemble, written);
        assertEquals(SMALL_WRITES, SampleTree.nextInQueue(owner, "orca"));
        SampleTree.change(owner, "orca");
      }
      assertEphemeralNodesEndedWithTheirSession(ensemble);
    }
  }

  private static void restart(TestEnsemble ensemble, End end, ServerProgram program)
      throws Exception {
    switch (end) {
      case STOP -> ensemble.stopTogether(ensemble.all());
      case KILL -> ensemble.killTogether(ensemble.all());
    }
    ensemble.use(program);
    ensemble.startAll();
  }

  private static void assertShowsEverywhere(
      TestEnsemble ensemble, Map<String, SampleTree.Node> expected) throws Exception {
    for (int id : ensemble.all()) {
      try (ZooKeeper client = ensemble.connect(id)) {
        Map<String, SampleTree.Node> found = SampleTree.read(client);
        assertEquals(text(expected), text(found), () -> "what server " + id + " shows");
      }
    }
  }

  /** A line for each node, so that a failure shows the difference. */
  private static String text(Map<String, SampleTree.Node> nodes) {
    StringBuilder text = new StringBuilder();
    new TreeMap<>(nodes)
        .forEach(
            (path, node) ->
                text.append(path)
                    .append(' ')
                    .append(node.toString().replace('\n', ' '))
                    .append('\n'));
    return text.toString();
  }

  private static void assertEphemeralNodesEndedWithTheirSession(TestEnsemble ensemble)
      throws Exception {
    try (ZooKeeper client = ensemble.connect(1)) {
      Map<String, SampleTree.Node> left = SampleTree.read(client);
      assertTrue(left.containsKey("/stock/multi") && left.containsKey("/orca/multi"));
      assertTrue(left.values().stream().allMatch(node -> node.stat().getEphemeralOwner() == 0));
    }
  }

  private static long snapshots(Path dataDir) throws IOException {
    try (Stream<Path> files = Files.list(dataDir.resolve("version-2"))) {
      return files.filter(file -> file.getFileName().toString().startsWith("snapshot.")).count();
    }
  }
}
