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
package org.orcagrid.bench.kite;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.orcagrid.bench.zab.ZabProtocol;
import org.orcagrid.bench.zab.ZabSettings;
import org.orcagrid.ddp.kite.KiteSettings;
import org.orcagrid.ddp.kite.OperationKind;
import org.orcagrid.ddp.map.HostedMaps;
import org.orcagrid.ddp.map.LocalViews;
import org.orcagrid.ddp.map.MapMedia;
import org.orcagrid.ddp.map.MapSizes;
import org.orcagrid.ddp.map.WallClock;
import org.orcagrid.ddp.node.LocalSession;
import org.orcagrid.ddp.node.Node;
import org.orcagrid.ddp.node.NodeSession;
import org.orcagrid.ddp.node.ProtocolHost;
import org.orcagrid.ddp.node.Request;
import org.orcagrid.ddp.node.SessionHost;
import org.orcagrid.ddp.store.ReplicaStore;
import org.orcagrid.ddp.transport.Transport;
import org.orcagrid.ddp.worker.Workers;

/** A grid of one protocol in this JVM, one worker thread a node, with a value for every key. */
final class BenchGrid implements AutoCloseable {
  // Longer than the scheduler keeps a thread off a busy machine, so that the slow path is not taken
  // in common operation (Kite, section 7.4).
  private static final long RELEASE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
  private static final long RESEND_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  /** What throughput is measured with. */
  private static final Setting STANDARD = new Setting(RELEASE_NANOS, RESEND_NANOS, 0, 0);

