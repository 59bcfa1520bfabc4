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
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A process of {@link MapLoad}, in one life after the other. */
final class MapProcess implements AutoCloseable {
  /** A JVM that starts fast and stays small, and may talk over RDMA. */
  static final List<String> FLAGS =
      List.of(
          "-Xmx128m",
          "-XX:TieredStopAtLevel=1",
          "-XX:+UseSerialGC",
          "-Xshare:auto",
          "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
          "--add-opens=java.base/java.nio=ALL-UNNAMED");

  private static final int LINE_BYTES_MAX = 4096;

  private final int number;
  private final Where where;
  private final Servers servers;
  private Process process;

  /** Those before the machine was started were fewer than a thousand. */
  private int lives = 1000 * Integer.getInteger("orca.lab.life", 0);

  /**
   * Where a process has what it has.
   *
   * @param maps its node's folder
   * @param records what it writes down, and prints
   * @param zones a device of memory that others may write into; null for none
   */
  record Where(Path maps, Path records, String zones) {
    Path ledger() {
      return records.resolve("ledger");
    }

    Path output() {
      return records.resolve("out");
    }
  }

  /**
   * The ensemble that a process joins by.
   *
   * @param ensemble of servers elsewhere; null if it carries one
   * @param zooCfg of the server that it carries, null for none. What such a process has not forced
   *     is lost when it is killed, as by a power cut
   */
  record Servers(String ensemble, Path zooCfg) {}

  MapProcess(int number, Path folder, Servers servers) throws IOException {
    this(number, new Where(folder.resolve("maps"), folder, null), servers);
  }

  MapProcess(int number, Where where, Servers servers) throws IOException {
    this.number = number;
    this.where = where;
    this.servers = servers;
    Files.createDirectories(where.records());
  }

  void start() throws IOException {
    lives++;
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(FLAGS);
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add("-Dorca.lab.life=" + Integer.getInteger("orca.lab.life", 0));
    command.add("-Dorca.lab.lease=" + Long.getLong("orca.lab.lease", 800));
    if (servers.zooCfg() != null) {
      command.add("-Dorca.lab.server=" + servers.zooCfg());
      command.add("-Dorca.lab.forgets=true");
    }
    command.add(MapLoad.class.getName());
    command.addAll(
        List.of(
            String.valueOf(servers.ensemble()),
            "127.0.0.1:" + Ports.base(),
            where.maps().toString(),
            where.ledger().toString(),
            Integer.toString(number + 1),
            Integer.toString(lives),
            Ports.TRANSPORT));
    if (where.zones() != null) {
      command.add(where.zones());
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
      String text = new String(bytesSince(bytes), UTF_8);
      return text.substring(0, text.lastIndexOf('\n') + 1).lines().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Only these are read: a ledger has millions, and is looked at all the time. */
  private byte[] bytesSince(long from) throws IOException {
    if (!Files.exists(ledger())) {
      return new byte[0];
    }
    try (SeekableByteChannel file = Files.newByteChannel(ledger())) {
      ByteBuffer bytes = ByteBuffer.allocate((int) (file.size() - from));
      file.position(from);
      while (bytes.hasRemaining() && file.read(bytes) >= 0) {
        // A read may return less than there is.
      }
      return Arrays.copyOf(bytes.array(), bytes.position());
    }
  }

  /** How long its ledger is, up to the last whole line. */
  long mark() throws IOException {
    long from = Files.exists(ledger()) ? Math.max(0, Files.size(ledger()) - LINE_BYTES_MAX) : 0;
    byte[] end = bytesSince(from);
    int length = end.length;
    while (length > 0 && end[length - 1] != '\n') {
      length--;
    }
    return from + length;
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
