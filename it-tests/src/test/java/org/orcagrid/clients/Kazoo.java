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

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.orcagrid.needs.Need;
import org.orcagrid.needs.Programs;

/** Python with kazoo, in an environment below target that is kept between runs. */
final class Kazoo implements Need {
  private static final String VERSION = "2.10.0";
  private static final Path HOME = Path.of("target", "kazoo").toAbsolutePath();
  private static final long PATIENCE_SECONDS = 120;

  /** The interpreter of the environment. */
  static final Path PYTHON = HOME.resolve("bin/python");

  /** How a program has ended, and what it has printed. */
  record Ended(int code, String output) {}

  static Ended run(List<String> command) throws IOException, InterruptedException {
    Path output = Files.createTempFile("output", ".txt");
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        throw new IOException(command + " hangs: " + Files.readString(output));
      }
      return new Ended(process.exitValue(), Files.readString(output));
    } finally {
      process.destroyForcibly();
      Files.delete(output);
    }
  }

  private static String lastLine(Ended ended) {
    return ended.output().lines().filter(line -> !line.isBlank()).reduce("", (any, last) -> last);
  }

  @Override
  public String what() {
    return "kazoo (apt-get install python3-venv, and a package index of Python's)";
  }

  @Override
  public String missing() throws IOException, InterruptedException {
    String program = Programs.missing("python3");
    if (program != null || Files.exists(HOME.resolve("ready"))) {
      return program;
    }
    Ended made = run(List.of("python3", "-m", "venv", HOME.toString()));
    if (made.code() != 0) {
      return "no virtual environment: " + lastLine(made);
    }
    Ended installed =
        run(List.of(PYTHON.toString(), "-m", "pip", "install", "-q", "kazoo==" + VERSION));
    if (installed.code() != 0) {
      return "pip cannot install it: " + lastLine(installed);
    }
    Files.createFile(HOME.resolve("ready"));
    return null;
  }
}
