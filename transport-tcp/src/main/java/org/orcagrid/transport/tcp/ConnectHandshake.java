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
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** The handshake of who connects. */
public final class ConnectHandshake extends GreetingDecoder {
  private final Hello own;
  private final GridSecret secret;
  private final Consumer<ChannelHandlerContext> accepted;
  private final BiConsumer<ChannelHandlerContext, Refusal> refused;

  /** What was said first, and what was asked then; null before. */
  private byte[] greeting;

  private byte[] nonce;

  /**
   * Why there is no connection.
   *
   * @param passing whether that is no news: who was connected to is just starting, or ending
   */
  public record Refusal(String reason, boolean passing) {}

  /** A handshake, and who is told of its end. */
  ConnectHandshake(
      Hello own,
      GridSecret secret,
      Consumer<ChannelHandlerContext> accepted,
      BiConsumer<ChannelHandlerContext, Refusal> refused) {
    this.own = own;
    this.secret = secret;
    this.accepted = accepted;
    this.refused = refused;
  }

  /**
   * For a client.
   *
   * @param secret null if it has none
   */
  public static ConnectHandshake ofClient(
      String gridName,
      GridSecret secret,
      Consumer<ChannelHandlerContext> accepted,
      BiConsumer<ChannelHandlerContext, Refusal> refused) {
    return new ConnectHandshake(clientHello(gridName), secret, accepted, refused);
  }

  /**
   * Of which grid a node is that forwards, and to whom.
   *
   * @param gridName the grid's name
   * @param from its place
   * @param to the place of the other one
   * @param grid tells the grid from others of the same name
   */
  public record Forwarder(String gridName, int from, int to, long grid) {}

  /**
   * For a node that uses maps of another one.
   *
   * @param secret null if the grid has none
   */
  public static ConnectHandshake ofForwarder(
      Forwarder who,
      GridSecret secret,
      Consumer<ChannelHandlerContext> accepted,
      BiConsumer<ChannelHandlerContext, Refusal> refused) {
    return new ConnectHandshake(forwarderHello(who), secret, accepted, refused);
  }

  static Hello forwarderHello(Forwarder who) {
    Hello.Shape none = new Hello.Shape(0, 0, 0, 0);
    return new Hello(
        Hello.VERSION,
        Hello.Kind.FORWARDER,
        who.gridName(),
        who.from(),
        who.to(),
        0,
        who.grid(),
        none);
  }

  static Hello clientHello(String gridName) {
    Hello.Shape none = new Hello.Shape(0, 0, 0, 0);
    return new Hello(Hello.VERSION, Hello.Kind.CLIENT, gridName, -1, -1, 0, 0, none);
  }

  @Override
  public void channelActive(ChannelHandlerContext context) throws Exception {
    if (context.pipeline().get(SslHandler.class) == null) {
      if (own.kind().isOfGrid()
          && secret == null
          && Channels.isFar(context.channel().remoteAddress())) {
        // Whoever answers there may be anybody, as whoever connects to this node's port may.
        fail(context, PortSecurity.UNPROVED);
      } else {
        greet(context);
      }
    }
    super.channelActive(context);
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext context, Object event) throws Exception {
    if (event instanceof SslHandshakeCompletionEvent completion && completion.isSuccess()) {
      greet(context);
    }
    super.userEventTriggered(context, event);
  }

  @Override
  String closed(ChannelHandlerContext context) {
    boolean isOpen = context.pipeline().get(SslHandler.class) == null;
    return super.closed(context)
        + (isOpen ? ", as a node with TLS does when it gets none: check grid.tls.keystore" : "");
  }

  private void greet(ChannelHandlerContext context) {
    ByteBuf out = context.alloc().directBuffer(Hello.BYTES_MAX);
    own.write(out);
    Hello.writeProves(out, secret == null ? null : secret.nonce());
    greeting = ByteBufUtil.getBytes(out);
    send(context, out);
  }

  @Override
  void onGreeting(ChannelHandlerContext context, ByteBuf in) throws Hello.MalformedException {
    Answer answer = Answer.read(in);
    switch (answer.kind()) {
      case REFUSED -> fail(context, "it refuses this one: " + answer.reason());
      case NOT_YET -> {
        failSilently(context);
        refused.accept(context, new Refusal("it is not there yet: " + answer.reason(), true));
      }
      case CHALLENGE -> prove(context, ByteBufUtil.getBytes(answer.rest()));
      case ACCEPTED -> {
        if (secret != null && !isProved(answer)) {
          fail(
              context, "it does not know the secret; grid.secret.file must be the same everywhere");
          return;
        }
        if (own.kind().isOfGrid() && answer.grid() != own.grid()) {
          fail(context, Hello.ANOTHER_GRID);
          return;
        }
        accepted.accept(context);
        context.pipeline().remove(this);
      }
    }
  }

  private void prove(ChannelHandlerContext context, byte[] number) throws Hello.MalformedException {
    if (secret == null || nonce != null) {
      throw new Hello.MalformedException("it asks for a proof that nobody has offered");
    }
    nonce = number;
    byte[] proof = secret.proof(GridSecret.Side.CONNECTS, nonce, greeting, 0);
    send(context, context.alloc().directBuffer().writeBytes(proof));
  }

  private boolean isProved(Answer answer) {
    return nonce != null
        && secret.isProof(
            ByteBufUtil.getBytes(answer.rest()),
            GridSecret.Side.ACCEPTS,
            nonce,
            greeting,
            answer.grid());
  }

  @Override
  void onFailed(ChannelHandlerContext context, String reason) {
    refused.accept(context, new Refusal(reason, false));
  }
}
