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
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.ssl.NotSslRecordException;
import java.io.IOException;
import java.util.List;

/**
 * The first thing on a connection: one side greets, the other accepts or says why not. Then this
 * handler goes, and what comes after it gets everything else.
 */
abstract class GreetingDecoder extends ByteToMessageDecoder {
  /** The first two bytes of whoever begins with TLS. */
  private static final int TLS_HANDSHAKE = 0x1603;

  private static final String BOTH =
      "; set grid.tls.keystore on all nodes, and TLS in all clients, or in none";

  private boolean failed;

  /** What came is complete. */
  abstract void onGreeting(ChannelHandlerContext context, ByteBuf greeting)
      throws Hello.MalformedException;

  /** There will be no connection, for this reason. */
  abstract void onFailed(ChannelHandlerContext context, String reason);

  /** Why it may have been closed when nothing has come. */
  String closed(ChannelHandlerContext context) {
    return "it was closed before it was greeted";
  }

  /** Whether what comes is part of the handshake; what is not is kept for whoever comes after. */
  boolean isReading() {
    return true;
  }

  /** A decoder asks for more when it has passed on nothing: not while nothing is to be read. */
  @Override
  public final void channelReadComplete(ChannelHandlerContext context) throws Exception {
    if (isReading()) {
      super.channelReadComplete(context);
    }
  }

  @Override
  protected final void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
    if (failed) {
      in.skipBytes(in.readableBytes());
      return;
    }
    if (!isReading() || in.readableBytes() < Integer.BYTES) {
      return;
    }
    int length = in.getInt(in.readerIndex());
    try {
      if (length < 0 || length > Hello.BYTES_MAX) {
        throw new Hello.MalformedException(
            length >>> Short.SIZE == TLS_HANDSHAKE
                ? "it speaks TLS, and this one does not" + BOTH
                : "what came is no greeting of Orca Grid");
      }
      if (in.readableBytes() >= Integer.BYTES + length) {
        in.skipBytes(Integer.BYTES);
        ByteBuf greeting = in.readSlice(length);
        onGreeting(context, greeting);
      }
    } catch (Hello.MalformedException e) {
      in.skipBytes(in.readableBytes());
      fail(context, e.getMessage());
    }
  }

  /** Writes a greeting, or the answer to one. */
  static void send(ChannelHandlerContext context, ByteBuf content) {
    ByteBuf length = context.alloc().directBuffer(Integer.BYTES).writeInt(content.readableBytes());
    Channels.write(context, length);
    Channels.writeAndFlush(context, content);
  }

  /** Ends the connection. This handler stays: whatever else fails of the connection is no news. */
  final void fail(ChannelHandlerContext context, String reason) {
    if (!failed && !context.isRemoved()) {
      failed = true;
      onFailed(context, reason);
    }
    Channels.close(context);
  }

  /** Ends the connection, and nobody need know why. */
  final void failSilently(ChannelHandlerContext context) {
    failed = true;
    Channels.close(context);
  }

  @Override
  public final void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    Throwable root = Channels.cause(cause);
    if (root instanceof NotSslRecordException) {
      // Its message is all that came.
      fail(context, "what came is no TLS" + BOTH);
    } else {
      String reason = root instanceof IOException ? root.getMessage() : root.toString();
      fail(context, PrintableText.of(String.valueOf(reason)));
    }
  }

  @Override
  public final void channelInactive(ChannelHandlerContext context) throws Exception {
    fail(context, closed(context));
    super.channelInactive(context);
  }
}
