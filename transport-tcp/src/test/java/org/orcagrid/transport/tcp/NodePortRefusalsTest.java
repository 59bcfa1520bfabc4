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
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Inet4Address;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whom a port refuses, and how many of whom it knows nothing it bears. */
@Timeout(120)
class NodePortRefusalsTest extends PortFixture {
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
  void onlyWhoeverIsAskedForAProofListensWhereOtherHostsConnect() throws Exception {
    address = reachableAddress();
    assumeTrue(address != null, "this host has no address but loopback");
    HostPort anywhere = new HostPort("0.0.0.0", address.port());
    for (HostPort each : List.of(address, anywhere)) {
      NodePort unproved = NodePort.of(each, PortSecurity.NONE, IoKind.best(), listener);
      IOException e = assertThrows(IOException.class, unproved::open);
      assertTrue(e.getMessage().startsWith("Cannot listen at " + each), e::getMessage);
      assertTrue(e.getMessage().contains("set grid.tls.keystore or grid.secret.file"));
    }
    assertThrows(IOException.class, this::connect, "nobody listens");
    for (Proof proof : new Proof[] {Proof.TLS, Proof.SECRET}) {
      port = NodePort.of(address, security(proof), IoKind.best(), listener);
      port.open();
      opened.add(port);
      if (proof == Proof.SECRET) {
        port.admitClients("grid", new Echo(IoKind.best()));
        assertTrue(greet(node("grid", 0, 0)).text().contains("no secret"));
        assertEquals(FIRST_ANSWER, greet(client("grid")).kind(), "clients may");
      }
      opened.remove(port);
      port.close();
    }
  }

  @Test
  void noiseEndsItsOwnConnection() throws IOException {
    open(IoKind.best(), PortSecurity.NONE);
    port.admitClients("grid", new Echo(IoKind.best()));
    long begun = System.nanoTime();
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
    await("each is counted", () -> port.refused() == 300);
    assertEquals(FIRST_ANSWER, greet(client("grid")).kind());
    // Of each reason, the first one and what the end of each second tells: not 300 lines.
    int reasons = 4;
    long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begun) + 1;
    assertTrue(refused.size() <= reasons * (1 + seconds), () -> refused.size() + " " + refused);
    await("the rest is told of", () -> refused.stream().anyMatch(each -> each.contains(" more)")));
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
    long given = port.refused();
    assertTrue(given >= silent + 1 - Greetings.GREETING_MAX, "given up: " + given);
    // The rest has its time, and no more.
    await("all have ended", () -> port.refused() == silent);
    String crowded = "refused: it has not greeted, and 256 others wait to do so";
    String late = "refused: it has not greeted in 5000 ms";
    for (String reason : List.of(crowded, late)) {
      assertTrue(refused.stream().anyMatch(each -> each.startsWith(reason)), reason);
    }
  }

  /** Only the owner's thread can take or end those who are on their way to it. */
  @ParameterizedTest
  @EnumSource(IoKind.class)
  void whoWaitsForAThreadThatStandsStillTakesNobodysPlace(IoKind kind) throws Exception {
    open(kind, PortSecurity.NONE);
    Echo still = new Echo(kind);
    port.admitClients("grid", still);
    port.admitClients("second", new Echo(kind));
    CountDownLatch goesOn = new CountDownLatch(1);
    opened.add(goesOn::countDown);
    still.loops.execute(() -> await("it goes on", () -> goesOn.getCount() == 0));
    int more = 40;
    List<Socket> waiting = new ArrayList<>();
    for (int i = 0; i < Greetings.LEAVING_MAX + more; i++) {
      Socket socket = connect();
      socket.getOutputStream().write(framed(client("grid")));
      waiting.add(socket);
    }
    await("there is a bound", () -> waiting.stream().filter(this::isAnswered).count() == more);
    for (Socket each : waiting) {
      if (isAnswered(each)) {
        assertEquals(new Told(2, "it has too much to do"), answer(each));
      }
    }
    Socket slow = connect();
    for (int i = 0; i < 10; i++) {
      assertEquals(FIRST_ANSWER, greet(client("second")).kind());
    }
    slow.getOutputStream().write(framed(client("second")));
    assertEquals(FIRST_ANSWER, answer(slow).kind(), "nobody has taken its place");
    goesOn.countDown();
    await("there is room again", () -> isAccepted(client("grid")));
    assertTrue(refused.isEmpty(), refused::toString);
  }

  private boolean isAnswered(Socket socket) {
    try {
      return socket.getInputStream().available() > 0;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private boolean isAccepted(Hello hello) {
    try {
      return greet(hello).kind() == FIRST_ANSWER;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  // --- what strangers say, and are told ----------------------------------------------------------

  @Test
  void whatStrangersSayMakesNoLineOfALog() throws IOException {
    open(IoKind.best(), PortSecurity.NONE);
    port.admitClients("grid", new Echo(IoKind.best()));
    greet(client("g\n2026-11-23 ERROR \u001b[2J"));
    await("it is told", () -> refused.size() == 1);
    assertEquals(
        "refused: it belongs to the grid \"g\\u000a2026-11-23 ERROR \\u001b[2J\", and this node"
            + " to \"grid\"",
        refused.poll());
    connect().getOutputStream().write(framed(client("g".repeat(65))));
    await("it is told", () -> refused.size() == 1);
    assertEquals("refused: the name of its grid is longer than 64 characters", refused.poll());
  }

  @Test
  void whoSpeaksNoTlsIsNotQuoted() throws Exception {
    open(IoKind.best(), TestCertificates.make(folder));
    connect().getOutputStream().write("GET / HTTP/1.1\r\n".repeat(100).getBytes(UTF_8));
    await("it is told", () -> !refused.isEmpty());
    String told = refused.poll();
    assertTrue(told.startsWith("refused: what came is no TLS; set grid.tls.keystore"), told);
  }

  @Test
  void onlyWhoeverHasProvedSomethingIsToldWhichGridThisIs() throws Exception {
    PortSecurity security = security(Proof.SECRET);
    open(IoKind.best(), security);
    port.admitClients("the grid's name", new Echo(IoKind.best()));
    String wrong = "it belongs to the grid \"other\", and this node to ";
    assertEquals(new Told(0, wrong + "another one; check grid.name"), greet(client("other")));
    GridSecret secret = GridSecret.read(security.secretFile());
    ByteBuf content = content(client("other"), secret.nonce());
    byte[] greeting = ByteBufUtil.getBytes(content);
    Socket socket = connect();
    socket.getOutputStream().write(framed(content));
    DataInputStream in = new DataInputStream(socket.getInputStream());
    byte[] challenge = in.readNBytes(in.readInt());
    byte[] nonce = Arrays.copyOfRange(challenge, 1, challenge.length);
    byte[] proof = secret.proof(GridSecret.Side.CONNECTS, nonce, greeting, 0);
    socket.getOutputStream().write(framed(Unpooled.wrappedBuffer(proof)));
    assertEquals(new Told(0, wrong + "\"the grid's name\""), answer(socket));
  }
}
