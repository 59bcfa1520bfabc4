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

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.orcagrid.cli.EnsembleProcesses;
import org.orcagrid.needs.Needs;

/** Python's ZooKeeper client. */
@Needs(Kazoo.class)
@Timeout(300)
class KazooSmokeTest {
  @TempDir Path folder;

  @Test
  void kazooFindsWhatItExpects() throws Exception {
    Path script = Path.of("src", "test", "resources", "clients", "kazoo_smoke.py");
    try (EnsembleProcesses ensemble =
        RunningEnsemble.start(RunningEnsemble.spec(3, folder.resolve("servers")))) {
      List<String> command = new ArrayList<>(List.of(script.toString()));
      for (int id = 1; id <= 3; id++) {
        command.add(RunningEnsemble.address(ensemble, id));
      }
      PythonEnvironment.Ended ended = new Kazoo().run(Map.of(), command);
      assertEquals(0, ended.code(), ended.output());
      assertTrue(ended.output().contains("kazoo is content"), ended.output());
    }
  }
}
