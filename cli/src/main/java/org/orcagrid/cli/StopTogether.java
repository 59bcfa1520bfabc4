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
package org.orcagrid.cli;

import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Stops several servers, all at once: one after the other would make the rest react to each that
 * goes. What does not stop in time is killed.
 */
final class StopTogether {
  private static final Duration LIMIT = Duration.ofSeconds(6);
  private static final Duration KILL_LIMIT = Duration.ofSeconds(10);

  private final Map<String, PidFile> files = new LinkedHashMap<>();
  private final Map<String, ServerProcess> launched = new LinkedHashMap<>();

  /** Adds one, if it runs or not; {@code name} begins a sentence. */
  void add(String name, PidFile file) {
    files.put(name, file);
  }

  /** Adds one that was launched here, and may have no pid file yet. */
  void add(String name, PidFile file, ProcessHandle process) {
    add(name, file);
    launched.put(name, new ServerProcess(process));
  }

  /** Stops them; how many ran. */
  int stop(Consumer<String> say) throws CommandFailure, IOException, InterruptedException {
    Map<String, ServerProcess> running = new LinkedHashMap<>();
    for (Map.Entry<String, PidFile> each : files.entrySet()) {
      Optional<ServerProcess> known =
          Optional.ofNullable(launched.get(each.getKey())).filter(ServerProcess::alive);
      each.getValue()
          .running()
          .or(() -> known)
          .ifPresent(process -> running.put(each.getKey(), process));
    }
    running.values().forEach(ServerProcess::terminate);
    Deadline deadline = Deadline.in(LIMIT);
    for (Map.Entry<String, ServerProcess> each : running.entrySet()) {
      if (!deadline.await(() -> !each.getValue().alive())) {
        say.accept(each.getKey() + " did not stop in time and is killed.");
        kill(each.getKey(), each.getValue());
      }
      files.get(each.getKey()).delete();
    }
    return running.size();
  }

  private static void kill(String name, ServerProcess process)
      throws CommandFailure, InterruptedException {
    process.kill();
    if (!process.awaitEnd(KILL_LIMIT)) {
      throw new CommandFailure(
          name
              + " (pid "
              + process.pid()
              + ") does not end after SIGKILL; look whether its disk hangs.");
    }
  }
}
