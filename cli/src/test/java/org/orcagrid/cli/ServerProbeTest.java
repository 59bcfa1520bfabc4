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
package org.orcagrid.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.orcagrid.cli.ServerProbe.Answer;

class ServerProbeTest {
  private static final String SRVR =
      """
      Zookeeper version: 3.9.5-x, built on 2026-01-01 00:00 UTC
      Latency min/avg/max: 0/0.0/0
      Received: 4
      Sent: 3
      Connections: 12
      Outstanding: 0
      Zxid: 0x1000000a3
      Mode: leader
      Node count: 5
      """;

  @Test
  void readsRoleZxidAndConnections() {
    ServerProbe probe = ServerProbe.parse(SRVR);
    assertEquals(new ServerProbe(Answer.SERVING, "leader", "0x1000000a3", 12), probe);
    assertTrue(probe.leads());
  }

  @Test
  void tellsWaitingFromForbidden() {
    assertEquals(
        Answer.NOT_SERVING,
        ServerProbe.parse("This ZooKeeper instance is not currently serving requests\n").answer());
    assertEquals(
        Answer.SILENT,
        ServerProbe.parse("srvr is not executed because it is not in the whitelist.\n").answer());
    assertEquals(Answer.NONE, ServerProbe.parse("HTTP/1.1 400 Bad Request").answer());
  }

  @Test
  void readOnlyIsNotServing() {
    ServerProbe probe = ServerProbe.parse(SRVR.replace("Mode: leader", "Mode: read-only"));
    assertEquals(new ServerProbe(Answer.NOT_SERVING, "read-only", "0x1000000a3", 12), probe);
    assertFalse(probe.serving());
    assertFalse(probe.leads());
  }

  @Test
  void asksOverTheNetwork() throws Exception {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      CompletableFuture<String> word = CompletableFuture.supplyAsync(() -> answerOnce(server));
      ServerProbe probe =
          ServerProbe.of(
              new InetSocketAddress(InetAddress.getLoopbackAddress(), server.getLocalPort()));
      assertEquals("srvr", word.get());
      assertEquals("leader", probe.role());
    }
  }

  @Test
  void nobodyThereIsNoAnswer() throws Exception {
    int port;
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = server.getLocalPort();
    }
    assertEquals(
        Answer.NONE,
        ServerProbe.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), port)).answer());
  }

  private static String answerOnce(ServerSocket server) {
    try (Socket client = server.accept()) {
      byte[] word = client.getInputStream().readNBytes(4);
      client.getOutputStream().write(SRVR.getBytes(StandardCharsets.UTF_8));
      return new String(word, StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
