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
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.EventLoop;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Both sides of a handshake with a secret, and whoever is between them, on channels in memory. */
class SecretHandshakeTest {
  private static final Hello.Shape SHAPE = new Hello.Shape(3, 1, 16, 16_384);
  private static final Hello GREETING =
      new Hello(Hello.VERSION, Hello.Kind.NODE, "grid", 0, 2, 0, 1, SHAPE);
  private static final String UNKNOWN = "it does not know the secret";

  @TempDir private Path folder;
  private GridSecret secret;
  private GridSecret wrong;

  private final List<String> refusedHere = new ArrayList<>();
  private final List<String> refusedThere = new ArrayList<>();
  private final List<Hello> judged = new ArrayList<>();
  private int acceptedHere;
  private int acceptedThere;

  private EmbeddedChannel accepting;
  private EmbeddedChannel connecting;

  @BeforeEach
  void makeSecrets() throws IOException {
    secret = GridSecret.read(GridSecretTest.file(folder, "the secret of this grid", "rw-------"));
    wrong = GridSecret.read(GridSecretTest.file(folder, "the secret of another", "rw-------"));
  }

  private final class Judge implements AcceptHandshake.Judge, ConnectionOwner {
    private final EmbeddedChannel[] channel = new EmbeddedChannel[1];

    /** As at a port with a secret: a changed greeting may be one of whom proves nothing. */
    @Override
    public String objection(Hello hello, boolean proves) {
      return proves ? null : "it has no secret";
    }

    @Override
    public Verdict verdict(Hello hello, boolean proved) {
      judged.add(hello);
      return new Verdict.Admitted(this, GREETING.grid());
    }

    @Override
    public EventLoop loop() {
      return channel[0].eventLoop();
    }

    @Override
    public String objection() {
      return null;
    }

    @Override
    public void own(ChannelHandlerContext context) {
      acceptedThere++;
    }
  }

  private EmbeddedChannel accepting(GridSecret its) {
    LinkListener listener =
        new LinkListener() {
          @Override
          public void onRefused(String address, String reason) {
            refusedThere.add(reason);
          }
        };
    Judge judge = new Judge();
    judge.channel[0] = new EmbeddedChannel(new AcceptHandshake(judge, its, listener, () -> {}));
    return judge.channel[0];
  }

  private EmbeddedChannel connecting(GridSecret its) {
    return new EmbeddedChannel(
        new ConnectHandshake(
            GREETING,
            its,
            context -> acceptedHere++,
            (context, refusal) -> refusedHere.add(refusal.reason())));
  }

  private static byte[] sent(EmbeddedChannel from) {
    ByteBuf all = Unpooled.buffer();
    for (ByteBuf each = from.readOutbound(); each != null; each = from.readOutbound()) {
      all.writeBytes(each);
      each.release();
    }
    byte[] bytes = new byte[all.readableBytes()];
    all.readBytes(bytes);
    return bytes;
  }

  /** A byte at a time, as a network may deliver it. */
  private static void deliver(byte[] bytes, EmbeddedChannel to) {
    for (byte each : bytes) {
      to.writeInbound(Unpooled.wrappedBuffer(new byte[] {each}));
    }
  }

  private void meet(GridSecret here, GridSecret there) {
    connecting = connecting(here);
    accepting = accepting(there);
    for (int turn = 0; turn < 2; turn++) {
      deliver(sent(connecting), accepting);
      deliver(sent(accepting), connecting);
    }
  }

  /** A node connects to one at this address, with this secret or none. */
  private boolean greets(String host, GridSecret its) {
    refusedHere.clear();
    ConnectHandshake handshake =
        new ConnectHandshake(
            GREETING,
            its,
            context -> acceptedHere++,
            (context, refusal) -> refusedHere.add(refusal.reason()));
    EmbeddedChannel channel =
        new EmbeddedChannel(handshake) {
          @Override
          protected SocketAddress remoteAddress0() {
            return new InetSocketAddress(host, 7);
          }
        };
    boolean greeted = !channel.outboundMessages().isEmpty();
    channel.finishAndReleaseAll();
    return greeted;
  }

  @Test
  void aNodeTalksToAnotherHostOnlyIfThatHasSomethingToProve() {
    assertFalse(greets("192.0.2.1", null));
    assertEquals(List.of(PortSecurity.UNPROVED), refusedHere);
    assertTrue(greets("192.0.2.1", secret));
    assertTrue(greets("127.0.0.1", null));
  }

