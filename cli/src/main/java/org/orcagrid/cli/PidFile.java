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
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The file {@code orca.pid} in a data folder: the process id in the first line, the time at which
 * that process was started, in milliseconds since 1970, in the second. The time tells our process
 * from a stranger that got the same id later, so that no stranger is ever signalled.
 *
 * @param file where it is
 */
record PidFile(Path file) {
  /** The kernel counts in ticks of 10 ms from a boot time that it knows to the second. */
  private static final long START_TOLERANCE_MS = 2_000;

  static PidFile in(Path dataDir) {
    return new PidFile(dataDir.resolve("orca.pid"));
  }

  /** Records {@code process}, replacing what was there. */
  void write(ProcessHandle process) throws IOException {
    long startMs = process.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
    Files.writeString(file, process.pid() + "\n" + startMs + "\n");
  }

  /** Returns the recorded process if it still runs and is verified to be the recorded one. */
  Optional<ServerProcess> running() throws CommandFailure {
    List<String> lines;
    try {
      lines = Files.readAllLines(file);
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (IOException e) {
      throw new CommandFailure(
          "Cannot read " + file + " (" + e.getMessage() + "); run as the server's user.", e);
    }
    if (lines.size() < 2 || !lines.get(0).matches("\\d{1,10}") || !lines.get(1).matches("\\d+")) {
      throw new CommandFailure(
          file + " is not a pid file of orca; delete it if no server uses this folder.");
    }
    long startMs = Long.parseLong(lines.get(1));
    return running(Long.parseLong(lines.get(0)), startMs);
  }

  /** Returns the process of that id if it runs and was started then. */
  static Optional<ServerProcess> running(long pid, long startMs) {
    return ProcessHandle.of(pid)
        .filter(process -> startedAt(process, startMs))
        .map(ServerProcess::new)
        .filter(ServerProcess::alive);
  }

  /** Deletes the file; it may be gone already. */
  void delete() throws IOException {
    Files.deleteIfExists(file);
  }

  private static boolean startedAt(ProcessHandle process, long startMs) {
    return process
        .info()
        .startInstant()
        .map(start -> Math.abs(start.toEpochMilli() - startMs) <= START_TOLERANCE_MS)
        .orElse(false);
  }
}
