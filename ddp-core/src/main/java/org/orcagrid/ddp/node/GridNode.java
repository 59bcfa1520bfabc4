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
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.orcagrid.ddp.kite.KiteNode;
import org.orcagrid.ddp.kite.KiteSettings;
import org.orcagrid.ddp.kite.Rule;
import org.orcagrid.ddp.kite.View;
import org.orcagrid.ddp.store.ReplicaStore;
import org.orcagrid.ddp.transport.Clock;
import org.orcagrid.ddp.transport.Endpoint;
import org.orcagrid.ddp.transport.Transport;

/** A node of a grid: its store, its workers, and sessions for the threads of this process. */
public final class GridNode implements AutoCloseable {
  private final ProtocolNode protocol;

  private final Transport transport;
  private final List<WorkerThread> workers = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();
  private final List<Endpoint> endpoints = new ArrayList<>();
  private final Consumer<Throwable> failures;
  private final AtomicReference<Throwable> failure = new AtomicReference<>();
  private final AtomicBoolean told = new AtomicBoolean();
  private boolean started;

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

  private GridNode(ProtocolNode protocol, Surroundings surroundings) {
    this.protocol = protocol;
    this.transport = surroundings.transport();
    this.failures = surroundings.failures();
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
    GridNode node = new GridNode(protocol, surroundings);
    try {
      for (int worker = 0; worker < protocol.sizes().workers(); worker++) {
        Endpoint endpoint = surroundings.transport().open(worker);
        node.endpoints.add(endpoint);
        WorkerThread cycle =
            new WorkerThread(
                protocol, worker, endpoint, surroundings.clock(), node::fail, node.failure::get);
        node.workers.add(cycle);
        node.threads.add(surroundings.threads().newThread(() -> node.run(cycle)));
      }
    } catch (IOException | RuntimeException e) {
      node.close();
      throw e;
    }
    node.started = true;
    node.threads.forEach(Thread::start);
    return node;
  }

  /** A worker has died: without it the others would answer for a part of the sessions only. */
  private void fail(Throwable reason) {
    if (failure.compareAndSet(null, reason)) {
      workers.forEach(WorkerThread::stop);
    }
  }

  private void run(WorkerThread cycle) {
    try {
      cycle.run();
    } finally {
      // Now its sessions know: whoever is told may close this node.
      Throwable reason = failure.get();
      if (reason != null && told.compareAndSet(false, true)) {
        failures.accept(reason);
      }
    }
  }

  /** What has ended the node, null if nothing has. */
  public Throwable failure() {
    return failure.get();
  }

  /** The most bytes of a value. */
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
    return workers.stream().mapToLong(WorkerThread::droppedMessages).sum();
  }

  /**
   * Opens a session at the worker with the most free ones.
   *
   * @throws IllegalStateException if all are in use, or the node has failed
   */
  public LocalSession openSession() {
    return openSession(RequestQueue.DEPTH);
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
  public LocalSession openSession(int depth) {
    Throwable reason = failure.get();
    if (reason != null) {
      throw new IllegalStateException("The node has failed: " + reason, reason);
    }
    LocalSession session = null;
    for (int tries = 0; tries < workers.size() && session == null; tries++) {
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

  private WorkerThread freest() {
    WorkerThread freest = workers.get(0);
    for (WorkerThread worker : workers) {
      freest = worker.freeSessions() > freest.freeSessions() ? worker : freest;
    }
    return freest;
  }

  /** Ends the workers. What was under way has an unknown outcome. */
  @Override
  public void close() {
    workers.forEach(WorkerThread::stop);
    boolean interrupted = false;
    for (Thread thread : threads) {
      // A listener may close its own node: its worker ends after it.
      while (thread.isAlive() && thread != Thread.currentThread()) {
        try {
          thread.join();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    }
    if (!started) {
      // A worker that runs closes its own.
      endpoints.forEach(Endpoint::close);
    }
    transport.close();
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
