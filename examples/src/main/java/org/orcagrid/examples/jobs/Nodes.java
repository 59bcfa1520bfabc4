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
package org.orcagrid.examples.jobs;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.orcagrid.cli.CommandFailure;
import org.orcagrid.cli.GridProcesses;
import org.orcagrid.examples.demo.Loop;

/** The nodes of a grid, processes that are killed and started again, one fault after the other. */
final class Nodes implements AutoCloseable {
  private static final int COUNT = 3;
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final long DOWN_MILLIS = 1_000;

  private final GridProcesses processes;
  private final Set<Integer> killed = new ConcurrentSkipListSet<>();
  private final BlockingQueue<String> wanted = new ArrayBlockingQueue<>(1);
  private final Loop loop;
  private volatile String now = "";

  private Nodes(GridProcesses processes) {
    this.processes = processes;
    this.loop = Loop.start("jobs-faults", () -> cause(wanted.take()));
  }

  /**
   * Starts a grid; returns when it serves.
   *
   * @throws CommandFailure if it cannot be started, saying why
   */
  static Nodes start(Path folder, int basePort)
      throws IOException, CommandFailure, InterruptedException {
    Map<String, String> small = Map.of("grid.bytes", "67108864");
    return new Nodes(GridProcesses.start(folder, COUNT, basePort, small, LIMIT));
  }

  /** Where clients connect. */
  String clients() {
    return processes.clients();
  }

  /**
   * Has a node killed, {@code all} for all at once; false while another fault is waiting.
   *
   * @throws IllegalArgumentException if there is no such node
   */
  boolean offer(String which) {
    if (!which.equals("all") && !which.matches("[1-" + COUNT + "]")) {
      throw new IllegalArgumentException("There is no node '" + which + "'");
    }
    return wanted.offer(which);
  }

  private void cause(String which) throws IOException, CommandFailure, InterruptedException {
    List<Integer> victims =
        which.equals("all")
            ? IntStream.rangeClosed(1, COUNT).boxed().toList()
            : List.of(Integer.parseInt(which));
    now = which.equals("all") ? "all nodes are killed" : "node " + which + " is killed";
    try {
      for (int node : victims) {
        killed.add(node);
        processes.kill(node);
      }
      TimeUnit.MILLISECONDS.sleep(DOWN_MILLIS);
      for (int node : victims) {
        processes.start(node);
      }
      for (int node : victims) {
        processes.awaitServing(node, LIMIT);
        killed.remove(node);
      }
    } finally {
      now = "";
    }
  }

  /** What is the matter, nothing when all is well. */
  String fault() {
    return now;
  }

  /** How each node is. */
  List<Map<String, Object>> state() {
    List<Map<String, Object>> state = new ArrayList<>();
    for (int node = 1; node <= COUNT; node++) {
      state.add(Map.of("id", node, "is", killed.contains(node) ? "crashed" : "up"));
    }
    return state;
  }

  @Override
  public void close() {
    loop.close();
    processes.close();
  }
}
