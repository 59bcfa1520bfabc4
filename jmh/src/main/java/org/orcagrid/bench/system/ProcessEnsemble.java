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
import java.util.List;
import java.util.concurrent.TimeUnit;

/** An ensemble of server processes on the loopback interface. */
final class ProcessEnsemble implements SystemUnderTest {
  private static final Duration START_LIMIT = Duration.ofSeconds(60);
  private static final long POLL_MS = 50;

  private final SystemSpec spec;
  private final Path home;
  private final List<ServerAddress> servers;
  private final List<ServerProcess> processes;
  private final Thread endOnExit;

  ProcessEnsemble(
      SystemSpec spec, Path home, List<ServerAddress> servers, List<ServerProcess> processes) {
    this.spec = spec;
    this.home = home;
    this.servers = List.copyOf(servers);
    this.processes = List.copyOf(processes);
    // Interrupting the command must not leave servers behind.
    this.endOnExit = new Thread(() -> this.processes.forEach(ServerProcess::end), "end-servers");
    Runtime.getRuntime().addShutdownHook(endOnExit);
  }

  @Override
  public SystemSpec spec() {
    return spec;
  }

  @Override
  public List<ServerAddress> servers() {
    return servers;
  }

  @Override
  public void awaitServing() throws IOException, InterruptedException {
    long deadline = System.nanoTime() + START_LIMIT.toNanos();
    while (!isComplete()) {
      for (ServerProcess process : processes) {
        if (!process.isAlive()) {
          throw new IOException(
              "A server of " + spec.id() + " ended while starting; see " + process.log() + ".");
        }
      }
      if (System.nanoTime() > deadline) {
        throw new IOException(
            "The servers of %s did not form a quorum in %d s; see the logs in %s."
                .formatted(spec.id(), START_LIMIT.toSeconds(), home));
      }
      TimeUnit.MILLISECONDS.sleep(POLL_MS);
    }
  }

  private boolean isComplete() {
    boolean led = false;
    for (ServerAddress server : servers) {
      try {
        String mode = FourLetterWords.mode(server).orElse("");
        if (mode.isEmpty()) {
          return false;
        }
        led |= mode.equals("leader") || mode.equals("standalone");
      } catch (IOException notListeningYet) {
        return false;
      }
    }
    return led;
  }

  @Override
  public void close() {
    processes.forEach(ServerProcess::end);
    processes.forEach(ServerProcess::close);
    try {
      Runtime.getRuntime().removeShutdownHook(endOnExit);
    } catch (IllegalStateException alreadyExiting) {
      // The hook is running; it does what was done above.
      return;
    }
    try {
      ServerFiles.deleteAll(home);
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot remove the servers' files in " + home + ".", e);
    }
  }
}
