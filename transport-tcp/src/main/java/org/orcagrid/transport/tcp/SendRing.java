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
import java.util.zip.CRC32C;

/**
 * The packets to one peer: each is filled in place, handed to the connection, and free again when
 * the connection has written it. Used by the worker's thread only.
 */
final class SendRing {
  /** Bytes before a packet: its length, and the CRC-32C of what follows. */
  static final int HEADER_BYTES = 2 * Integer.BYTES;

  private final ByteBuf[] packets;
  private final ByteBuffer[] contents;

  /** The same memory again: a checksum moves the position of what it reads. */
  private final ByteBuffer[] summed;

  private final CRC32C checksum = new CRC32C();
  private int next;

  SendRing(int packets, int packetBytesMax) {
    this.packets = new ByteBuf[packets];
    this.contents = new ByteBuffer[packets];
    this.summed = new ByteBuffer[packets];
    for (int i = 0; i < packets; i++) {
      ByteBuffer memory = ByteBuffer.allocateDirect(HEADER_BYTES + packetBytesMax);
      this.packets[i] = Unpooled.wrappedBuffer(memory);
      this.contents[i] = memory.slice(HEADER_BYTES, packetBytesMax).order(ByteOrder.LITTLE_ENDIAN);
      this.summed[i] = contents[i].duplicate();
    }
  }

  /** The next packet's content, null if the connection still has all packets. */
  ByteBuffer claim() {
    return packets[next].refCnt() == 1 ? contents[next] : null;
  }

  /** Sends the packet of {@link #claim}. */
  void send(Channel channel, int length) {
    ByteBuf packet = packets[next];
    checksum.reset();
    checksum.update(summed[next].clear().limit(length));
    packet.setIntLE(0, length).setIntLE(Integer.BYTES, (int) checksum.getValue());
    packet.setIndex(0, HEADER_BYTES + length);
    next = (next + 1) % packets.length;
    Channels.writeAndFlush(channel, packet.retain());
  }
}
