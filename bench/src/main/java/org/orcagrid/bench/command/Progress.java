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
package org.orcagrid.bench.command;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.function.LongSupplier;

/**
 * Shows how a run is going: one line that updates itself on a terminal, now and then a plain line
 * elsewhere. For one thread.
 */
final class Progress {
  private static final Duration PLAIN_INTERVAL = Duration.ofSeconds(2);
  private static final int BAR_WIDTH = 24;
  private static final String START_OF_LINE = "\r\u001b[K";

  private final PrintWriter out;
  private final boolean terminal;
  private final LongSupplier nanoClock;
  private long lastPlainNanos;
  private boolean lineOpen;

  /**
   * Makes a display.
   *
   * @param out where to print
   * @param terminal whether the line can be overwritten
   * @param nanoClock limits how often a plain line appears
   */
  Progress(PrintWriter out, boolean terminal, LongSupplier nanoClock) {
    this.out = out;
    this.terminal = terminal;
    this.nanoClock = nanoClock;
    this.lastPlainNanos = nanoClock.getAsLong();
  }

  /** Returns a display for this process's standard output. */
  static Progress onStandardOutput(PrintWriter out) {
    return new Progress(out, isTerminal(), System::nanoTime);
  }

  /** Shows the state of what is running. */
  void update(String what, double share, double requestsPerSecond) {
    if (terminal) {
      out.print(START_OF_LINE + line(what, share, requestsPerSecond));
      out.flush();
      lineOpen = true;
      return;
    }
    long now = nanoClock.getAsLong();
    if (now - lastPlainNanos >= PLAIN_INTERVAL.toNanos()) {
      lastPlainNanos = now;
      out.println(line(what, share, requestsPerSecond));
      out.flush();
    }
  }

  /** Prints a line that stays. */
  void say(String line) {
    out.println((lineOpen ? START_OF_LINE : "") + line);
    out.flush();
    lineOpen = false;
  }

  private static String line(String what, double share, double requestsPerSecond) {
    int filled = (int) Math.round(share * BAR_WIDTH);
    return String.format(
        Locale.ROOT,
        "%-34s [%s%s] %3.0f%%  %8.0f requests/s",
        what,
        "#".repeat(filled),
        ".".repeat(BAR_WIDTH - filled),
        share * 100,
        requestsPerSecond);
  }

  /** Asks Linux; elsewhere plain lines are the safe answer, Java itself no longer tells. */
  private static boolean isTerminal() {
    Path standardOutput = Path.of("/proc/self/fd/1");
    try {
      String target = Files.readSymbolicLink(standardOutput).toString();
      return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty");
    } catch (IOException | UnsupportedOperationException notLinux) {
      return false;
    }
  }
}
