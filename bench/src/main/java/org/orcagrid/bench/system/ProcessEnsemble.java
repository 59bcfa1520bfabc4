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
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.orcagrid.cli.CommandFailure;
import org.orcagrid.cli.EnsembleMember;
import org.orcagrid.cli.EnsembleProcesses;
import org.orcagrid.examples.ensemble.Folders;

/** An ensemble of server processes whose data is deleted when it is closed. */
final class ProcessEnsemble implements SystemUnderTest {
  private static final Duration START_LIMIT = Duration.ofSeconds(90);

  private final SystemSpec spec;
  private final Path home;
  private final EnsembleProcesses processes;
  private final DelayedLinks links;
  private final Thread removeAtExit = new Thread(this::removeAtExit, "bench-remove-servers");

  ProcessEnsemble(SystemSpec spec, Path home, EnsembleProcesses processes, DelayedLinks links) {
    this.spec = spec;
    this.home = home;
    this.processes = processes;
    this.links = links;
    // An interrupted command must not leave gigabytes of preallocated logs behind.
    Runtime.getRuntime().addShutdownHook(removeAtExit);
  }

  @Override
  public SystemSpec spec() {
    return spec;
  }

  @Override
  public List<ServerAddress> servers() {
    return processes.members().stream()
        .map(member -> new ServerAddress("127.0.0.1", member.clientPort()))
        .toList();
  }

  @Override
  public void awaitServing() throws IOException, InterruptedException {
    try {
      processes.awaitServing(START_LIMIT);
    } catch (CommandFailure e) {
      throw new IOException("System " + spec.id() + " did not start: " + e.getMessage(), e);
    }
  }

  @Override
  public List<Duration> processorTimes() {
    List<Duration> times = new ArrayList<>();
    for (EnsembleMember member : processes.members()) {
      Optional<Duration> used = processes.process(member.id()).info().totalCpuDuration();
      if (used.isEmpty()) {
        return List.of();
      }
      times.add(used.get());
    }
    return times;
  }

  @Override
  public void close() {
    try {
      Runtime.getRuntime().removeShutdownHook(removeAtExit);
    } catch (IllegalStateException alreadyRunning) {
      // The JVM is ending and the hook does the rest.
      return;
    }
    try {
      remove();
    } catch (IOException e) {
      throw new UncheckedIOException(failure(), e);
    }
  }

  private void removeAtExit() {
    try {
      remove();
    } catch (IOException e) {
      System.err.println(failure());
    }
  }

  private void remove() throws IOException {
    processes.close();
    links.close();
    Folders.delete(home);
  }

  private String failure() {
    return "Cannot remove the servers' files in " + home + "; delete them by hand.";
  }
}
