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
package org.orcagrid.ddp.replica;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.orcagrid.ddp.replica.log.LogCodec;
import org.orcagrid.ddp.replica.log.LogRecord;
import org.orcagrid.ddp.replica.state.Key;
import org.orcagrid.ddp.replica.state.Write;
import org.orcagrid.ddp.replica.wire.Packet;
import org.orcagrid.ddp.replica.wire.PacketCodec;
import org.orcagrid.ddp.replica.wire.ReplicaMessage;
import org.orcagrid.ddp.replica.wire.Update;
import org.orcagrid.ddp.transport.MalformedPacketException;

/** What is written is read; what was not written is refused. */
class CodecTest {
  private static final int SEEDS = 50_000;
  private static final Write WRITE = new Write(Key.of("key"), 77, new byte[] {1, 2, 3});
  private static final Write REMOVED = new Write(Key.of(""), -5, null);
  private static final Write CONDITIONAL = Write.conditional(Key.of("key"), 78, new byte[] {4});
  private static final List<Write> WRITES = List.of(WRITE, REMOVED, CONDITIONAL);
  private static final long[] VISIBLE = {3, 1L << 40, 0};

  private static final List<ReplicaMessage> MESSAGES =
      List.of(
          new ReplicaMessage.Inv(WRITE),
          new ReplicaMessage.Ack(Key.of("k"), 9, ReplicaMessage.CONSISTENCY),
          new ReplicaMessage.Val(Key.of("k"), 9, ReplicaMessage.PERSISTENCY),
          new ReplicaMessage.Upd(new Update(2, 1L << 33, 7, VISIBLE, true, WRITES)),
          new ReplicaMessage.UpdPersisted(4),
          new ReplicaMessage.Progress(VISIBLE),
          new ReplicaMessage.TxBegin(5),
          new ReplicaMessage.TxWrite(5, WRITE),
          new ReplicaMessage.TxEnd(5, WRITES),
          new ReplicaMessage.TxAck(5, ReplicaMessage.TxStep.DURABLE, 77),
          new ReplicaMessage.TxConflict(5),
          new ReplicaMessage.TxVal(5, ReplicaMessage.CONSISTENCY),
          new ReplicaMessage.TxAbort(5),
          new ReplicaMessage.ScopePersist(6, WRITES),
          new ReplicaMessage.ScopeAck(6),
          new ReplicaMessage.Hello(3),
          new ReplicaMessage.State(3, 7, List.of(new ReplicaMessage.Known(WRITE, 3)), WRITES),
          new ReplicaMessage.StateEnd(3, 78, 77, VISIBLE, new long[] {4, 5, 6}),
          new ReplicaMessage.StateAsk(3, 9),
          new ReplicaMessage.ForgetAsk(1L << 33, WRITES),
          new ReplicaMessage.ForgetReady(1L << 33, WRITES),
          new ReplicaMessage.Forget(1L << 33, WRITES),
          new ReplicaMessage.Landed(1L << 33, new ReplicaMessage.Inv(WRITE)),
          new ReplicaMessage.Landed(
              1L << 34, new ReplicaMessage.Upd(new Update(2, 1L << 33, 7, VISIBLE, false, WRITES))),
          new ReplicaMessage.Kept(1L << 33),
          new ReplicaMessage.Taken(1L << 33),
          new ReplicaMessage.Recovered(3));

  private static final List<LogRecord> RECORDS =
      List.of(
          new LogRecord.Version(WRITE),
          new LogRecord.Batch(WRITES),
          new LogRecord.Begun(8),
          new LogRecord.Tentative(8, REMOVED),
          new LogRecord.OrphansDropped(7),
          new LogRecord.AdoptionBegin(4),
          new LogRecord.Learned(5, WRITES),
          new LogRecord.CheckpointBegin(1L << 40),
          new LogRecord.CheckpointEnd(1L << 40),
          new LogRecord.Mark(1L << 33, 1L << 41, true),
          new LogRecord.AdoptionEnd(4, 5));