  private static final long BACKOFF_NANOS = TimeUnit.MICROSECONDS.toNanos(100);
  private static final int PENDING_WRITES = 4096;
  private static final int BYTES_OF_A_RECORD = 512;
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);

  private final KitePlan.Grid plan;
  private final Setting setting;
  private final List<SessionHost> nodes = new ArrayList<>();
  private final List<List<Thread>> threads = new ArrayList<>();
  private final AtomicReference<Throwable> failure = new AtomicReference<>();

  /**
   * What is not the same for all measurements.
   *
   * @param releaseNanos how long a release waits for a silent node
   * @param resendNanos when a message without an answer is sent again
   * @param sessions sessions of each node besides those that load it
   * @param keys keys besides those that are filled
   */
  record Setting(long releaseNanos, long resendNanos, int sessions, int keys) {}

  /** Null for ZAB, whose nodes are fixed. */
  private LocalViews views;

  private BenchGrid(KitePlan.Grid plan, Setting setting) {
    this.plan = plan;
    this.setting = setting;
  }

  static BenchGrid start(boolean zab, KitePlan.Grid plan) throws IOException {
    return start(zab, plan, STANDARD);
  }

  static BenchGrid start(boolean zab, KitePlan.Grid plan, Setting setting) throws IOException {
    BenchGrid grid = new BenchGrid(plan, setting);
    int keys = plan.keys() + setting.keys();
    long bytes = (long) keys * (BYTES_OF_A_RECORD + 2L * plan.valueBytes()) + (16 << 20);
    ReplicaStore.Limits limits =
        new ReplicaStore.Limits(keys + 1, Math.max(64, plan.valueBytes()), bytes);
    // One more for whoever prepares the grid.
    int sessions = plan.sessions() + setting.sessions() + 1;
    List<Transport> transports = BenchTransports.open(plan.transport(), plan.nodes(), sessions);
    try {
      if (!zab) {
        grid.views = LocalViews.inMemory(plan.nodes(), System::nanoTime, BenchGrid::daemon);
      }
      List<Node> started = new ArrayList<>();
      for (int node = 0; node < plan.nodes(); node++) {
        Workers.Environment environment =
            new Workers.Environment(
                transports.get(node),
                System::nanoTime,
                grid.threads((zab ? "zab-" : "kite-") + node),
                grid.failure::set);
        if (zab) {
          ZabSettings settings =
              new ZabSettings(plan.nodes(), node, sessions, setting.resendNanos());
          grid.nodes.add(ProtocolHost.start(new ZabProtocol(settings, limits), environment));
        } else {
          started.add(
              Node.start(
                  new Node.Sizes(
                      MapSizes.of(plan.nodes(), node), grid.kite(node, sessions), limits, 0),
                  // As users have it; nobody asks it for maps.
                  new HostedMaps.Providers(
                      grid.views.membership(node), MapMedia.NONE, WallClock.NONE, null),
                  environment));
          grid.nodes.add(started.get(node));
        }
      }
      for (Node node : started) {
        if (!node.awaitServing(PATIENCE_NANOS)) {
          throw new IOException("A node does not serve: " + node.failure(), node.failure());
        }
      }
      grid.fill();
    } catch (InterruptedException e) {
      grid.close();
      Thread.currentThread().interrupt();
      throw new IOException("Interrupted while the nodes start", e);
    } catch (IOException | RuntimeException e) {
      grid.close();
      throw e;
    }
    return grid;
  }

  private KiteSettings kite(int node, int sessions) {
    return new KiteSettings(
        plan.nodes(),
        node,
        1,
        sessions,
        Math.max(PENDING_WRITES, Integer.highestOneBit(sessions) * 4),
        new KiteSettings.Times(setting.releaseNanos(), setting.resendNanos(), BACKOFF_NANOS));
  }

  private static Thread daemon(Runnable work) {
    Thread thread = new Thread(work, "bench-views");
    thread.setDaemon(true);
    return thread;
  }

  private ThreadFactory threads(String name) {
    List<Thread> ofNode = new CopyOnWriteArrayList<>();
    threads.add(ofNode);
    return work -> {
      Thread thread = new Thread(work, name);
      thread.setDaemon(true);
      ofNode.add(thread);
      return thread;
    };
  }

  /** Gives every key a value; each is at a majority of nodes when this returns, and soon at all. */
  private void fill() {
    try (NodeSession session = nodes.get(0).openSession()) {
      Request last = null;
      for (int key = 0; key < plan.keys(); key++) {
        if (session.room() == 0 && !session.awaitRoom(PATIENCE_NANOS)) {
          throw stuck();
        }
        last = session.next();
        last.kind(key == plan.keys() - 1 ? OperationKind.RELEASE : OperationKind.WRITE);
        last.key().room(Long.BYTES).putLong(0, key);
        last.key().length(Long.BYTES);
        last.value().room(plan.valueBytes());
        last.value().length(plan.valueBytes());
        session.submit(last);
      }
      if (last == null || !session.await(last, PATIENCE_NANOS)) {
        throw stuck();
      }
    }
  }

  private IllegalStateException stuck() {
    return new IllegalStateException("The grid has stopped: " + failure.get(), failure.get());
  }

  LocalSession openSession(int node) {
    return nodes.get(node).openSession();
  }

  /** What has ended a worker, null if nothing has. */
  Throwable failure() {
    return failure.get();
  }

  /** Processor time of each node so far. */
  long[] cpuNanos() {
    ThreadMXBean bean = ManagementFactory.getThreadMXBean();
    return threads.stream()
        .mapToLong(
            ofNode ->
                ofNode.stream().mapToLong(thread -> bean.getThreadCpuTime(thread.getId())).sum())
        .toArray();
  }

  /** Slow releases so far: none in common operation. */
  long slowReleases() {
    return nodes.stream().mapToLong(SessionHost::slowReleases).sum();
  }

  /** Slow releases of a node so far. */
  long slowReleases(int node) {
    return nodes.get(node).slowReleases();
  }

  /** How often a node has found that it had missed something, so far. */
  int epoch(int node) {
    return nodes.get(node).epoch();
  }

  /** Messages that found their link full, so far. */
  long droppedMessages() {
    return nodes.stream().mapToLong(SessionHost::droppedMessages).sum();
  }

  @Override
  public void close() {
    // First: nodes that end together are not left out one after the other.
    if (views != null) {
      views.close();
    }
    nodes.forEach(SessionHost::close);
  }
}
