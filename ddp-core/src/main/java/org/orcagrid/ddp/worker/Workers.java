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
package org.orcagrid.ddp.worker;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.orcagrid.ddp.transport.Clock;
import org.orcagrid.ddp.transport.Endpoint;
import org.orcagrid.ddp.transport.Transport;

/**
 * The workers of a node, each with an endpoint, a thread, and an engine of each part that the node
 * hosts. They end together: without one of them the others would answer for a part only.
 *
 * <p>There may be one more worker <i>beside</i> them, for what must not wait for any of them.
 */
public final class Workers implements AutoCloseable {
  private final Environment environment;
  private final int nodes;
  private final List<Worker> workers = new ArrayList<>();

  /** The one beside the workers, if there is one. */
  private final List<Worker> beside = new ArrayList<>();

  private final List<Thread> threads = new ArrayList<>();
  private final List<NodePart> parts = new CopyOnWriteArrayList<>();
  private final AtomicReference<Throwable> failure = new AtomicReference<>();
  private final AtomicInteger running = new AtomicInteger();
  private final AtomicBoolean closed = new AtomicBoolean();
  private boolean started;

  /**
   * What a node gets from whoever starts it.
   *
   * @param transport the way to the other nodes; closed with the node
   * @param clock for time-outs
   * @param threads makes the workers' threads
   * @param failures is told what has ended the node, once, after its workers have ended
   */
  public record Environment(
      Transport transport, Clock clock, ThreadFactory threads, Consumer<Throwable> failures) {}

  private Workers(int nodes, Environment environment) {
    this.nodes = nodes;
    this.environment = environment;
  }

  /**
   * Workers that have their endpoints and do not run yet.
   *
   * @param nodes places for nodes in the grid
   * @param count how many workers
   * @throws IOException if the transport cannot be opened; it is closed then
   */
  public static Workers open(int nodes, int count, Environment environment) throws IOException {
    Workers opened = new Workers(nodes, environment);
    try {
      for (int number = 0; number < count; number++) {
        Endpoint endpoint = environment.transport().open(number);
        opened.workers.add(new Worker(opened, number, endpoint, nodes, count));
      }
    } catch (IOException | RuntimeException | Error e) {
      opened.close();
      throw e;
    }
    return opened;
  }

  /**
   * Gives each worker an engine of a part. To be called before {@link #start}; of several parts,
   * the first one's engine comes first in each cycle.
   */
  public void host(NodePart part) {
    parts.add(part);
    workers.forEach(worker -> worker.host(part));
  }

  /**
   * Has an engine run in a thread beside the workers, with links of its own. To be called before
   * {@link #start}, once at most.
   *
   * @return whether the transport has such links; if not, the engine is not asked for
   * @throws IOException if they cannot be opened
   */
  public boolean hostBeside(NodePart part) throws IOException {
    Endpoint endpoint = environment.transport().openBeside();
    if (endpoint == null) {
      return false;
    }
    Worker worker = new Worker(this, workers.size(), endpoint, nodes, workers.size() + 1);
    beside.add(worker);
    worker.host(part);
    return true;
  }

  /** The workers, without the one beside them. */
  public List<Worker> all() {
    return List.copyOf(workers);
  }

  private void forEach(Consumer<Worker> what) {
    workers.forEach(what);
    beside.forEach(what);
  }

  /** Has the workers run, once. */
  public void start() {
    started = true;
    running.set(workers.size() + beside.size());
    forEach(worker -> threads.add(environment.threads().newThread(() -> run(worker))));
    threads.forEach(Thread::start);
  }

  private void run(Worker worker) {
    try {
      worker.run();
    } finally {
      if (running.decrementAndGet() == 0) {
        tell();
      }
    }
  }

  /** Now all who wait for this node know: whoever is told may close it. */
  private void tell() {
    Throwable reason = failure.get();
    if (reason != null) {
      try {
        parts.forEach(NodePart::onEnded);
      } finally {
        environment.failures().accept(reason);
      }
    }
  }

  /** Ends the node for this reason, if it has not failed before; any thread. */
  public void fail(Throwable reason) {
    if (failure.compareAndSet(null, reason)) {
      try {
        parts.forEach(part -> part.onFailed(reason));
      } finally {
        forEach(Worker::stop);
      }
    }
  }

  /** What has ended the node, null if nothing has or it was closed. */
  public Throwable failure() {
    return failure.get();
  }

  /** The node's clock. */
  public Clock clock() {
    return environment.clock();
  }

  /** A thread for a part of the node. */
  public Thread newThread(Runnable work) {
    return environment.threads().newThread(work);
  }

  /**
   * Waits for the end of a thread, unless it is this one: a listener may close its own node, whose
   * worker ends after it.
   *
   * @return whether this thread was interrupted meanwhile
   */
  public static boolean join(Thread thread) {
    boolean interrupted = false;
    while (thread.isAlive() && thread != Thread.currentThread()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    return interrupted;
  }

  /** Ends the workers and all parts of the node. */
  @Override
  public void close() {
    forEach(Worker::stop);
    boolean interrupted = false;
    for (Thread thread : threads) {
      interrupted |= join(thread);
    }
    if (!started) {
      // A worker that runs closes its own.
      forEach(worker -> worker.endpoint().close());
    }
    parts.forEach(NodePart::onEnded);
    if (closed.compareAndSet(false, true)) {
      environment.transport().close();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
