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
import org.orcagrid.ddp.transport.MalformedPacketException;

/**
 * How far two workers are with a zone, said over TCP whenever it changes. All of it is about the
 * sender's zone for the receiver but for what was taken, which is about the receiver's for the
 * sender.
 *
 * @param life of the zone that the receiver may connect to; 0 if there is none
 * @param queue the queue pair for it
 * @param key of the memory behind the zone's header
 * @param address of it
 * @param bytes of the zone
 * @param takenLife that of the receiver's zones that the sender has a queue pair for; 0 for none
 * @param takenQueue that queue pair
 * @param readyLife that of the sender's zone into which the receiver may write; 0 for none
 */
record ZoneHello(
    long life,
    int queue,
    int key,
    long address,
    int bytes,
    long takenLife,
    int takenQueue,
    long readyLife) {
  private static final int MAGIC = 0x4F525A31;
  private static final int VERSION = 1;

  /** Whether a packet is one, and no greeting. */
  static boolean isOne(ByteBuffer packet, int length) {
    return length == PeerHello.BYTES && packet.getInt(0) == MAGIC;
  }

  void write(ByteBuffer out) {
    out.clear();
    out.putInt(MAGIC).putInt(VERSION).putLong(life).putInt(queue).putInt(key);
    out.putLong(address).putInt(bytes).putLong(takenLife).putInt(takenQueue).putLong(readyLife);
    while (out.position() < PeerHello.BYTES) {
      out.putInt(0);
    }
  }

  static ZoneHello read(ByteBuffer in) {
    ByteBuffer rest = in.duplicate().order(in.order()).clear();
    rest.position(Integer.BYTES);
    int version = rest.getInt();
    if (version != VERSION) {
      throw new MalformedPacketException(
          "It speaks version "
              + version
              + " of the protocol of zones, and this node version "
              + VERSION
              + "; run the same release on both");
    }
    return new ZoneHello(
        rest.getLong(),
        rest.getInt(),
        rest.getInt(),
        rest.getLong(),
        rest.getInt(),
        rest.getLong(),
        rest.getInt(),
        rest.getLong());
  }
}
