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
import io.netty.channel.ChannelHandlerContext;
import java.util.function.BiConsumer;

/** The handshake of who was connected to. */
public final class AcceptHandshake extends GreetingDecoder {
  private final Hello own;
  private final Admission admission;
  private final BiConsumer<ChannelHandlerContext, Integer> accepted;
  private final LinkListener listener;

  /**
   * A handshake.
   *
   * @param accepted is told of the connection, and from which node it is, before anything else of
   *     it is read
   */
  AcceptHandshake(
      Hello own,
      Admission admission,
      BiConsumer<ChannelHandlerContext, Integer> accepted,
      LinkListener listener) {
    this.own = own;
    this.admission = admission;
    this.accepted = accepted;
    this.listener = listener;
  }

  /** For a port of clients. */
  public static AcceptHandshake ofClients(
      String cluster, BiConsumer<ChannelHandlerContext, Integer> accepted, LinkListener listener) {
    return new AcceptHandshake(
        ConnectHandshake.clientHello(cluster), Admission.ANYONE, accepted, listener);
  }

  @Override
  void onGreeting(ChannelHandlerContext context, ByteBuf greeting) throws Hello.MalformedException {
    Hello hello = Hello.read(greeting);
    String refusal = own.refusal(hello);
    if (refusal == null) {
      refusal = admission.objection(hello.from(), hello.incarnation());
    }
    send(context, answer(context, refusal, own.incarnation()));
    if (refusal != null) {
      fail(context, refusal);
      return;
    }
    accepted.accept(context, hello.from());
    context.pipeline().remove(this);
  }

  @Override
  void onFailed(ChannelHandlerContext context, String reason) {
    listener.onRefused(String.valueOf(context.channel().remoteAddress()), "refused: " + reason);
  }
}
