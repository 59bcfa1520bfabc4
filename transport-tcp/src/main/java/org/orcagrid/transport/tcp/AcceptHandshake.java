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
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.EventLoop;

/**
 * The handshake of who was connected to. It begins in the thread of the port and ends in that of
 * the connection's owner: between the two the connection is in no event loop, and what has arrived
 * is kept.
 */
final class AcceptHandshake extends GreetingDecoder {
  private final Judge judge;
  private final GridSecret secret;
  private final LinkListener listener;
  private final Runnable handedOver;

  /** What was said first, and what was asked then; null before. */
  private byte[] greeting;

  private byte[] nonce;

  /** Whether the other side has proved that it knows the secret. */
  private boolean proved;

  /** Whether the connection is on its way to its owner, or there. */
  private boolean leaving;

  /** Says what becomes of a greeting. */
  interface Judge {
    /** Why it is refused before it is asked for a proof; null if it is not. */
    String objection(Hello hello, boolean proves);

    /**
     * Whom the connection is for; asked once the proof is there, if one is due. Whoever is admitted
     * is on the way to its owner from then on.
     *
     * @param proved whether it knows the secret
     */
    Verdict verdict(Hello hello, boolean proved);
  }

  /**
   * A handshake.
   *
   * @param secret null if there is none
   * @param handedOver is told, in any thread, that the owner has the connection
   */
  AcceptHandshake(Judge judge, GridSecret secret, LinkListener listener, Runnable handedOver) {
    this.judge = judge;
    this.secret = secret;
    this.listener = listener;
    this.handedOver = handedOver;
  }

  @Override
  boolean isReading() {
    return !leaving;
  }

  @Override
  void onGreeting(ChannelHandlerContext context, ByteBuf in) throws Hello.MalformedException {
    if (greeting == null) {
      onHello(context, in);
    } else {
      onProof(context, in);
    }
  }

  private void onHello(ChannelHandlerContext context, ByteBuf in) throws Hello.MalformedException {
    greeting = ByteBufUtil.getBytes(in);
    Hello hello = Hello.read(in);
    String refusal = hello.versionRefusal();
    if (refusal != null) {
      refuse(context, refusal);
      return;
    }
    boolean proves = Hello.readProves(in);
    String objection = judge.objection(hello, proves);
    if (objection != null) {
      refuse(context, objection);
    } else if (proves) {
      nonce = secret.nonce();
      send(context, Answer.challenge(context, nonce));
    } else {
      decide(context, hello);
    }
  }

  private void onProof(ChannelHandlerContext context, ByteBuf in) throws Hello.MalformedException {
    byte[] proof = ByteBufUtil.getBytes(in);
    if (!secret.isProof(proof, GridSecret.Side.CONNECTS, nonce, greeting, 0)) {
      refuse(context, "it does not know the secret; grid.secret.file must be the same everywhere");
      return;
    }
    proved = true;
    decide(context, Hello.read(Unpooled.wrappedBuffer(greeting)));
  }

  private void decide(ChannelHandlerContext context, Hello hello) {
    Verdict verdict = judge.verdict(hello, proved);
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
    if (context.channel().eventLoop().isShuttingDown()) {
      // A loop that ends closes what it had when that began, and nothing that came since.
      fail(context, "its owner is closing");
      return;
    }
    String objection = admitted.owner().objection();
    if (objection != null) {
      refuse(context, objection);
      return;
    }
    long grid = admitted.grid();
    byte[] proof =
        proved ? secret.proof(GridSecret.Side.ACCEPTS, nonce, greeting, grid) : new byte[0];
    send(context, Answer.accepted(context, grid, proof));
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

  @Override
  void onFailed(ChannelHandlerContext context, String reason) {
    listener.onRefused(String.valueOf(context.channel().remoteAddress()), "refused: " + reason);
  }
}
