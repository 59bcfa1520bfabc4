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
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Trials are found from any folder, since where they are does not depend on the current one. */
class StateFolderTest {
  private static final Path HOME = Path.of("/home/ann");

  private static Path of(Map<String, String> environment) {
    return StateFolder.of("grid", environment, HOME.toString());
  }

  @Test
  void isTheUsersFolderForState() {
    assertEquals(HOME.resolve(".local/state/orca/grid"), of(Map.of()));
    assertEquals(Path.of("/h/.local/state/orca/grid"), of(Map.of("HOME", "/h")));
    assertEquals(Path.of("/states/orca/grid"), of(Map.of("XDG_STATE_HOME", "/states")));
    assertEquals(HOME.resolve(".local/state/orca/grid"), of(Map.of("XDG_STATE_HOME", "states")));
  }

  @Test
  void isWhereTheEnvironmentSaysFirst() {
    Map<String, String> both = Map.of("ORCA_STATE", "/mine", "XDG_STATE_HOME", "/states");
    assertEquals(Path.of("/mine/grid"), of(both));
    assertEquals(HOME.resolve(".local/state/orca/grid"), of(Map.of("ORCA_STATE", " ")));
  }

  @Test
  void oneThatCannotBeMadeIsNamedWithWhatToDo(@TempDir Path folder) throws Exception {
    Path dir = Files.writeString(folder.resolve("file"), "").resolve("trial");
    for (String trial : new String[] {"ensemble", "grid"}) {
      Cli cli = Cli.run(trial, "start", "1", "--dir", dir);
      assertEquals(1, cli.exitCode(), cli::toString);
      assertTrue(cli.err().startsWith("orca: Cannot write to the folder " + dir), cli.err());
      assertTrue(cli.err().contains("set ORCA_STATE to a folder that you may write."), cli.err());
    }
  }

  @Test
  void theCommandsLookThere() {
    // The build sets ORCA_STATE for tests, so that none touches the user's own trials.
    Path state = StateFolder.of("ensemble").getParent();
    assertEquals(Path.of(System.getenv("ORCA_STATE")).toAbsolutePath().normalize(), state);
    for (String trial : new String[] {"ensemble", "grid"}) {
      for (String command : new String[] {"status", "stop"}) {
        Cli cli = Cli.run(trial, command);
        assertTrue(
            cli.err().contains("There is no " + trial + " in " + state.resolve(trial)), cli.err());
      }
    }
  }
}