  @Test
  void whoKnowsItIsAcceptedByWhoKnowsIt() {
    meet(secret, secret);
    assertEquals(1, acceptedHere);
    assertEquals(1, acceptedThere);
    assertEquals(List.of(GREETING), judged);
    assertTrue(refusedHere.isEmpty() && refusedThere.isEmpty());
  }

  @Test
  void whoKnowsAnotherOneIsRefusedBeforeAnybodyLooksAtIt() {
    meet(wrong, secret);
    assertEquals(0, acceptedHere + acceptedThere);
    assertTrue(judged.isEmpty());
    assertTrue(refusedHere.get(0).contains(UNKNOWN), refusedHere::toString);
    assertTrue(refusedThere.get(0).contains(UNKNOWN), refusedThere::toString);
    assertFalse(accepting.isOpen());
  }

  /** One that lets everybody in, and asks for nothing. */
  @Test
  void whoAcceptsHasToProveItAsWell() {
    connecting = connecting(secret);
    sent(connecting);
    ByteBuf accepted = Unpooled.buffer().writeInt(9).writeByte(1).writeLong(7);
    connecting.writeInbound(accepted);
    assertTrue(refusedHere.get(0).contains(UNKNOWN), refusedHere::toString);
    assertFalse(connecting.isOpen());
    assertEquals(0, acceptedHere);
  }

  /** One that asks, and returns what it was told as its own proof. */
  @Test
  void aProofThatIsSentBackProvesNothing() {
    connecting = connecting(secret);
    sent(connecting);
    connecting.writeInbound(Unpooled.buffer().writeInt(33).writeByte(3).writeZero(32));
    byte[] proof = sent(connecting);
    connecting.writeInbound(
        Unpooled.buffer().writeInt(41).writeByte(1).writeLong(0).writeBytes(proof, 4, 32));
    assertTrue(refusedHere.get(0).contains(UNKNOWN), refusedHere::toString);
    assertEquals(0, acceptedHere);
  }

  @Test
  void aChangedAcceptanceIsNoProof() {
    connecting = connecting(secret);
    accepting = accepting(secret);
    deliver(sent(connecting), accepting);
    deliver(sent(accepting), connecting);
    deliver(sent(connecting), accepting);
    byte[] answer = sent(accepting);
    // Another grid than that of who accepts.
    answer[12]++;
    deliver(answer, connecting);
    assertTrue(refusedHere.get(0).contains(UNKNOWN), refusedHere::toString);
    assertEquals(0, acceptedHere);
  }

  @Test
  void whatWasRecordedProvesNothingAgain() {
    connecting = connecting(secret);
    accepting = accepting(secret);
    byte[] greeting = sent(connecting);
    deliver(greeting, accepting);
    deliver(sent(accepting), connecting);
    byte[] proof = sent(connecting);
    deliver(proof, accepting);
    assertEquals(1, acceptedThere);
    EmbeddedChannel again = accepting(secret);
    deliver(greeting, again);
    deliver(proof, again);
    assertEquals(1, acceptedThere);
    assertEquals(1, refusedThere.size());
    assertTrue(refusedThere.get(0).contains(UNKNOWN), refusedThere::toString);
    assertFalse(again.isOpen());
  }

  /**
   * A proof is for one greeting: the same number asked for another worker or place needs another.
   */
  @Test
  void noBitOfAGreetingOrAProofCanBeChanged() {
    Random random = new Random(1);
    for (int round = 0; round < 2_000; round++) {
      connecting = connecting(secret);
      accepting = accepting(secret);
      byte[] greeting = sent(connecting);
      int which = 4 + random.nextInt(greeting.length - 4);
      boolean early = random.nextBoolean();
      greeting[which] ^= (byte) (early ? 1 << random.nextInt(8) : 0);
      deliver(greeting, accepting);
      byte[] challenge = sent(accepting);
      if (accepting.isOpen()) {
        deliver(challenge, connecting);
        byte[] proof = sent(connecting);
        if (!early) {
          proof[4 + random.nextInt(32)] ^= (byte) (1 << random.nextInt(8));
        }
        deliver(proof, accepting);
      }
      assertFalse(accepting.isOpen(), () -> "byte " + which);
      assertEquals(0, acceptedThere, () -> "byte " + which);
    }
  }
}
