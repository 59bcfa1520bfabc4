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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.orcagrid.needs.Need;
import org.orcagrid.needs.Programs;

/**
 * A Python with packages of its index, in an environment below target that is kept between runs.
 */
abstract class PythonEnvironment implements Need {
  private static final long PATIENCE_SECONDS = 170;

  private final Path home;
  private final List<String> packages;

  /**
   * Names what the environment has.
   *
   * @param name of its folder below target
   * @param packages with their versions, as for pip
   */
  PythonEnvironment(String name, String... packages) {
    this.home = Path.of("target", name).toAbsolutePath();
    this.packages = List.of(packages);
  }

  /** How a program has ended, and what it has printed. */
  record Ended(int code, String output) {}

  /** Runs Python with these arguments; what it has started and left ends with it. */
  Ended run(Map<String, String> variables, List<String> arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(home.resolve("bin/python").toString()));
    command.addAll(arguments);
    return end(command, variables);
  }

  private static Ended end(List<String> command, Map<String, String> variables)
      throws IOException, InterruptedException {
    Path output = Files.createTempFile("output", ".txt");
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
    builder.environment().putAll(variables);
    Process process = builder.start();
    try {
      if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        throw new IOException(command + " hangs: " + Files.readString(output));
      }
      return new Ended(process.exitValue(), Files.readString(output));
    } finally {
      List<ProcessHandle> left = process.descendants().toList();
      process.destroyForcibly();
      left.forEach(ProcessHandle::destroyForcibly);
      Files.delete(output);
    }
  }

  private static String lastLine(Ended ended) {
    return ended.output().lines().filter(line -> !line.isBlank()).reduce("", (any, last) -> last);
  }

  @Override
  public String missing() throws IOException, InterruptedException {
    String program = Programs.missing("python3");
    if (program != null || Files.exists(home.resolve("ready"))) {
      return program;
    }
    Ended made = end(List.of("python3", "-m", "venv", home.toString()), Map.of());
    if (made.code() != 0) {
      return "no virtual environment: " + lastLine(made);
    }
    List<String> install = new ArrayList<>(List.of("-m", "pip", "install", "-q"));
    install.addAll(packages);
    Ended installed = run(Map.of(), install);
    if (installed.code() != 0) {
      return "pip cannot install " + packages + ": " + lastLine(installed);
    }
    Files.createFile(home.resolve("ready"));
    return null;
  }
}
