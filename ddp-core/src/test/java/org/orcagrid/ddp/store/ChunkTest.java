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
package org.orcagrid.ddp.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ChunkTest {
  private static final int BYTES = 256;
  private static final int FIRST_RELEASE_THAT_WARNS = 24;

  private static ByteBuffer buffer(boolean direct) {
    ByteBuffer made = direct ? ByteBuffer.allocateDirect(BYTES) : ByteBuffer.allocate(BYTES);
    return made.order(ByteOrder.LITTLE_ENDIAN);
  }

  @Test
  void memoryIsReachedByAddressWhereNobodyIsWarned() {
    boolean isKnown = List.of("amd64", "aarch64").contains(System.getProperty("os.arch"));
    if (isKnown) {
      assertEquals(Runtime.version().feature() < FIRST_RELEASE_THAT_WARNS, RawAccess.IS_THERE);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void numbersAreThoseOfTheBuffer(boolean direct) {
    ByteBuffer buffer = buffer(direct);
    Chunk chunk = new Chunk(buffer);
    SplittableRandom random = new SplittableRandom(3);
    for (int at = 0; at <= BYTES - Long.BYTES; at++) {
      long number = random.nextLong();
      chunk.putLong(at, number);
      assertEquals(number, buffer.getLong(at));
      assertEquals(number, chunk.getLong(at));
      assertEquals(number, chunk.getAcquire(at));
      chunk.putRelease(at, ~number);
      assertEquals(~number, buffer.getLong(at));
      chunk.putInt(at, (int) number);
      assertEquals((int) number, buffer.getInt(at));
      assertEquals((int) number, chunk.getInt(at));
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void bytesOfEachLengthAreCopiedAndNoOthers(boolean direct) {
    SplittableRandom random = new SplittableRandom(5);
    for (int length = 0; length < 100; length++) {
      ByteBuffer buffer = buffer(direct);
      Chunk chunk = new Chunk(buffer);
      byte[] content = new byte[length];
      random.nextBytes(content);
      chunk.put(17, content);
      byte[] all = new byte[BYTES];
      System.arraycopy(content, 0, all, 17, length);
      byte[] found = new byte[BYTES];
      buffer.get(0, found);
      assertArrayEquals(all, found);
      byte[] copy = new byte[length];
      chunk.get(17, copy);
      assertArrayEquals(content, copy);
    }
  }

  /** A part of an array begins where it does. */
  @Test
  void aSliceIsReachedWhereItIs() {
    ByteBuffer slice = buffer(false).slice(32, 64).order(ByteOrder.LITTLE_ENDIAN);
    Chunk chunk = new Chunk(slice);
    chunk.putLong(8, 77);
    assertEquals(77, slice.getLong(8));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whatIsOutsideIsRefusedInTests(boolean direct) {
    Chunk chunk = new Chunk(buffer(direct));
    for (int at : new int[] {-1, BYTES - Long.BYTES + 1, BYTES, Integer.MAX_VALUE}) {
      assertThrows(AssertionError.class, () -> chunk.getLong(at));
      assertThrows(AssertionError.class, () -> chunk.putLong(at, 1));
      assertThrows(AssertionError.class, () -> chunk.get(at, new byte[Long.BYTES]));
      assertThrows(AssertionError.class, () -> chunk.put(at, new byte[Long.BYTES]));
    }
    assertThrows(AssertionError.class, () -> chunk.getInt(BYTES - Integer.BYTES + 1));
    assertThrows(AssertionError.class, () -> chunk.putInt(BYTES - Integer.BYTES + 1, 1));
  }
}
