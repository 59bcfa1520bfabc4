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
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;

/** How a process waits for its sockets. */
public enum IoKind {
  /** The JDK's selectors. */
  NIO {
    @Override
    public IoHandlerFactory handlers() {
      return NioIoHandler.newFactory();
    }

    @Override
    Class<? extends ServerChannel> serverChannel() {
      return NioServerSocketChannel.class;
    }

    @Override
    Class<? extends SocketChannel> channel() {
      return NioSocketChannel.class;
    }
  },
  /** Linux' epoll, through Netty's native library. */
  EPOLL {
    @Override
    public IoHandlerFactory handlers() {
      return EpollIoHandler.newFactory();
    }

    @Override
    Class<? extends ServerChannel> serverChannel() {
      return EpollServerSocketChannel.class;
    }

    @Override
    Class<? extends SocketChannel> channel() {
      return EpollSocketChannel.class;
    }
  };

  private static final int READ_BYTES = 64 * 1024;
  private static final String LIBRARY = "META-INF/native/libnetty_transport_native_epoll_x86_64.so";

  /**
   * The best there is. Native code is looked for only where its jar is on the class path: a JVM of
   * 24 or later warns of every attempt to load some.
   */
  public static IoKind best() {
    boolean onClassPath = IoKind.class.getClassLoader().getResource(LIBRARY) != null;
    return onClassPath && Epoll.isAvailable() ? EPOLL : NIO;
  }

  /** Makes what runs an event loop. */
  public abstract IoHandlerFactory handlers();

  abstract Class<? extends ServerChannel> serverChannel();

  abstract Class<? extends SocketChannel> channel();

  /** What listens: only what its connections do is left to be said. */
  public ServerBootstrap listening(EventLoopGroup loops) {
    return new ServerBootstrap()
        .group(loops)
        .channel(serverChannel())
        .option(ChannelOption.SO_REUSEADDR, true)
        .childOption(ChannelOption.TCP_NODELAY, true)
        .childOption(ChannelOption.SO_KEEPALIVE, true)
        .childOption(ChannelOption.RECVBUF_ALLOCATOR, new FixedRecvByteBufAllocator(READ_BYTES));
  }

  /** What connects: only what the connection does is left to be said. */
  public Bootstrap connecting(EventLoopGroup loops) {
    return new Bootstrap()
        .group(loops)
        .channel(channel())
        .option(ChannelOption.TCP_NODELAY, true)
        .option(ChannelOption.SO_KEEPALIVE, true)
        .option(ChannelOption.RECVBUF_ALLOCATOR, new FixedRecvByteBufAllocator(READ_BYTES));
  }
}
