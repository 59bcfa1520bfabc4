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
package org.orcagrid.bench.rdma;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.orcagrid.transport.rdma.RdmaTransports;

/**
 * Runs perftest's programs with unreliable datagrams, or with a reliable connection that librdmacm
 * makes where that is what the transport has; both ends on this machine.
 *
 * @param device that both use
 * @param tcpPort where the two ends find each other
 */
public record Perftest(RdmaTransports.Found device, int tcpPort) {
  private static final long LIMIT_SECONDS = 120;
  private static final long RETRY_MILLIS = 200;

  /** A line of what they print, as numbers. */
  private static double[] numbers(String line) {
    String[] words = line.trim().split("\\s+");
    double[] numbers = new double[words.length];
    for (int i = 0; i < words.length; i++) {
      numbers[i] = Double.parseDouble(words[i]);
    }
    return numbers;
  }

  /** The command of one end; the one that connects names the other's host. */
  public List<String> command(String program, List<String> options, String host) {
    List<String> command =
        new ArrayList<>(
            List.of(
                program,
                "-F",
                "-d",
                device.name(),
                "-i",
                Integer.toString(device.port()),
                "-p",
                Integer.toString(tcpPort)));
    command.addAll(
        device.address() == null
            ? List.of("-c", "UD", "-x", Integer.toString(device.gidIndex()))
            : List.of("-c", "RC", "-R"));
    command.addAll(options);
    if (host != null) {
      command.add(host);
    }
    return command;
  }

  /** The median and the 99th percentile of a packet's way, in microseconds. */
  public double[] latencyMicros(int bytes, int rounds) throws IOException, InterruptedException {
    List<String> options = List.of("-s", Integer.toString(bytes), "-n", Integer.toString(rounds));
    double[] line = run("ib_send_lat", options);
    return new double[] {line[4], line[7]};
  }

  /**
   * Packets a second.
   *
   * @throws IOException if the program cannot be run, or prints no rate
   */
  public double packetsPerSecond(int bytes, int packets) throws IOException, InterruptedException {
    List<String> options = List.of("-s", Integer.toString(bytes), "-n", Integer.toString(packets));
    double[] line = run("ib_send_bw", options);
    // It prints a million packets a second with six digits, and megabytes with two.
    double perSecond = line[4] > 0 ? line[4] * 1e6 : line[3] * (1 << 20) / bytes;
    if (perSecond <= 0) {
      throw new IOException("ib_send_bw has printed no rate");
    }
    return perSecond;
  }

  private double[] run(String program, List<String> options)
      throws IOException, InterruptedException {
    Process server =
        new ProcessBuilder(command(program, options, null))
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    // What is connected by librdmacm has to be the device's address.
    String host = device.address() == null ? "127.0.0.1" : device.address();
    try {
      return connect(program, command(program, options, host), server);
    } finally {
      server.destroyForcibly();
      server.waitFor();
    }
  }

  /** The server listens some time after it was started, and says so to nobody. */
  private static double[] connect(String program, List<String> command, Process server)
      throws IOException, InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
    Path printed = Files.createTempFile("perftest", ".txt");
    try {
      while (server.isAlive() && System.nanoTime() - end < 0) {
        Process client =
            new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(printed.toFile())
                .start();
        try {
          // Of datagrams that were lost it waits for ever.
          if (client.waitFor(end - System.nanoTime(), TimeUnit.NANOSECONDS)
              && client.exitValue() == 0) {
            return result(program, Files.readAllLines(printed, StandardCharsets.UTF_8));
          }
        } finally {
          client.destroyForcibly();
        }
        TimeUnit.MILLISECONDS.sleep(RETRY_MILLIS);
      }
      throw new IOException(
          program + " gives no result in " + LIMIT_SECONDS + " s: " + Files.readString(printed));
    } finally {
      Files.delete(printed);
    }
  }

  /** The line of numbers behind the headings; warnings may be between them. */
  static double[] result(String program, List<String> lines) throws IOException {
    boolean headed = false;
    for (String line : lines) {
      String text = line.trim();
      if (headed && !text.isEmpty() && Character.isDigit(text.charAt(0))) {
        return numbers(text);
      }
      headed |= text.startsWith("#bytes");
    }
    throw new IOException(program + " has printed no result: " + String.join(" ", lines));
  }
}
