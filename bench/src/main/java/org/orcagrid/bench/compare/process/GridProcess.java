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
package org.orcagrid.bench.compare.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.orcagrid.ddp.map.AgreedView;
import org.orcagrid.ddp.membership.LeaseTimes;
import org.orcagrid.ddp.node.Node;
import org.orcagrid.node.GridMember;
import org.orcagrid.node.NodeSettings;
import org.orcagrid.server.OrcaServer;
import org.orcagrid.server.OrcaServerConfig;
import org.orcagrid.server.settings.OrcaConfigException;
import org.orcagrid.transport.tcp.HostPort;
import org.orcagrid.transport.tcp.LinkListener;

/**
 * A node in a load process, as a user has it: TCP, and views that an ensemble agrees on. The
 * ensemble is one server, which the first process hosts.
 */
final class GridProcess implements AutoCloseable {
  private static final String GRID = "compare";
  private static final String ENSEMBLE = "ensemble";
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(100);

  /** All processors are busy here: a node that waits for one is not to be left out. */
  private static final LeaseTimes LEASE = LeaseTimes.ofLease(TimeUnit.SECONDS.toNanos(10));

  /** Null in all processes but the first. */
  private final OrcaServer server;

  private final GridMember member;
  private final AtomicReference<Throwable> failure = new AtomicReference<>();

  /**
   * Starts it; returns when it serves, with all others there and connected.
   *
   * @param change what is not as usual
   * @throws IOException if it cannot be started
   */
  GridProcess(LoadSettings settings, UnaryOperator<NodeSettings> change)
      throws IOException, InterruptedException, OrcaConfigException {
    int size = settings.ports().size();
    Path note = settings.use().folder().resolve(ENSEMBLE);
    Files.createDirectories(settings.ownFolder());
    server = settings.self() == 0 ? host(settings, note) : null;
    HostPort address = new HostPort(LoadSettings.HOST, settings.ports().get(settings.self()));
    NodeSettings own =
        change.apply(
            NodeSettings.of(GRID, size, address, settings.ownFolder().resolve("maps"))
                .withLease(LEASE)
                .withEnsemble(awaitText(note)));
    Links links = new Links((size - 1) * own.workers());
    member = GridMember.start(own, own.membership(), links, failure::set);
    awaitAll(size);
    if (!links.allUp.await(PATIENCE_NANOS, TimeUnit.NANOSECONDS)) {
      throw new IOException("The nodes are not connected");
    }
  }

  private static OrcaServer host(LoadSettings settings, Path note)
      throws IOException, OrcaConfigException {
    OrcaServer started =
        OrcaServer.start(OrcaServerConfig.standalone(settings.ownFolder().resolve("server")));
    Path next = note.resolveSibling(ENSEMBLE + ".next");
    Files.writeString(next, started.connectString(), StandardCharsets.UTF_8);
    Files.move(next, note, StandardCopyOption.ATOMIC_MOVE);
    return started;
  }

  private static String awaitText(Path note) throws IOException, InterruptedException {
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    while (!Files.exists(note)) {
      if (System.nanoTime() - deadline > 0) {
        throw new IOException("The first process has not started the ensemble");
      }
      TimeUnit.MILLISECONDS.sleep(10);
    }
    return Files.readString(note);
  }

  /** What is filled before all are there would be copied to those that come later. */
  private void awaitAll(int size) throws IOException, InterruptedException {
    int all = (1 << size) - 1;
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    while (view() == null || view().nodes().serving() != all) {
      if (System.nanoTime() - deadline > 0) {
        throw new IOException("The nodes have not found each other; the view is " + view());
      }
      TimeUnit.MILLISECONDS.sleep(10);
    }
    if (!node().awaitServing(PATIENCE_NANOS)) {
      throw new IOException("The node does not serve");
    }
  }

  private AgreedView view() {
    return node().maps().view();
  }

  Node node() {
    return member.node();
  }

  /** What has ended the node, null if nothing has. */
  String failure() {
    Throwable reason = failure.get();
    return reason == null ? null : "The node has failed: " + reason;
  }

  @Override
  public void close() {
    member.close();
    if (server != null) {
      server.close();
    }
  }

  /** Waits for the links: who writes before they are up begins on the slow path. */
  private static final class Links implements LinkListener {
    private final CountDownLatch allUp = new CountDownLatch(1);
    private final Set<List<Integer>> up = new HashSet<>();
    private final int count;

    Links(int count) {
      this.count = count;
      if (count == 0) {
        allUp.countDown();
      }
    }

    @Override
    public synchronized void onUp(int peer, int worker) {
      up.add(List.of(peer, worker));
      if (up.size() == count) {
        allUp.countDown();
      }
    }

    @Override
    public void onDown(int peer, int worker, String reason) {
      System.err.println("No connection to node " + peer + ": " + reason);
    }

    @Override
    public void onRefused(String address, String reason) {
      System.err.println(address + ": " + reason);
    }
  }
}
