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
package org.orcagrid.clients;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.orcagrid.cli.EnsembleProcesses;

/** Python's ZooKeeper client. Skipped where there is no Python or its package index. */
@Timeout(300)
class KazooSmokeTest {
  private static final String KAZOO = "kazoo==2.10.0";

  @TempDir Path folder;

  private record Ended(int code, String output) {}

  private Ended run(List<String> command) throws IOException, InterruptedException {
    Path output = Files.createTempFile(folder, "output", ".txt");
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      assertTrue(process.waitFor(120, TimeUnit.SECONDS), () -> command + " hangs");
      return new Ended(process.exitValue(), Files.readString(output));
    } finally {
      process.destroyForcibly();
    }
  }

  /** Returns the interpreter of an environment that has kazoo, kept between runs. */
  private Path python() throws IOException, InterruptedException {
    Path home = Path.of("target", "kazoo").toAbsolutePath();
    Path python = home.resolve("bin/python");
    if (Files.exists(home.resolve("ready"))) {
      return python;
    }
    assumeTrue(
        Files.isExecutable(Path.of("/usr/bin/python3"))
            || Files.isExecutable(Path.of("/usr/local/bin/python3")),
        "no python3");
    Ended made = run(List.of("python3", "-m", "venv", home.toString()));
    assumeTrue(made.code == 0, () -> "no virtual environment: " + made.output);
    Ended installed = run(List.of(python.toString(), "-m", "pip", "install", "-q", KAZOO));
    assumeTrue(installed.code == 0, () -> "no package index: " + installed.output);
    Files.createFile(home.resolve("ready"));
    return python;
  }

  @Test
  void kazooFindsWhatItExpects() throws Exception {
    Path python = python();
    Path script = Path.of("src", "test", "resources", "clients", "kazoo_smoke.py");
    try (EnsembleProcesses ensemble =
        RunningEnsemble.start(RunningEnsemble.spec(3, folder.resolve("servers")))) {
      List<String> command = new ArrayList<>(List.of(python.toString(), script.toString()));
      for (int id = 1; id <= 3; id++) {
        command.add(RunningEnsemble.address(ensemble, id));
      }
      Ended ended = run(command);
      assertEquals(0, ended.code, ended.output);
      assertTrue(ended.output.contains("kazoo is content"), ended.output);
    }
  }
}
