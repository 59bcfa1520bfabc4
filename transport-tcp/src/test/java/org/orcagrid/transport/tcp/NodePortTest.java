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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
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
import java.io.OutputStream;
import java.net.Inet4Address;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.orcagrid.ddp.transport.Endpoint;

/** A port with real sockets: strangers, clients, and the workers of two transports. */
@Timeout(120)
class NodePortTest {
  private static final Hello.Shape SHAPE = new Hello.Shape(2, 2, 1, 1000);
  private static final int FIRST_ANSWER = 1;

  private final List<AutoCloseable> opened = new ArrayList<>();
  private final ConcurrentLinkedQueue<String> refused = new ConcurrentLinkedQueue<>();
  private final LinkListener listener =
      new LinkListener() {
        @Override
        public void onRefused(String address, String reason) {
          refused.add(reason);
        }
      };

  @TempDir private Path folder;
  private HostPort address;
  private NodePort port;

  @AfterEach
  void close() throws Exception {
    for (int i = opened.size() - 1; i >= 0; i--) {
      opened.get(i).close();
    }
  }

  private static IoKind kind(IoKind kind) {
    assumeTrue(kind == IoKind.NIO || IoKind.best() == IoKind.EPOLL, "there is no epoll here");
    return kind;
  }

  private void open(IoKind kind, TlsSettings tls) throws IOException {
    open(kind, PortSecurity.ofTls(tls));
  }

  private void open(IoKind kind, PortSecurity security) throws IOException {
    address = TcpTransportTest.freeAddresses(1).get(0);
    port = NodePort.of(address, security, kind(kind), listener);
    port.open();
    opened.add(port);
  }

  private static void await(String what, BooleanSupplier done) {
    long begun = System.nanoTime();
    while (!done.getAsBoolean()) {
      assertTrue(System.nanoTime() - begun < TimeUnit.SECONDS.toNanos(60), what);
      LockSupport.parkNanos(1_000_000);
    }
  }

  // --- whoever connects --------------------------------------------------------------------------

  private Socket connect() throws IOException {
    Socket socket = new Socket(address.host(), address.port());
    opened.add(socket);
    socket.setSoTimeout(60_000);
    socket.setTcpNoDelay(true);
    return socket;
  }

  private static byte[] framed(Hello hello) {
    return framed(content(hello, null));
  }

  private static ByteBuf content(Hello hello, byte[] nonce) {
    ByteBuf content = Unpooled.buffer();
    hello.write(content);
    Hello.writeProves(content, nonce);
    return content;
  }

  private static byte[] framed(ByteBuf content) {
    ByteBuf all = Unpooled.buffer().writeInt(content.readableBytes()).writeBytes(content);
    byte[] bytes = new byte[all.readableBytes()];
    all.readBytes(bytes);
    return bytes;
  }

  private static Hello client(String cluster) {
    return ConnectHandshake.clientHello(cluster);
  }

  private static Hello node(String cluster, int from, int worker) {
    return new Hello(Hello.VERSION, Hello.Kind.NODE, cluster, from, 1 - from, worker, 1, SHAPE);
  }

  /** The kind of an answer, and its text unless it says yes. */
  private record Told(int kind, String text) {}

  private static Told answer(Socket socket) throws IOException {
    DataInputStream in = new DataInputStream(socket.getInputStream());
    byte[] content = in.readNBytes(in.readInt());
    return new Told(
        content[0],
        content[0] == FIRST_ANSWER
            ? ""
            : new String(content, 1, content.length - 1, StandardCharsets.UTF_8));
  }

  private Told greet(Hello hello) throws IOException {
    Socket socket = connect();
    socket.getOutputStream().write(framed(hello));
    return answer(socket);
  }

  // --- an owner that returns what it gets --------------------------------------------------------

  /** Sends back whatever it gets, and says in which thread. */
  private final class Echo implements ConnectionOwner {
    private final EventLoopGroup loops;
    private final AtomicReference<Thread> thread = new AtomicReference<>();
    private volatile String objection;

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

