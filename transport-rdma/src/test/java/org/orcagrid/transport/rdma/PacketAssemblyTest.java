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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class PacketAssemblyTest {
  private final PacketAssembly assembly = new PacketAssembly(25);
  private final ByteBuffer memory = ByteBuffer.allocateDirect(10);

  private boolean add(long number, int place, int packetBytes, int bytes) {
    for (int i = 0; i < bytes; i++) {
      memory.put(i, (byte) (place * 10 + i));
    }
    return assembly.add(number, place, packetBytes, 10, memory, 0, bytes);
  }

  private void check(int bytes) {
    for (int i = 0; i < bytes; i++) {
      assertEquals((byte) i, assembly.packet().get(i));
    }
  }

  @Test
  void partsInOrderMakeThePacket() {
    assertFalse(add(7, 0, 25, 10));
    assertFalse(add(8, 1, 25, 10));
    assertTrue(add(9, 2, 25, 5));
    check(25);
    assertFalse(add(10, 0, 20, 10));
    assertTrue(add(11, 1, 20, 10));
    check(20);
  }

  @Test
  void aPartThatIsLostLosesThePacketAndNotTheNext() {
    assertFalse(add(1, 0, 25, 10));
    assertFalse(add(3, 2, 25, 5));
    assertFalse(add(5, 1, 20, 10), "of a packet whose first part is lost");
    assertFalse(add(6, 0, 20, 10));
    assertTrue(add(7, 1, 20, 10));
    check(20);
  }

  @Test
  void partsOfTwoPacketsAreNotMixed() {
    assertFalse(add(1, 0, 20, 10));
    // 2 is lost, with it the end of the first packet and the beginning of the next.
    assertFalse(add(4, 1, 20, 10));
  }

  @Test
  void partsThatOvertakeEachOtherMakeThePacketAndCountOnce() {
    assertFalse(add(3, 2, 25, 5));
    assertFalse(add(1, 0, 25, 10));
    assertFalse(add(3, 2, 25, 5));
    assertTrue(add(2, 1, 25, 10));
    check(25);
    assertFalse(add(2, 1, 25, 10), "late and twice");
  }

  @Test
  void partsOfSomePacketsMayComeBetweenEachOther() {
    assertFalse(add(3, 0, 20, 10));
    assertFalse(add(2, 1, 20, 10));
    assertTrue(add(4, 1, 20, 10));
    check(20);
    assertTrue(add(1, 0, 20, 10));
    check(20);
  }

  @Test
  void aPacketIsLostWhenSomeLaterOnesHaveBegun() {
    for (int packet = 0; packet < 5; packet++) {
      assertFalse(add(1 + 2 * packet, 0, 20, 10));
    }
    assertFalse(add(2, 1, 20, 10));
    assertTrue(add(4, 1, 20, 10));
  }

  @Test
  void moreThanThePacketHasIsNoPacket() {
    assertFalse(add(1, 0, 15, 10));
    assertFalse(add(2, 1, 15, 10));
  }

  @Test
  void nothingOfAnEarlierConnectionIsKept() {
    assertFalse(add(1, 0, 20, 10));
    assembly.begin();
    assertFalse(add(2, 1, 20, 10));
  }
}
