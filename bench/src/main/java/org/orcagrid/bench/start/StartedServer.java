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
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.orcagrid.bench.system.FourLetterWords;
import org.orcagrid.bench.system.ProcessFacts;
import org.orcagrid.bench.system.ProcessLauncher;
import org.orcagrid.bench.system.ServerAddress;
import org.orcagrid.bench.system.SystemSpec;
import org.orcagrid.cli.CommandFailure;
import org.orcagrid.cli.FreePorts;
import org.orcagrid.cli.ServerProgram;

/** A standalone server process on a folder that has a snapshot. */
final class StartedServer implements AutoCloseable {
  private static final long ANSWER_NANOS_MAX = TimeUnit.MINUTES.toNanos(30);
  private static final long POLL_MILLIS = 20;
  private static final double NANOS_PER_SECOND = 1e9;

  private final SystemSpec spec;
  private final ServerAddress address;
  private final Path log;
  private final long begun;
  private final Process process;

  /** Starts one; its log goes into the folder. */
  StartedServer(SystemSpec spec, Path folder, int heapMegabytes)
      throws IOException, CommandFailure {
    this.spec = spec;
    this.address = new ServerAddress("127.0.0.1", FreePorts.find(1, new Random()).get(0));
    this.log = folder.resolve("server.log");
    Map<String, String> settings = new TreeMap<>(spec.settings());
    settings.put("dataDir", folder.toString());
    settings.put("clientPort", Integer.toString(address.port()));
    settings.put("clientPortAddress", address.host());
    settings.put("admin.enableServer", "false");
    settings.put("4lw.commands.whitelist", "*");
    StringBuilder text = new StringBuilder();
    settings.forEach((key, value) -> text.append(key).append('=').append(value).append('\n'));
    Path zooCfg = Files.writeString(folder.resolve("zoo.cfg"), text);
    List<String> command = command(spec, heapMegabytes, folder, zooCfg);
    this.begun = System.nanoTime();
    this.process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
  }

  private static List<String> command(SystemSpec spec, int heapMegabytes, Path folder, Path zooCfg)
      throws IOException {
    ServerProgram program = ProcessLauncher.program(spec, folder, "-Xmx" + heapMegabytes + "m");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(program.jvmFlags());
    command.add("-XX:+ExitOnOutOfMemoryError");
    command.addAll(List.of("-cp", program.classPath(), program.mainClass()));
    command.addAll(program.arguments());
    command.add(zooCfg.toString());
    return command;
  }

  /**
   * Waits for the first answer.
   *
   * @param znodes that the server is to have
   * @throws IOException if it ends, is silent for half an hour, or has others
   */
  StartResult awaitServing(int znodes) throws IOException, InterruptedException {
    while (!serves()) {
      if (!process.isAlive() || System.nanoTime() - begun > ANSWER_NANOS_MAX) {
        throw new IOException(
            spec.id()
                + " does not serve; if its memory was too small, give it more with --heap-mb. Its"
                + " log ends with:\n"
                + endOf(Files.readString(log, StandardCharsets.ISO_8859_1)));
      }
      TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
    }
    double seconds = (System.nanoTime() - begun) / NANOS_PER_SECOND;
    try {
      return result(znodes, seconds);
    } catch (IOException e) {
      throw new IOException(spec.id() + " cannot be measured: " + e.getMessage(), e);
    }
  }

  private StartResult result(int znodes, double seconds) throws IOException, InterruptedException {
    Optional<Duration> processor = process.info().totalCpuDuration();
    ProcessFacts facts = new ProcessFacts(process);
    double peak = facts.peakMegabytes();
    String has = FourLetterWords.monitor(address).get("zk_znode_count");
    if (!Integer.toString(znodes).equals(has)) {
      throw new IOException("it has " + has + " znodes instead of " + znodes + ".");
    }
    return new StartResult(
        spec.id(),
        seconds,
        processor.map(used -> used.toNanos() / NANOS_PER_SECOND).orElse(Double.NaN),
        peak,
        facts.heapBytes() / (double) (1 << 20));
  }

  private boolean serves() {
    try {
      return FourLetterWords.mode(address).isPresent();
    } catch (IOException e) {
      // Nobody listens yet.
      return false;
    }
  }

  private static String endOf(String text) {
    List<String> lines = text.lines().toList();
    return String.join("\n", lines.subList(Math.max(0, lines.size() - 10), lines.size()));
  }

  /** Ends the process, and returns once it is gone. */
  @Override
  public void close() {
    process.destroyForcibly();
    process.onExit().join();
  }
}
