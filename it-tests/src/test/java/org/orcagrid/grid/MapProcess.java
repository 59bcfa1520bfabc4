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
package org.orcagrid.grid;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A process of {@link MapLoad}, in one life after the other. */
final class MapProcess implements AutoCloseable {
  private static final List<String> SMALL_JVM =
      List.of("-Xmx96m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto");

  private final int number;
  private final Where where;
  private final String ensemble;
  private Process process;

  /** Those before the machine was started were fewer than a thousand. */
  private int lives = 1000 * Integer.getInteger("orca.lab.life", 0);

  /**
   * Where a process has what it has.
   *
   * @param maps its node's folder
   * @param records what it writes down, and prints
   * @param landing a device of memory that others may write into; null for none
   */
  record Where(Path maps, Path records, String landing) {
    Path ledger() {
      return records.resolve("ledger");
    }

    Path output() {
      return records.resolve("out");
    }
  }

  MapProcess(int number, Path folder, String ensemble) throws IOException {
    this(number, new Where(folder.resolve("maps"), folder, null), ensemble);
  }

  MapProcess(int number, Where where, String ensemble) throws IOException {
    this.number = number;
    this.where = where;
    this.ensemble = ensemble;
    Files.createDirectories(where.records());
  }

  void start() throws IOException {
    lives++;
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(SMALL_JVM);
    command.addAll(
        List.of(
            "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
            "--add-opens=java.base/java.nio=ALL-UNNAMED"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add("-Dorca.lab.life=" + Integer.getInteger("orca.lab.life", 0));
    command.add("-Dorca.lab.lease=" + Long.getLong("orca.lab.lease", 800));
    command.add(MapLoad.class.getName());
    command.addAll(
        List.of(
            ensemble,
            "127.0.0.1:" + Ports.base(),
            where.maps().toString(),
            where.ledger().toString(),
            Integer.toString(number + 1),
            Integer.toString(lives),
            Ports.TRANSPORT));
    if (where.landing() != null) {
      command.add(where.landing());
    }
    process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(where.output().toFile()))
            .start();
  }

  /** SIGKILL; returns when it has ended. */
  void kill() throws InterruptedException {
    process.destroyForcibly();
    process.waitFor();
  }

  /** SIGSTOP: its threads stand still, its connections stay open. */
  void pause() throws IOException, InterruptedException {
    signal("STOP");
  }

  /** SIGCONT. */
  void resume() throws IOException, InterruptedException {
    signal("CONT");
  }

  private void signal(String name) throws IOException, InterruptedException {
    // The shell's own: the program kill is not on every machine.
    int result =
        new ProcessBuilder("sh", "-c", "kill -" + name + " " + process.pid()).start().waitFor();
    if (result != 0) {
      throw new IOException("No process " + process.pid() + " to send SIG" + name + " to");
    }
  }

  /** Its clients end, and all is read once more. */
  void stop() throws IOException {
    process.getOutputStream().write("stop\n".getBytes(UTF_8));
    process.getOutputStream().flush();
  }

  Path ledger() {
    return where.ledger();
  }

  String output() throws IOException {
    return Files.readString(where.output());
  }

  /** What it has written down since it was so long, as far as the lines are whole. */
  List<String> linesSince(long bytes) {
    try {
      byte[] all = Files.exists(ledger()) ? Files.readAllBytes(ledger()) : new byte[0];
      String text = new String(all, (int) bytes, (int) (all.length - bytes), UTF_8);
      return text.substring(0, text.lastIndexOf('\n') + 1).lines().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** How long its ledger is, up to the last whole line. */
  long mark() {
    return linesSince(0).stream().mapToLong(line -> line.getBytes(UTF_8).length + 1L).sum();
  }

  boolean isAlive() {
    return process != null && process.isAlive();
  }

  /** Ends in good order, and by force if it does not. */
  @Override
  public void close() throws IOException, InterruptedException {
    if (!isAlive()) {
      return;
    }
    process.getOutputStream().close();
    if (!process.waitFor(20, TimeUnit.SECONDS)) {
      kill();
    }
  }
}
