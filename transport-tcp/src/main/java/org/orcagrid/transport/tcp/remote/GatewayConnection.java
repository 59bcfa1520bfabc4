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
package org.orcagrid.transport.tcp.remote;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import org.orcagrid.transport.tcp.Channels;
import org.orcagrid.transport.tcp.LinkListener;

/** A connection of a client, which may have had others before. */
final class GatewayConnection extends RecordDecoder {
  private final GatewayClients clients;
  private final LinkListener listener;
  private ChannelHandlerContext context;

  /** Null before it has said who it is, and when another connection has taken its place. */
  private GatewayClient client;

  GatewayConnection(GatewayClients clients, LinkListener listener) {
    this.clients = clients;
    this.listener = listener;
  }

  @Override
  int recordBytesMax() {
    return ClientRecord.bytesMax(clients.node().valueBytesMax());
  }

  @Override
  public void handlerAdded(ChannelHandlerContext added) throws Exception {
    super.handlerAdded(added);
    context = added;
  }

  @Override
  void onRecord(ByteBuf in, int bytes) throws ClientRecord.MalformedException {
    ClientRecord type = ClientRecord.readType(in);
    int id = in.readIntLE();
    if (type == ClientRecord.ATTACH) {
      attach(in.readLongLE(), in.readLongLE());
      return;
    }
    if (client == null) {
      throw new ClientRecord.MalformedException(type + " of a client that has not said who it is");
    }
    switch (type) {
      case RECEIVED -> client.told(ClientRecord.readPosition(in));
      case PING -> {
        client.told(ClientRecord.readPosition(in));
        client.report(ClientRecord.PING);
      }
      case LEAVE -> {
        clients.end(client);
        client = null;
        Channels.close(context);
      }
      default -> client.onRecord(type, id, in, bytes);
    }
  }

  private void attach(long token, long position) throws ClientRecord.MalformedException {
    if (client != null) {
      throw new ClientRecord.MalformedException("a client that says again who it is");
    }
    GatewayClient known = token == 0 ? clients.begin(context.executor()) : clients.find(token);
    if (known == null) {
      ByteBuf out = context.alloc().directBuffer();
      ClientRecord.writeForgotten(
          out,
          token == 0
              ? "has " + GatewayClients.MAX + " clients already"
              : "does not know this client any more");
      Channels.writeAndFlush(context, out);
      Channels.close(context);
      return;
    }
    ChannelHandlerContext before = known.connection();
    if (before != null) {
      // The client has noticed its end first.
      GatewayConnection old = before.pipeline().get(GatewayConnection.class);
      if (old != null) {
        old.client = null;
      }
      Channels.close(before);
    }
    client = known;
    known.attach(context, position);
  }

  @Override
  void onBatchEnd() {
    if (client == null) {
      return;
    }
    client.flush();
    if (client.isKeptTooMuch()) {
      onMalformed("it does not say what has come");
      Channels.close(context);
    }
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext changed) throws Exception {
    // Who does not read answers is not asked for more.
    changed.channel().config().setAutoRead(changed.channel().isWritable());
    if (changed.channel().isWritable() && client != null) {
      client.signal();
    }
    super.channelWritabilityChanged(changed);
  }

  @Override
  void onDown(String reason) {
    if (client != null) {
      clients.lost(client, context.executor());
      client = null;
    }
    tell(reason);
  }

  @Override
  void onMalformed(String reason) {
    if (client != null) {
      clients.end(client);
      client = null;
    }
    tell(reason);
  }

  private void tell(String reason) {
    listener.onDown(-1, 0, clients.who() + " " + context.channel().remoteAddress() + ": " + reason);
  }
}