  private static void assertEchoes(Socket socket, byte[] sent) throws IOException {
    assertEquals(FIRST_ANSWER, answer(socket).kind());
    byte[] back = socket.getInputStream().readNBytes(sent.length);
    assertEquals(ByteBuffer.wrap(sent), ByteBuffer.wrap(back));
  }

  private static byte[] noise(long seed, int length) {
    byte[] bytes = new byte[length];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  private static byte[] joined(byte[] first, byte[] second) {
    return ByteBuffer.allocate(first.length + second.length).put(first).put(second).array();
  }

  @ParameterizedTest
  @EnumSource(IoKind.class)
  void whatFollowsTheGreetingAtOnceReachesTheOwnersThread(IoKind kind) throws Exception {
    open(kind, PortSecurity.NONE);
    Echo echo = new Echo(kind);
    port.admitClients("grid", echo);
    for (int round = 0; round < 200; round++) {
      byte[] data = noise(round, 1 + 700 * round);
      Socket socket = connect();
      Thread writer = writing(socket, joined(framed(client("grid")), data));
      assertEchoes(socket, data);
      writer.join();
      assertTrue(echo.thread.get().getName().startsWith("owner"), echo.thread.get()::toString);
      socket.close();
    }
    assertTrue(refused.isEmpty(), refused::toString);
  }

  /** What is echoed has to be read meanwhile. */
  private Thread writing(Socket socket, byte[] bytes) {
    Thread thread =
        new Thread(
            () -> {
              try {
                socket.getOutputStream().write(bytes);
              } catch (IOException e) {
                refused.add("the test cannot write: " + e);
              }
            });
    thread.start();
    return thread;
  }

  @ParameterizedTest
  @EnumSource(IoKind.class)
  void theSameUnderTls(IoKind kind) throws Exception {
    TlsSettings tls = TestCertificates.make(folder);
    open(kind, tls);
    port.admitClients("grid", new Echo(kind));
    SSLContext context = context(tls);
    for (int round = 0; round < 50; round++) {
      byte[] data = noise(round, 1 + 3000 * round);
      Socket socket =
          context.getSocketFactory().createSocket(connect(), address.host(), address.port(), true);
      Thread writer = writing(socket, joined(framed(client("grid")), data));
      assertEchoes(socket, data);
      writer.join();
      socket.close();
    }
    assertTrue(refused.isEmpty(), refused::toString);
  }

  private static SSLContext context(TlsSettings tls) throws Exception {
    char[] password = tls.keyStorePassword().toCharArray();
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(KeyStore.getInstance(tls.keyStore().toFile(), password), password);
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(KeyStore.getInstance(tls.trustStore().toFile(), password));
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
    return context;
  }

  @ParameterizedTest
  @EnumSource(IoKind.class)
  void aGreetingMayComeByteByByte(IoKind kind) throws Exception {
    open(kind, PortSecurity.NONE);
    port.admitClients("grid", new Echo(kind));
    Socket socket = connect();
    byte[] data = noise(1, 20);
    OutputStream out = socket.getOutputStream();
    for (byte each : joined(framed(client("grid")), data)) {
      out.write(each);
      out.flush();
    }
    assertEchoes(socket, data);
  }

  // --- who is refused ----------------------------------------------------------------------------

  @Test
  void whoeverIsForNobodyHereIsToldSo() throws IOException {
    open(IoKind.best(), PortSecurity.NONE);
    assertEquals(new Told(2, "it is starting, or ending"), greet(client("grid")));
    assertTrue(refused.isEmpty(), "that is no news");
    port.refuseClients("grid");
    assertTrue(greet(client("grid")).text().contains("takes no clients"));
    port.withdrawClients("grid");
    Echo echo = new Echo(IoKind.best());
    port.admitClients("grid", echo);
    assertThrows(IllegalStateException.class, () -> port.admitClients("grid", echo));
    port.admitClients("second", echo);
    assertEquals(
        new Told(0, "it belongs to the grid \"other\", and this node to \"grid\" and \"second\""),
        greet(client("other")));
    Hello later = new Hello(Hello.VERSION + 1, Hello.Kind.CLIENT, "grid", -1, -1, 0, 0, SHAPE);
    assertTrue(greet(later).text().contains("run the same release on both"));
    echo.objection = "there is no room";
    assertEquals(new Told(0, "there is no room"), greet(client("grid")));
    await("it is told", () -> refused.contains("refused: there is no room"));
    echo.objection = null;
    assertEquals(FIRST_ANSWER, greet(client("grid")).kind());
  }

  /** An address of this host that is not loopback; null if it has none. */
  private static HostPort reachableAddress() throws IOException {
    return NetworkInterface.networkInterfaces()
        .flatMap(NetworkInterface::inetAddresses)
        .filter(each -> each instanceof Inet4Address && !each.isLoopbackAddress())
        .map(
            each ->
                new HostPort(
                    each.getHostAddress(), TcpTransportTest.freeAddresses(1).get(0).port()))
        .findFirst()
        .orElse(null);
  }

  @Test
  void nodesOfOtherHostsHaveToProveWhoTheyAre() throws Exception {
    address = reachableAddress();
    assumeTrue(address != null, "this host has no address but loopback");
    for (Proof proof : new Proof[] {Proof.NONE, Proof.SECRET}) {
      port = NodePort.of(address, security(proof), IoKind.best(), listener);
      port.open();
      opened.add(port);
      Told told = greet(node("grid", 0, 0));
      assertEquals(0, told.kind());
      String text = proof == Proof.NONE ? "set grid.tls.keystore or grid.secret.file" : "no secret";
      assertTrue(told.text().contains(text), told.text());
      assertEquals(2, greet(client("grid")).kind(), "clients may");
      opened.remove(port);
      port.close();
    }
  }

  @Test
  void noiseEndsItsOwnConnection() throws IOException {
    open(IoKind.best(), PortSecurity.NONE);
    port.admitClients("grid", new Echo(IoKind.best()));
    for (int round = 0; round < 300; round++) {
      Socket socket = connect();
      socket.getOutputStream().write(noise(round, 2000));
      try {
        // To the end: it is closed.
        socket.getInputStream().readAllBytes();
      } catch (IOException e) {
        // It was reset, as not all of it was read.
        assertTrue(e.getMessage().contains("reset"), e.getMessage());
      }
      socket.close();
    }
    await("each is told of", () -> refused.size() == 300);
    assertEquals(FIRST_ANSWER, greet(client("grid")).kind());
  }

  @ParameterizedTest
  @EnumSource(IoKind.class)
  void aThousandWhoSayNothingKeepNobodyOut(IoKind kind) throws IOException {
    open(kind, PortSecurity.NONE);
    port.admitClients("grid", new Echo(kind));
    int silent = 1000;
    for (int i = 0; i < silent; i++) {
      Socket socket = new Socket();
      opened.add(socket);
      socket.connect(new InetSocketAddress(address.host(), address.port()));
    }
    assertEquals(FIRST_ANSWER, greet(client("grid")).kind());
    String crowded = "refused: it has not greeted, and 256 others wait to do so";
    long given = refused.stream().filter(crowded::equals).count();
    assertTrue(given >= silent + 1 - NodePort.GREETINGS_MAX, "given up: " + given);
    // The rest has its time, and no more.
    await("all have ended", () -> refused.size() == silent);
    String late = "refused: it has not greeted in 5000 ms";
    assertEquals(silent, given + refused.stream().filter(late::equals).count());
  }

  // --- who listens -------------------------------------------------------------------------------

  @Test
  void itListensWhileAnybodyHasItOpen() throws IOException {
    open(IoKind.best(), PortSecurity.NONE);
    port.open();
    port.close();
    assertEquals(2, greet(client("grid")).kind());
    NodePort other = NodePort.of(address, PortSecurity.NONE, IoKind.best(), listener);
    IOException e = assertThrows(IOException.class, other::open);
    assertTrue(e.getMessage().startsWith("Nothing can listen at " + address), e.getMessage());
    opened.remove(port);
    port.close();
    assertThrows(IOException.class, this::connect);
    other.open();
    opened.add(other);
    assertEquals(2, greet(client("grid")).kind());
  }

  /** A worker in a thread of its own that returns every packet. */
  private void run(Endpoint endpoint) {
    AtomicBoolean ended = new AtomicBoolean();
    Thread thread =
        new Thread(
            () -> {
              while (!ended.get()) {
                endpoint.poll(
                    (from, packet, length) -> {
                      ByteBuffer back = endpoint.claim(from);
                      if (back != null) {
                        back.putLong(0, packet.getLong(0));
                        endpoint.send(from, length);
                      }
                    },
                    10);
                endpoint.await(1_000_000);
              }
              endpoint.close();
            });
    thread.start();
    opened.add(
        () -> {
          ended.set(true);
          thread.join();
        });
  }

  /** How nodes know each other. */
  private enum Proof {
    NONE,
    TLS,
    SECRET
  }

  private PortSecurity security(Proof proof) throws Exception {
    return switch (proof) {
      case NONE -> PortSecurity.NONE;
      case TLS -> PortSecurity.ofTls(TestCertificates.make(folder));
      case SECRET ->
          PortSecurity.NONE.withSecret(
              GridSecretTest.file(folder, "what all of them know", "rw-------"));
    };
  }

  @ParameterizedTest
  @CsvSource({"NIO,NONE", "NIO,TLS", "NIO,SECRET", "EPOLL,NONE", "EPOLL,TLS", "EPOLL,SECRET"})
  void theWorkersOfTwoTransportsShareAPort(IoKind kind, Proof proof) throws Exception {
    PortSecurity security = security(proof);
    open(kind, security);
    port.admitClients("grid", new Echo(kind));
    HostPort far = TcpTransportTest.freeAddresses(1).get(0);
    NodePort farPort = NodePort.of(far, security, kind, listener);
    for (String grid : List.of("grid", "grid/maps")) {
      // The one with the lower number connects: the shared port is that of the other.
      List<HostPort> both = List.of(far, address);
      TcpTransport near =
          new TcpTransport(new TcpSettings(grid, 1, both, 2, 1, 1000), port, listener);
      TcpTransport there =
          new TcpTransport(new TcpSettings(grid, 0, both, 2, 1, 1000), farPort, listener);
      for (int worker = 0; worker < 2; worker++) {
        run(near.open(worker));
        long mark = grid.hashCode() * 2L + worker;
        exchange(there.open(worker), mark);
      }
    }
    assertTrue(refused.isEmpty(), refused::toString);
    Hello stranger = node("third", 0, 0);
    if (proof == Proof.SECRET) {
      assertTrue(greet(stranger).text().contains("it has no secret"));
      assertEquals(FIRST_ANSWER, greet(client("grid")).kind(), "a client needs none");
    } else if (proof == Proof.NONE) {
      assertEquals(
          new Told(
              0, "it belongs to the grid \"third\", and this node to \"grid\" and \"grid/maps\""),
          greet(stranger));
      assertTrue(greet(node("grid", 0, 2)).text().contains("it looks for worker 2"));
      assertEquals(FIRST_ANSWER, greet(client("grid")).kind());
    }
  }

  /** Sends until an answer is there. */
  private void exchange(Endpoint endpoint, long mark) {
    boolean[] back = new boolean[1];
    long[] sentAt = {System.nanoTime()};
    await(
        "an answer",
        () -> {
          ByteBuffer packet = endpoint.claim(1);
          if (packet != null && System.nanoTime() - sentAt[0] > 10_000_000) {
            packet.putLong(0, mark);
            endpoint.send(1, Long.BYTES);
            sentAt[0] = System.nanoTime();
          }
          endpoint.poll(
              (from, answer, length) -> {
                assertEquals(mark, answer.getLong(0), "of this worker and transport");
                back[0] = true;
              },
              10);
          return back[0];
        });
    opened.add(endpoint);
  }
}
