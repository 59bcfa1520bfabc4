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
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The file {@code orca.pid} in a data folder: the process id in the first line, in the second when
 * that process was started, and in the third what tells the folder from a copy of it. It tells our
 * process from a stranger that got the same id later, and from that of the folder which was copied,
 * so that no stranger is ever signalled.
 *
 * <p>On Linux that is the kernel's own count since the boot, and the boot's id: neither moves when
 * the clock is set. Elsewhere it is the time in milliseconds since 1970.
 *
 * @param file where it is
 */
record PidFile(Path file) {
  private static final int FOLDER_LINE = 2;
  private static final Path PROC = Path.of("/proc");

  /** Times elsewhere, and of files of earlier versions, are known to the second. */
  private static final long START_TOLERANCE_MS = 2_000;

  /** The kernel counts the fields of {@code /proc/PID/stat} from 1; two are up to the name. */
  private static final int START_FIELD_AFTER_NAME = 22 - 3;

  private static final Pattern ID = Pattern.compile("\\d{1,10}");
  private static final Pattern START = Pattern.compile("\\d{1,18}( [0-9a-f-]{36})?");

  static PidFile in(Path dataDir) {
    return new PidFile(dataDir.resolve("orca.pid"));
  }

  /** Records {@code process}, replacing what was there; nobody reads a half of it. */
  void write(ProcessHandle process) throws IOException {
    String start = start(process.pid()).orElseGet(() -> Long.toString(startMs(process)));
    Path next = file.resolveSibling(file.getFileName() + ".next");
    Files.writeString(next, process.pid() + "\n" + start + "\n" + folder() + "\n");
    Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  /** Returns the recorded process if it still runs and is verified to be the recorded one. */
  Optional<ServerProcess> running() throws CommandFailure {
    List<String> lines;
    String folder;
    try {
      lines = Files.readAllLines(file);
      folder = folder();
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (IOException e) {
      throw new CommandFailure(
          "Cannot read " + file + " (" + e.getMessage() + "); run as the server's user.", e);
    }
    if (lines.size() < 2
        || !ID.matcher(lines.get(0)).matches()
        || !START.matcher(lines.get(1)).matches()) {
      throw new CommandFailure(
          file + " is not a pid file of orca; delete it if no server uses this folder.");
    }
    if (lines.size() > FOLDER_LINE && !lines.get(FOLDER_LINE).equals(folder)) {
      return Optional.empty();
    }
    return ProcessHandle.of(Long.parseLong(lines.get(0)))
        .filter(process -> startedAt(process, lines.get(1)))
        .map(ServerProcess::new)
        .filter(ServerProcess::alive);
  }

  /** What tells the folder from a copy of it; a folder that was moved stays the same. */
  private String folder() throws IOException {
    Object key =
        Files.readAttributes(file.toAbsolutePath().getParent(), BasicFileAttributes.class)
            .fileKey();
    return key == null ? "" : key.toString();
  }

  /** Deletes the file; it may be gone already. */
  void delete() throws IOException {
    Files.deleteIfExists(file);
  }

  private static boolean startedAt(ProcessHandle process, String start) {
    if (start.contains(" ")) {
      return start(process.pid()).equals(Optional.of(start));
    }
    long startMs = startMs(process);
    return startMs != 0 && Math.abs(startMs - Long.parseLong(start)) <= START_TOLERANCE_MS;
  }

  private static long startMs(ProcessHandle process) {
    return process.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
  }

  /** Ticks from the boot to the process's start, and the boot's id; empty without a /proc. */
  private static Optional<String> start(long pid) {
    try {
      String stat = Files.readString(PROC.resolve(Long.toString(pid)).resolve("stat"));
      // The name in parentheses may itself contain some, and spaces.
      String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
      String boot = Files.readString(PROC.resolve("sys/kernel/random/boot_id")).strip();
      return fields.length > START_FIELD_AFTER_NAME
          ? Optional.of(fields[START_FIELD_AFTER_NAME] + " " + boot)
          : Optional.empty();
    } catch (IOException e) {
      // No /proc on this system, or the process has just gone.
      return Optional.empty();
    }
  }
}
