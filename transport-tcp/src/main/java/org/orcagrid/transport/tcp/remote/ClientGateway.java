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
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.orcagrid.ddp.map.HostedMaps;
import org.orcagrid.ddp.node.SessionHost;
import org.orcagrid.transport.tcp.ConnectionOwner;
import org.orcagrid.transport.tcp.LinkListener;
import org.orcagrid.transport.tcp.NodePort;

/**
 * Takes the connections of a node's clients from its port. Its sessions are those of the node, and
 * bounded like them.
 */
public final class ClientGateway implements AutoCloseable {
  private static final int CONNECTIONS_MAX = 1024;
  private static final int SILENCE_SECONDS_MAX = 30;

  /** Threads that define and remove maps for clients and report; requests that wait for one. */
  private static final int PATIENT_THREADS = 4;

  private static final int PATIENT_WAITING_MAX = 1024;

  private final String gridName;
  private final NodePort port;
  private final GatewayClients clients;
  private final ThreadPoolExecutor patient;
  private final LinkListener listener;
  private final EventLoopGroup loops;
  private final AtomicInteger connections = new AtomicInteger();

  /**
   * What clients use of a node.
   *
   * @param node whose keys they use
   * @param maps of the same node
   * @param report what the node says of itself
   */
  public record Served(SessionHost node, HostedMaps maps, Report report) {}

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
   * Admits clients.
   *
   * @param gridName the grid's name; clients of another one are refused
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
    this.clients =
        new GatewayClients(
            served.node(),
            new GatewayMaps.Host(
                served.maps(),
                patient,
                new AtomicLong(),
                () -> served.report().of(Math.max(0, connections.get() - 1))));
    this.listener = listener;
    port.open();
    try {
      loops = new MultiThreadIoEventLoopGroup(1, threads, port.kind().handlers());
    } catch (RuntimeException | Error e) {
      port.close();
      throw e;
    }
    try {
      port.admitClients(gridName, new Owner(loops.next()));
    } catch (RuntimeException e) {
      end();
      throw e;
    }
  }

  /** Of all clients. */
  private final class Owner implements ConnectionOwner {
    private final EventLoop loop;

    Owner(EventLoop loop) {
      this.loop = loop;
    }

    @Override
    public EventLoop loop() {
      return loop;
    }

    @Override
    public String objection() {
      return connections.get() < CONNECTIONS_MAX
          ? null
          : "there are " + CONNECTIONS_MAX + " clients already";
    }

    @Override
    public void own(ChannelHandlerContext context) {
      connections.incrementAndGet();
      context.channel().closeFuture().addListener(done -> connections.decrementAndGet());
      context
          .pipeline()
          .addLast(new ReadTimeoutHandler(SILENCE_SECONDS_MAX, TimeUnit.SECONDS))
          .addLast(new GatewayConnection(clients, listener));
    }
  }

  /** Clients that are connected. */
  public int connections() {
    return connections.get();
  }

  /** Closes all connections; what was under way has an unknown outcome for its client. */
  @Override
  public void close() {
    port.withdrawClients(gridName);
    end();
  }

  private void end() {
    patient.shutdownNow();
    if (!loops.isShuttingDown()) {
      // In the one thread that all connections have.
      loops.execute(clients::close);
    }
    loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
    port.close();
  }
}
