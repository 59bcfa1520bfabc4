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
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** A running process of ours, which one may signal. Safe for several threads. */
final class ServerProcess {
  private static final Duration PAUSE_LIMIT = Duration.ofSeconds(5);
  private static final char UNKNOWN = '?';

  private final ProcessHandle handle;

  ServerProcess(ProcessHandle handle) {
    this.handle = handle;
  }

  long pid() {
    return handle.pid();
  }

  ProcessHandle handle() {
    return handle;
  }

  boolean alive() {
    return handle.isAlive() && !zombie();
  }

  /** SIGTERM: the server stops by itself. */
  void terminate() {
    handle.destroy();
  }

  /** SIGKILL: what it had not made durable is lost, as in a crash of the process. */
  void kill() {
    handle.destroyForcibly();
  }

  /** SIGSTOP: returns when every thread stands still; the kernel keeps the connections open. */
  void pause() throws IOException, InterruptedException, CommandFailure {
    signal("STOP");
    // A thread stops when the signal reaches it, which on a busy machine is after kill's return.
    if (!Deadline.in(PAUSE_LIMIT).await(this::everyThreadStopped)) {
      throw new CommandFailure(
          "Process "
              + pid()
              + " is not paused after "
              + PAUSE_LIMIT.toSeconds()
              + " s; it may have ended or hang in the kernel.");
    }
  }

  /** SIGCONT: undoes {@link #pause()}. */
  void resume() throws IOException, InterruptedException {
    signal("CONT");
  }

  /** Returns whether the process has ended within {@code limit}. */
  boolean awaitEnd(Duration limit) throws InterruptedException, CommandFailure {
    return Deadline.in(limit).await(() -> !alive());
  }

  /** Whether a word of its command line begins so; true where the system does not tell. */
  boolean wasGiven(String word) {
    try {
      String words = Files.readString(proc().resolve("cmdline"));
      return words.startsWith(word) || words.contains('\0' + word);
    } catch (IOException e) {
      // No /proc on this system, or the process has just gone, which others find.
      return true;
    }
  }

  private void signal(String name) throws IOException, InterruptedException {
    // The shell's own: the program kill is not on every machine.
    Process kill =
        new ProcessBuilder("sh", "-c", "kill -" + name + " " + pid())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    if (kill.waitFor() != 0) {
      throw new IOException("No process " + pid() + " to send SIG" + name + " to");
    }
  }

  /** Where nobody reaps orphans, as in many containers, an ended process stays as a zombie. */
  private boolean zombie() {
    return state(proc().resolve("stat")) == 'Z';
  }

  private boolean everyThreadStopped() {
    try (DirectoryStream<Path> tasks = Files.newDirectoryStream(proc().resolve("task"))) {
      for (Path task : tasks) {
        char state = state(task.resolve("stat"));
        if (state != 'T' && state != UNKNOWN) {
          return false;
        }
      }
      return true;
    } catch (IOException e) {
      // No /proc on this system: then the signal sent is all that can be known.
      return !Files.exists(Path.of("/proc", "self"));
    }
  }

  /** Returns the letter that follows the name in parentheses, which may itself contain some. */
  private static char state(Path stat) {
    try {
      String text = Files.readString(stat);
      int afterName = text.lastIndexOf(')') + 2;
      return afterName < text.length() ? text.charAt(afterName) : UNKNOWN;
    } catch (IOException e) {
      // No /proc on this system, or the process or thread has just gone.
      return UNKNOWN;
    }
  }

  private Path proc() {
    return Path.of("/proc", Long.toString(pid()));
  }
}
