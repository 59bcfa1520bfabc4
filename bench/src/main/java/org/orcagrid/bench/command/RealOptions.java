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
package org.orcagrid.bench.command;

import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Option;

/** Databases for MyriaStore's figures. */
final class RealOptions {
  @Option(
      names = "--real",
      description =
          "myria-* on PostgreSQL instead of virtual time, beside JDBC; needs --postgres and"
              + " --driver.")
  private boolean isReal;

  @Option(
      names = "--postgres",
      split = ",",
      paramLabel = "URL",
      description =
          "For --real: one or two instances, as jdbc:postgresql://localhost:5432/postgres?user=app;"
              + " databases orca_bench_... are made there and dropped. build/mixed-real.sh starts"
              + " one.")
  private List<String> addresses;

  @Option(
      names = "--driver",
      paramLabel = "JAR",
      description = "For --real: the JDBC driver, postgresql-VERSION.jar.")
  private Path driver;

  @Option(
      names = "--seconds",
      description = "For --real: of each round; default 3, with --quick 1.")
  private Double seconds;

  boolean isReal() {
    return isReal;
  }

  /** Whether one is given that only real databases need. */
  boolean isAnyGiven() {
    return isReal || addresses != null || driver != null || seconds != null;
  }

  boolean isComplete() {
    return isReal && addresses != null && driver != null;
  }

  List<String> addresses() {
    return addresses;
  }

  Path driver() {
    return driver;
  }

  double seconds(boolean quick) {
    return seconds != null ? seconds : quick ? 1 : 3;
  }
}
