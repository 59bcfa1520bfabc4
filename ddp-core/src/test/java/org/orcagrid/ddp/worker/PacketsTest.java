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
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.orcagrid.ddp.transport.Endpoint;
import org.orcagrid.ddp.transport.PacketHandler;

/** Two engines that fill the packets of one endpoint. */
class PacketsTest {
  private static final int PEER = 1;
  private static final int PACKET_BYTES = 16;

  private final FewPackets endpoint = new FewPackets();
  private final Packets.Link link = new Packets.Link(endpoint, 2);
  private final Packets first = link.open();
  private final Packets second = link.open();

  /** An endpoint with room for so many packets. */
  private static final class FewPackets implements Endpoint {
    private final ByteBuffer buffer = ByteBuffer.allocate(PACKET_BYTES + PacketHeader.BYTES);
    private final List<String> sent = new ArrayList<>();
    private int room = Integer.MAX_VALUE;

    @Override
    public int packetBytesMax() {
      return PACKET_BYTES + PacketHeader.BYTES;
    }

    @Override
    public ByteBuffer claim(int peer) {
      return room == 0 ? null : buffer;
    }

    @Override
    public void send(int peer, int length) {
      StringBuilder text = new StringBuilder();
      for (int at = PacketHeader.BYTES; at < length; at++) {
        text.append((char) buffer.get(at));
      }
      sent.add(text.toString());
      room--;
    }

    @Override
    public int poll(PacketHandler handler, int packetsMax) {
      return 0;
    }

    @Override
    public void await(long nanosMax) {}

    @Override
    public void wakeUp() {}

    @Override
    public void close() {}
  }

  private static boolean put(Packets packets, String text) {
    int at = packets.claim(PEER, text.length());
    if (at == Packets.NO_ROOM) {
      return false;
    }
    for (int i = 0; i < text.length(); i++) {
      packets.buffer(PEER).put(at + i, (byte) text.charAt(i));
    }
    return true;
  }

  /** Fills a packet, so that the next one needs another. */
  private static boolean putWhole(Packets packets, char letter) {
    return put(packets, String.valueOf(letter).repeat(PACKET_BYTES));
  }

  private static void flush(Packets packets) {
    if (packets.filled(PEER) > 0) {
      packets.send(PEER);
    }
  }

  @Test
  void noPacketHasSomethingOfTwoEngines() {
    assertTrue(put(first, "aa"));
    assertTrue(put(first, "a"));
    assertTrue(put(second, "b"));
    assertTrue(put(first, "a"));
    flush(second);
    flush(first);
    assertEquals(List.of("aaa", "b", "a"), endpoint.sent);
  }

  @Test
  void whatDoesNotFitBeginsAPacket() {
    assertTrue(put(first, "a".repeat(PACKET_BYTES - 1)));
    assertTrue(put(first, "a"));
    assertTrue(put(first, "c"));
    flush(first);
    assertEquals(List.of("a".repeat(PACKET_BYTES), "c"), endpoint.sent);
  }

  @Test
  void aPacketThatOneEngineHasAndDoesNotFillIsTheOthers() {
    endpoint.room = 1;
    assertTrue(first.hasPacket(PEER));
    assertTrue(put(second, "b"));
    assertFalse(first.hasPacket(PEER), "there is no other one");
    assertEquals(List.of("b"), endpoint.sent, "it was sent for the one that wants it");
  }

  @Test
  void enginesThatBothWantMoreThanThereIsRoomForTakeTurns() {
    endpoint.room = 0;
    assertFalse(putWhole(first, 'a'));
    assertFalse(putWhole(second, 'b'));
    for (int round = 0; round < 4; round++) {
      endpoint.room += 1;
      // The first one always asks before the second one does, and as often as it likes.
      first.beginTurn();
      for (int tries = 0; tries < 3; tries++) {
        putWhole(first, 'a');
        flush(first);
      }
      second.beginTurn();
      putWhole(second, 'b');
      flush(second);
    }
    String text = String.join("", endpoint.sent).replaceAll("(.)\\1+", "$1");
    assertEquals("abab", text);
  }

  @Test
  void nobodyWaitsForAnEngineThatWantsNothingAnyMore() {
    endpoint.room = 0;
    assertFalse(putWhole(first, 'a'));
    endpoint.room = 2;
    first.beginTurn();
    second.beginTurn();
    assertTrue(putWhole(second, 'b'));
    flush(second);
    assertTrue(putWhole(second, 'b'));
    flush(second);
    assertEquals(2, endpoint.sent.size());
  }

  @Test
  void anEngineThatIsAloneHasAllThereIs() {
    FewPackets only = new FewPackets();
    only.room = 2;
    Packets alone = new Packets.Link(only, 2).open();
    assertTrue(putWhole(alone, 'a'));
    assertTrue(putWhole(alone, 'a'));
    flush(alone);
    assertFalse(putWhole(alone, 'a'));
    assertTrue(alone.wasRefused());
    only.room = 1;
    assertTrue(putWhole(alone, 'a'));
    alone.beginTurn();
    assertFalse(alone.wasRefused());
  }
}
