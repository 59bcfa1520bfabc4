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

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The checks that the script {@code orca} makes before there is any Java to make them. */
@DisabledOnOs(OS.WINDOWS)
class LauncherTest {
  @TempDir Path folder;

  @Test
  void aMissingJdkIsNamed() throws Exception {
    assertRefused("JAVA_HOME is " + folder + ", which has no bin/java");
  }

  @Test
  void anOldJdkIsNamed() throws Exception {
    Path java = Files.createDirectories(folder.resolve("bin")).resolve("java");
    Files.writeString(java, "#!/bin/sh\nexit 1\n");
    assertTrue(java.toFile().setExecutable(true));
    Files.writeString(folder.resolve("release"), "JAVA_VERSION=\"11.0.2\"\n");
    assertRefused(java + " is version 11;");
  }

  @Test
  void aJavaThatTellsNoVersionIsNamed() throws Exception {
    Path java = Files.createDirectories(folder.resolve("bin")).resolve("java");
    Files.writeString(java, "#!/bin/sh\nexit 1\n");
    assertTrue(java.toFile().setExecutable(true));
    assertRefused(java + " does not tell its version");
  }

  private void assertRefused(String beginning) throws Exception {
    // Tests run in the module's folder; the script is at the top of the repository.
    Path script = Path.of("..", "orca").toAbsolutePath().normalize();
    ProcessBuilder builder = new ProcessBuilder(script.toString(), "--version");
    builder.environment().put("JAVA_HOME", folder.toString());
    builder.redirectErrorStream(true);
    Process process = builder.start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(1, process.waitFor(), said);
    assertTrue(said.startsWith("orca: " + beginning), said);
    assertEquals(1, said.lines().count(), said);
  }
}
