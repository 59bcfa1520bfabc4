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
package org.orcagrid.ddp.map;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.orcagrid.ddp.kite.KiteSettings;
import org.orcagrid.ddp.kite.OperationKind;
import org.orcagrid.ddp.loopback.LoopbackNetwork;
import org.orcagrid.ddp.model.Ddp;
import org.orcagrid.ddp.node.LocalSession;
import org.orcagrid.ddp.node.NodeSession;
import org.orcagrid.ddp.node.Request;
import org.orcagrid.ddp.replica.consistency.Operation;
import org.orcagrid.ddp.replica.state.Key;
import org.orcagrid.ddp.replica.state.ReplicaSettings.Conflicts;
import org.orcagrid.ddp.transport.MalformedPacketException;
import org.orcagrid.ddp.worker.PacketHeader;

/** Kite's keys and a map on the same workers of three nodes, over the same links. */
@Timeout(120)
class SharedWorkersTest {
  private static final int NODES = 3;
  private static final int WORKERS = 2;
  private static final int PACKET_BYTES_MAX = 16 << 10;
  private static final long WAIT_NANOS = TimeUnit.SECONDS.toNanos(30);
  private static final Ddp MODEL = Ddp.parse("linearizable/synchronous");

  @TempDir Path folder;

  private final List<SharedNode> nodes = new ArrayList<>();
  private final Queue<Thread> threads = new ConcurrentLinkedQueue<>();
  private LocalViews views;

  @BeforeEach
  void start() throws Exception {
    views = LocalViews.open(NODES, folder, System::nanoTime, SharedWorkersTest::daemon);
    LoopbackNetwork network = new LoopbackNetwork(NODES, WORKERS, PACKET_BYTES_MAX);
    for (int node = 0; node < NODES; node++) {
      KiteSettings settings =
          new KiteSettings(
              NODES, node, WORKERS, 4, 256, new KiteSettings.Times(5_000_000, 20_000_000, 100_000));
      nodes.add(
          new SharedNode(
              settings, network.transport(node), views.membership(node), this::countedThread));
    }
    for (SharedNode each : nodes) {
      each.join();
    }
  }

  @AfterEach
  void stop() {
    views.close();
    nodes.forEach(SharedNode::close);
  }

  private static Thread daemon(Runnable work) {
    Thread thread = new Thread(work, "shared");
    thread.setDaemon(true);
    return thread;
  }

  private Thread countedThread(Runnable work) {
    Thread thread = daemon(work);
    threads.add(thread);
    return thread;
  }

  private static void await(BooleanSupplier condition) {
    long end = System.nanoTime() + WAIT_NANOS;
    while (!condition.getAsBoolean()) {
      assertTrue(System.nanoTime() - end < 0, "It comes true in time");
      LockSupport.parkNanos(1_000_000);
    }
  }

  private MapDefinition define(String name) throws Exception {
    MapDefinition map = null;
    for (SharedNode each : nodes) {
      map = each.maps().define(name, MODEL, Conflicts.ABORT, WAIT_NANOS);
    }
    return map;
  }

  private static Request request(NodeSession session, OperationKind kind) {
    Request request = session.next();
    assertNotNull(request, "there is room");
    request.kind(kind);
    request.key().set("key".getBytes(UTF_8));
    return request;
  }

  private static Request add(NodeSession session) {
    Request add = request(session, OperationKind.GET_AND_ADD);
    add.delta(1);
    session.submit(add);
    return add;
  }

  private static CompletableFuture<Operation> put(MapSession session, String key, int value) {
    byte[] bytes = Integer.toString(value).getBytes(UTF_8);
    return session.submit(Operation.write(Key.of(key), bytes));
  }

  @Test
  void theWorkersOfBothAreTheSameThreads() {
    // The workers' own, and one of each node that installs views.
    assertEquals(NODES * (WORKERS + 1), threads.size());
    AtomicBoolean same = new AtomicBoolean();
    try (LocalSession session = nodes.get(0).keys().openSession()) {
      Request request = request(session, OperationKind.ACQUIRE);
      request.listener(ended -> same.set(session.isWorker() && nodes.get(0).maps().isWorker()));
      session.submit(request);
      assertTrue(session.await(request, WAIT_NANOS), "in time");
    }
    assertTrue(same.get());
  }

  /** Something that waits at a node, of each engine: it cannot end before the node does. */
  private static final class Waiting {
    private final SharedNode node;
    private final CompletableFuture<Operation> write;
    private final NodeSession session;

    Waiting(SharedNode node, MapDefinition map) {
      this.node = node;
      node.media().closeGate();
      this.write = put(node.maps().openSession(map), "key", 1);
      this.session = node.keys().openSession();
    }

