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
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.orcagrid.bench.ExperimentPlan;
import org.orcagrid.cli.CommandFailure;
import org.orcagrid.cli.EnsembleProcesses;
import org.orcagrid.cli.EnsembleSpec;
import org.orcagrid.cli.ServerProgram;
import org.orcagrid.examples.ensemble.Folders;

/** Starts every server as a JVM of its own on the loopback interface. */
public final class ProcessLauncher implements SystemLauncher {
  private static final String HEAP = "-Xmx512m";
  private static final String FSYNC_DELAY = "orca.test.fsyncDelayMs";

  /** The same for stock, whose class path lacks our own configuration. */
  private static final String LOGBACK =
      """
      <configuration>
        <appender name="out" class="ch.qos.logback.core.ConsoleAppender">
          <encoder><pattern>%d %-5level %logger{0} %msg%n</pattern></encoder>
        </appender>
        <root level="WARN"><appender-ref ref="out"/></root>
      </configuration>
      """;

  private final Path directory;

  /** Those of all ensembles so far: of one that was just launched nobody listens there yet. */
  private final Set<Integer> ports = new HashSet<>();

  /**
   * Makes a launcher.
   *
   * @param directory where the servers' data goes while they run; it must be on the disk that is to
   *     be measured, and is created if missing
   */
  public ProcessLauncher(Path directory) {
    this.directory = directory.toAbsolutePath();
  }

  @Override
  public SystemUnderTest launch(
      SystemSpec spec, ExperimentPlan.Servers servers, double fsyncDelayMs) throws IOException {
    if (fsyncDelayMs > 0 && !spec.canDelayFsync()) {
      throw new IllegalArgumentException(
          "An added fsync delay is not available for " + spec.id() + "; run it with delay 0.");
    }
    Files.createDirectories(directory);
    Path home = Files.createTempDirectory(directory, spec.id().replaceAll("[^a-z0-9-]", "_") + "-");
    DelayedLinks links = new DelayedLinks(servers.linkDelayMs());
    EnsembleSpec ensemble =
        EnsembleSpec.of(servers.count(), home)
            .withSettings(spec.settings())
            .withProgram(program(spec, home, HEAP))
            .withTakenPorts(ports)
            .withRoutes(links);
    if (fsyncDelayMs > 0) {
      ensemble = ensemble.withSettings(Map.of(FSYNC_DELAY, Double.toString(fsyncDelayMs)));
    }
    try {
      EnsembleProcesses processes = EnsembleProcesses.start(ensemble);
      processes.members().forEach(member -> ports.addAll(member.ports()));
      return new ProcessEnsemble(spec, home, processes, links);
    } catch (CommandFailure e) {
      links.close();
      Folders.delete(home);
      throw new IOException("System " + spec.id() + " did not start: " + e.getMessage(), e);
    }
  }

  /**
   * Returns the server's program of a system, which logs warnings to its standard output.
   *
   * @param folder where the configuration of its log is written
   * @param heap a flag of the JVM
   */
  public static ServerProgram program(SystemSpec spec, Path folder, String heap)
      throws IOException {
    Path logback = Files.writeString(folder.resolve("logback.xml"), LOGBACK);
    ServerProgram program =
        switch (spec.server()) {
          case ORCA -> ServerProgram.orca();
          case STOCK -> ServerProgram.stock().withClassPath(ServerClassPath.withoutOurs());
        };
    return program.withJvmFlags(List.of(heap, "-Dlogback.configurationFile=" + logback));
  }
}
