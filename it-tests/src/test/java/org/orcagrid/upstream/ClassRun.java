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
package org.orcagrid.upstream;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Runs one test class after the other, each in a JVM of its own that ends in bounded time. */
final class ClassRun {
  /** What our servers log when they start: the proof that a class met them. */
  static final String IN_USE = "ORCA server in use";

  private static final Duration KILL_WAIT = Duration.ofSeconds(30);

  private final Workspace workspace;
  private final Target target;
  private final TestJvm jvm;
  private final Duration timeout;
  private final RunningProcesses processes;
  private final KeyStores keyStores;

  ClassRun(
      Workspace workspace,
      Target target,
      TestJvm jvm,
      Duration timeout,
      RunningProcesses processes) {
    this.workspace = workspace;
    this.target = target;
    this.jvm = jvm;
    this.timeout = timeout;
    this.processes = processes;
    keyStores = new KeyStores(workspace.keyStores());
  }

  /** Runs a class in slot 1, 2, … and waits for its end. */
  ClassResult run(String testClass, int slot) throws IOException, InterruptedException {
    Path directory = workspace.runDirectory(target, testClass);
    Path log = workspace.log(target, testClass);
    deleteTree(directory);
    Files.createDirectories(directory.resolve("surefire"));
    Files.createDirectories(directory.resolve("tmp"));
    Files.createDirectories(log.getParent());
    keyStores.copyInto(directory);

    long startNanos = System.nanoTime();
    boolean inTime = execute(jvm.command(testClass, slot), directory, log);
    long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - startNanos);

    JUnitReport report = JUnitReport.read(TestJvm.reports(directory));
    ClassResult result =
        new ClassResult(
            testClass,
            ending(inTime, report),
            report.passed(),
            report.skipped(),
            report.failures(),
            seconds,
            contains(log, IN_USE));
    if (result.allPassed()) {
      deleteTree(directory); // the data directories of a failure stay for whoever looks into it
    }
    return result;
  }

  private boolean execute(List<String> command, Path directory, Path log)
      throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    processes.started(process);
    try {
      return process.waitFor(timeout.toMillis(), TimeUnit.MILLISECONDS);
    } finally {
      processes.end(process, KILL_WAIT);
    }
  }

  private static ClassResult.Ending ending(boolean inTime, JUnitReport report) {
    if (!inTime) {
      return ClassResult.Ending.TIMED_OUT;
    }
    return report.isEmpty() ? ClassResult.Ending.NO_REPORT : ClassResult.Ending.FINISHED;
  }

  private static boolean contains(Path log, String text) throws IOException {
    // Tests log binary node data as well, which is not always UTF-8.
    CharsetDecoder lenient =
        StandardCharsets.UTF_8.newDecoder().onMalformedInput(CodingErrorAction.REPLACE);
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(Files.newInputStream(log), lenient))) {
      return lines.lines().anyMatch(line -> line.contains(text));
    }
  }

  private static void deleteTree(Path root) throws IOException {
    if (!Files.exists(root)) {
      return;
    }
    try (Stream<Path> tree = Files.walk(root)) {
      for (Path path : tree.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }
}
