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
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.EventLoop;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The first words of a connection, right and wrong, on a channel in memory. */
class HandshakeTest {
  private static final Hello.Shape SHAPE = new Hello.Shape(3, 1, 16, 16_384);
  private static final Hello OWN =
      new Hello(Hello.VERSION, Hello.Kind.NODE, "grid", 2, -1, 0, 1, SHAPE);

  private final List<Integer> accepted = new ArrayList<>();
  private final List<String> refused = new ArrayList<>();

  private EmbeddedChannel channel;
  private int handedOver;
  private boolean isThere = true;

  private EmbeddedChannel channel() {
    LinkListener listener =
        new LinkListener() {
          @Override
          public void onRefused(String address, String reason) {
            refused.add(reason);
          }
        };
    AcceptHandshake.Judge judge =
        new AcceptHandshake.Judge() {
          @Override
          public String objection(Hello hello, boolean proves) {
            return proves ? "nobody asks for a proof" : null;
          }

          @Override
          public Verdict verdict(Hello hello, boolean proved) {
            return judge(hello);
          }
        };
    channel = new EmbeddedChannel(new AcceptHandshake(judge, null, listener, () -> handedOver++));
    return channel;
  }

  private Verdict judge(Hello hello) {
    String refusal = OWN.refusal(hello);
    if (refusal != null) {
      return new Verdict.Refused(refusal);
    }
    return isThere ? new Verdict.Admitted(owner(hello), 1) : new Verdict.NotYet("it is starting");
  }

  private ConnectionOwner owner(Hello hello) {
    return new ConnectionOwner() {
      @Override
      public EventLoop loop() {
        return channel.eventLoop();
      }

      @Override
      public String objection() {
        return null;
      }

      @Override
      public void own(ChannelHandlerContext context) {
        accepted.add(hello.from());
      }
    };
  }

  private static ByteBuf framed(Hello hello) {
    ByteBuf content = Unpooled.buffer();
    hello.write(content);
    Hello.writeProves(content, null);
    return Unpooled.buffer().writeInt(content.readableBytes()).writeBytes(content);
  }

  private static Hello greeting() {
    return new Hello(Hello.VERSION, Hello.Kind.NODE, "grid", 0, 2, 0, 1, SHAPE);
  }

  private String answer(Hello hello) {
    EmbeddedChannel channel = channel();
    channel.writeInbound(framed(hello));
    ByteBuf length = channel.readOutbound();
    ByteBuf answer = channel.readOutbound();
    assertEquals(length.readInt(), answer.readableBytes());
    boolean yes = answer.readByte() == 1;
    assertEquals(yes, channel.isOpen(), "who is refused is disconnected");
    return yes ? null : answer.toString(StandardCharsets.UTF_8);
  }

  private void assertRefused(Hello hello, String reason) {
    String answer = answer(hello);
    assertTrue(answer != null && answer.contains(reason), () -> answer + " tells " + reason);
    assertTrue(accepted.isEmpty());
    assertEquals("refused: " + answer, refused.get(refused.size() - 1));
  }

  @Test
  void aNodeOfTheGridIsAcceptedAndWhatFollowsIsKept() {
    EmbeddedChannel channel = channel();
    ByteBuf bytes = framed(greeting()).writeBytes(new byte[] {1, 2, 3});
    while (bytes.isReadable()) {
      // A byte at a time, as a network may deliver it.
      channel.writeInbound(bytes.readRetainedSlice(1));
    }
    assertEquals(List.of(0), accepted);
    int kept = 0;
    for (ByteBuf rest = channel.readInbound(); rest != null; rest = channel.readInbound()) {
      kept += rest.readableBytes();
    }
    assertEquals(3, kept);
    assertTrue(refused.isEmpty());
    assertNull(answer(greeting()));
  }

  @Test
  void whoeverDiffersIsToldHow() {
    assertRefused(
        new Hello(Hello.VERSION + 1, Hello.Kind.NODE, "grid", 0, 2, 0, 1, SHAPE),
        "run the same release on both");
    assertRefused(
        new Hello(Hello.VERSION, Hello.Kind.NODE, "grid", 0, 1, 0, 1, SHAPE),
        "it looks for node 1 here, and this is node 2");
    assertRefused(
        new Hello(Hello.VERSION, Hello.Kind.NODE, "grid", 2, 2, 0, 1, SHAPE),
        "says that it is node 2");
    assertRefused(
        new Hello(Hello.VERSION, Hello.Kind.NODE, "grid", 7, 2, 0, 1, SHAPE),
        "says that it is node 7");
    assertRefused(
        new Hello(Hello.VERSION, Hello.Kind.NODE, "grid", 0, 2, 2, 1, SHAPE),
        "it looks for worker 2, and this node has 1");
    assertRefused(
        new Hello(
            Hello.VERSION, Hello.Kind.NODE, "grid", 0, 2, 0, 1, new Hello.Shape(3, 1, 17, 16_384)),
        "17 sessions each");
  }

  /** Views and lives are small numbers: those of two grids would be taken for each other's. */
  @Test
  void aNodeOfAnotherGridOfTheSameNameIsRefused() {
    assertRefused(
        new Hello(Hello.VERSION, Hello.Kind.NODE, "grid", 0, 2, 0, 2, SHAPE),
        "another grid of the same name");
  }

  @Test
  void whoIsNotThereYetIsNoNews() {
    isThere = false;
    assertEquals("it is starting", answer(greeting()));
    assertTrue(refused.isEmpty(), refused::toString);
    isThere = true;
    assertNull(answer(greeting()));
    assertEquals(1, handedOver);
  }

  /** A socket is not closed before the writes that were under way have failed. */
  private static final class ClosesLate extends ChannelOutboundHandlerAdapter {
    @Override
    public void close(ChannelHandlerContext context, ChannelPromise promise) {
      // Not while the test looks.
    }
  }

  /** Each of the writes of a greeting fails when the connection is reset. */
  @Test
  void aConnectionThatFailsIsToldOfOnce() {
    EmbeddedChannel channel = channel();
    channel.pipeline().addFirst(new ClosesLate());
    channel.pipeline().fireExceptionCaught(new IOException("reset"));
    channel.pipeline().fireExceptionCaught(new IOException("reset as well"));
    channel.writeInbound(framed(greeting()));
    assertEquals(List.of("refused: reset"), refused);
    assertTrue(accepted.isEmpty());
  }

  @Test
  void noiseEndsTheConnectionAndNothingElse() {
    Random random = new Random(1);
    for (int i = 0; i < 20_000; i++) {
      EmbeddedChannel channel = channel();
      ByteBuf bytes = random.nextBoolean() ? noise(random) : broken(random);
      channel.writeInbound(bytes);
      channel.finishAndReleaseAll();
      assertFalse(channel.isOpen());
    }
    assertTrue(refused.size() > 10_000, "most are refused: " + refused.size());
  }

  private static ByteBuf noise(Random random) {
    byte[] bytes = new byte[random.nextInt(64)];
    random.nextBytes(bytes);
    return Unpooled.wrappedBuffer(bytes);
  }

  private static ByteBuf broken(Random random) {
    ByteBuf bytes = framed(greeting());
    for (int i = random.nextInt(3); i >= 0; i--) {
      bytes.setByte(random.nextInt(bytes.readableBytes()), random.nextInt());
    }
    return bytes.writerIndex(bytes.writerIndex() - random.nextInt(4));
  }
}
