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
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * Where trials keep their files unless they are told otherwise: below the environment variable
 * {@code ORCA_STATE}, or in the user's folder for state, so that they are found from any folder.
 */
public final class StateFolder {
  /** For the help of {@code --dir}, behind the name of the trial. */
  public static final String HELP = " in $ORCA_STATE, else in the user's state folder).";

  private StateFolder() {}

  /** Returns the folder of the trials of this name, such as {@code ensemble}; it may be missing. */
  public static Path of(String name) {
    return of(name, System.getenv(), System.getProperty("user.home"));
  }

  /** Makes a trial's folder, with all above it; fails with what the user can do about it. */
  public static void create(Path folder) throws CommandFailure {
    try {
      Files.createDirectories(folder);
    } catch (FileSystemException e) {
      throw failure(folder, e);
    } catch (IOException e) {
      throw new CommandFailure("Cannot make the folder " + folder + ": " + e.getMessage(), e);
    }
  }

  static CommandFailure failure(Path folder, FileSystemException e) {
    return new CommandFailure(
        "Cannot write to the folder "
            + folder
            + " ("
            + e.getFile()
            + ": "
            + FailureReport.reason(e)
            + "); give --dir, or set ORCA_STATE to a folder that you may write.",
        e);
  }

  static Path of(String name, Map<String, String> environment, String home) {
    String chosen = environment.getOrDefault("ORCA_STATE", "");
    if (!chosen.isBlank()) {
      return Path.of(chosen).toAbsolutePath().normalize().resolve(name);
    }
    String states = environment.getOrDefault("XDG_STATE_HOME", "");
    // The XDG specification asks to ignore a relative path.
    Path base =
        states.isBlank() || !Path.of(states).isAbsolute()
            ? Path.of(environment.getOrDefault("HOME", home), ".local", "state")
            : Path.of(states);
    return base.resolve("orca").resolve(name).toAbsolutePath().normalize();
  }
}
