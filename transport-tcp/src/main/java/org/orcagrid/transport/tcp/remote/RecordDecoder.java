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
import io.netty.channel.ChannelException;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.io.IOException;
import java.util.List;
import org.orcagrid.transport.tcp.Channels;

/** Cuts what arrives into records and has each of them handled in place. */
abstract class RecordDecoder extends ByteToMessageDecoder {
  private String fault;

  /** The most bytes of a record. */
  abstract int recordBytesMax();

  /** Handles a record, of which {@code in} is at the type; what is left of it is skipped. */
  abstract void onRecord(ByteBuf in, int bytes) throws ClientRecord.MalformedException;

  /** All records that have arrived so far were handled. */
  abstract void onBatchEnd();

  /** The connection is at its end, for this reason. */
  abstract void onDown(String reason);

  /** The same, since the other side has said what cannot be meant, or cannot be handled. */
  abstract void onMalformed(String reason);

  @Override
  protected final void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out)
      throws ClientRecord.MalformedException {
    while (fault == null && in.readableBytes() >= Integer.BYTES) {
      int length = in.getIntLE(in.readerIndex());
      if (length < ClientRecord.HEADER_BYTES - Integer.BYTES || length > recordBytesMax()) {
        throw new ClientRecord.MalformedException(
            "a record of " + length + " bytes, where " + recordBytesMax() + " are the most");
      }
      if (in.readableBytes() - Integer.BYTES < length) {
        return;
      }
      in.skipBytes(Integer.BYTES);
      int end = in.readerIndex() + length;
      int limit = in.writerIndex();
      try {
        // A record that says more than its length is cut off by an exception, not by luck.
        in.writerIndex(end);
        onRecord(in, length);
      } catch (IndexOutOfBoundsException e) {
        throw new ClientRecord.MalformedException("a record that is shorter than what is in it");
      } finally {
        in.writerIndex(limit);
        in.readerIndex(end);
      }
    }
    if (fault != null) {
      in.skipBytes(in.readableBytes());
    }
  }

  @Override
  public final void channelReadComplete(ChannelHandlerContext context) throws Exception {
    onBatchEnd();
    super.channelReadComplete(context);
  }

  @Override
  public final void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    Throwable root = Channels.cause(cause);
    if (root instanceof IOException || root instanceof ChannelException) {
      fail(context, root.getMessage() == null ? root.toString() : root.getMessage());
      return;
    }
    // What cannot be handled now cannot be handled if it is said again.
    if (fault == null) {
      fault = root instanceof ClientRecord.MalformedException ? root.getMessage() : root.toString();
      onMalformed(fault);
    }
    Channels.close(context);
  }

  private void fail(ChannelHandlerContext context, String reason) {
    if (fault == null) {
      fault = reason;
      onDown(reason);
    }
    Channels.close(context);
  }

  @Override
  public final void channelInactive(ChannelHandlerContext context) throws Exception {
    fail(context, "the connection was closed");
    super.channelInactive(context);
  }
}
