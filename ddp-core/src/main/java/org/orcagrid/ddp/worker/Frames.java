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
package org.orcagrid.ddp.worker;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.Deque;
import org.orcagrid.ddp.transport.MalformedPacketException;

/**
 * Packets of many channels to and from one peer, as frames in the transport's packets: several
 * small ones in one, and one large one cut into several. A channel is a map or a partition. What is
 * lost or out of order is dropped: the replicas send it again. Of the worker's thread.
 */
public final class Frames {
  /** A packet of a channel has at most so many bytes. */
  public static final int BYTES_MAX = 64 << 20;

  /** What waits for a peer that takes nothing. */
  private static final int WAITING_BYTES_MAX = 4 << 20;

  /**
   * The bytes of a frame's content; channel, number of the packet, its bytes, where the frame
   * begins in it.
   */
  private static final int HEADER_BYTES = 5 * Integer.BYTES;

  private final Packets packets;
  private final int peer;

  private int packetsOut;
  private final Deque<byte[]> waiting = new ArrayDeque<>();
  private int waitingBytes;
  private long dropped;

  private ByteBuffer partial = buffer(0);
  private int partialNumber;
  private int partialChannel;

  /** Takes a packet. */
  @FunctionalInterface
  public interface Receiver {
    /** A packet from its position to its limit; valid until this returns. */
    void onPacket(int channel, ByteBuffer packet);
  }

  /** The frames to and from each peer, by its number; null for the node itself. */
  public static Frames[] toPeers(Packets packets, int nodes, int self) {
    Frames[] frames = new Frames[nodes];
    for (int peer = 0; peer < nodes; peer++) {
      frames[peer] = peer == self ? null : new Frames(packets, peer);
    }
    return frames;
  }

  private Frames(Packets packets, int peer) {
    this.packets = packets;
    this.peer = peer;
  }

  private static ByteBuffer buffer(int bytes) {
    return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Frames that found no room. */
  public long dropped() {
    return dropped;
  }

  // --- out ---------------------------------------------------------------------------------------

  /** Sends a packet: from the position to the limit, which are left as they are. */
  public void send(int channel, ByteBuffer packet) {
    int total = packet.remaining();
    int most = packets.bytesMax() - HEADER_BYTES;
    packetsOut++;
    int sent = 0;
    do {
      int bytes = Math.min(total - sent, most);
      int at = waiting.isEmpty() ? packets.claim(peer, HEADER_BYTES + bytes) : Packets.NO_ROOM;
      if (at == Packets.NO_ROOM) {
        wait(channel, packet, sent, bytes);
      } else {
        putFrame(packets.buffer(peer), at, channel, packet, sent, bytes);
      }
      sent += bytes;
    } while (sent < total);
  }

  private void putFrame(
      ByteBuffer into, int at, int channel, ByteBuffer packet, int offset, int bytes) {
    into.putInt(at, bytes);
    into.putInt(at + Integer.BYTES, channel);
    into.putInt(at + 2 * Integer.BYTES, packetsOut);
    into.putInt(at + 3 * Integer.BYTES, packet.remaining());
    into.putInt(at + 4 * Integer.BYTES, offset);
    into.put(at + HEADER_BYTES, packet, packet.position() + offset, bytes);
  }

  private void wait(int channel, ByteBuffer packet, int offset, int bytes) {
    if (waitingBytes + bytes > WAITING_BYTES_MAX) {
      dropped++;
      return;
    }
    byte[] frame = new byte[HEADER_BYTES + bytes];
    putFrame(
        ByteBuffer.wrap(frame).order(ByteOrder.LITTLE_ENDIAN), 0, channel, packet, offset, bytes);
    waiting.add(frame);
    waitingBytes += frame.length;
  }

  /** Sends what has gathered, and what had to wait as far as there is room now. */
  public void flush() {
    for (byte[] frame = waiting.peek(); frame != null; frame = waiting.peek()) {
      int at = packets.claim(peer, frame.length);
      if (at == Packets.NO_ROOM) {
        break;
      }
      packets.buffer(peer).put(at, frame);
      waiting.poll();
      waitingBytes -= frame.length;
    }
    if (packets.filled(peer) > 0) {
      packets.send(peer);
    }
  }

  /** Whether something waits for room. */
  public boolean isWaiting() {
    return !waiting.isEmpty();
  }

  // --- in ----------------------------------------------------------------------------------------

  /**
   * Takes a packet of the transport.
   *
   * @throws MalformedPacketException if no node sends such a packet
   */
  public void receive(ByteBuffer packet, int length, Receiver receiver) {
    int at = PacketHeader.BYTES;
    while (at < length) {
      if (length - at < HEADER_BYTES) {
        throw new MalformedPacketException(length - at + " bytes are too few for a frame");
      }
      int bytes = packet.getInt(at);
      int channel = packet.getInt(at + Integer.BYTES);
      int number = packet.getInt(at + 2 * Integer.BYTES);
      int total = packet.getInt(at + 3 * Integer.BYTES);
      int offset = packet.getInt(at + 4 * Integer.BYTES);
      at += HEADER_BYTES;
      if (bytes < 0 || bytes > length - at) {
        throw new MalformedPacketException("A frame of " + bytes + " bytes ends behind its packet");
      }
      if (total < 1 || total > BYTES_MAX || offset < 0 || offset > total - bytes) {
        throw new MalformedPacketException(
            "A frame has bytes " + offset + " to " + (offset + bytes) + " of " + total);
      }
      ByteBuffer content = packet.slice(at, bytes).order(ByteOrder.LITTLE_ENDIAN);
      if (bytes == total) {
        receiver.onPacket(channel, content);
      } else {
        gather(channel, number, total, offset, content, receiver);
      }
      at += bytes;
    }
  }

  private void gather(
      int channel, int number, int total, int offset, ByteBuffer content, Receiver receiver) {
    if (offset == 0) {
      partial = partial.capacity() < total ? buffer(total) : partial;
      partial.clear().limit(total);
      partialNumber = number;
      partialChannel = channel;
    } else if (number != partialNumber
        || channel != partialChannel
        || partial.limit() != total
        || partial.position() != offset) {
      return;
    }
    partial.put(content);
    if (!partial.hasRemaining()) {
      receiver.onPacket(channel, partial.flip());
      partialNumber = number - 1;
    }
  }
}
