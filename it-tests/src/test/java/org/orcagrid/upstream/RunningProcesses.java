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

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** The test JVMs that are running, so that none of them outlives the command. */
final class RunningProcesses implements AutoCloseable {
  private final Set<Process> running = ConcurrentHashMap.newKeySet();

  void started(Process process) {
    running.add(process);
  }

  /** Kills a process that still runs, and whatever it started, and waits until it is gone. */
  void end(Process process, Duration patience) throws InterruptedException {
    kill(process);
    if (!process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS)) {
      throw new IllegalStateException("process " + process.pid() + " does not die");
    }
    running.remove(process);
  }

  /** Kills all that run: for the shutdown of the command itself. */
  @Override
  public void close() {
    running.forEach(RunningProcesses::kill);
  }

  private static void kill(Process process) {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
  }
}
