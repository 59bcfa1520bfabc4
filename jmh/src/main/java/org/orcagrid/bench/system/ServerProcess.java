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
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** One server process, its output in a log file. */
final class ServerProcess implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final Process process;
  private final Path log;

  private ServerProcess(Process process, Path log) {
    this.process = process;
    this.log = log;
  }

  static ServerProcess start(List<String> command, Path log) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.redirectErrorStream(true).redirectOutput(log.toFile());
    Process process = builder.start();
    process.getOutputStream().close();
    return new ServerProcess(process, log);
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** Returns where the process writes its output. */
  Path log() {
    return log;
  }

  /** Asks the process to end. */
  void end() {
    process.destroy();
  }

  /** Ends the process and waits until it is gone, by force after five seconds. */
  @Override
  public void close() {
    process.destroy();
    boolean interrupted = false;
    try {
      if (process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
        return;
      }
    } catch (InterruptedException e) {
      interrupted = true;
    }
    process.destroyForcibly().onExit().join();
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
