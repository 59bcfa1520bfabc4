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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;
import org.orcagrid.ddp.transport.MalformedPacketException;

/** What stands before all that nodes say to each other. */
class PacketHeaderTest {
  private final ByteBuffer packet = ByteBuffer.allocate(64).order(ByteOrder.LITTLE_ENDIAN);

  private String refusal(int length) {
    return assertThrows(MalformedPacketException.class, () -> PacketHeader.part(packet, length))
        .getMessage();
  }

  @Test
  void whatIsWrittenIsRead() {
    PacketHeader.put(packet, PacketHeader.KEYS);
    assertEquals(PacketHeader.KEYS, PacketHeader.part(packet, PacketHeader.BYTES));
    PacketHeader.put(packet, PacketHeader.MAPS);
    assertEquals(PacketHeader.MAPS, PacketHeader.part(packet, packet.limit()));
  }

  @Test
  void anotherVersionIsRefusedByItsName() {
    PacketHeader.put(packet, PacketHeader.MAPS);
    packet.put(0, (byte) 9);
    assertEquals("It has version 9, not 1; use one release at all nodes", refusal(packet.limit()));
  }

  @Test
  void eachOtherByteThatIsDamagedIsRefused() {
    for (int at = 0; at < PacketHeader.BYTES; at++) {
      PacketHeader.put(packet, PacketHeader.MAPS);
      packet.put(at, (byte) (packet.get(at) ^ 0x40));
      refusal(packet.limit());
    }
  }

  @Test
  void whatIsTooShortIsRefused() {
    PacketHeader.put(packet, PacketHeader.KEYS);
    for (int length = 0; length < PacketHeader.BYTES; length++) {
      assertEquals(length + " bytes are too few for a packet", refusal(length));
    }
  }
}
