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
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The packets to one peer: each is filled in place, handed to the connection, and free again when
 * the connection has written it. Used by the worker's thread only.
 */
final class SendRing {
  /** Bytes of the length before a packet. */
  static final int HEADER_BYTES = Integer.BYTES;

  private final ByteBuf[] packets;
  private final ByteBuffer[] contents;
  private int next;

  SendRing(int packets, int packetBytesMax) {
    this.packets = new ByteBuf[packets];
    this.contents = new ByteBuffer[packets];
    for (int i = 0; i < packets; i++) {
      ByteBuffer memory = ByteBuffer.allocateDirect(HEADER_BYTES + packetBytesMax);
      this.packets[i] = Unpooled.wrappedBuffer(memory);
      this.contents[i] = memory.slice(HEADER_BYTES, packetBytesMax).order(ByteOrder.LITTLE_ENDIAN);
    }
  }

  /** The next packet's content, null if the connection still has all packets. */
  ByteBuffer claim() {
    return packets[next].refCnt() == 1 ? contents[next] : null;
  }

  /** Sends the packet of {@link #claim}. */
  void send(Channel channel, int length) {
    ByteBuf packet = packets[next];
    packet.setIntLE(0, length).setIndex(0, HEADER_BYTES + length);
    next = (next + 1) % packets.length;
    Channels.writeAndFlush(channel, packet.retain());
  }
}
