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
package org.orcagrid.geo.protocol;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.flush.FlushConsolidationHandler;
import java.io.IOException;
import java.util.List;
import org.orcagrid.ddp.transport.MalformedPacketException;
import org.orcagrid.geo.wire.Decoder;
import org.orcagrid.geo.wire.Encoder;
import org.orcagrid.transport.tcp.Channels;

/**
 * Cuts what arrives into messages: their length, a number that pairs an answer with its request,
 * and the rest.
 */
public abstract class Messages extends ByteToMessageDecoder {
  private static final int NUMBER_BYTES = Long.BYTES;

  /** So many messages at most go out by one call of the system. */
  private static final int FLUSHED_TOGETHER = 256;

  private final int bytesMax;
  private String fault;

  /** Of messages that have so many bytes at most. */
  protected Messages(int bytesMax) {
    this.bytesMax = bytesMax + NUMBER_BYTES;
  }

  /** What is written while others are being written, or read, goes out with them. */
  @Override
  public void handlerAdded(ChannelHandlerContext context) throws Exception {
    context
        .pipeline()
        .addBefore(context.name(), null, new FlushConsolidationHandler(FLUSHED_TOGETHER, true));
    super.handlerAdded(context);
  }

  /** Writes a message; {@code then} runs when it is out, or never will be. */
  public static void write(ChannelHandlerContext to, long number, Encoder content, Runnable then) {
    ByteBuf out = to.alloc().directBuffer(Integer.BYTES + NUMBER_BYTES + content.length());
    out.writeIntLE(NUMBER_BYTES + content.length()).writeLongLE(number);
    out.writeBytes(content.toBytes());
    Object unused = to.writeAndFlush(out).addListener(done -> then.run());
  }

  /** Writes a message. */
  public static void write(ChannelHandlerContext to, long number, Encoder content) {
    write(to, number, content, () -> {});
  }

  /** A message has come. */
  protected abstract void onMessage(long number, Decoder content);

  /** The connection is at its end, for this reason; comes once. */
  protected abstract void onEnd(String reason);

  @Override
  protected final void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
    while (fault == null && in.readableBytes() >= Integer.BYTES) {
      int length = in.getIntLE(in.readerIndex());
      if (length < NUMBER_BYTES || length > bytesMax) {
        throw new MalformedPacketException(
            "A message of " + length + " bytes, where " + bytesMax + " are the most");
      }
      if (in.readableBytes() - Integer.BYTES < length) {
        return;
      }
      in.skipBytes(Integer.BYTES);
      long number = in.readLongLE();
      byte[] content = new byte[length - NUMBER_BYTES];
      in.readBytes(content);
      onMessage(number, new Decoder(content));
    }
    if (fault != null) {
      in.skipBytes(in.readableBytes());
    }
  }

  private void end(String reason) {
    if (fault == null) {
      fault = reason;
      onEnd(reason);
    }
  }

  @Override
  public final void channelInactive(ChannelHandlerContext context) throws Exception {
    end("the connection was closed");
    super.channelInactive(context);
  }

  @Override
  public final void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    Throwable root = Channels.cause(cause);
    boolean isExpected = root instanceof IOException || root instanceof MalformedPacketException;
    end(isExpected && root.getMessage() != null ? root.getMessage() : root.toString());
    Channels.close(context);
  }
}
