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
package org.orcagrid.grid;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.orcagrid.cli.GridProcesses;

/** The program that the README shows does what the README says, in three processes. */
@Timeout(180)
class ReadmeProgramTest {
  private static final Pattern PROGRAM =
      Pattern.compile("```java\n(import org.orcagrid.client.*?class Jobs .*?)```", Pattern.DOTALL);

  private static final List<String> WHO = List.of("ann", "bob", "cyd");

  @TempDir private Path dir;

  private static String program() throws IOException {
    Path readme = Path.of("..", "README.md").toAbsolutePath().normalize();
    Matcher matcher = PROGRAM.matcher(Files.readString(readme));
    assertTrue(matcher.find(), "the README has the program");
    return matcher.group(1);
  }

  @Test
  void threeProcessesShareAQueueAndAMap() throws Exception {
    try (GridProcesses grid =
        GridProcesses.start(
            dir.resolve("grid"), 3, Ports.base(), Ports.SMALL, Duration.ofSeconds(60))) {
      String usual = "localhost:7100,localhost:7101,localhost:7102";
      assertTrue(program().contains(usual), "it connects to where orca grid start listens");
      Path source = dir.resolve("Jobs.java");
      Files.writeString(source, program().replace(usual, grid.clients()));
      List<Process> processes = new ArrayList<>();
      for (String who : WHO) {
        processes.add(start(source, who));
      }
      TreeSet<String> done = new TreeSet<>();
      int lines = 0;
      for (Process process : processes) {
        assertTrue(process.waitFor(120, TimeUnit.SECONDS), "it ends");
        assertEquals("", text(process.getErrorStream()), "nothing on standard error");
        assertEquals(0, process.exitValue());
        for (String line : text(process.getInputStream()).lines().toList()) {
          lines++;
          assertTrue(line.endsWith(", done so far: 1"), line);
          done.add(line.substring(line.indexOf(" does ") + " does ".length()));
        }
      }
      assertEquals(9, lines, "each job is done once");
      assertEquals(9, done.size(), "each job is done: " + done);
    }
  }

  private static Process start(Path source, String who) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            // Three compilers at once: they are done sooner if they are not compiled well.
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-cp",
            System.getProperty("java.class.path"),
            source.toString(),
            who)
        .start();
  }

  private static String text(InputStream in) throws IOException {
    return new String(in.readAllBytes(), StandardCharsets.UTF_8);
  }
}
