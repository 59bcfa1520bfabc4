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

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundInvoker;
import io.netty.handler.codec.DecoderException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;

/**
 * Writes and ends connections without a future for each: that a write has failed shows in the
 * connection's end, which its handlers are told of.
 */
public final class Channels {
  private Channels() {}

  /** Writes; goes out with the next flush. */
  @SuppressWarnings("FutureReturnValueIgnored")
  public static void write(ChannelOutboundInvoker to, Object message) {
    to.write(message, to.voidPromise());
  }

  /** Writes, and sends all that was written. */
  @SuppressWarnings("FutureReturnValueIgnored")
  public static void writeAndFlush(ChannelOutboundInvoker to, Object message) {
    to.writeAndFlush(message, to.voidPromise());
  }

  /** What has gone wrong, of what a handler is told: decoders, TLS among them, wrap it. */
  public static Throwable cause(Throwable told) {
    return told instanceof DecoderException && told.getCause() != null ? told.getCause() : told;
  }

  /** Whether an address is one of another host. */
  static boolean isFar(SocketAddress peer) {
    return peer instanceof InetSocketAddress at && !at.getAddress().isLoopbackAddress();
  }

  /** Closes without a last word, which the other side might not take. */
  @SuppressWarnings("FutureReturnValueIgnored")
  static void closeAtOnce(Channel connection) {
    ChannelHandlerContext first = connection.pipeline().firstContext();
    if (first == null) {
      connection.close();
    } else {
      // Before the first handler is the transport alone.
      first.close();
    }
  }

  /** Closes. */
  @SuppressWarnings("FutureReturnValueIgnored")
  public static void close(ChannelOutboundInvoker connection) {
    connection.close();
  }
}
