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
package org.orcagrid.bench.start;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.orcagrid.bench.system.SystemSpec;
import org.orcagrid.cli.CommandFailure;
import org.orcagrid.examples.ensemble.Folders;

/**
 * Starts of several systems with the same tree. They take turns, each time in the other order. Each
 * has started once before, so that it finds files as it writes them, and gets a copy of these.
 */
public final class StartExperiment implements AutoCloseable {
  private final StartPlan plan;
  private final Path home;
  private final Thread removeAtExit = new Thread(this::removeAtExit, "bench-remove-server");
  private StartedServer running;
  private boolean ending;

  private StartExperiment(StartPlan plan, Path home) {
    this.plan = plan;
    this.home = home;
    // An interrupted command must not leave gigabytes of snapshots behind, nor a server.
    Runtime.getRuntime().addShutdownHook(removeAtExit);
  }

  /**
   * Runs all rounds.
   *
   * @param directory where the snapshot is written and servers keep their data meanwhile
   * @param say told of each start
   * @throws IOException if a server does not start
   */
  public static List<StartResult> run(
      StartPlan plan, List<SystemSpec> systems, Path directory, Consumer<String> say)
      throws IOException, CommandFailure, InterruptedException {
    Path parent = Files.createDirectories(directory.toAbsolutePath());
    try (StartExperiment experiment =
        new StartExperiment(plan, Files.createTempDirectory(parent, "start-"))) {
      return experiment.run(systems, say);
    }
  }

  private List<StartResult> run(List<SystemSpec> systems, Consumer<String> say)
      throws IOException, CommandFailure, InterruptedException {
    Path written = Files.createDirectories(home.resolve("written/version-2"));
    Path snapshot = written.resolve("snapshot.1");
    int znodes = LargeTree.write(snapshot, plan.znodes(), plan.valueBytes());
    say.accept("A snapshot of " + (Files.size(snapshot) >> 20) + " MB is written");
    Map<SystemSpec, Path> folders = new HashMap<>();
    for (SystemSpec spec : systems) {
      Path folder = home.resolve("files-" + folders.size());
      copy(written.getParent(), folder);
      start(spec, folder, znodes);
      folders.put(spec, folder);
    }
    List<SystemSpec> order = new ArrayList<>(systems);
    List<StartResult> results = new ArrayList<>();
    for (int round = 1; round <= plan.rounds(); round++) {
      for (SystemSpec spec : order) {
        Path folder = home.resolve("server");
        copy(folders.get(spec), folder);
        StartResult result = start(spec, folder, znodes);
        Folders.delete(folder);
        say.accept(
            "%s round %d: %.1f s, %.1f s of processor time, %.0f MB"
                .formatted(
                    spec.id(),
                    round,
                    result.seconds(),
                    result.processorSeconds(),
                    result.peakMegabytes()));
        results.add(result);
      }
      Collections.reverse(order);
    }
    return results;
  }

  /** Files that are on the disk: no server's start pays for their way to it. */
  private static void copy(Path from, Path to) throws IOException {
    List<Path> all;
    try (Stream<Path> files = Files.walk(from)) {
      all = files.toList();
    }
    for (Path each : all) {
      Path copy = to.resolve(from.relativize(each).toString());
      Files.copy(each, copy, StandardCopyOption.COPY_ATTRIBUTES);
      if (Files.isRegularFile(copy)) {
        try (FileChannel channel = FileChannel.open(copy, StandardOpenOption.WRITE)) {
          channel.force(true);
        }
      }
    }
  }

  private StartResult start(SystemSpec spec, Path folder, int znodes)
      throws IOException, CommandFailure, InterruptedException {
    try (StartedServer server = launch(spec, folder)) {
      return server.awaitServing(znodes);
    }
  }

  private synchronized StartedServer launch(SystemSpec spec, Path folder)
      throws IOException, CommandFailure, InterruptedException {
    if (ending) {
      throw new InterruptedException("The command was ended.");
    }
    running = new StartedServer(spec, folder, plan.heapMegabytes());
    return running;
  }

  private synchronized void removeAtExit() {
    ending = true;
    if (running != null) {
      running.close();
    }
    try {
      Folders.delete(home);
    } catch (IOException e) {
      System.err.println("Cannot remove " + home + "; delete it by hand: " + e.getMessage());
    }
  }

  /** Removes all files. */
  @Override
  public void close() throws IOException {
    try {
      Runtime.getRuntime().removeShutdownHook(removeAtExit);
    } catch (IllegalStateException alreadyRunning) {
      // The JVM is ending and the hook does the rest.
      return;
    }
    Folders.delete(home);
  }
}
