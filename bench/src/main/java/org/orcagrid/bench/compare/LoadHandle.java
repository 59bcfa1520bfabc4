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

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.orcagrid.bench.compare.process.LoadProcess;

/** A load process, for whoever gives it orders. */
public final class LoadHandle {
  private static final int EVIDENCE_LINES = 15;
  private static final String ENDED = "ended";

  private final Process process;
  private final Path log;
  private final Writer orders;
  private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();

  /**
   * Takes charge of a process.
   *
   * @param log where its standard error goes
   */
  public LoadHandle(Process process, Path log) {
    this.process = process;
    this.log = log;
    this.orders = process.outputWriter(StandardCharsets.UTF_8);
    Thread reader = new Thread(this::read, "answers of " + process.pid());
    reader.setDaemon(true);
    reader.start();
  }

  private void read() {
    try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        answers.add(line);
      }
    } catch (IOException e) {
      // It was killed, which is an end as well.
      answers.add(ENDED);
      return;
    }
    answers.add(ENDED);
  }

  /** The process. */
  public Process process() {
    return process;
  }

  /** Sends a line. */
  public void order(String line) throws IOException {
    try {
      orders.write(line + "\n");
      orders.flush();
    } catch (IOException e) {
      throw failure("has ended");
    }
  }

  /**
   * Waits for an answer.
   *
   * @return the line
   * @throws IOException if it begins with another word, or does not come in time
   */
  public String answer(String firstWord, Duration limit) throws IOException, InterruptedException {
    String line = poll(firstWord, limit);
    if (line == null) {
      throw failure("has not answered for " + limit.toSeconds() + " s");
    }
    return line;
  }

  /**
   * Waits for an answer, if there is one soon.
   *
   * @return the line, null if there is none
   * @throws IOException if it begins with another word
   */
  public String poll(String firstWord, Duration limit) throws IOException, InterruptedException {
    String line = answers.poll(limit.toMillis(), TimeUnit.MILLISECONDS);
    if (line == null) {
      return null;
    }
    if (line.equals(ENDED)) {
      throw failure("has ended");
    }
    if (line.startsWith(LoadProcess.FAILED)) {
      throw failure("has failed: " + line.substring(LoadProcess.FAILED.length()).trim());
    }
    if (!line.startsWith(firstWord)) {
      throw failure("answers '" + line + "' instead of '" + firstWord + "'");
    }
    return line;
  }

  private IOException failure(String what) throws IOException {
    List<String> lines = Files.exists(log) ? Files.readAllLines(log) : List.of();
    List<String> last = lines.subList(Math.max(0, lines.size() - EVIDENCE_LINES), lines.size());
    String name = log.getFileName().toString().replace(".log", "");
    return new IOException(
        "The load process " + name + " " + what + ".\n" + String.join("\n", last));
  }
}
