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
package org.orcagrid.ddp.transport;

import java.nio.ByteBuffer;
import java.util.List;
import org.orcagrid.ddp.zone.ZoneMemory;
import org.orcagrid.ddp.zone.Zones;

/**
 * A worker's end of its connections to the worker with the same number on every other node.
 *
 * <p>All methods but {@link #wakeUp} belong to the worker's thread. Packets are datagrams: they may
 * be lost, doubled and overtake each other, but are never torn or altered.
 */
public interface Endpoint extends AutoCloseable {

  /** The most bytes that a packet can have. */
  int packetBytesMax();

  /**
   * A buffer of the transport to fill with the next packet to a peer: direct, little-endian, of at
   * least {@link #packetBytesMax} bytes from position 0. The same one again until it is sent.
   *
   * @return null if the peer takes nothing at present, be it full or away
   */
  ByteBuffer claim(int peer);

  /**
   * Whether so much is on its way to a peer already that new work had better wait, and leave what
   * room there is to answers.
   */
  default boolean isCrowded(int peer) {
    return false;
  }

  /**
   * Sends the first {@code length} bytes of the claimed buffer; the transport has it from now on.
   */
  void send(int peer, int length);

  /**
   * Hands over packets that have arrived.
   *
   * @return how many, at most {@code packetsMax}
   */
  int poll(PacketHandler handler, int packetsMax);

  /**
   * Waits until a packet arrives, {@link #wakeUp} is called, or the time is over. Packets may be
   * handed over to the handler of the last {@link #poll} meanwhile.
   */
  void await(long nanosMax);

  /** Ends the present or the next {@link #await}; any thread may call this. */
  void wakeUp();

  /**
   * One-sided writes into zones of the peers' memory, which have to offer as many bytes.
   *
   * @param zones this worker's own, by peer: direct
   * @param listener is told what comes of it while this is polled
   * @return null if this transport has no such thing
   */
  default Zones openZones(List<ZoneMemory> zones, Zones.Listener listener) {
    return null;
  }

  /**
   * Gives everything back; nothing arrives any more. By the thread that has polled, if any has; a
   * second call does nothing.
   */
  @Override
  void close();
}
