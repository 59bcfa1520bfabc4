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

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.EventLoop;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The bounds of connections without an owner, on channels in memory. */
class GreetingsTest {
  private final List<String> refused = new ArrayList<>();
  private final Greetings greetings = new Greetings(new EmbeddedChannel().eventLoop());
  private final EventLoop worker = new EmbeddedChannel().eventLoop();
  private final EventLoop other = new EmbeddedChannel().eventLoop();

  private static final class Nobody implements AcceptHandshake.Judge {
    @Override
    public String objection(Hello hello, boolean proves) {
      return null;
    }

    @Override
    public Verdict verdict(Hello hello, boolean proved) {
      return new Verdict.NotYet("there is nobody");
    }
  }

  /** As TLS does, which wants to have said that it closes first. */
  private static final class ClosesLate extends ChannelOutboundHandlerAdapter {
    @Override
    public void close(ChannelHandlerContext context, ChannelPromise promise) {
      // Not while the test looks.
    }
  }

  private EmbeddedChannel begin() {
    LinkListener listener =
        new LinkListener() {
          @Override
          public void onRefused(String address, String reason) {
            refused.add(reason);
          }
        };
    AcceptHandshake handshake = new AcceptHandshake(new Nobody(), null, listener, () -> {});
    EmbeddedChannel channel = new EmbeddedChannel(new ClosesLate(), handshake);
    greetings.begin(channel, handshake);
    return channel;
  }

  @Test
  void whoeverIsGivenUpIsClosedAtOnce() {
    List<EmbeddedChannel> all = new ArrayList<>();
    for (int i = 0; i < 3 * Greetings.GREETING_MAX; i++) {
      all.add(begin());
      long open = all.stream().filter(EmbeddedChannel::isOpen).count();
      assertEquals(Math.min(all.size(), Greetings.GREETING_MAX), open);
    }
    assertEquals(2 * Greetings.GREETING_MAX, refused.size());
    assertTrue(all.get(2 * Greetings.GREETING_MAX).isOpen(), "the oldest ones are given up");
  }

  @Test
  void thoseOnTheirWayToAThreadHaveABoundAndTakeNobodysPlace() {
    List<EmbeddedChannel> leaving = new ArrayList<>();
    for (int i = 0; i < Greetings.LEAVING_MAX; i++) {
      EmbeddedChannel channel = begin();
      assertTrue(greetings.leave(channel, worker));
      leaving.add(channel);
    }
    EmbeddedChannel slow = begin();
    for (int i = 1; i < Greetings.GREETING_MAX; i++) {
      assertFalse(greetings.leave(begin(), worker), "there is no room to this thread");
    }
    assertTrue(slow.isOpen() && refused.isEmpty());
    assertTrue(greetings.leave(slow, other), "there is room to another one");
    // One has arrived, and one was closed before.
    greetings.end(leaving.get(0));
    Channels.closeAtOnce(leaving.get(1));
    assertTrue(greetings.leave(begin(), worker));
    assertTrue(greetings.leave(begin(), worker));
    assertFalse(greetings.leave(begin(), worker));
  }

  @Test
  void whoeverIsClosedLeavesForNowhere() {
    EmbeddedChannel channel = begin();
    Channels.closeAtOnce(channel);
    assertFalse(greetings.leave(channel, worker));
  }
}
