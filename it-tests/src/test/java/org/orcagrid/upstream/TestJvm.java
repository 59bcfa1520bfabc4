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

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The command line of the JVM that runs one test class: the settings of upstream's own build
 * (surefire's in the POM of ZooKeeper 3.9.5), plus those of the target.
 */
final class TestJvm {
  /** The digest of super:test, which upstream's tests log in with. */
  private static final String SUPER_DIGEST = "super:D/InIHSb7yEEbrWz8b9l71RjZJU=";

  private final Workspace workspace;
  private final Target target;
  private final int slots;

  /**
   * Creates the command line for a run.
   *
   * @param slots how many test JVMs run at the same time; they divide the ports among them
   */
  TestJvm(Workspace workspace, Target target, int slots) {
    this.workspace = workspace;
    this.target = target;
    this.slots = slots;
  }

  /** The command for a class in slot 1, 2, … */
  List<String> command(String testClass, int slot) throws IOException {
    Path directory = workspace.runDirectory(target, testClass);
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xmx512m");
    command.add("-javaagent:" + workspace.agent());
    command.add("-Dtest.junit.threads=" + slots);
    command.add("-Dzookeeper.junit.threadid=" + slot);
    command.add("-Dbuild.test.dir=" + directory.resolve("surefire"));
    command.add("-Djava.io.tmpdir=" + directory.resolve("tmp"));
    command.add("-Dzookeeper.DigestAuthenticationProvider.superDigest=" + SUPER_DIGEST);
    command.add("-Dlogback.configurationFile=" + workspace.logbackConfiguration());
    command.addAll(targetSettings());
    command.add("-cp");
    command.add(
        workspace.classPath(target, workspace.testClasses(target)).stream()
            .map(Path::toString)
            .collect(Collectors.joining(File.pathSeparator)));
    command.add("org.junit.platform.console.ConsoleLauncher");
    command.addAll(List.of("--select-class", testClass, "--include-classname", ".*"));
    command.addAll(List.of("--details=none", "--disable-banner"));
    command.add("--reports-dir=" + reports(directory));
    return command;
  }

  /** Where the launcher leaves its reports, below the directory of a run. */
  static Path reports(Path directory) {
    return directory.resolve("reports");
  }

  private List<String> targetSettings() {
    List<String> settings = new ArrayList<>();
    target.settings().forEach((key, value) -> settings.add("-D" + key + "=" + value));
    if (target.ours()) {
      String factory = Replacements.DEFAULT_FACTORY;
      settings.add("-D" + FactoryProperty.FACTORY + "=" + factory);
      settings.add("-D" + FactoryProperty.FALLBACK + "=" + factory);
    }
    return settings;
  }
}
