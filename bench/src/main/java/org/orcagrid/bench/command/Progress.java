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

import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.util.Locale;

/**
 * Shows how a run is going: a line for each step that is done, and on a terminal a bar that updates
 * itself meanwhile. The bar goes to standard error, and only if that is a terminal. For one thread.
 */
final class Progress {
  private static final int BAR_WIDTH = 24;
  private static final String START_OF_LINE = "\r\u001b[K";

  /** The launcher sets it: whether standard error is a terminal, which Java does not tell. */
  private static final String TERMINAL = "orca.terminal";

  private final PrintWriter out;
  private final PrintWriter bar;
  private boolean barDrawn;

  /**
   * Makes a display.
   *
   * @param out where to print lines that stay
   * @param bar where to draw, a terminal; null for no bar
   */
  Progress(PrintWriter out, PrintWriter bar) {
    this.out = out;
    this.bar = bar;
  }

  /** Returns a display with lines there, and a bar where standard error is a terminal. */
  static Progress of(PrintWriter out) {
    return new Progress(
        out,
        Boolean.getBoolean(TERMINAL)
            ? new PrintWriter(System.err, true, Charset.defaultCharset())
            : null);
  }

  /** Shows the state of what is running, where there is a bar. */
  void update(String what, double share, double requestsPerSecond) {
    if (bar != null) {
      bar.print(START_OF_LINE + line(what, share, requestsPerSecond));
      bar.flush();
      barDrawn = true;
    }
  }

  /** Prints a line that stays. */
  void say(String line) {
    if (barDrawn) {
      bar.print(START_OF_LINE);
      bar.flush();
      barDrawn = false;
    }
    out.println(line);
    out.flush();
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
}
