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
package org.orcagrid.transport.rdma;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Puts the parts of a packet together that is larger than a datagram. Parts that are lost or
 * overtake each other make the packet a lost one.
 */
final class PacketAssembly {
  private final ByteBuffer packet;
  private long first;
  private int expected;
  private int filled;

  PacketAssembly(int packetBytesMax) {
    this.packet = ByteBuffer.allocateDirect(packetBytesMax).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Nothing is put together any more. */
  void begin() {
    expected = 0;
    first = 0;
    filled = 0;
  }

  /**
   * A part.
   *
   * @param number of its datagram
   * @param place among the parts of its packet
   * @return whether the packet is complete
   */
  boolean add(long number, int place, int packetBytes, ByteBuffer memory, int at, int bytes) {
    if (place == 0) {
      first = number;
      expected = 0;
      filled = 0;
    }
    if (place != expected || number - place != first || bytes > packetBytes - filled) {
      first = -1;
      return false;
    }
    packet.put(filled, memory, at, bytes);
    filled += bytes;
    expected++;
    return filled == packetBytes;
  }

  /** The packet, once it is complete; until the next part is added. */
  ByteBuffer packet() {
    return packet;
  }
}
