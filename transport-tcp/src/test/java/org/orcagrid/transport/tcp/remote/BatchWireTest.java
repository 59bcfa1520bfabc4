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
package org.orcagrid.transport.tcp.remote;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.orcagrid.ddp.replica.consistency.Batch;
import org.orcagrid.ddp.replica.consistency.Operation;
import org.orcagrid.ddp.replica.consistency.OtherNodeException;
import org.orcagrid.ddp.replica.state.Key;

/** Batches as records, and records that are none. */
class BatchWireTest {
  private static final MapWire.Place PLACE = new MapWire.Place(1, 2, 3);

  private static Operation operation(int place, Batch.Part... parts) {
    return Operation.batch(new Batch(place, List.of(parts)), version -> {});
  }

  private static ByteBuf written(Operation operation) {
    ByteBuf out = Unpooled.buffer();
    MapWire.writeOperation(out, 7, PLACE, operation);
    out.skipBytes(ClientRecord.HEADER_BYTES);
    return out;
  }

  private static Operation read(ByteBuf in) throws ClientRecord.MalformedException {
    assertEquals(PLACE, MapWire.Place.read(in));
    return MapWire.readOperation(in, new FoundVersions(7, new AtomicLong()));
  }

  @Test
  void aBatchComesAsItWasSent() throws Exception {
    Key one = Key.of("one");
    Key two = Key.of("two");
    Key three = Key.of("three");
    ByteBuf in =
        written(
            operation(
                5,
                new Batch.Part(one, 1L << 40, true, new byte[] {1, 2}),
                Batch.Part.read(two),
                Batch.Part.write(three, null)));
    Batch batch = read(in).batch();
    assertEquals(0, in.readableBytes());
    assertEquals(5, batch.place());
    assertEquals(3, batch.parts().size());
    Batch.Part first = batch.parts().get(0);
    assertEquals(one, first.key());
    assertEquals(1L << 40, first.expected());
    assertArrayEquals(new byte[] {1, 2}, first.value());
    assertEquals(Batch.Part.read(two), batch.parts().get(1));
    assertTrue(batch.parts().get(2).writes());
    assertNull(batch.parts().get(2).value());
    assertEquals(0, read(written(operation(Batch.ANYWHERE))).batch().parts().size());
  }

  @Test
  void itsEndSaysWhereAndWhetherItHeld() throws Exception {
    Operation done = operation(Batch.ANYWHERE, Batch.Part.read(Key.of("one")));
    done.batch().executed(2, true);
    ByteBuf in = Unpooled.buffer();
    MapWire.writeEnd(in, 7, done);
    in.skipBytes(ClientRecord.HEADER_BYTES);
    Operation asked = operation(Batch.ANYWHERE, Batch.Part.read(Key.of("one")));
    List<Operation> told = new ArrayList<>();
    asked.listener(told::add);
    MapWire.readEnd(in, asked);
    assertEquals(List.of(asked), told);
    assertEquals(2, asked.batch().node());
    assertTrue(asked.batch().held());
  }

  @Test
  void whatIsNoBatchIsMalformed() {
    Key key = Key.of("key");
    int countAt = 3 * Integer.BYTES + 1 + 2 * Integer.BYTES + 1 + Integer.BYTES + Long.BYTES;
    ByteBuf place = written(operation(1, Batch.Part.read(key)));
    place.setIntLE(place.readerIndex() + countAt, -2);
    assertMalformed(place, "No node has the number -2");
    for (int count : List.of(-1, 2, Integer.MAX_VALUE)) {
      ByteBuf in = written(operation(1, Batch.Part.read(key)));
      in.setIntLE(in.readerIndex() + countAt + Integer.BYTES, count);
      assertMalformed(in, "a batch of " + count + " parts");
    }
    ByteBuf twice = written(operation(1, Batch.Part.read(key), Batch.Part.read(Key.of("kez"))));
    twice.setByte(twice.indexOf(twice.readerIndex(), twice.writerIndex(), (byte) 'z'), 'y');
    assertMalformed(twice, "have the key");
    ByteBuf expected = written(operation(1, Batch.Part.expect(key, 9)));
    expected.setLongLE(expected.writerIndex() - Long.BYTES - 1 - Integer.BYTES, -5);
    assertMalformed(expected, "A part expects");
  }

  private static void assertMalformed(ByteBuf in, String what) {
    ClientRecord.MalformedException e =
        assertThrows(ClientRecord.MalformedException.class, () -> read(in));
    assertTrue(e.getMessage().contains(what), e.getMessage());
  }

  /** Whatever comes, it is a batch or is refused as other records are. */
  @Test
  void noiseIsRefused() {
    Random random = new Random(1);
    int refused = 0;
    for (int i = 0; i < 5_000; i++) {
      ByteBuf in =
          written(
              operation(
                  1,
                  Batch.Part.write(Key.of("one"), new byte[random.nextInt(20)]),
                  Batch.Part.expect(Key.of("two"), 3)));
      in.setByte(
          3 * Integer.BYTES + ClientRecord.HEADER_BYTES + random.nextInt(in.readableBytes() - 12),
          random.nextInt());
      try {
        read(in);
      } catch (ClientRecord.MalformedException | IndexOutOfBoundsException e) {
        refused++;
      }
    }
    assertTrue(refused > 500, "many are refused: " + refused);
  }

  @Test
  void whatIsTooLargeIsNotSent() {
    byte[] half = new byte[MapWire.VALUE_BYTES_MAX / 2];
    MapWire.requireSendable(operation(0, Batch.Part.write(Key.of("one"), half)));
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class,
            () ->
                MapWire.requireSendable(
                    operation(
                        0,
                        Batch.Part.write(Key.of("one"), half),
                        Batch.Part.write(Key.of("two"), half))));
    assertTrue(e.getMessage().contains("split it"), e.getMessage());
  }

  @Test
  void anotherNodeIsToldAsSuch() throws Exception {
    MapFailure kind = MapFailure.of(new OtherNodeException("look here"));
    Exception told = MapFailure.of(kind.code()).exception("look here");
    assertInstanceOf(OtherNodeException.class, told);
    assertEquals("look here", told.getMessage());
  }
}
