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
package org.orcagrid.transport.tcp;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.ManualIoEventLoop;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.Future;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.orcagrid.ddp.transport.Endpoint;
import org.orcagrid.ddp.transport.PacketHandler;

/**
 * A worker's links. The worker's thread runs the event loop, so that a packet goes from the socket
 * to the state machine without changing threads.
 *
 * <p>Of two nodes the one with the lower number connects.
 */
final class TcpEndpoint implements Endpoint {
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private final TcpTransport transport;
  private final TcpSettings settings;
  private final int worker;
  private final int packetBytesMax;
  private final LinkListener listener;
  private final ManualIoEventLoop loop;
  private final PeerLink[] links;

  /** How often it was told where nodes are. */
  private int tellings;

  private boolean started;
  private boolean closed;
  private long now;
  private long lookedAt;
  private PacketHandler handler;
  private int received;
  private Throwable fault;

  private volatile boolean waiting;
  private volatile boolean woken;

  /** The endpoint of a worker, or of the thread beside them, whose number is the next one. */
  TcpEndpoint(TcpTransport transport, int worker, int packetBytesMax) {
    this.transport = transport;
    this.packetBytesMax = packetBytesMax;
    this.settings = transport.settings();
    this.worker = worker;
    this.listener = transport.listener();
    this.links = new PeerLink[settings.nodes().size()];
    for (int peer = 0; peer < links.length; peer++) {
      links[peer] = peer == settings.self() ? null : new PeerLink(this, peer, packetBytesMax);
    }
    // Last: it has to be given back, and the memory of links has not.
    this.loop =
        new ManualIoEventLoop(null, transport.port().kind().handlers()) {
          @Override
          protected boolean canBlock() {
            return !woken;
          }
        };
  }

  // --- for the links -----------------------------------------------------------------------------

  EventLoop loop() {
    return loop;
  }

  int worker() {
    return worker;
  }

  long now() {
    return now;
  }

  LinkListener listener() {
    return listener;
  }

  HostPort address(int peer) {
    return transport.address(peer);
  }

  void onPacket(int from, ByteBuffer packet, int length) {
    received++;
    if (fault == null) {
      handler.onPacket(from, packet, length);
    }
  }

  void onBadPacket(int from, String reason) {
    transport.countBadPacket();
    listener.onBadPacket(from, worker, reason);
  }

  void onRefused(int peer, String reason) {
    transport.port().onPeerRefused(String.valueOf(address(peer)), reason);
  }

  void onFault(Throwable cause) {
    fault = cause;
  }

  /** Begins to connect; the link is told of the end. Null if it is not known yet where. */
  Channel connect(PeerLink link) {
    HostPort address = address(link.peer());
    if (address == null) {
      return null;
    }
    InetSocketAddress resolved = transport.resolved(address);
    if (resolved == null) {
      return null;
    }
    Bootstrap bootstrap =
        transport
            .port()
            .kind()
            .connecting(loop)
            // Links look after their own time: a scheduled task would keep the worker awake.
            .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, 0)
            .handler(
                new ChannelInitializer<SocketChannel>() {
                  @Override
                  protected void initChannel(SocketChannel channel) {
                    addTls(channel, address);
                    channel.pipeline().addLast(handshake(link));
                  }
                });
    ChannelFuture opening = bootstrap.connect(resolved);
    opening.addListener(
        done -> {
          if (!done.isSuccess()) {
            transport.forget(address);
            link.onConnectFailed(opening.channel(), String.valueOf(done.cause()), false);
          }
        });
    return opening.channel();
  }

  private ConnectHandshake handshake(PeerLink link) {
    return new ConnectHandshake(
        transport.hello(link.peer(), worker),
        transport.port().secret(),
        context -> open(context, link),
        (context, refusal) ->
            link.onConnectFailed(context.channel(), refusal.reason(), !refusal.passing()));
  }

  private void open(ChannelHandlerContext context, PeerLink link) {
    context.pipeline().addLast(new PacketReader(link, packetBytesMax));
    link.onUp(context.channel());
  }

  private void addTls(SocketChannel channel, HostPort peer) {
    SslContext tls = transport.port().clientTls();
    if (tls != null) {
      SslHandler handler = tls.newHandler(channel.alloc(), peer.host(), peer.port());
      handler.setHandshakeTimeoutMillis(0);
      channel.pipeline().addLast(handler);
    }
  }

  // --- being connected to ------------------------------------------------------------------------

  /** A peer's connection to this worker; asked for in the port's thread. */
  ConnectionOwner ownerFor(Hello hello) {
    return new ConnectionOwner() {
      @Override
      public EventLoop loop() {
        return loop;
      }

      @Override
      public String objection() {
        return null;
      }

      @Override
      public void own(ChannelHandlerContext context) {
        open(context, links[hello.from()]);
      }
    };
  }

  private void start() {
    started = true;
    loop.setOwningThread(Thread.currentThread());
    transport.onEndpoint(worker, this);
  }

  // --- the worker's side -------------------------------------------------------------------------

  @Override
  public int packetBytesMax() {
    return packetBytesMax;
  }

  @Override
  public ByteBuffer claim(int peer) {
    return links[peer].claim();
  }

  @Override
  public void send(int peer, int length) {
    links[peer].send(length);
  }

  @Override
  public int poll(PacketHandler packets, int packetsMax) {
    handler = packets;
    received = 0;
    if (!started) {
      start();
    }
    now = System.nanoTime();
    loop.runNow();
    if (now - lookedAt >= LOOK_NANOS) {
      lookedAt = now;
      look();
    }
    throwFault();
    return received;
  }

  private void throwFault() {
    if (fault != null) {
      throw fault instanceof RuntimeException unchecked
          ? unchecked
          : new IllegalStateException("A connection's handler has failed", fault);
    }
  }

  private void look() {
    int told = transport.tellings();
    boolean areTold = told != tellings;
    tellings = told;
    for (PeerLink link : links) {
      if (link != null) {
        if (areTold) {
          link.retryNow();
        }
        link.look(settings.self() < link.peer());
      }
    }
  }

  @Override
  public void await(long nanosMax) {
    waiting = true;
    // Whoever sets woken after this sees that somebody waits.
    if (!woken) {
      loop.run(Math.min(nanosMax, LOOK_NANOS));
    }
    waiting = false;
    woken = false;
  }

  @Override
  public void wakeUp() {
    if (!woken) {
      woken = true;
      if (waiting) {
        loop.wakeup();
      }
    }
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    if (started) {
      transport.onEndpoint(worker, null);
    } else {
      loop.setOwningThread(Thread.currentThread());
    }
    for (PeerLink link : links) {
      if (link != null) {
        link.close();
      }
    }
    Future<?> ended = loop.shutdownGracefully(0, 0, TimeUnit.SECONDS);
    while (!ended.isDone()) {
      loop.runNow();
    }
    transport.port().close();
  }
}
