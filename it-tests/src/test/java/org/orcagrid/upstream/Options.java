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

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * The command line.
 *
 * @param target which servers to run against
 * @param classes the classes to run, by their full names
 * @param timeout how long a class may take
 * @param parallelism how many classes run at the same time
 * @param workspace where Maven put the jars and where results go
 */
record Options(
    Target target, List<String> classes, Duration timeout, int parallelism, Path workspace) {

  static final Duration DEFAULT_TIMEOUT = Duration.ofMinutes(5);

  static final String USAGE =
      """
      usage: build/upstream-tests.sh [--all | --selection] [--target stock|orca-sync|orca-cad]
                 [--timeout SECONDS] [--parallel N] [CLASS…]
        --selection  the classes of ci-selection.txt (the default)
        --all        the classes of full-selection.txt
        CLASS        a full name, or one below org.apache.zookeeper such as test.ACLTest
      """;

  Options {
    classes = List.copyOf(classes);
    if (parallelism < 1) {
      throw new IllegalArgumentException("--parallel must be at least 1: " + parallelism);
    }
    if (timeout.isNegative() || timeout.isZero()) {
      throw new IllegalArgumentException("--timeout must be positive: " + timeout.toSeconds());
    }
  }

  /** Parses the arguments; an error is an {@link IllegalArgumentException} for the user. */
  static Options parse(List<String> arguments) {
    Target target = Target.ORCA_CAD;
    boolean all = false;
    Duration timeout = DEFAULT_TIMEOUT;
    int parallelism = 1;
    Path workspace = Path.of("it-tests", "target", "upstream");
    List<String> named = new ArrayList<>();

    Deque<String> rest = new ArrayDeque<>(arguments);
    while (!rest.isEmpty()) {
      String argument = rest.remove();
      switch (argument) {
        case "--all" -> all = true;
        case "--selection" -> all = false;
        case "--target" -> target = Target.of(value(argument, rest));
        case "--timeout" -> timeout = Duration.ofSeconds(number(argument, rest));
        case "--parallel" -> parallelism = number(argument, rest);
        case "--workspace" -> workspace = Path.of(value(argument, rest));
        default -> named.add(className(argument));
      }
    }
    List<String> listed = all ? ClassList.fullSelection() : ClassList.ciSelection();
    return new Options(target, named.isEmpty() ? listed : named, timeout, parallelism, workspace);
  }

  private static String className(String argument) {
    if (argument.startsWith("-")) {
      throw new IllegalArgumentException("unknown option " + argument);
    }
    String root = "org.apache.zookeeper.";
    return argument.startsWith(root) ? argument : root + argument;
  }

  private static String value(String option, Deque<String> rest) {
    if (rest.isEmpty()) {
      throw new IllegalArgumentException(option + " needs a value");
    }
    return rest.remove();
  }

  private static int number(String option, Deque<String> rest) {
    String value = value(option, rest);
    try {
      return Integer.parseInt(value);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(option + " needs a number: " + value, e);
    }
  }
}
