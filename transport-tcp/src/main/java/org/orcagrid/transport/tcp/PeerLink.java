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

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;

/**
 * A worker's connection to its counterpart at one peer, or the lack of it. Used by the worker's
 * thread only.
 */
final class PeerLink implements PacketReader.Target {
  private static final int PACKETS = 16;
  private static final long RETRY_NANOS_MIN = TimeUnit.MILLISECONDS.toNanos(50);
  private static final long RETRY_NANOS_MAX = TimeUnit.SECONDS.toNanos(1);
  private static final long CONNECT_NANOS_MAX = TimeUnit.SECONDS.toNanos(3);
  private static final long PING_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  /** Longer than a stopped process is worth waiting for: a new connection costs little. */
  private static final long SILENCE_NANOS_MAX = TimeUnit.SECONDS.toNanos(4);

  private final TcpEndpoint endpoint;
  private final int peer;
  private final int packetBytesMax;

  /** Null until there is one, or it is known where: a grid may have room for more nodes. */
  private SendRing ring;

  private Channel channel;
  private Channel connecting;
  private long connectingSince;
  private long retryAt;
  private long retryNanos = RETRY_NANOS_MIN;
  private long heardAt;
  private long spokeAt;

  PeerLink(TcpEndpoint endpoint, int peer, int packetBytesMax) {
    this.endpoint = endpoint;
    this.peer = peer;
    this.packetBytesMax = packetBytesMax;
    if (endpoint.address(peer) != null) {
      ring = new SendRing(PACKETS, packetBytesMax);
    }
  }

  int peer() {
    return peer;
  }

  ByteBuffer claim() {
    return channel == null || !channel.isActive() ? null : ring.claim();
  }

  void send(int length) {
    if (channel != null) {
      ring.send(channel, length);
      spokeAt = endpoint.now();
    }
  }

  boolean isUp() {
    return channel != null;
  }

  // --- what the connection says ------------------------------------------------------------------

  /** There is a connection. An older one has been given up by the peer. */
  void onUp(Channel opened) {
    if (ring == null) {
      ring = new SendRing(PACKETS, packetBytesMax);
    }
    Channel old = channel;
    channel = opened;
    connecting = null;
    retryNanos = RETRY_NANOS_MIN;
    heardAt = endpoint.now();
    spokeAt = heardAt;
    if (old != null) {
      Channels.close(old);
    } else {
      endpoint.listener().onUp(peer, endpoint.worker());
    }
  }

  @Override
  public void onBytes() {
    heardAt = endpoint.now();
  }

  @Override
  public void onPacket(ByteBuffer packet, int length) {
    endpoint.onPacket(peer, packet, length);
  }

  @Override
  public void onBadPacket(String reason) {
    endpoint.onBadPacket(peer, reason);
  }

  @Override
  public void onDown(Channel closed, String reason) {
    if (closed == channel) {
      channel = null;
      retryLater();
      endpoint.listener().onDown(peer, endpoint.worker(), reason);
    }
  }

  @Override
  public void onFault(Throwable cause) {
    endpoint.onFault(cause);
  }

  void onConnectFailed(Channel failed, String reason, boolean refused) {
    if (failed == connecting) {
      connecting = null;
      retryLater();
      if (refused) {
        retryNanos = RETRY_NANOS_MAX;
        endpoint.onRefused(peer, reason);
      }
    }
  }

  private void retryLater() {
    // Not all of a grid at the same moment.
    retryAt = endpoint.now() + retryNanos + retryNanos * endpoint.worker() / 16;
    retryNanos = Math.min(RETRY_NANOS_MAX, retryNanos * 2);
  }

  // --- what the time asks for --------------------------------------------------------------------

  /** Connects, says that this node is there, or gives up a peer that says nothing. */
  void look(boolean connects) {
    long now = endpoint.now();
    if (channel != null) {
      if (now - heardAt > SILENCE_NANOS_MAX) {
        Channel silent = channel;
        onDown(
            silent,
            "nothing was heard for " + TimeUnit.NANOSECONDS.toMillis(now - heardAt) + " ms");
        Channels.close(silent);
      } else if (now - spokeAt > PING_NANOS && channel.isWritable()) {
        spokeAt = now;
        Channels.writeAndFlush(channel, Unpooled.wrappedBuffer(new byte[SendRing.HEADER_BYTES]));
      }
    } else if (connecting != null) {
      if (now - connectingSince > CONNECT_NANOS_MAX) {
        Channel late = connecting;
        onConnectFailed(late, "no connection in time", false);
        Channels.close(late);
      }
    } else if (connects && now - retryAt >= 0) {
      connectingSince = now;
      connecting = endpoint.connect(this);
    }
  }

  /** A node may have come back where none could be reached: its view does not wait for a retry. */
  void retryNow() {
    if (channel == null) {
      retryNanos = RETRY_NANOS_MIN;
      retryAt = endpoint.now();
    }
  }

  void close() {
    if (connecting != null) {
      Channels.close(connecting);
    }
    if (channel != null) {
      Channels.close(channel);
    }
  }
}
