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
package org.orcagrid.transport.rdma;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.orcagrid.ddp.durable.log.LogMedium;
import org.orcagrid.ddp.durable.segment.SegmentLimits;
import org.orcagrid.ddp.kite.KiteSettings;
import org.orcagrid.ddp.kite.OperationKind;
import org.orcagrid.ddp.kite.Outcome;
import org.orcagrid.ddp.map.FolderMedia;
import org.orcagrid.ddp.map.LocalViews;
import org.orcagrid.ddp.map.MapNode;
import org.orcagrid.ddp.map.MapSizes;
import org.orcagrid.ddp.map.WallClock;
import org.orcagrid.ddp.node.LocalSession;
import org.orcagrid.ddp.node.Node;
import org.orcagrid.ddp.node.Request;
import org.orcagrid.ddp.store.ReplicaStore;
import org.orcagrid.ddp.worker.Workers;
import org.orcagrid.needs.Needs;
import org.orcagrid.transport.tcp.HostPort;
import org.orcagrid.transport.tcp.IoKind;
import org.orcagrid.transport.tcp.LinkListener;
import org.orcagrid.transport.tcp.NodePort;
import org.orcagrid.transport.tcp.NodeTransport;
import org.orcagrid.transport.tcp.NodeTransports;
import org.orcagrid.transport.tcp.PortSecurity;
import org.orcagrid.transport.tcp.TcpSettings;
import org.orcagrid.transport.tcp.TransportWish;

/** Kite's protocols over RDMA: three nodes. Needs a device: {@code build/lab.sh} has one. */
@Needs(RdmaNeeds.Device.class)
@Timeout(120)
class KiteOverRdmaTest {
  private static final int NODES = 3;
  private static final int SESSIONS = 4;
  private static final int PACKET_BYTES_MAX = 16 * 1024;
  private static final long WAIT = TimeUnit.SECONDS.toNanos(60);
  private static final SegmentLimits LOG = new SegmentLimits(1 << 20, 1 << 18, 1 << 20, 1L << 26);

  @TempDir private Path dir;

  private final List<Node> nodes = new ArrayList<>();
  private final ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();
  private LocalViews views;

  @BeforeEach
  void start() throws IOException, InterruptedException {
    // The settings find this module by themselves.
    NodeTransports found = TransportWish.parse("auto").open(LinkListener.NONE);
    assertTrue(found instanceof RdmaTransports, "RDMA, since there is a device");
    views =
        LocalViews.open(NODES, dir.resolve("views"), System::nanoTime, KiteOverRdmaTest::daemon);
    List<HostPort> addresses = RdmaTransportTest.freeAddresses(NODES);
    for (int node = 0; node < NODES; node++) {
      nodes.add(node(node, found, addresses));
    }
    for (Node each : nodes) {
      assertTrue(each.awaitServing(WAIT), () -> "serves: " + failures);
    }
  }

  private Node node(int node, NodeTransports found, List<HostPort> addresses)
      throws IOException, InterruptedException {
    NodePort port =
        NodePort.of(addresses.get(node), PortSecurity.NONE, IoKind.best(), LinkListener.NONE);
    NodeTransport transport =
        found.open(
            new TcpSettings("kite", node, addresses, 1, SESSIONS, PACKET_BYTES_MAX),
            port,
            LinkListener.NONE);
    return Node.start(
        new Node.Sizes(
            MapSizes.of(NODES, node),
            KiteSettings.of(NODES, node, 1, SESSIONS),
            new ReplicaStore.Limits(1000, 1024, 16 << 20)),
        new MapNode.Providers(
            views.membership(node),
            new FolderMedia(
                dir.resolve("node" + node), LogMedium.kind(LOG), KiteOverRdmaTest::daemon),
            WallClock.NONE,
            null),
        new Workers.Environment(
            transport, System::nanoTime, KiteOverRdmaTest::daemon, failures::add));
  }

  private static Thread daemon(Runnable work) {
    Thread thread = new Thread(work, "kite-over-rdma");
    thread.setDaemon(true);
    return thread;
  }

  @AfterEach
  void stop() {
    // The nodes end together: nobody has to go on without another.
    if (views != null) {
      views.close();
    }
    nodes.forEach(Node::close);
    assertTrue(failures.isEmpty(), failures::toString);
  }

  private static Request request(LocalSession session, OperationKind kind, String key) {
    Request request = session.next();
    assertNotNull(request, "there is room");
    request.kind(kind);
    request.key().set(key.getBytes(StandardCharsets.UTF_8));
    return request;
  }

  private static void run(LocalSession session, Request request) {
    session.submit(request);
    assertTrue(session.await(request, WAIT), "in time");
    assertEquals(Outcome.DONE, request.outcome());
  }

  @Test
  void whatIsReleasedAtOneNodeIsAcquiredAtTheOthers() {
    List<LocalSession> sessions = nodes.stream().map(Node::openSession).toList();
    for (int round = 1; round <= 30; round++) {
      LocalSession writer = sessions.get(round % 3);
      Request release = request(writer, OperationKind.RELEASE, "flag");
      release.value().set(new byte[round * 30]);
      run(writer, release);
      for (LocalSession reader : sessions) {
        Request acquire = request(reader, OperationKind.ACQUIRE, "flag");
        run(reader, acquire);
        assertEquals(round * 30, acquire.result().length());
      }
    }
    sessions.forEach(LocalSession::close);
  }
}