  private static ByteBuffer buffer(int bytes) {
    return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static ByteBuffer encoded(Packet packet) {
    ByteBuffer out = buffer(PacketCodec.bytes(packet));
    PacketCodec.encode(packet, out);
    return out.flip();
  }

  private static ByteBuffer encoded(LogRecord record) {
    ByteBuffer out = buffer(LogCodec.bytes(record));
    LogCodec.encode(record, out);
    return out.flip();
  }

  private static Packet packet(List<ReplicaMessage> messages) {
    return new Packet(4, 1, 2, 1L << 34, 6, 1L << 35, true, messages);
  }

  @Test
  void allMessagesAreThere() {
    Set<Class<?>> tested = new HashSet<>();
    MESSAGES.forEach(message -> tested.add(message.getClass()));
    assertEquals(Set.of(ReplicaMessage.class.getPermittedSubclasses()), tested);
    Set<Class<?>> records = new HashSet<>();
    RECORDS.forEach(record -> records.add(record.getClass()));
    assertEquals(Set.of(LogRecord.class.getPermittedSubclasses()), records);
  }

  @Test
  void whatIsWrittenIsRead() {
    Packet packet = packet(MESSAGES);
    Packet read = PacketCodec.decode(encoded(packet));
    // Arrays are told by what is in them.
    assertEquals(packet.toString(), read.toString());
    ReplicaMessage.Inv inv = (ReplicaMessage.Inv) read.messages().get(0);
    assertArrayEquals(WRITE.value(), inv.write().value());
    ReplicaMessage.Upd upd = (ReplicaMessage.Upd) read.messages().get(3);
    assertArrayEquals(VISIBLE, upd.update().history());
    assertEquals(
        List.of(false, false, true),
        upd.update().writes().stream().map(Write::isConditional).toList());
    for (LogRecord record : RECORDS) {
      assertEquals(record, LogCodec.decode(encoded(record)));
    }
  }

  @Test
  void noRecordBelongsToAnyOtherMessage() {
    ReplicaMessage none = new ReplicaMessage.Landed(7, new ReplicaMessage.Kept(7));
    ByteBuffer in = encoded(packet(List.of(none)));
    MalformedPacketException refused =
        assertThrows(MalformedPacketException.class, () -> PacketCodec.decode(in));
    assertTrue(refused.getMessage().contains("No record belongs to message"));
  }

  @Test
  void aPacketThatIsCutShortIsRefused() {
    for (ReplicaMessage message : MESSAGES) {
      ByteBuffer whole = encoded(packet(List.of(message)));
      for (int length = 0; length < whole.limit(); length++) {
        ByteBuffer part = whole.duplicate().order(ByteOrder.LITTLE_ENDIAN).limit(length);
        assertThrows(
            MalformedPacketException.class, () -> PacketCodec.decode(part), message.toString());
      }
    }
  }

  @Test
  void whatWasChangedIsRefusedOrAnotherPacketAndNothingElseHappens() {
    int refused = 0;
    ByteBuffer packet = encoded(packet(MESSAGES));
    byte[] whole = new byte[packet.remaining()];
    packet.get(whole);
    for (long seed = 0; seed < SEEDS; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      byte[] changed = whole.clone();
      for (int changes = 1 + random.nextInt(4); changes > 0; changes--) {
        changed[random.nextInt(changed.length)] = (byte) random.nextInt();
      }
      ByteBuffer in =
          ByteBuffer.wrap(Arrays.copyOf(changed, random.nextInt(changed.length) + 1))
              .order(ByteOrder.LITTLE_ENDIAN);
      try {
        PacketCodec.decode(in);
      } catch (MalformedPacketException e) {
        refused++;
      }
    }
    assertTrue(refused > SEEDS / 2, refused + " of " + SEEDS);
  }

  @Test
  void aRecordThatIsCutShortIsRefused() {
    for (LogRecord record : RECORDS) {
      ByteBuffer whole = encoded(record);
      for (int length = 0; length < whole.limit(); length++) {
        ByteBuffer part = whole.duplicate().order(ByteOrder.LITTLE_ENDIAN).limit(length);
        assertThrows(
            MalformedPacketException.class, () -> LogCodec.decode(part), record.toString());
      }
    }
  }

  @Test
  void aRecordThatWasChangedIsRefusedOrAnotherRecordAndNothingElseHappens() {
    int refused = 0;
    for (long seed = 0; seed < SEEDS; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      ByteBuffer record = encoded(RECORDS.get(random.nextInt(RECORDS.size())));
      for (int changes = 1 + random.nextInt(4); changes > 0; changes--) {
        record.put(random.nextInt(record.limit()), (byte) random.nextInt());
      }
      record.limit(random.nextInt(record.limit()) + 1);
      try {
        LogCodec.decode(record);
      } catch (MalformedPacketException e) {
        refused++;
      }
    }
    assertTrue(refused > SEEDS / 2, refused + " of " + SEEDS);
  }

  @Test
  void aKeyThatNobodyCouldReadBackIsRefused() {
    assertEquals(Key.BYTES_MAX, Key.of(new byte[Key.BYTES_MAX]).length());
    assertThrows(IllegalArgumentException.class, () -> Key.of(new byte[Key.BYTES_MAX + 1]));
  }
}
