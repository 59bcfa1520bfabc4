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
package org.orcagrid.processes;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.orcagrid.bench.system.ServerClassPath;
import org.orcagrid.cli.ServerProgram;

/** What a server process runs. Its modes are JVM flags, so that a swap leaves zoo.cfg alone. */
final class Programs {
  /** A JVM that starts fast and stays small: several share two cores. */
  static final List<String> SMALL_JVM =
      List.of("-Xmx64m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto");

  /** Stock's class path lacks our own configuration. */
  private static final String LOGBACK =
      """
      <configuration>
        <appender name="out" class="ch.qos.logback.core.ConsoleAppender">
          <encoder><pattern>%d %-5level [%thread] %logger{0} %msg%n</pattern></encoder>
        </appender>
        <root level="INFO"><appender-ref ref="out"/></root>
      </configuration>
      """;

  /** The modes in which ORCA serves in one ensemble with stock servers. */
  static final Map<String, String> MODES_OFF =
      Map.of("durability", "sync", "replication", "sync", "readers", "all");

  /** The modes that this project is about. */
  static final Map<String, String> CAD =
      Map.of("durability", "cad", "replication", "async", "readers", "active-set");

  private Programs() {}

  /** Our server; the keys of {@code settings} are without {@code orca.}. */
  static ServerProgram orca(Map<String, String> settings) {
    List<String> flags = new ArrayList<>(SMALL_JVM);
    settings.forEach((key, value) -> flags.add("-Dzookeeper.orca." + key + "=" + value));
    return ServerProgram.orca().withJvmFlags(flags);
  }

  /** The released jar with none of our classes; its logging is configured in {@code folder}. */
  static ServerProgram stock(Path folder) throws IOException {
    Path logback = folder.resolve("logback.xml");
    Files.createDirectories(folder);
    Files.writeString(logback, LOGBACK);
    List<String> flags = new ArrayList<>(SMALL_JVM);
    flags.add("-Dlogback.configurationFile=" + logback);
    return ServerProgram.stock().withClassPath(ServerClassPath.withoutOurs()).withJvmFlags(flags);
  }
}
