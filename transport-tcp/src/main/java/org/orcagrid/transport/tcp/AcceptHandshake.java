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

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.EventLoop;
import java.util.function.Function;

/**
 * The handshake of who was connected to. It begins in the thread of the port and ends in that of
 * the connection's owner: between the two the connection is in no event loop, and what has arrived
 * is kept.
 */
final class AcceptHandshake extends GreetingDecoder {
  private final Function<Hello, Verdict> judge;
  private final LinkListener listener;
  private final Runnable handedOver;

  /** Whether the connection is on its way to its owner, or there. */
  private boolean leaving;

  /**
   * A handshake.
   *
   * @param judge says whom a connection is for
   * @param handedOver is told, in any thread, that the owner has the connection
   */
  AcceptHandshake(Function<Hello, Verdict> judge, LinkListener listener, Runnable handedOver) {
    this.judge = judge;
    this.listener = listener;
    this.handedOver = handedOver;
  }

  @Override
  boolean isReading() {
    return !leaving;
  }

  @Override
  void onGreeting(ChannelHandlerContext context, ByteBuf greeting) throws Hello.MalformedException {
    Verdict verdict = judge.apply(Hello.read(greeting));
    if (verdict instanceof Verdict.Admitted admitted) {
      leave(context, admitted);
    } else if (verdict instanceof Verdict.NotYet notYet) {
      send(context, Answer.notYet(context, notYet.reason()));
      failSilently(context);
    } else if (verdict instanceof Verdict.Refused refused) {
      refuse(context, refused.reason());
    }
  }

  private void refuse(ChannelHandlerContext context, String reason) {
    send(context, Answer.refused(context, reason));
    fail(context, reason);
  }

  /**
   * Moves the connection to its owner's event loop. Nothing is read meanwhile, so that no task of
   * the old loop is left when the new one begins.
   */
  private void leave(ChannelHandlerContext context, Verdict.Admitted admitted) {
    leaving = true;
    Channel channel = context.channel();
    EventLoop next = admitted.owner().loop();
    if (next == channel.eventLoop()) {
      arrive(context, admitted);
      return;
    }
    channel.config().setAutoRead(false);
    channel
        .deregister()
        .addListener(
            left ->
                next.register(channel)
                    .addListener(
                        arrived -> {
                          if (arrived.isSuccess()) {
                            arrive(context, admitted);
                          }
                        }));
  }

  /** The owner's thread goes on. */
  private void arrive(ChannelHandlerContext context, Verdict.Admitted admitted) {
    handedOver.run();
    if (!context.channel().isActive() || context.isRemoved()) {
      fail(context, "it was closed before it was answered");
      return;
    }
    String objection = admitted.owner().objection();
    if (objection != null) {
      refuse(context, objection);
      return;
    }
    send(context, Answer.accepted(context, admitted.incarnation()));
    admitted.owner().own(context);
    // What has arrived meanwhile goes to the owner's handlers now.
    context.pipeline().remove(this);
    context.channel().config().setAutoRead(true);
  }

  /** There was no greeting in time, or there are too many who have not greeted. */
  void giveUp(Channel channel, String reason) {
    ChannelHandlerContext context = channel.pipeline().context(this);
    if (context == null || leaving) {
      Channels.close(channel);
    } else {
      fail(context, reason);
    }
  }

  boolean isLeaving() {
    return leaving;
  }

  @Override
  void onFailed(ChannelHandlerContext context, String reason) {
    listener.onRefused(String.valueOf(context.channel().remoteAddress()), "refused: " + reason);
  }
}
