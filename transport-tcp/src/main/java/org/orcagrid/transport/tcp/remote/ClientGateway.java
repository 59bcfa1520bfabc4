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

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.timeout.ReadTimeoutHandler;
import java.io.IOException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.orcagrid.ddp.node.GridNode;
import org.orcagrid.transport.tcp.AcceptHandshake;
import org.orcagrid.transport.tcp.Channels;
import org.orcagrid.transport.tcp.HostPort;
import org.orcagrid.transport.tcp.IoKind;
import org.orcagrid.transport.tcp.LinkListener;
import org.orcagrid.transport.tcp.TlsSettings;

/** Where a node's clients connect. Its sessions are those of the node, and bounded like them. */
public final class ClientGateway implements AutoCloseable {
  private static final int CONNECTIONS_MAX = 1024;
  private static final int SILENCE_SECONDS_MAX = 30;

  private final EventLoopGroup loops;
  private final Channel channel;
  private final AtomicInteger connections = new AtomicInteger();

  /**
   * What a gateway needs to know.
   *
   * @param cluster the grid's name; clients of another one are refused
   * @param address where to listen
   * @param tls null for connections that anyone can open and read
   */
  public record Settings(String cluster, HostPort address, TlsSettings tls) {}

  /**
   * Listens.
   *
   * @throws IOException if nothing can listen there
   */
  public ClientGateway(
      Settings settings, GridNode node, IoKind kind, ThreadFactory threads, LinkListener listener)
      throws IOException {
    SslContext tls = settings.tls() == null ? null : settings.tls().server();
    loops = new MultiThreadIoEventLoopGroup(1, threads, kind.handlers());
    ServerBootstrap bootstrap =
        kind.listening(loops)
            .childHandler(
                new ChannelInitializer<SocketChannel>() {
                  @Override
                  protected void initChannel(SocketChannel accepted) {
                    accept(accepted, settings, tls, node, listener);
                  }
                });
    ChannelFuture bound = bootstrap.bind(settings.address().resolve()).awaitUninterruptibly();
    if (!bound.isSuccess()) {
      close(null);
      throw new IOException(
          "Clients cannot be listened for at " + settings.address() + ": " + bound.cause(),
          bound.cause());
    }
    channel = bound.channel();
  }

  private void accept(
      SocketChannel accepted,
      Settings settings,
      SslContext tls,
      GridNode node,
      LinkListener listener) {
    if (connections.incrementAndGet() > CONNECTIONS_MAX) {
      connections.decrementAndGet();
      listener.onRefused(
          String.valueOf(accepted.remoteAddress()),
          "refused: there are " + CONNECTIONS_MAX + " clients already");
      Channels.close(accepted);
      return;
    }
    accepted.closeFuture().addListener(done -> connections.decrementAndGet());
    if (tls != null) {
      accepted.pipeline().addLast(tls.newHandler(accepted.alloc()));
    }
    accepted
        .pipeline()
        .addLast(new ReadTimeoutHandler(SILENCE_SECONDS_MAX, TimeUnit.SECONDS))
        .addLast(
            AcceptHandshake.ofClients(
                settings.cluster(), (context, from) -> greeted(context, node, listener), listener));
  }

  private static void greeted(ChannelHandlerContext context, GridNode node, LinkListener listener) {
    context.pipeline().addLast(new GatewayConnection(node, listener));
  }

  /** Clients that are connected. */
  public int connections() {
    return connections.get();
  }

  /** Closes all connections; what was under way has an unknown outcome for its client. */
  @Override
  public void close() {
    close(channel);
  }

  private void close(Channel listening) {
    if (listening != null) {
      listening.close().awaitUninterruptibly();
    }
    loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
  }
}
