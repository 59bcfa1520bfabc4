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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every record arrives once and in order, wherever connections end. */
class RecordStreamTest {
  private static final int SEEDS = 2_000;
  private static final int RECORDS = 60;
  private static final int STEPS_MAX = 5_000;

  /** What is broken on purpose. */
  private enum Fault {
    NONE,
    /** Who comes back says what it has told last, and not what it has. */
    TELLS_AN_OLD_POSITION,
    /** What was said is not said again. */
    SAYS_NOTHING_AGAIN,
    /** Half of a record counts as one that has come. */
    COUNTS_PARTS
  }

  /** One side of a connection. */
  private static final class Side {
    private final RecordStream stream = new RecordStream();
    private final List<Integer> come = new ArrayList<>();
    private int said;

    /** What has come in part. */
    private ByteBuf in = Unpooled.buffer();

    ByteBuf say(SplittableRandom random) {
      ByteBuf chunk = Unpooled.buffer();
      int records = 1 + random.nextInt(3);
      for (int i = 0; i < records && said < RECORDS; i++) {
        int bytes = random.nextInt(2_000);
        chunk.writeInt(Integer.BYTES + bytes).writeInt(said++).writeZero(bytes);
      }
      return stream.say(chunk);
    }

    void take(ByteBuf bytes) {
      in.writeBytes(bytes);
      while (in.readableBytes() >= Integer.BYTES
          && in.readableBytes() - Integer.BYTES >= in.getInt(in.readerIndex())) {
        int length = in.readInt();
        come.add(in.readInt());
        in.skipBytes(length - Integer.BYTES);
        stream.received(Integer.BYTES + length);
      }
    }

    void lose(Fault fault) {
      if (fault == Fault.COUNTS_PARTS) {
        stream.received(in.readableBytes());
      }
      in = Unpooled.buffer();
    }
  }

  private static void reconnect(Side from, Side to, ByteBuf wire, Fault fault, long told)
      throws ClientRecord.MalformedException {
    long position = fault == Fault.TELLS_AN_OLD_POSITION ? told : to.stream.received();
    for (ByteBuf each : from.stream.from(position)) {
      if (fault != Fault.SAYS_NOTHING_AGAIN) {
        wire.writeBytes(each);
      }
      each.release();
    }
  }

  /** Null if all is well. */
  private static String run(long seed, Fault fault) {
    SplittableRandom random = new SplittableRandom(seed);
    Side here = new Side();
    Side there = new Side();
    ByteBuf wire = Unpooled.buffer();
    long told = 0;
    try {
      for (int step = 0; there.come.size() < RECORDS; step++) {
        if (step == STEPS_MAX) {
          return "not everything comes";
        }
        switch (random.nextInt(10)) {
          case 0 -> {
            wire = Unpooled.buffer();
            there.lose(fault);
            reconnect(here, there, wire, fault, told);
          }
          case 1, 2, 3 -> {
            if (here.said < RECORDS) {
              ByteBuf out = here.say(random);
              wire.writeBytes(out);
              out.release();
            }
          }
          case 4 -> {
            if (there.stream.isReportDue()) {
              told = there.stream.report();
              here.stream.told(told);
            }
          }
          default -> {
            if (wire.isReadable()) {
              there.take(wire.readSlice(1 + random.nextInt(wire.readableBytes())));
            }
          }
        }
        here.stream.checkInvariants();
        there.stream.checkInvariants();
      }
    } catch (ClientRecord.MalformedException | IllegalArgumentException e) {
      return e.toString();
    }
    for (int i = 0; i < there.come.size(); i++) {
      if (there.come.get(i) != i) {
        return "record " + i + " is " + there.come.get(i);
      }
    }
    here.stream.release();
    assertEquals(0, here.stream.keptBytes());
    return null;
  }

  @Test
  void everythingComesOnceAndInOrder() {
    for (long seed = 0; seed < SEEDS; seed++) {
      long now = seed;
      assertNull(run(seed, Fault.NONE), () -> "seed " + now);
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Fault.class,
      names = {"NONE"},
      mode = EnumSource.Mode.EXCLUDE)
  void whatIsBrokenIsNoticed(Fault fault) {
    for (long seed = 0; seed < SEEDS; seed++) {
      if (run(seed, fault) != null) {
        return;
      }
    }
    throw new AssertionError(fault + " was not noticed");
  }

  @Test
  void whatWasToldIsForgottenAndCannotBeAskedForAgain() throws Exception {
    RecordStream stream = new RecordStream();
    stream.say(Unpooled.buffer().writeZero(100)).release();
    stream.say(Unpooled.buffer().writeZero(50)).release();
    stream.told(120);
    assertEquals(50, stream.keptBytes());
    assertEquals(30, stream.from(120).get(0).readableBytes());
    assertThrows(ClientRecord.MalformedException.class, () -> stream.from(99));
    assertThrows(ClientRecord.MalformedException.class, () -> stream.told(151));
    stream.told(150);
    assertTrue(stream.from(150).isEmpty());
  }
}
