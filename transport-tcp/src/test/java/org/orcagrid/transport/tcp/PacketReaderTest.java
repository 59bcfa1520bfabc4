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
package org.orcagrid.transport.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.orcagrid.ddp.transport.MalformedPacketException;

/** Packets as a stream of bytes, cut anywhere. */
class PacketReaderTest {
  private static final int BYTES_MAX = 256;

  private final List<String> received = new ArrayList<>();
  private final List<String> ends = new ArrayList<>();
  private final List<Throwable> faults = new ArrayList<>();
  private final List<String> bad = new ArrayList<>();
  private RuntimeException thrown;

  private final PacketReader.Target target =
      new PacketReader.Target() {
        @Override
        public void onBytes() {}

        @Override
        public void onPacket(ByteBuffer packet, int length) {
          if (thrown != null) {
            throw thrown;
          }
          byte[] content = new byte[length];
          packet.get(0, content);
          received.add(new String(content, java.nio.charset.StandardCharsets.ISO_8859_1));
        }

        @Override
        public void onBadPacket(String reason) {
          bad.add(reason);
        }

        @Override
        public void onDown(Channel closed, String reason) {
          ends.add(reason);
        }

        @Override
        public void onFault(Throwable cause) {
          faults.add(cause);
        }
      };

  private final EmbeddedChannel channel = new EmbeddedChannel(new PacketReader(target, BYTES_MAX));

  private static ByteBuf packet(String content) {
    byte[] bytes = content.getBytes(java.nio.charset.StandardCharsets.ISO_8859_1);
    CRC32C checksum = new CRC32C();
    checksum.update(bytes);
    return Unpooled.buffer()
        .writeIntLE(bytes.length)
        .writeIntLE((int) checksum.getValue())
        .writeBytes(bytes);
  }

  @Test
  void packetsArriveWholeHoweverTheyAreCut() {
    Random random = new Random(1);
    List<String> sent = new ArrayList<>();
    ByteBuf stream = Unpooled.buffer();
    for (int i = 0; i < 2_000; i++) {
      String content = "x".repeat(random.nextInt(BYTES_MAX - 4)) + i % 1000;
      sent.add(content);
      stream.writeBytes(packet(content));
      if (random.nextInt(10) == 0) {
        stream.writeLongLE(0);
      }
    }
    while (stream.isReadable()) {
      int bytes = Math.min(stream.readableBytes(), 1 + random.nextInt(600));
      channel.writeInbound(stream.readBytes(bytes));
    }
    assertEquals(sent, received);
    assertTrue(ends.isEmpty());
  }

  @Test
  void aPacketThatIsTooLongEndsTheConnection() {
    channel.writeInbound(Unpooled.buffer().writeLongLE(BYTES_MAX + 1));
    assertFalse(channel.isOpen());
    assertEquals("a packet of 257 bytes, where 256 are the most", ends.get(0));
  }

  /** Whichever bit is lost, nobody gets the packet, and the link is taken down and counted. */
  @Test
  void aDamagedPacketEndsTheConnection() {
    String content = "a clock and a value";
    int bits = Byte.SIZE * packet(content).readableBytes();
    for (int bit = 0; bit < bits; bit++) {
      received.clear();
      bad.clear();
      ByteBuf sent = packet(content);
      int at = bit / Byte.SIZE;
      sent.setByte(at, sent.getByte(at) ^ 1 << bit % Byte.SIZE);
      EmbeddedChannel link = new EmbeddedChannel(new PacketReader(target, BYTES_MAX));
      link.writeInbound(sent);
      // What was taken for longer than it is ends with what comes next.
      for (int i = 0; i < BYTES_MAX && link.isOpen(); i++) {
        link.writeInbound(packet(content));
      }
      assertFalse(link.isOpen(), "bit " + bit);
      assertEquals(List.of(), received, "bit " + bit);
      assertEquals(1, bad.size(), "bit " + bit);
      link.releaseInbound();
    }
  }

  @Test
  void aDamagedPacketIsNamed() {
    channel.writeInbound(packet("abc").setByte(SendRing.HEADER_BYTES, 'x'));
    assertTrue(
        bad.get(0).startsWith("a packet of 3 bytes was damaged on its way: its checksum is"),
        bad.get(0));
    assertEquals(bad.get(0), ends.get(0));
  }

  @Test
  void aMalformedPacketEndsTheConnectionAndAFaultTheWorker() {
    thrown = new MalformedPacketException("no message");
    channel.writeInbound(packet("abc"));
    assertFalse(channel.isOpen());
    assertEquals("no message", ends.get(0));
    assertEquals(List.of("no message"), bad);
    assertTrue(faults.isEmpty());
    EmbeddedChannel second = new EmbeddedChannel(new PacketReader(target, BYTES_MAX));
    thrown = new IllegalStateException("Invariant broken");
    second.writeInbound(packet("abc"));
    assertFalse(second.isOpen());
    assertEquals(thrown, faults.get(0));
  }
}
