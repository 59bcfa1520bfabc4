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

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code orca grid}, with real processes. */
@Timeout(120)
class GridCommandTest {
  @TempDir private Path folder;

  @AfterEach
  void stop() {
    if (Files.exists(folder.resolve("node-0"))) {
      Cli.run("grid", "stop", "--dir", folder.toString());
    }
  }

  @Test
  void nodesStartServeAndStop() throws Exception {
    List<Integer> ports = FreePorts.find(1, new java.util.Random());
    String base = Integer.toString(ports.get(0));
    String dir = folder.toString();
    Cli started =
        Cli.run(
            "grid",
            "start",
            "2",
            "--dir",
            dir,
            "--base-port",
            base,
            "--set",
            "grid.keys=1000",
            "--timeout",
            "60");
    assertEquals(0, started.exitCode(), started::toString);
    assertTrue(started.out().contains("RemoteGrid.connect(\"127.0.0.1:" + base), started.out());
    Cli twice = Cli.run("grid", "start", "2", "--dir", dir, "--base-port", base);
    assertEquals(1, twice.exitCode());
    assertTrue(twice.err().contains("is running; stop it first"), twice.err());
    assertEquals(0, Cli.run("grid", "status", "--dir", dir).exitCode());
    assertEquals(0, Cli.run("grid", "stop", "--dir", dir).exitCode());
    assertEquals(1, Cli.run("grid", "status", "--dir", dir).exitCode());
  }

  @Test
  void whatCannotBeIsSaidInOneSentence() throws Exception {
    String dir = folder.toString();
    assertEquals(2, Cli.run("grid", "start", "10", "--dir", dir).exitCode());
    Cli none = Cli.run("grid", "status", "--dir", dir);
    assertTrue(none.err().contains("There is no grid in"), none.err());
    Path config = folder.resolve("grid.cfg");
    Files.writeString(config, "grid.self=0\n");
    Cli broken = Cli.run("grid", "run", config.toString());
    assertEquals(1, broken.exitCode());
    assertTrue(broken.err().contains("grid.nodes is missing"), broken.err());
  }
}
