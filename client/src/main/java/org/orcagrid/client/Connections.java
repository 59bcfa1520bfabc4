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
package org.orcagrid.client;

import io.netty.channel.EventLoopGroup;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import org.orcagrid.transport.tcp.HostPort;
import org.orcagrid.transport.tcp.remote.RemoteNode;

/**
 * A client's connections to the nodes of a grid, one to each at most. A node that does not answer
 * is left alone for a while. Who waits for one holds up nobody else: no lock is held meanwhile.
 * Safe for use by many threads.
 */
final class Connections implements AutoCloseable {
  /** So long a node that has not answered is the last to be tried. */
  private static final long REST_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final RemoteGrid.Settings settings;
  private final RemoteNode.Credentials shown;
  private final EventLoopGroup loops;
  private final Map<HostPort, CompletableFuture<RemoteNode>> nodes = new HashMap<>();

  /** When those that have not answered are to be tried again like others. */
  private final Map<HostPort, Long> resting = new HashMap<>();

  private int turn = ThreadLocalRandom.current().nextInt(Short.MAX_VALUE);
  private boolean closed;

  private final AtomicLong opened = new AtomicLong();
  private final AtomicLong failed = new AtomicLong();

  Connections(RemoteGrid.Settings settings, RemoteNode.Credentials shown, EventLoopGroup loops) {
    this.settings = settings;
    this.shown = shown;
    this.loops = loops;
  }

  /**
   * What the next node gives that gives it.
   *
   * @throws IllegalStateException if none does, saying why for each, or the grid was left
   */
  <T extends AutoCloseable> T atOneOf(Function<RemoteNode, CompletionStage<T>> asking) {
    requireOpen();
    StringBuilder reasons = new StringBuilder();
    for (HostPort address : inTurn()) {
      try {
        // Others may wait for the same connection: one that comes late is kept.
        // A name is looked up by who needs it, and nobody waits for that.
        RemoteNode node = await(connection(address, address.resolve()), address, late -> {});
        return await(asking.apply(node), address, Connections::close);
      } catch (IllegalStateException e) {
        if (Thread.currentThread().isInterrupted()) {
          throw e;
        }
        reasons.append("; ").append(e.getMessage());
      }
    }
    throw new IllegalStateException(
        "No node of the grid \"" + settings.gridName() + "\" gives a session" + reasons);
  }

  /** All nodes: those first that are connected, those last that have not answered. */
  private synchronized List<HostPort> inTurn() {
    List<HostPort> connected = new ArrayList<>();
    List<HostPort> untried = new ArrayList<>();
    List<HostPort> silent = new ArrayList<>();
    long now = System.nanoTime();
    turn = (turn + 1) % settings.nodes().size();
    for (int i = 0; i < settings.nodes().size(); i++) {
      HostPort each = settings.nodes().get((turn + i) % settings.nodes().size());
      Long until = resting.get(each);
      if (until != null && now - until < 0) {
        silent.add(each);
      } else if (isHanging(each)) {
        untried.add(each);
      } else {
        connected.add(each);
      }
    }
    connected.addAll(untried);
    connected.addAll(silent);
    return connected;
  }

  /** Whether somebody waits for its connection: others go elsewhere first. */
  private boolean isHanging(HostPort address) {
    CompletableFuture<RemoteNode> node = nodes.get(address);
    return node != null
        && (!node.isDone() || (!node.isCompletedExceptionally() && node.join().isAway()));
  }

  private synchronized CompletableFuture<RemoteNode> connection(
      HostPort address, InetSocketAddress at) {
    requireOpen();
    CompletableFuture<RemoteNode> node = nodes.get(address);
    if (node == null || isLost(node)) {
      node =
          RemoteNode.connect(address, at, settings.gridName(), shown, loops).toCompletableFuture();
      nodes.put(address, node);
      count(node);
    }
    return node;
  }

  // What it ends with, those tell who wait for it.
  @SuppressWarnings("FutureReturnValueIgnored")
  private void count(CompletableFuture<RemoteNode> node) {
    node.whenComplete(
        (connected, failure) -> (failure == null ? opened : failed).incrementAndGet());
  }

  String gridName() {
    return settings.gridName();
  }

  synchronized ClientFigures figures() {
    long now = System.nanoTime();
    int connected = 0;
    int away = 0;
    for (CompletableFuture<RemoteNode> each : nodes.values()) {
      if (each.isDone() && !isLost(each)) {
        connected += each.join().isAway() ? 0 : 1;
        away += each.join().isAway() ? 1 : 0;
      }
    }
    int silent = (int) resting.values().stream().filter(until -> now - until < 0).count();
    return new ClientFigures(
        settings.nodes().size(),
        new ClientFigures.Nodes(connected, away, silent),
        opened.get(),
        failed.get());
  }

  private synchronized void requireOpen() {
    if (closed) {
      throw new IllegalStateException("The grid was left");
    }
  }

  private static boolean isLost(CompletableFuture<RemoteNode> node) {
    return node.isCompletedExceptionally() || (node.isDone() && node.join().lost() != null);
  }

  private synchronized void answered(HostPort address, boolean inTime) {
    if (inTime) {
      resting.remove(address);
    } else {
      resting.put(address, System.nanoTime() + REST_NANOS);
    }
  }

  /**
   * Waits for a node's answer.
   *
   * @param late what to do with one that comes later
   */
  private <T> T await(CompletionStage<T> stage, HostPort address, Consumer<T> late) {
    try {
      T answer =
          stage
              .toCompletableFuture()
              .get(settings.connectTimeout().toNanos(), TimeUnit.NANOSECONDS);
      answered(address, true);
      return answer;
    } catch (ExecutionException e) {
      // Without a connection there was none; a session that is refused is one.
      answered(address, isConnected(address));
      throw new IllegalStateException(e.getCause().getMessage(), e);
    } catch (TimeoutException e) {
      answered(address, false);
      stage.thenAccept(late);
      throw new IllegalStateException(
          address + " has not answered in " + settings.connectTimeout(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      stage.thenAccept(late);
      throw new IllegalStateException("Interrupted while waiting for " + address, e);
    }
  }

  private synchronized boolean isConnected(HostPort address) {
    CompletableFuture<RemoteNode> node = nodes.get(address);
    return node != null && node.isDone() && !isLost(node);
  }

  private static void close(AutoCloseable late) {
    try {
      late.close();
    } catch (Exception e) {
      throw new IllegalStateException("What came late cannot be closed", e);
    }
  }

  synchronized boolean isClosed() {
    return closed;
  }

  @Override
  public void close() {
    List<CompletableFuture<RemoteNode>> open;
    synchronized (this) {
      closed = true;
      open = List.copyOf(nodes.values());
    }
    // One that comes later is closed by the end of its thread.
    open.stream()
        .filter(each -> each.isDone() && !each.isCompletedExceptionally())
        .forEach(each -> each.join().close());
  }
}
