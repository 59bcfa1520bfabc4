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
package org.orcagrid.upstream;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;

/** Prepares the test classes for a target and runs them, a bounded number at a time. */
final class Runner implements AutoCloseable {
  private final Workspace workspace;
  private final Target target;
  private final ClassRun classRun;
  private final RunningProcesses processes = new RunningProcesses();
  private final BlockingQueue<Integer> freeSlots;
  private final ExecutorService workers;

  Runner(Workspace workspace, Target target, Duration timeout, int parallelism) {
    this.workspace = workspace;
    this.target = target;
    TestJvm jvm = new TestJvm(workspace, target, parallelism);
    classRun = new ClassRun(workspace, target, jvm, timeout, processes);
    workers = Executors.newFixedThreadPool(parallelism);
    // An interrupted command or build must not leave test servers behind either.
    Runtime.getRuntime().addShutdownHook(new Thread(processes::close, "end-test-jvms"));
    freeSlots = new ArrayBlockingQueue<>(parallelism);
    for (int slot = 1; slot <= parallelism; slot++) {
      freeSlots.add(slot);
    }
  }

  /** Unpacks and rewrites the test classes; needed once before any is run. */
  TestClasses.Unpacked prepare() throws IOException, InterruptedException {
    if (target.ours() && !workspace.hasOurServers()) {
      throw new IOException(
          "orca-server has no OrcaQuorumPeer: nothing to run on " + target.label());
    }
    new KeyStores(workspace.keyStores()).create();
    Path configuration = workspace.logbackConfiguration();
    Files.createDirectories(configuration.getParent());
    try (InputStream in = Runner.class.getResourceAsStream("test-jvm-logback.xml")) {
      if (in == null) {
        throw new IOException("test-jvm-logback.xml is not on the class path");
      }
      Files.copy(in, configuration, StandardCopyOption.REPLACE_EXISTING);
    }
    return new TestClasses(workspace.testsJar()).unpack(target, workspace.testClasses(target));
  }

  /** Runs one class on the caller's thread. */
  ClassResult run(String testClass) throws IOException, InterruptedException {
    int slot = freeSlots.take();
    try {
      return classRun.run(testClass, slot);
    } finally {
      freeSlots.add(slot);
    }
  }

  /** Runs classes side by side; the listener hears of each as it ends, in no certain order. */
  List<ClassResult> run(List<String> testClasses, Consumer<ClassResult> listener)
      throws InterruptedException {
    List<Future<ClassResult>> runs = new ArrayList<>();
    for (String testClass : testClasses) {
      runs.add(
          workers.submit(
              () -> {
                ClassResult result = run(testClass);
                listener.accept(result);
                return result;
              }));
    }
    List<ClassResult> results = new ArrayList<>();
    for (Future<ClassResult> run : runs) {
      try {
        results.add(run.get());
      } catch (ExecutionException e) {
        throw new IllegalStateException("a test class could not be run", e.getCause());
      }
    }
    return results;
  }

  /** Ends every test JVM that still runs. */
  @Override
  public void close() {
    workers.shutdownNow();
    processes.close();
  }
}
