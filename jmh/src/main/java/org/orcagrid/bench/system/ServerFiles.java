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
package org.orcagrid.bench.system;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Writes what a server needs to start into its directory, and removes it afterwards. */
final class ServerFiles {
  /** Logging at INFO would be part of what is measured. */
  private static final String LOGBACK =
      """
      <configuration>
        <appender name="out" class="ch.qos.logback.core.ConsoleAppender">
          <encoder><pattern>%d %-5level %logger{0} %msg%n</pattern></encoder>
        </appender>
        <root level="WARN"><appender-ref ref="out"/></root>
      </configuration>
      """;

  private ServerFiles() {}

  /**
   * The ports of one server on the loopback interface.
   *
   * @param client for clients
   * @param quorum for followers of a leader
   * @param election for elections
   */
  record Ports(int client, int quorum, int election) {}

  /** Writes the configuration of server {@code index} of an ensemble and returns its file. */
  static Path write(Path home, int index, List<Ports> ensemble, Map<String, String> settings)
      throws IOException {
    Path data = Files.createDirectories(home.resolve("data"));
    Files.writeString(data.resolve("myid"), Integer.toString(index + 1));
    Files.writeString(home.resolve("logback.xml"), LOGBACK);
    Path file = home.resolve("zoo.cfg");
    Files.write(file, configuration(data, index, ensemble, settings));
    return file;
  }

  private static List<String> configuration(
      Path data, int index, List<Ports> ensemble, Map<String, String> settings) {
    List<String> lines = new ArrayList<>();
    lines.add("dataDir=" + data);
    lines.add("clientPortAddress=127.0.0.1");
    lines.add("clientPort=" + ensemble.get(index).client());
    lines.add("tickTime=1000");
    lines.add("initLimit=20");
    lines.add("syncLimit=10");
    lines.add("maxClientCnxns=0");
    lines.add("admin.enableServer=false");
    lines.add("4lw.commands.whitelist=srvr,mntr");
    new TreeMap<>(settings).forEach((key, value) -> lines.add(key + "=" + value));
    for (int i = 0; i < ensemble.size(); i++) {
      Ports ports = ensemble.get(i);
      lines.add("server.%d=127.0.0.1:%d:%d".formatted(i + 1, ports.quorum(), ports.election()));
    }
    return lines;
  }

  /** Deletes a directory with everything in it. */
  static void deleteAll(Path home) throws IOException {
    List<Path> deepestFirst;
    try (Stream<Path> files = Files.walk(home)) {
      deepestFirst = files.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path file : deepestFirst) {
      Files.deleteIfExists(file);
    }
  }
}
