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
package org.orcagrid.ddp.node;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadFactory;
import java.util.function.Consumer;
import org.orcagrid.ddp.kite.KiteNode;
import org.orcagrid.ddp.kite.KiteSettings;
import org.orcagrid.ddp.kite.Rule;
import org.orcagrid.ddp.kite.View;
import org.orcagrid.ddp.store.ReplicaStore;
import org.orcagrid.ddp.transport.Clock;
import org.orcagrid.ddp.transport.Transport;
import org.orcagrid.ddp.worker.Engine;
import org.orcagrid.ddp.worker.NodePart;
import org.orcagrid.ddp.worker.Packets;
import org.orcagrid.ddp.worker.Worker;
import org.orcagrid.ddp.worker.Workers;

/** A node of a grid: its store, its workers, and sessions for the threads of this process. */
public final class GridNode implements SessionHost, AutoCloseable {
  private final ProtocolNode protocol;
  private final Workers workers;
  private final List<ProtocolEngine> engines = new CopyOnWriteArrayList<>();

  /**
   * What a node gets from whoever starts it.
   *
   * @param transport the way to the other nodes; closed with the node
   * @param clock for time-outs
   * @param threads makes the workers' threads
   * @param failures is told what has ended a worker, and with it the node, once
   */
  public record Surroundings(
      Transport transport, Clock clock, ThreadFactory threads, Consumer<Throwable> failures) {}

  private GridNode(ProtocolNode protocol, Workers workers) {
    this.protocol = protocol;
    this.workers = workers;
  }

  /**
   * Starts a node.
   *
   * @throws IOException if the transport cannot be opened
   */
  public static GridNode start(
      KiteSettings settings, ReplicaStore.Limits limits, Surroundings surroundings)
      throws IOException {
    return start(settings, limits, View.first(settings.nodes()), surroundings);
  }

  /**
   * Starts a node in a view. If it follows another one at its place, its sessions wait until it has
   * caught up.
   *
   * @throws IOException if the transport cannot be opened
   */
  public static GridNode start(
      KiteSettings settings, ReplicaStore.Limits limits, View view, Surroundings surroundings)
      throws IOException {
    KiteNode kite = new KiteNode(settings, new ReplicaStore(limits), view, Rule.all());
    return start(new KiteProtocol(kite), surroundings);
  }

  /**
   * Starts a node of another protocol than Kite, to compare the two under the same workers.
   *
   * @throws IOException if the transport cannot be opened
   */
  public static GridNode start(ProtocolNode protocol, Surroundings surroundings)
      throws IOException {
    Workers workers =
        Workers.open(
            protocol.sizes().nodes(),
            protocol.sizes().workers(),
            new Workers.Environment(
                surroundings.transport(),
                surroundings.clock(),
                surroundings.threads(),
                surroundings.failures()));
    try {
      GridNode node = on(workers, protocol);
      workers.start();
      return node;
    } catch (RuntimeException e) {
      workers.close();
      throw e;
    }
  }

  /**
   * Hosts Kite's keys on workers that are still to be started, and that may host other parts of a
   * node, too.
   */
  public static GridNode on(
      Workers workers, KiteSettings settings, ReplicaStore.Limits limits, View view) {
    KiteNode kite = new KiteNode(settings, new ReplicaStore(limits), view, Rule.all());
    return on(workers, new KiteProtocol(kite));
  }

  private static GridNode on(Workers workers, ProtocolNode protocol) {
    GridNode node = new GridNode(protocol, workers);
    workers.host(node.new Part());
    return node;
  }

  private final class Part implements NodePart {
    @Override
    public Engine engine(Worker worker, Packets packets) {
      ProtocolEngine engine = new ProtocolEngine(protocol, worker, packets);
      engines.add(engine);
      return engine;
    }
  }

  /** What has ended the node, null if nothing has. */
  public Throwable failure() {
    return workers.failure();
  }

  @Override
  public int valueBytesMax() {
    return protocol.store().valueBytesMax();
  }

  /**
   * Tells the node of a view. It ends when another node has its place there: what is under way in
   * its sessions has an unknown outcome then.
   */
  public void offer(View view) {
    protocol.offer(view);
  }

  /** Whether the node has caught up, and its sessions are served. */
  public boolean isServing() {
    return protocol.isServing();
  }

  /** The machine's epoch: how often it has gone to the slow path. */
  public int epoch() {
    return protocol.epoch();
  }

  /** Slow releases of this node's sessions so far. */
  public long slowReleases() {
    return protocol.slowReleases();
  }

  /** Messages that found no room in their link and were sent again. */
  public long droppedMessages() {
    return engines.stream().mapToLong(ProtocolEngine::droppedMessages).sum();
  }

  /**
   * Opens a session that has fewer operations under way at most. Its requests are used one after
   * the other, so that fewer of them stay in the processor's caches: for programs with many
   * sessions that each do little at a time.
   *
   * @param depth a power of two, at most {@link RequestQueue#DEPTH}; a relaxed write counts until
   *     the worker has announced it
   * @throws IllegalStateException if all are in use
   */
  @Override
  public LocalSession openSession(int depth) {
    Throwable reason = workers.failure();
    if (reason != null) {
      throw new IllegalStateException("The node has failed: " + reason, reason);
    }
    LocalSession session = null;
    for (int tries = 0; tries < engines.size() && session == null; tries++) {
      session = freest().openSession(depth);
    }
    if (session == null) {
      throw new IllegalStateException(
          "All "
              + protocol.sizes().workers() * protocol.sizes().sessions()
              + " sessions of this node are in use; close some, or start it with more");
    }
    return session;
  }

  private ProtocolEngine freest() {
    ProtocolEngine freest = engines.get(0);
    for (ProtocolEngine each : engines) {
      freest = each.freeSessions() > freest.freeSessions() ? each : freest;
    }
    return freest;
  }

  /** Ends the workers, and all else that they host. What was under way has an unknown outcome. */
  @Override
  public void close() {
    workers.close();
  }
}
