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

import java.util.Arrays;
import java.util.List;

/**
 * Which of our logback configurations this JVM uses. They do not sit at logback's default places,
 * so that the jar changes nothing in an application that embeds it.
 */
enum LogConfig {
  /** Everything from INFO on, timestamped, on standard output. */
  SERVER("org/orcagrid/cli/logback-server.xml"),
  /**
   * The same, in the file that {@link #FILE_PROPERTY} names; it is rolled over and compressed. A
   * launcher may name another configuration in {@link #FILE_CONFIG_PROPERTY}.
   */
  FILE("org/orcagrid/cli/logback-file.xml"),
  /** Errors only, on standard error, so that a command's output is its own. */
  QUIET("org/orcagrid/cli/logback-quiet.xml");

  /** Logback reads it once, when the first logger is made. */
  private static final String PROPERTY = "logback.configurationFile";

  /** Where a process in the background writes its log. */
  static final String FILE_PROPERTY = "orca.log.file";

  /** The configuration of processes in the background, where a user may edit it. */
  static final String FILE_CONFIG_PROPERTY = "orca.log.config";

  private final String resource;

  LogConfig(String resource) {
    this.resource = resource;
  }

  static LogConfig forArguments(String[] args) {
    List<String> words =
        Arrays.stream(args).dropWhile(arg -> arg.startsWith("-")).limit(2).toList();
    return words.equals(List.of("server", "run")) || words.equals(List.of("grid", "run"))
        ? SERVER
        : QUIET;
  }

  /** Returns the JVM flag that selects this configuration for a program that is not ours. */
  String jvmFlag() {
    String chosen = this == FILE ? System.getProperty(FILE_CONFIG_PROPERTY, resource) : resource;
    return "-D" + PROPERTY + "=" + chosen;
  }

  /** Selects this configuration unless the user has chosen one; call it before any logger. */
  void select() {
    if (System.getProperty(PROPERTY) == null) {
      System.setProperty(PROPERTY, resource);
    }
  }
}
