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
package org.orcagrid.ddp.map;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.Deque;
import org.orcagrid.ddp.transport.Endpoint;
import org.orcagrid.ddp.transport.MalformedPacketException;

/**
 * Packets of many maps to and from one peer, as frames in the transport's packets: several small
 * ones in one, and one large one cut into several. What is lost or out of order is dropped: the
 * replicas send it again.
 */
final class Frames {
  /** A packet of a replica has at most so many bytes. */
  static final int BYTES_MAX = 64 << 20;

  /** What waits for a peer that takes nothing. */
  private static final int WAITING_BYTES_MAX = 4 << 20;

  /** Map, number of the packet, its bytes, where the frame begins in it, bytes of the frame. */
  private static final int HEADER_BYTES = 5 * Integer.BYTES;

  private final Endpoint endpoint;
  private final int peer;

  private ByteBuffer out;
  private int packetsOut;
  private final Deque<byte[]> waiting = new ArrayDeque<>();
  private int waitingBytes;
  private long dropped;

  private ByteBuffer partial = buffer(0);
  private int partialNumber;
  private int partialMap;

  /** Takes a packet. */
  @FunctionalInterface
  interface Receiver {
    /** A packet from its position to its limit; valid until this returns. */
    void onPacket(int map, ByteBuffer packet);
  }

  Frames(Endpoint endpoint, int peer) {
    this.endpoint = endpoint;
    this.peer = peer;
  }

  private static ByteBuffer buffer(int bytes) {
    return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Frames that found no room. */
  long dropped() {
    return dropped;
  }

  // --- out ---------------------------------------------------------------------------------------

  /** Sends a packet: from the position to the limit, which are left as they are. */
  void send(int map, ByteBuffer packet) {
    int total = packet.remaining();
    int begin = packet.position();
    packetsOut++;
    int sent = 0;
    do {
      int bytes = Math.min(total - sent, endpoint.packetBytesMax() - HEADER_BYTES);
      ByteBuffer room = room(HEADER_BYTES + bytes);
      if (room == null) {
        wait(map, packet, begin + sent, bytes, sent, total);
      } else {
        putFrame(room, map, packet, begin + sent, bytes, sent, total);
      }
      sent += bytes;
    } while (sent < total);
  }

  private void putFrame(
      ByteBuffer into, int map, ByteBuffer packet, int from, int bytes, int offset, int total) {
    into.putInt(map).putInt(packetsOut).putInt(total).putInt(offset).putInt(bytes);
    into.put(into.position(), packet, from, bytes);
    into.position(into.position() + bytes);
  }

  private void wait(int map, ByteBuffer packet, int from, int bytes, int offset, int total) {
    if (waitingBytes + bytes > WAITING_BYTES_MAX) {
      dropped++;
      return;
    }
    byte[] frame = new byte[HEADER_BYTES + bytes];
    putFrame(
        ByteBuffer.wrap(frame).order(ByteOrder.LITTLE_ENDIAN),
        map,
        packet,
        from,
        bytes,
        offset,
        total);
    waiting.add(frame);
    waitingBytes += frame.length;
  }

  /** Where a frame of so many bytes can be put; null if the peer takes nothing at present. */
  private ByteBuffer room(int bytes) {
    return waiting.isEmpty() ? roomInPacket(bytes) : null;
  }

  private ByteBuffer roomInPacket(int bytes) {
    if (out != null && out.position() + bytes > endpoint.packetBytesMax()) {
      sendOut();
    }
    if (out == null) {
      out = endpoint.claim(peer);
      if (out != null) {
        out.clear();
      }
    }
    return out;
  }

  private void sendOut() {
    endpoint.send(peer, out.position());
    out = null;
  }

  /** Sends what has gathered, and what had to wait as far as there is room now. */
  void flush() {
    for (byte[] frame = waiting.peek(); frame != null; frame = waiting.peek()) {
      ByteBuffer room = roomInPacket(frame.length);
      if (room == null) {
        break;
      }
      room.put(frame);
      waiting.poll();
      waitingBytes -= frame.length;
    }
    if (out != null && out.position() > 0) {
      sendOut();
    }
  }

  boolean isWaiting() {
    return !waiting.isEmpty();
  }

  // --- in ----------------------------------------------------------------------------------------

  /**
   * Takes a packet of the transport.
   *
   * @throws MalformedPacketException if no node sends such a packet
   */
  void receive(ByteBuffer packet, int length, Receiver receiver) {
    int at = 0;
    while (at < length) {
      if (length - at < HEADER_BYTES) {
        throw new MalformedPacketException(length - at + " bytes are too few for a frame");
      }
      int map = packet.getInt(at);
      int number = packet.getInt(at + Integer.BYTES);
      int total = packet.getInt(at + 2 * Integer.BYTES);
      int offset = packet.getInt(at + 3 * Integer.BYTES);
      int bytes = packet.getInt(at + 4 * Integer.BYTES);
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
        receiver.onPacket(map, content);
      } else {
        gather(map, number, total, offset, content, receiver);
      }
      at += bytes;
    }
  }

  private void gather(
      int map, int number, int total, int offset, ByteBuffer content, Receiver receiver) {
    if (offset == 0) {
      partial = partial.capacity() < total ? buffer(total) : partial;
      partial.clear().limit(total);
      partialNumber = number;
      partialMap = map;
    } else if (number != partialNumber
        || map != partialMap
        || partial.limit() != total
        || partial.position() != offset) {
      return;
    }
    partial.put(content);
    if (!partial.hasRemaining()) {
      receiver.onPacket(map, partial.flip());
      partialNumber = number - 1;
    }
  }
}
