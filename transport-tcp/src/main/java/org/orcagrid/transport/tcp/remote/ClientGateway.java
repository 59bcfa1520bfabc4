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
package org.orcagrid.transport.tcp.remote;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.handler.timeout.ReadTimeoutHandler;
import java.io.IOException;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.orcagrid.ddp.map.HostedMaps;
import org.orcagrid.ddp.map.NumberedMaps;
import org.orcagrid.ddp.node.SessionHost;
import org.orcagrid.transport.tcp.ConnectionOwner;
import org.orcagrid.transport.tcp.LinkListener;
import org.orcagrid.transport.tcp.NodePort;

/**
 * Takes the connections of a node's clients from its port, and those of other nodes that use the
 * maps of this one. Its sessions are those of the node, and bounded like them.
 *
 * <p>Clients use all maps of the grid through the node; other nodes only those that it has: what is
 * forwarded is not forwarded again.
 */
public final class ClientGateway implements AutoCloseable {
  private static final int CLIENTS_MAX = 1024;

  /** One for each node, and those that were lost and are not known to be. */
  private static final int NODES_MAX = 64;

  private static final int SILENCE_SECONDS_MAX = 30;

  /** Threads that define and remove maps for clients and report; requests that wait for one. */
  private static final int PATIENT_THREADS = 4;

  private static final int PATIENT_WAITING_MAX = 1024;

  private final String gridName;
  private final NodePort port;
  private final Served served;
  private final GatewayClients clients;
  private final ThreadPoolExecutor patient;

  /** What reads of whole maps have on the heap. */
  private final AtomicLong foundBytes = new AtomicLong();

  private final LinkListener listener;
  private final EventLoopGroup loops;
  private final EventLoop loop;
  private final AtomicInteger connections = new AtomicInteger();
  private final AtomicBoolean ended = new AtomicBoolean();
  private final AtomicInteger forwarders = new AtomicInteger();

  /** Other nodes; null while they are not admitted. */
  private volatile GatewayClients nodes;

  /**
   * What clients use of a node.
   *
   * @param node whose keys they use
   * @param maps all maps, as the same node has or finds them
   * @param report what the node says of itself
   */
  public record Served(SessionHost node, NumberedMaps maps, Report report) {}

  /** Says what a node is at. */
  @FunctionalInterface
  public interface Report {
    /**
     * A text of half a megabyte at most, within a second or two; by a thread that may wait.
     *
     * @param clients how many clients are connected beside the one that asks
     */
    String of(int clients) throws InterruptedException;
  }

  /**
   * Opens the port, and admits nobody yet.
   *
   * @param gridName the grid's name; who is of another one is refused
   * @param port open while the gateway is
   * @param served what they use
   * @throws IOException if nothing can listen at the port
   */
  public ClientGateway(
      String gridName, NodePort port, Served served, ThreadFactory threads, LinkListener listener)
      throws IOException {
    this.gridName = gridName;
    this.port = port;
    this.patient =
        new ThreadPoolExecutor(
            PATIENT_THREADS,
            PATIENT_THREADS,
            1,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(PATIENT_WAITING_MAX),
            threads);
    patient.allowCoreThreadTimeOut(true);
    this.served = served;
    this.clients =
        new GatewayClients(
            "client",
            served.node(),
            host(
                served.maps(),
                GatewayMaps.Bounds.CLIENT,
                () -> served.report().of(Math.max(0, connections.get() - 1))));
    this.listener = listener;
    port.open();
    try {
      loops = new MultiThreadIoEventLoopGroup(1, threads, port.kind().handlers());
    } catch (RuntimeException | Error e) {
      port.close();
      throw e;
    }
    loop = loops.next();
  }

  private GatewayMaps.Host host(
      NumberedMaps maps, GatewayMaps.Bounds bounds, GatewayMaps.Report report) {
    return new GatewayMaps.Host(maps, bounds, patient, foundBytes, report);
  }

  /** Admits clients. */
  public ClientGateway admitClients() {
    return admitting(
        () -> port.admitClients(gridName, new Owner(clients, connections, CLIENTS_MAX)));
  }

  /** Tells clients that this node takes none. */
  public ClientGateway refuseClients() {
    return admitting(() -> port.refuseClients(gridName));
  }

  /**
   * Admits other nodes, which use maps of this one as clients do.
   *
   * @param own the maps that this node has itself: no others
   * @param grid tells the grid from others of the same name
   */
  public ClientGateway admitNodes(HostedMaps own, long grid) {
    nodes =
        new GatewayClients(
            "node",
            served.node(),
            host(own, GatewayMaps.Bounds.NODE, () -> served.report().of(connections.get())));
    Owner owner = new Owner(nodes, forwarders, NODES_MAX);
    return admitting(() -> port.admitForwarders(gridName, own.self(), grid, owner));
  }

  /** If others have the port for the same, this gateway ends. */
  private ClientGateway admitting(Runnable admission) {
    try {
      admission.run();
      return this;
    } catch (RuntimeException e) {
      end();
      throw e;
    }
  }

  /** Of all that are of one kind. */
  private final class Owner implements ConnectionOwner {
    private final GatewayClients of;
    private final AtomicInteger count;
    private final int most;

    Owner(GatewayClients of, AtomicInteger count, int most) {
      this.of = of;
      this.count = count;
      this.most = most;
    }

    @Override
    public EventLoop loop() {
      return loop;
    }

    @Override
    public String objection() {
      return count.get() < most
          ? null
          : "there are " + most + " connections of a " + of.who() + " already";
    }

    @Override
    public void own(ChannelHandlerContext context) {
      count.incrementAndGet();
      context.channel().closeFuture().addListener(done -> count.decrementAndGet());
      context
          .pipeline()
          .addLast(new ReadTimeoutHandler(SILENCE_SECONDS_MAX, TimeUnit.SECONDS))
          .addLast(new GatewayConnection(of, listener));
    }
  }

  /** Clients that are connected. */
  public int connections() {
    return connections.get();
  }

  /** Other nodes that are connected to use maps of this one. */
  public int forwarders() {
    return forwarders.get();
  }

  /** Closes all connections; what was under way has an unknown outcome for its client. */
  @Override
  public void close() {
    port.withdrawClients(gridName);
    port.withdrawForwarders(gridName);
    end();
  }

  private void end() {
    if (!ended.compareAndSet(false, true)) {
      return;
    }
    patient.shutdownNow();
    // In the one thread that all connections have.
    loops.execute(clients::close);
    GatewayClients others = nodes;
    if (others != null) {
      loops.execute(others::close);
    }
    loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
    port.close();
  }
}
