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
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.SingleThreadEventExecutor;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.security.KeyStore;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.orcagrid.ddp.transport.Endpoint;
import org.orcagrid.transport.tcp.remote.ClientGateway;

/** A port with real sockets: clients, and the workers of two transports. */
@Timeout(120)
class NodePortTest extends PortFixture {
  private static void assertEchoes(Socket socket, byte[] sent) throws IOException {
    assertEquals(FIRST_ANSWER, answer(socket).kind());
    byte[] back = socket.getInputStream().readNBytes(sent.length);
    assertEquals(ByteBuffer.wrap(sent), ByteBuffer.wrap(back));
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
  void aConnectionWhoseOwnerIsClosingIsClosed(IoKind kind) throws Exception {
    open(kind, PortSecurity.NONE);
    port.admitClients("grid", new Closing(new Echo(kind), new AtomicBoolean()));
    assertEquals(-1, connectAndGreet().getInputStream().read(), "it is closed, not forgotten");
  }

  private Socket connectAndGreet() throws IOException {
    Socket socket = connect();
    socket.getOutputStream().write(framed(client("grid")));
    return socket;
  }

  /** An owner whose thread begins to end when a connection is on its way to it. */
  private record Closing(ConnectionOwner owner, AtomicBoolean begun) implements ConnectionOwner {
    @Override
    public EventLoop loop() {
      EventLoop loop = owner.loop();
      if (begun.compareAndSet(false, true)) {
        loop.execute(() -> closeBefore(loop));
      }
      return loop;
    }

    /** In the same turn of the loop in which the connection arrives, and before it. */
    private static void closeBefore(EventLoop loop) {
      await("it arrives", () -> ((SingleThreadEventExecutor) loop).pendingTasks() > 0);
      assertFalse(loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).isDone());
    }

    @Override
    public String objection() {
      return owner.objection();
    }

    @Override
    public void own(ChannelHandlerContext context) {
      owner.own(context);
    }
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

  /** As when memory ends: packets of so many bytes cannot be had. */
  @Test
  void aWorkerThatCannotBeOpenedGivesThePortBack() throws IOException {
    List<HostPort> both = TcpTransportTest.freeAddresses(2);
    address = both.get(0);
    port = NodePort.of(address, PortSecurity.NONE, IoKind.best(), listener);
    try (TcpTransport transport =
        new TcpTransport(
            new TcpSettings("grid", 0, both, 2, 1, Integer.MAX_VALUE), port, listener)) {
      assertThrows(IllegalArgumentException.class, () -> transport.open(0));
    }
    assertThrows(IOException.class, this::connect, "nobody listens");
  }

  @Test
  void aGatewayThatCannotBeOpenedGivesThePortBack() throws IOException {
    address = TcpTransportTest.freeAddresses(1).get(0);
    port = NodePort.of(address, PortSecurity.NONE, IoKind.best(), listener);
    port.refuseClients("grid");
    assertThrows(
        IllegalStateException.class,
        () ->
            new ClientGateway(
                    "grid",
                    port,
                    new ClientGateway.Served(null, null, null),
                    new DefaultThreadFactory("none"),
                    listener)
                .admitClients());
    assertThrows(IOException.class, this::connect, "nobody listens");
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
      assertTrue(greet(node("grid", 0, 3)).text().contains("it looks for worker 3"));
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
