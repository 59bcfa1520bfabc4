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
package org.orcagrid.bench.system;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class DelayedLinksTest {
  private static final double DELAY_MS = 40;

  @Test
  void bytesArriveInOrderAndNotBeforeTheirTime() throws Exception {
    byte[] sent = new byte[1 << 20];
    new Random(1).nextBytes(sent);
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        DelayedLinks links = new DelayedLinks(DELAY_MS);
        Socket client =
            new Socket(InetAddress.getLoopbackAddress(), links.port(1, 2, server.getLocalPort()));
        Socket accepted = server.accept()) {
      long before = System.nanoTime();
      Thread writer = new Thread(() -> write(client, sent));
      writer.start();
      byte[] there = accepted.getInputStream().readNBytes(sent.length);
      assertTrue(millisSince(before) >= DELAY_MS, "there");
      assertArrayEquals(sent, there);
      writer.join();

      before = System.nanoTime();
      accepted.getOutputStream().write(7);
      assertEquals(7, client.getInputStream().read());
      assertTrue(millisSince(before) >= DELAY_MS, "and back");
    }
  }

  @Test
  void anEndArrivesAtTheOtherEnd() throws Exception {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        DelayedLinks links = new DelayedLinks(DELAY_MS);
        Socket client =
            new Socket(InetAddress.getLoopbackAddress(), links.port(1, 2, server.getLocalPort()));
        Socket accepted = server.accept()) {
      client.getOutputStream().write(1);
      client.close();
      assertEquals(1, accepted.getInputStream().read());
      assertEquals(-1, accepted.getInputStream().read());
    }
  }

  @Test
  void whoIsNotThereClosesTheConnection() throws Exception {
    int port;
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = server.getLocalPort();
    }
    try (DelayedLinks links = new DelayedLinks(DELAY_MS);
        Socket client = new Socket(InetAddress.getLoopbackAddress(), links.port(1, 2, port))) {
      assertEquals(-1, client.getInputStream().read());
    }
  }

  @Test
  void noDelayIsNoRelay() throws Exception {
    try (DelayedLinks links = new DelayedLinks(0)) {
      assertEquals(2181, links.port(1, 2, 2181));
    }
  }

  private static void write(Socket socket, byte[] bytes) {
    try {
      OutputStream out = socket.getOutputStream();
      out.write(bytes);
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private static double millisSince(long nanos) {
    return (System.nanoTime() - nanos) / (double) TimeUnit.MILLISECONDS.toNanos(1);
  }
}
