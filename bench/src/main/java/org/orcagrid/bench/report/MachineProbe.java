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
package org.orcagrid.bench.report;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.HdrHistogram.Histogram;

/** Finds out what machine this is and how fast its disk and its loopback can be at best. */
public final class MachineProbe {
  private static final int FSYNCS = 200;
  private static final int ROUND_TRIPS = 3_000;
  private static final int WARM_UP = 500;
  private static final double NANOS_PER_MICRO = 1_000;
  private static final double KIB_PER_GIB = 1024 * 1024;

  private MachineProbe() {}

  /**
   * Describes this machine; takes well under a second on most disks.
   *
   * @param directory a directory on the disk that the servers will use; created if missing
   */
  public static Machine describe(Path directory) throws IOException {
    Files.createDirectories(directory);
    Histogram fsyncs = measureFsync(directory);
    Histogram loopback = measureLoopback();
    return new Machine(
        fieldOf("/proc/cpuinfo", "model name"),
        Runtime.getRuntime().availableProcessors(),
        memoryGb(),
        System.getProperty("os.name") + " " + System.getProperty("os.version"),
        System.getProperty("java.vm.name") + " " + System.getProperty("java.runtime.version"),
        fsyncs.getValueAtPercentile(50) / NANOS_PER_MICRO,
        fsyncs.getValueAtPercentile(99) / NANOS_PER_MICRO,
        loopback.getValueAtPercentile(50) / NANOS_PER_MICRO);
  }

  private static Histogram measureFsync(Path directory) throws IOException {
    Histogram nanos = new Histogram(3);
    Path file = Files.createTempFile(directory, "fsync-", ".probe");
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      // Written once before, so that forcing does not also allocate, as in a preallocated log.
      channel.write(ByteBuffer.allocate(512 * FSYNCS), 0);
      channel.force(true);
      for (int i = 0; i < FSYNCS; i++) {
        ByteBuffer record = ByteBuffer.allocate(512);
        long start = System.nanoTime();
        channel.write(record, 512L * i);
        channel.force(false);
        nanos.recordValue(System.nanoTime() - start);
      }
    } finally {
      Files.deleteIfExists(file);
    }
    return nanos;
  }

  private static Histogram measureLoopback() throws IOException {
    Histogram nanos = new Histogram(3);
    try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Socket socket = new Socket(listener.getInetAddress(), listener.getLocalPort());
        Socket peer = listener.accept()) {
      socket.setTcpNoDelay(true);
      peer.setTcpNoDelay(true);
      Thread echo = new Thread(() -> echo(peer), "loopback-echo");
      echo.setDaemon(true);
      echo.start();
      DataInputStream in = new DataInputStream(socket.getInputStream());
      DataOutputStream out = new DataOutputStream(socket.getOutputStream());
      byte[] message = new byte[64];
      for (int i = 0; i < WARM_UP + ROUND_TRIPS; i++) {
        long start = System.nanoTime();
        out.write(message);
        in.readFully(message);
        if (i >= WARM_UP) {
          nanos.recordValue(System.nanoTime() - start);
        }
      }
    }
    return nanos;
  }

  private static void echo(Socket peer) {
    try {
      peer.getInputStream().transferTo(peer.getOutputStream());
    } catch (IOException closedByTheOtherSide) {
      // The measurement is over; if it is not, the measuring side fails and says so.
      return;
    }
  }

  private static double memoryGb() throws IOException {
    String total = fieldOf("/proc/meminfo", "MemTotal").replace(" kB", "");
    return total.equals("unknown") ? 0 : Long.parseLong(total) / KIB_PER_GIB;
  }

  private static String fieldOf(String file, String name) throws IOException {
    Path path = Path.of(file);
    List<String> lines = Files.isReadable(path) ? Files.readAllLines(path) : List.of();
    return lines.stream()
        .filter(line -> line.startsWith(name))
        .map(line -> line.substring(line.indexOf(':') + 1).trim())
        .findFirst()
        .orElse("unknown");
  }
}
