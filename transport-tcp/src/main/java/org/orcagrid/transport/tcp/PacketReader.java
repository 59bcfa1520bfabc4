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
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;
import org.orcagrid.ddp.transport.MalformedPacketException;

/**
 * Puts the packets of a connection together, each in the same buffer, and hands them over. One
 * whose checksum is wrong ends the connection: TCP's own, of 16 bits, misses one damage in 65,536.
 */
final class PacketReader extends ChannelInboundHandlerAdapter {
  /** Who is told what has arrived. */
  interface Target {
    /** Something, be it part of a packet. */
    void onBytes();

    /** A packet; the buffer is the reader's again when this returns. */
    void onPacket(ByteBuffer packet, int length);

    /** A packet was damaged, or is none that a node can have sent; {@link #onDown} follows. */
    void onBadPacket(String reason);

    /** Nothing more will arrive, for this reason. */
    void onDown(Channel closed, String reason);

    /** A fault of this program. */
    void onFault(Throwable cause);
  }

  private final Target link;
  private final ByteBuffer packet;
  private final CRC32C checksum = new CRC32C();
  private long header;
  private int headerBytes;
  private int length;
  private int expected;

  PacketReader(Target link, int packetBytesMax) {
    this.link = link;
    this.packet = ByteBuffer.allocateDirect(packetBytesMax).order(ByteOrder.LITTLE_ENDIAN);
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    ByteBuf in = (ByteBuf) message;
    try {
      link.onBytes();
      while (in.isReadable()) {
        if (headerBytes < SendRing.HEADER_BYTES) {
          readHeader(in);
        } else {
          readContent(in);
        }
      }
    } finally {
      in.release();
    }
  }

  private void readHeader(ByteBuf in) {
    header |= (long) in.readUnsignedByte() << (Byte.SIZE * headerBytes);
    headerBytes++;
    if (headerBytes < SendRing.HEADER_BYTES) {
      return;
    }
    length = (int) header;
    expected = (int) (header >>> Integer.SIZE);
    header = 0;
    if (length < 0 || length > packet.capacity()) {
      throw new MalformedPacketException(
          "a packet of " + length + " bytes, where " + packet.capacity() + " are the most");
    }
    packet.clear().limit(length);
    if (length == 0) {
      // The peer just says that it is there; the checksum of nothing is 0.
      headerBytes = 0;
      check(0);
    }
  }

  private void check(int actual) {
    if (actual != expected) {
      throw new MalformedPacketException(
          String.format(
              "a packet of %d bytes was damaged on its way: its checksum is %08x, not %08x; check"
                  + " the network and the memory of both machines",
              length, actual, expected));
    }
  }

  private void readContent(ByteBuf in) {
    int missing = packet.remaining();
    if (in.readableBytes() < missing) {
      packet.limit(packet.position() + in.readableBytes());
      in.readBytes(packet);
      packet.limit(length);
      return;
    }
    in.readBytes(packet);
    checksum.reset();
    checksum.update(packet.flip());
    check((int) checksum.getValue());
    packet.clear();
    headerBytes = 0;
    link.onPacket(packet, length);
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable thrown) {
    Throwable cause = Channels.cause(thrown);
    if (cause instanceof MalformedPacketException) {
      link.onBadPacket(cause.getMessage());
    }
    if (cause instanceof IOException || cause instanceof MalformedPacketException) {
      link.onDown(context.channel(), cause.getMessage());
      Channels.close(context);
    } else {
      // A fault of this program: the worker must not go on as if nothing had been.
      link.onFault(cause);
      Channels.close(context);
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    link.onDown(context.channel(), "the connection was closed");
  }
}
