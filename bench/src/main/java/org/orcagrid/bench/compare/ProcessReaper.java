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
package org.orcagrid.bench.compare;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Ends every process that was started for a comparison, also when this JVM ends before. */
public final class ProcessReaper implements AutoCloseable {
  private final List<Process> processes = new CopyOnWriteArrayList<>();
  private final Thread atExit = new Thread(this::kill, "compare-kill");

  /** Ends them when this JVM ends, too. */
  public ProcessReaper() {
    Runtime.getRuntime().addShutdownHook(atExit);
  }

  /** Takes charge of a process. */
  public Process watch(Process process) {
    processes.add(process);
    return process;
  }

  private void kill() {
    processes.forEach(Process::destroyForcibly);
  }

  /** Ends them all; returns when they have ended. Nobody needs what they hold. */
  @Override
  public void close() {
    kill();
    processes.forEach(process -> process.onExit().join());
    try {
      Runtime.getRuntime().removeShutdownHook(atExit);
    } catch (IllegalStateException e) {
      // The JVM ends already, and the hook with it.
      return;
    }
  }
}
