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

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.orcagrid.cli.FreePorts;
import org.orcagrid.transport.rdma.RdmaTransports;
import org.orcagrid.transport.tcp.HostPort;
import org.orcagrid.transport.tcp.NodeTransports;
import org.orcagrid.transport.tcp.PortSecurity;

/** What perftest prints, and our own end of a link. */
@Timeout(60)
class PerftestTest {
  private static final Perftest PERFTEST =
      new Perftest(new RdmaTransports.Found("rxe0", 1, 3, null, ""), 18_515);

  @Test
  void theLineBehindTheHeadingsIsTheResult() throws IOException {
    List<String> printed =
        List.of(
            "---------------------------------------",
            "                    Send Latency Test",
            " #bytes #iterations    t_min[usec]    t_max[usec]  t_typical[usec]    t_avg[usec]",
            "Conflicting CPU frequency values detected: 2500 != 2600. CPU Frequency is not max.",
            " 64      1000          14.62          78.83        15.28     \t       16.10 ",
            "---------------------------------------");
    assertArrayEquals(
        new double[] {64, 1000, 14.62, 78.83, 15.28, 16.10},
        Perftest.result("ib_send_lat", printed));
    assertThrows(IOException.class, () -> Perftest.result("ib_send_lat", printed.subList(0, 3)));
  }

  @Test
  void whoConnectsNamesTheHost() {
    assertEquals(
        List.of(
            "ib_send_lat",
            "-F",
            "-d",
            "rxe0",
            "-i",
            "1",
            "-p",
            "18515",
            "-c",
            "UD",
            "-x",
            "3",
            "-s",
            "64",
            "127.0.0.1"),
        PERFTEST.command("ib_send_lat", List.of("-s", "64"), "127.0.0.1"));
  }

  @Test
  void whereThereAreNoDatagramsItHasAConnectionToo() {
    Perftest connected =
        new Perftest(new RdmaTransports.Found("siw0", 1, 0, "10.9.0.1", ""), 18_515);
    List<String> command = connected.command("ib_send_lat", List.of(), "10.9.0.1");
    assertEquals(List.of("-c", "RC", "-R", "10.9.0.1"), command.subList(8, 12));
  }

  @Test
  void ourEndsMeasureEachOther() throws Exception {
    List<HostPort> nodes =
        FreePorts.find(2, new Random()).stream()
            .map(port -> new HostPort("127.0.0.1", port))
            .toList();
    AtomicBoolean over = new AtomicBoolean();
    LinkEnd answers = LinkEnd.open(NodeTransports.TCP, nodes, 1, PortSecurity.NONE);
    Thread other =
        new Thread(
            () -> {
              try (answers) {
                while (!over.get()) {
                  answers.poll();
                }
              }
            });
    other.start();
    try (LinkEnd asks = LinkEnd.open(NodeTransports.TCP, nodes, 0, PortSecurity.NONE)) {
      long[] nanos = asks.latencies(64, 100);
      assertTrue(nanos[0] > 0 && nanos[0] <= nanos[99]);
      assertTrue(asks.packetsPerSecond(64, 0.1) > 0);
    } finally {
      over.set(true);
      other.join();
    }
  }
}
