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
package org.orcagrid.geo.log.contract;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.orcagrid.geo.log.LogKind;
import org.orcagrid.geo.log.LogNode;
import org.orcagrid.geo.partition.PartitionLog;
import org.orcagrid.transport.tcp.HostPort;

/** Three nodes of one group in this JVM, which can be ended and started again. */
final class LogLab implements AutoCloseable {
  static final int NODES = 3;
  static final long LIMIT_SECONDS = 60;

  private static final LogNode.Timing TIMING = new LogNode.Timing(1_000_000_000L, 250_000_000L);
  private static final long LOOK_NANOS = 2_000_000;

  private final Path folder;
  private final LogKind kind;
  private final List<HostPort> addresses;
  private final AtomicReferenceArray<LabNode> nodes = new AtomicReferenceArray<>(NODES);
  private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();

  LogLab(Path folder, LogKind kind) throws IOException {
    this.folder = folder;
    this.kind = kind;
    this.addresses = freeAddresses();
    for (int i = 0; i < NODES; i++) {
      start(i);
    }
  }

  private static List<HostPort> freeAddresses() throws IOException {
    List<ServerSocket> sockets = new ArrayList<>();
    try {
      for (int i = 0; i < NODES; i++) {
        sockets.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
      }
      return sockets.stream().map(each -> new HostPort("127.0.0.1", each.getLocalPort())).toList();
    } finally {
      for (ServerSocket each : sockets) {
        each.close();
      }
    }
  }

  // --- for the nodes -----------------------------------------------------------------------------

  Path folder(int node) {
    return folder.resolve("node-" + node);
  }

  List<HostPort> addresses() {
    return addresses;
  }

  long storeId() {
    return addresses.get(0).port();
  }

  void fail(Throwable reason) {
    failures.add(reason);
  }

  void require(boolean holds, String what) {
    if (!holds) {
      failures.add(new AssertionError(what));
    }
  }

  void deliver(int from, int to, byte[] frame) {
    LabNode node = nodes.get(to);
    if (node != null) {
      node.receive(from, frame);
    }
  }

  // --- for the tests -----------------------------------------------------------------------------

  void start(int node) throws IOException {
    nodes.set(node, new LabNode(this, kind, TIMING, node));
  }

  void end(int node) {
    nodes.getAndSet(node, null).close();
  }

  LabNode node(int number) {
    return nodes.get(number);
  }

  List<LabNode> running() {
    List<LabNode> running = new ArrayList<>();
    for (int i = 0; i < NODES; i++) {
      if (nodes.get(i) != null) {
        running.add(nodes.get(i));
      }
    }
    return running;
  }

  Queue<Throwable> failures() {
    return failures;
  }

  /** Waits for something, for a minute at most. */
  void await(String what, BooleanSupplier holds) {
    long limit = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
    while (!holds.getAsBoolean()) {
      if (!failures.isEmpty()) {
        throw new AssertionError("A node has failed", failures.peek());
      }
      if (System.nanoTime() - limit > 0) {
        throw new AssertionError(what + " has not come");
      }
      LockSupport.parkNanos(LOOK_NANOS);
    }
  }

  /** The node that leads and takes commands, when there is one. */
  int leader() {
    int[] leader = {-1};
    await(
        "A leader",
        () -> {
          leader[0] = leaderNow();
          return leader[0] >= 0;
        });
    return leader[0];
  }

  private int leaderNow() {
    int leader = -1;
    long term = -1;
    for (int i = 0; i < NODES; i++) {
      LabNode node = nodes.get(i);
      if (node != null && node.ask(it -> it.log().leads() ? it.log().term() : -1) > term) {
        term = node.ask(it -> it.log().term());
        leader = i;
      }
    }
    return leader;
  }

  /** Writes a command at whoever leads, until it is applied there. */
  void write(String command) {
    byte[] bytes = command.getBytes(StandardCharsets.UTF_8);
    await(
        "The write of " + command.substring(0, Math.min(20, command.length())),
        () -> {
          LabNode node = nodes.get(leader());
          long term = node.ask(it -> it.log().term());
          if (node.ask(it -> it.log().propose(bytes)) == PartitionLog.REFUSED) {
            return node.ask(it -> it.has(command));
          }
          await(
              "The entry or another leader",
              () ->
                  node.ask(it -> it.has(command) || it.log().term() != term || !it.log().leads()));
          return node.ask(it -> it.has(command));
        });
  }

  /** Waits until all that run have applied a command, and the same commands. */
  List<LabNode.Applied> awaitSame(String last) {
    await("The same state at all nodes", () -> isSame(last));
    return running().get(0).ask(LabNode::state);
  }

  private boolean isSame(String last) {
    List<LabNode.Applied> first = running().get(0).ask(LabNode::state);
    for (LabNode each : running()) {
      if (!each.ask(it -> it.has(last)) || !each.ask(LabNode::state).equals(first)) {
        return false;
      }
    }
    return true;
  }

  @Override
  public void close() {
    IntStream.range(0, NODES).filter(i -> nodes.get(i) != null).parallel().forEach(this::end);
  }
}
