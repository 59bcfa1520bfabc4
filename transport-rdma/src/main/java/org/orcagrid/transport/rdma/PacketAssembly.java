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
import java.util.Arrays;
import java.util.BitSet;

/**
 * Puts the parts of packets together that are larger than a datagram, in whichever order they come.
 * A packet is lost if a part of it is, or if parts of it still come when some later ones have
 * begun.
 */
final class PacketAssembly {
  /** So many packets are put together at a time. */
  private static final int PACKETS = 4;

  private final Slot[] slots = new Slot[PACKETS];
  private final int packetBytesMax;
  private Slot complete;

  /** A packet, of which some parts have come. */
  private static final class Slot {
    private final ByteBuffer packet;
    private final BitSet places = new BitSet();

    /** The number of the datagram of its first part; -1 if there is none. */
    private long first = -1;

    private int packetBytes;
    private int filled;

    Slot(int packetBytesMax) {
      this.packet = ByteBuffer.allocateDirect(packetBytesMax).order(ByteOrder.LITTLE_ENDIAN);
    }

    void begin(long number, int bytes) {
      first = number;
      packetBytes = bytes;
      filled = 0;
      places.clear();
    }
  }

  PacketAssembly(int packetBytesMax) {
    this.packetBytesMax = packetBytesMax;
    Arrays.setAll(slots, slot -> new Slot(packetBytesMax));
  }

  /** Nothing is put together any more. */
  void begin() {
    for (Slot slot : slots) {
      slot.begin(-1, 0);
    }
  }

  /**
   * A part.
   *
   * @param number of its datagram
   * @param place among the parts of its packet
   * @param partBytes of all parts but the last
   * @return whether the packet is complete
   */
  boolean add(
      long number,
      int place,
      int packetBytes,
      int partBytes,
      ByteBuffer memory,
      int at,
      int bytes) {
    long first = number - place;
    long from = (long) place * partBytes;
    if (place < 0
        || first < 0
        || packetBytes > packetBytesMax
        || from >= packetBytes
        || bytes != Math.min(partBytes, packetBytes - from)) {
      return false;
    }
    Slot slot = find(first, packetBytes);
    if (slot == null || slot.packetBytes != packetBytes || slot.places.get(place)) {
      return false;
    }
    slot.places.set(place);
    slot.packet.put((int) from, memory, at, bytes);
    slot.filled += bytes;
    complete = slot;
    return slot.filled == packetBytes;
  }

  /** Where a packet is put together, instead of the oldest if it is new; null if it is older. */
  private Slot find(long first, int packetBytes) {
    Slot oldest = slots[0];
    for (Slot slot : slots) {
      if (slot.first == first) {
        return slot;
      }
      if (slot.first < oldest.first) {
        oldest = slot;
      }
    }
    if (oldest.first > first) {
      return null;
    }
    oldest.begin(first, packetBytes);
    return oldest;
  }

  /** The packet, once it is complete; until the next part is added. */
  ByteBuffer packet() {
    return complete.packet;
  }
}
