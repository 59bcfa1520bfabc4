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
package org.orcagrid.bench.failover;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.orcagrid.bench.compare.LoadHandle;
import org.orcagrid.bench.compare.ProcessReaper;
import org.orcagrid.bench.compare.process.LoadProcess;

/** A node's process, in one life after the other. For one thread. */
final class NodeHandle {
  private static final List<String> JVM =
      List.of("-Xmx256m", "-Dlogback.configurationFile=org/orcagrid/cli/logback-quiet.xml");

  private static final Duration READY_LIMIT = Duration.ofSeconds(90);
  private static final Duration ANSWER_LIMIT = Duration.ofSeconds(10);

  private final NodeProcess.Arguments arguments;
  private final ProcessReaper reaper;
  private final Path log;

  /** Null before the first life. */
  private LoadHandle life;

  /**
   * Makes one that does not run.
   *
   * @param log gets what its lives print to standard error
   */
  NodeHandle(NodeProcess.Arguments arguments, Path log, ProcessReaper reaper) {
    this.arguments = arguments;
    this.log = log;
    this.reaper = reaper;
  }

  /** Starts it on its folder. */
  void start() throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(JVM);
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(NodeProcess.class.getName());
    command.addAll(arguments.words());
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()));
    life = new LoadHandle(reaper.watch(builder.start()), log);
  }

  /**
   * Returns when it serves.
   *
   * @throws IOException if it has ended, or does not serve in time
   */
  void awaitServing() throws IOException, InterruptedException {
    life.answer(LoadProcess.READY, READY_LIMIT);
  }

  /** SIGKILL; returns at once. */
  void kill() {
    life.process().destroyForcibly();
  }

  /** Returns when the killed process has ended. */
  void awaitEnd() throws InterruptedException {
    life.process().waitFor();
  }

  /** Its clients count anew. */
  void mark() throws IOException, InterruptedException {
    life.order(NodeProcess.MARK);
    life.answer(NodeProcess.MARK, ANSWER_LIMIT);
  }

  /** What its clients have seen since the mark. */
  Seen report() throws IOException, InterruptedException {
    life.order(Seen.WORD);
    return Seen.of(life.answer(Seen.WORD, ANSWER_LIMIT));
  }
}
