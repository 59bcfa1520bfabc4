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
package org.orcagrid.simulator.kite;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;

/**
 * Buffers for packets. A datagram may arrive twice and late, so they are free again after a run.
 */
final class Packets {
  static final int BYTES = 2048;

  private final ArrayDeque<Packet> free = new ArrayDeque<>();

  /** A packet under way. */
  static final class Packet {
    final ByteBuffer buffer = ByteBuffer.allocateDirect(BYTES).order(ByteOrder.LITTLE_ENDIAN);
    int length;
  }

  private final ArrayDeque<Packet> taken = new ArrayDeque<>();

  Packet take() {
    Packet packet = free.isEmpty() ? new Packet() : free.poll();
    packet.length = 0;
    taken.add(packet);
    return packet;
  }

  /** A run is over, and nothing is under way any more. */
  void giveBack() {
    free.addAll(taken);
    taken.clear();
  }
}
