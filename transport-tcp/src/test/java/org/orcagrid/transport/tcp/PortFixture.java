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

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

/** A port with real sockets, and whoever connects to it. */
abstract class PortFixture {
  static final Hello.Shape SHAPE = new Hello.Shape(2, 2, 1, 1000);
  static final int FIRST_ANSWER = 1;

  final List<AutoCloseable> opened = new ArrayList<>();
  final ConcurrentLinkedQueue<String> refused = new ConcurrentLinkedQueue<>();
  final LinkListener listener =
      new LinkListener() {
        @Override
        public void onRefused(String address, String reason) {
          refused.add(reason);
        }
      };

  @TempDir Path folder;
  HostPort address;
  NodePort port;

  @AfterEach
  void close() throws Exception {
    for (int i = opened.size() - 1; i >= 0; i--) {
      opened.get(i).close();
    }
  }

  static IoKind kind(IoKind kind) {
    assumeTrue(kind == IoKind.NIO || IoKind.best() == IoKind.EPOLL, "there is no epoll here");
    return kind;
  }

  void open(IoKind kind, TlsSettings tls) throws IOException {
    open(kind, PortSecurity.ofTls(tls));
  }

  void open(IoKind kind, PortSecurity security) throws IOException {
    address = TcpTransportTest.freeAddresses(1).get(0);
    port = NodePort.of(address, security, kind(kind), listener);
    port.open();
    opened.add(port);
  }

  static void await(String what, BooleanSupplier done) {
    long begun = System.nanoTime();
    while (!done.getAsBoolean()) {
      assertTrue(System.nanoTime() - begun < TimeUnit.SECONDS.toNanos(60), what);
      LockSupport.parkNanos(1_000_000);
    }
  }

  // --- whoever connects --------------------------------------------------------------------------

  Socket connect() throws IOException {
    Socket socket = new Socket(address.host(), address.port());
    opened.add(socket);
    socket.setSoTimeout(60_000);
    socket.setTcpNoDelay(true);
    return socket;
  }

  static byte[] framed(Hello hello) {
    return framed(content(hello, null));
  }

  static ByteBuf content(Hello hello, byte[] nonce) {
    ByteBuf content = Unpooled.buffer();
    hello.write(content);
    Hello.writeProves(content, nonce);
    return content;
  }

  static byte[] framed(ByteBuf content) {
    ByteBuf all = Unpooled.buffer().writeInt(content.readableBytes()).writeBytes(content);
    byte[] bytes = new byte[all.readableBytes()];
    all.readBytes(bytes);
    return bytes;
  }

  static Hello client(String gridName) {
    return ConnectHandshake.clientHello(gridName);
  }

  static Hello node(String gridName, int from, int worker) {
    return new Hello(Hello.VERSION, Hello.Kind.NODE, gridName, from, 1 - from, worker, 0, SHAPE);
  }

  /** The kind of an answer, and its text unless it says yes. */
  record Told(int kind, String text) {}

  static Told answer(Socket socket) throws IOException {
    DataInputStream in = new DataInputStream(socket.getInputStream());
    byte[] content = in.readNBytes(in.readInt());
    return new Told(
        content[0],
        content[0] == FIRST_ANSWER ? "" : new String(content, 1, content.length - 1, UTF_8));
  }

  Told greet(Hello hello) throws IOException {
    Socket socket = connect();
    socket.getOutputStream().write(framed(hello));
    return answer(socket);
  }

  // --- an owner that returns what it gets --------------------------------------------------------

  /** Sends back whatever it gets, and says in which thread. */
  final class Echo implements ConnectionOwner {
    final EventLoopGroup loops;
    final AtomicReference<Thread> thread = new AtomicReference<>();
    volatile String objection;

    Echo(IoKind kind) {
      loops =
          new MultiThreadIoEventLoopGroup(
              1, new DefaultThreadFactory("owner", true), kind.handlers());
      opened.add(() -> loops.shutdownGracefully(0, 0, TimeUnit.SECONDS).awaitUninterruptibly());
    }

    @Override
    public EventLoop loop() {
      return loops.next();
    }

    @Override
    public String objection() {
      assertTrue(loops.next().inEventLoop());
      return objection;
    }

    @Override
    public void own(ChannelHandlerContext owned) {
      assertTrue(loops.next().inEventLoop());
      owned
          .pipeline()
          .addLast(
              new SimpleChannelInboundHandler<ByteBuf>() {
                @Override
                protected void channelRead0(ChannelHandlerContext context, ByteBuf in) {
                  assertSame(loops.next(), context.executor());
                  thread.set(Thread.currentThread());
                  Channels.writeAndFlush(context, in.retain());
                }
              });
    }
  }

  static byte[] noise(long seed, int length) {
    byte[] bytes = new byte[length];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  /** How nodes know each other. */
  enum Proof {
    NONE,
    TLS,
    SECRET
  }

  PortSecurity security(Proof proof) throws Exception {
    return switch (proof) {
      case NONE -> PortSecurity.NONE;
      case TLS -> PortSecurity.ofTls(TestCertificates.make(folder));
      case SECRET ->
          PortSecurity.NONE.withSecret(
              GridSecretTest.file(folder, "what all of them know", "rw-------"));
    };
  }
}
