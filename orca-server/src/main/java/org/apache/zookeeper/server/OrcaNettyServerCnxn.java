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
package org.apache.zookeeper.server;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.jute.Record;
import org.apache.zookeeper.data.Stat;
import org.apache.zookeeper.proto.ReplyHeader;
import org.orcagrid.server.gate.HeldReplies;
import org.orcagrid.server.sizes.ClientFrames;
import org.orcagrid.server.sizes.LongFrame;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A connection of the Netty factory with a gate before its replies. */
final class OrcaNettyServerCnxn extends NettyServerCnxn
    implements OrcaConnection, HeldReplies.Connection {

  private static final Logger LOG = LoggerFactory.getLogger(OrcaNettyServerCnxn.class);

  private final ConnectionGate gate;
  private final Channel channel;
  private final ClientFrames frames = new ClientFrames(new Frames());

  /** Reads the frames as stock does, but for those that are too long. */
  private final class Frames implements ClientFrames.Connection {

    @Override
    public void read(ByteBuf bytes) {
      OrcaNettyServerCnxn.super.processMessage(bytes);
    }

    @Override
    public boolean onLong(LongFrame frame) {
      if (gate.onLong(frame, OrcaNettyServerCnxn.this)) {
        return true;
      }
      close(DisconnectReason.IO_EXCEPTION);
      return false;
    }
  }

  OrcaNettyServerCnxn(Channel channel, ZooKeeperServer server, NettyServerCnxnFactory factory) {
    super(channel, server, factory);
    this.gate = new ConnectionGate(this, server);
    this.channel = channel;
  }

  @Override
  public ConnectionGate gate() {
    return gate;
  }

  @Override
  void processMessage(ByteBuf bytes) {
    frames.read(bytes);
  }

  @Override
  public int sendResponse(
      ReplyHeader header, Record body, String tag, String cacheKey, Stat stat, int opCode) {
    return gate.send(header, body, tag, cacheKey, stat, opCode);
  }

  /**
   * Behind what other threads have sent: the channel's thread would overtake that. Without a
   * session nobody else sends, and the connection may be closed next, as after a four-letter word.
   */
  @Override
  public void sendBuffer(ByteBuffer... buffers) {
    if (getSessionId() != 0 && channel.eventLoop().inEventLoop()) {
      channel.eventLoop().execute(() -> super.sendBuffer(buffers));
    } else {
      super.sendBuffer(buffers);
    }
  }

  /** Later: what waits to be read would be read from within the request that is being read. */
  @Override
  public void enableRecv() {
    if (channel.eventLoop().inEventLoop()) {
      channel.eventLoop().execute(() -> super.enableRecv());
    } else {
      super.enableRecv();
    }
  }

  @Override
  public void sendCloseSession() {
    gate.close();
  }

  @Override
  public int deliver(HeldReplies.Reply reply) {
    if (reply instanceof HeldReplies.Response response) {
      try {
        int bytes =
            super.sendResponse(
                response.header(),
                response.body(),
                response.tag(),
                response.cacheKey(),
                response.stat(),
                response.opCode());
        gate.onDelivered(response, bytes, this);
        return bytes;
      } catch (IOException e) {
        LOG.warn("Closing {}: a reply cannot be sent", getRemoteSocketAddress(), e);
        close(DisconnectReason.IO_EXCEPTION);
        return 0;
      }
    }
    super.sendCloseSession();
    return 0;
  }

  @Override
  public void pauseReading() {
    disableRecv(false);
  }

  @Override
  public void resumeReading() {
    enableRecv();
  }

  @Override
  public void close() {
    gate.closed();
    super.close();
  }
}