    void assertEndedWith(Throwable reason) {
      CompletionException ended = assertThrows(CompletionException.class, write::join);
      assertInstanceOf(SessionEndedException.class, ended.getCause());
      assertTrue(ended.getMessage().contains(reason.getMessage()), ended::getMessage);
      IllegalStateException refused =
          assertThrows(
              IllegalStateException.class,
              () -> {
                for (long end = System.nanoTime() + WAIT_NANOS; System.nanoTime() - end < 0; ) {
                  session.await(add(session), WAIT_NANOS);
                }
              });
      assertSame(reason, refused.getCause());
      assertSame(
          reason,
          assertThrows(IllegalStateException.class, () -> node.keys().openSession()).getCause());
      assertSame(reason, node.keys().failure());
      assertSame(reason, node.maps().failure());
      await(() -> !node.failures().isEmpty());
      assertEquals(List.of(reason), List.copyOf(node.failures()), "It is told once");
    }
  }

  @Test
  void whatKillsAWorkerInAListenerOfAKeyEndsTheMaps() throws Exception {
    SharedNode node = nodes.get(0);
    Waiting waiting = new Waiting(node, define("carts"));
    Error reason = new OutOfMemoryError("a test's end of memory");
    NodeSession session = node.keys().openSession();
    Request fatal = request(session, OperationKind.ACQUIRE);
    fatal.listener(
        unused -> {
          throw reason;
        });
    session.submit(fatal);
    waiting.assertEndedWith(reason);
  }

  @Test
  void whatKillsAWorkerInAMapEndsTheKeys() throws Exception {
    SharedNode node = nodes.get(0);
    MapDefinition map = define("carts");
    Waiting waiting = new Waiting(node, map);
    Error reason = new OutOfMemoryError("a test's end of memory");
    CompletableFuture<?> asked =
        node.maps()
            .ask(
                map,
                replica -> {
                  throw reason;
                });
    assertSame(reason, assertThrows(CompletionException.class, asked::join).getCause());
    waiting.assertEndedWith(reason);
  }

  @Test
  void aNodeOfBothThatIsClosedEndsBoth() throws Exception {
    SharedNode node = nodes.get(0);
    MapDefinition map = define("carts");
    MapSession session = node.maps().openSession(map);
    put(session, "key", 1).join();
    NodeSession keys = node.keys().openSession();
    node.keys().close();
    assertThrows(CompletionException.class, () -> put(session, "key", 2).join());
    assertThrows(IllegalStateException.class, () -> node.maps().openSession(map));
    assertThrows(IllegalStateException.class, () -> add(keys));
    node.maps().close();
    assertTrue(node.failures().isEmpty(), node.failures()::toString);
    // It has left in order, so the others go on without it.
    put(nodes.get(1).maps().openSession(map), "key", 3).orTimeout(30, TimeUnit.SECONDS).join();
  }

  /** What is wrong with a packet. */
  enum Fault {
    A_MESSAGE_IS_BROKEN,
    A_FRAME_IS_BROKEN,
    IT_IS_OF_ANOTHER_VERSION,
    IT_IS_NOBODYS
  }

  private static boolean spoil(Fault fault, int peer, ByteBuffer packet, int length) {
    boolean frames = packet.get(1) == PacketHeader.MAPS;
    if (peer != 0 || length == 0 || frames == (fault == Fault.A_MESSAGE_IS_BROKEN)) {
      return false;
    }
    switch (fault) {
      case A_MESSAGE_IS_BROKEN -> packet.putInt(PacketHeader.BYTES + 8, Integer.MAX_VALUE);
      case A_FRAME_IS_BROKEN -> packet.putInt(PacketHeader.BYTES, -1);
      case IT_IS_OF_ANOTHER_VERSION -> packet.put(0, (byte) (PacketHeader.VERSION + 1));
      case IT_IS_NOBODYS -> packet.put(1, (byte) 0xFF);
    }
    return true;
  }

  @ParameterizedTest
  @EnumSource(Fault.class)
  void aBrokenPacketOfOneIsRefusedAsEver(Fault fault) throws Exception {
    MapDefinition map = define("carts");
    Waiting waiting = new Waiting(nodes.get(0), map);
    nodes.get(1).spoil((peer, packet, length) -> spoil(fault, peer, packet, length));
    MapSession session = nodes.get(1).maps().openSession(map);
    NodeSession keys = nodes.get(1).keys().openSession();
    List<CompletableFuture<Operation>> writes = new ArrayList<>();
    // Some at once, so that a packet has several frames.
    await(
        () -> {
          for (int i = 0; i < 10; i++) {
            writes.add(put(session, "other" + i, i));
          }
          if (keys.room() > 1) {
            add(keys);
          }
          return nodes.get(0).failure() != null;
        });
    Throwable reason = nodes.get(0).failure();
    // Between processes such a packet ends its link; here there is none, and it ends the node.
    assertInstanceOf(MalformedPacketException.class, reason);
    waiting.assertEndedWith(reason);
    assertTrue(writes.stream().noneMatch(CompletableFuture::isCompletedExceptionally));
    assertTrue(nodes.get(2).failures().isEmpty(), nodes.get(2).failures()::toString);
  }
}
