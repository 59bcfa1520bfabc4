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
package org.orcagrid.transport.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.orcagrid.transport.tcp.TransportChoice.Kind;

/** Which transport is wanted. This module's class path has none over RDMA. */
class TransportChoiceTest {
  private final List<String> told = new ArrayList<>();

  private final LinkListener listener =
      new LinkListener() {
        @Override
        public void onTransport(String which) {
          told.add(which);
        }
      };

  @Test
  void wishesAreReadAndWritten() {
    assertEquals(TransportChoice.TCP, TransportChoice.parse("tcp"));
    assertEquals(new TransportChoice(Kind.AUTO, null, 1, -1), TransportChoice.parse(" Auto "));
    assertEquals(new TransportChoice(Kind.RDMA, "rxe0", 1, -1), TransportChoice.parse("rdma:rxe0"));
    assertEquals(new TransportChoice(Kind.RDMA, "a", 2, -1), TransportChoice.parse("RDMA:a/2"));
    assertEquals(
        new TransportChoice(Kind.RDMA_CONNECTIONS, "a", 1, 0),
        TransportChoice.parse("rdma-connections:a/1/0"));
    assertEquals("rdma-connections", TransportChoice.parse("RDMA-Connections").toString());
    TransportChoice whole = new TransportChoice(Kind.AUTO, "mlx5_0", 1, 3);
    assertEquals(whole, TransportChoice.parse("auto:mlx5_0/1/3"));
    assertEquals(whole, TransportChoice.parse(whole.toString()));
    assertEquals("tcp", TransportChoice.TCP.toString());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "ib",
        "tcp:eth0",
        "rdma:",
        "rdma:a/b",
        "rdma:/1",
        "rdma:a/1/-1",
        "rdma:a/1/2/3",
        "auto:a//1",
        "auto:a/0",
        "rdma:a/1/4294967295"
      })
  void whatIsNoneIsRefusedWithTheFormOfOne(String text) {
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> TransportChoice.parse(text));
    assertTrue(e.getMessage().contains("rdma:mlx5_0/1/3, not \"" + text + "\""), e.getMessage());
  }

  @Test
  void whereThereIsNoRdmaAutoIsTcpAndSaysWhy() throws IOException {
    assertSame(NodeTransports.TCP, TransportChoice.parse("auto").open(listener));
    assertEquals(
        List.of("TCP, as there is no RDMA: transport-rdma is not on the class path"), told);
  }

  @Test
  void whereThereIsNoRdmaAWishForItIsRefused() {
    IOException e =
        assertThrows(IOException.class, () -> TransportChoice.parse("rdma:rxe0").open(listener));
    assertEquals(
        "There is no transport rdma:rxe0/1: transport-rdma is not on the class path",
        e.getMessage());
    assertEquals(List.of(), told);
  }

  @Test
  void tcpGoesWithoutSaying() throws IOException {
    assertSame(NodeTransports.TCP, TransportChoice.TCP.open(listener));
    assertEquals(List.of(), told);
  }
}
