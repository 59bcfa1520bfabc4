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
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
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

  @Test
  void aProgramThatIsNotThereIsNamed() throws Exception {
    Path none = folder.resolve("None.java");
    assertEquals(
        "orca: There is no file " + none + " to run; give the path of a Java source file.\n1",
        java(none.toString(), "x"));
    assertEquals(
        "orca: There is no file " + none + " to run; give the path of a Java source file.\n1",
        java("-Xmx64m", none.toString()));
  }

  @Test
  void aFolderIsNoProgram() throws Exception {
    Path source = Files.createDirectory(folder.resolve("Folder.java"));
    assertTrue(java(source.toString()).startsWith("orca: " + source + " is a folder and not"));
    assertTrue(java(folder.toString()).startsWith("orca: " + folder + " is a folder and not"));
  }

  @Test
  void aProgramThatCannotBeReadIsNamed() throws Exception {
    Path source = Files.writeString(folder.resolve("Secret.java"), "class Secret {}");
    assertTrue(source.toFile().setReadable(false));
    assumeFalse(Files.isReadable(source), "skipped: this user reads everything");
    assertTrue(java(source.toString()).startsWith("orca: No permission to read " + source));
  }

  @Test
  void theCompilersWordsAndTheProgramsExitStatusArePassedOn() throws Exception {
    Path wrong = Files.writeString(folder.resolve("Wrong.java"), "class Wrong { int x = \"\"; }");
    String said = java(wrong.toString());
    assertTrue(said.contains("Wrong.java:1: error: incompatible types"), said);
    assertTrue(said.endsWith("\n1"), said);
    Path exits =
        Files.writeString(
            folder.resolve("Exits.java"),
            "class Exits { public static void main(String[] a) { System.exit(a.length + 5); } }");
    assertEquals("7", java(exits.toString(), "a", "b"));
  }

  @Test
  void theProgramLearnsThatNobodyLooksAtAPipe() throws Exception {
    assertTrue(launch("echo", "simulate").contains(" -Dorca.terminal=false "));
  }

  /** What 'orca java' prints, and its exit status; without a build, which a test must not start. */
  private static String java(String... arguments) throws Exception {
    List<String> words = new ArrayList<>(List.of("java"));
    words.addAll(List.of(arguments));
    return launch(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        words.toArray(String[]::new));
  }

  private static String launch(String program, String... arguments) throws Exception {
    Path lib = Path.of("..", "dist", "src", "main", "lib", "launch.sh").toAbsolutePath();
    String script =
        ". \"$1\"; shift; java=$1; shift; class_path() { echo none; }; program_flags() { :; };"
            + " home=.; launch \"$@\"";
    List<String> command = new ArrayList<>(List.of("bash", "-euc", script, "orca"));
    command.add(lib.normalize().toString());
    command.add(program);
    command.addAll(List.of(arguments));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return said + process.waitFor();
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
