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
package org.orcagrid.medium.chronicle;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Records of all kinds, as bytes: a letter, and what it says. U stays until it is trimmed, D is of
 * no use once it is in the map, K is the latest of a key with an order, B is several of K.
 */
final class TestRecord {
  private static final int KEYS = 12;
  private static final int KEYED_BYTES = 14;

  private TestRecord() {}

  /** Some record; orders mostly grow with the position. */
  static byte[] random(SplittableRandom random, long position) {
    int kind = random.nextInt(10);
    if (kind < 2) {
      return ByteBuffer.allocate(1 + random.nextInt(100)).put(0, (byte) 'U').array();
    } else if (kind == 2) {
      return ByteBuffer.allocate(1 + random.nextInt(100)).put(0, (byte) 'D').array();
    } else if (kind == 3) {
      ByteBuffer batch = ByteBuffer.allocate(1 + 3 * KEYED_BYTES).put((byte) 'B');
      for (int i = 0; i < 3; i++) {
        batch.put(keyed(random, position, KEYED_BYTES));
      }
      return batch.array();
    }
    return keyed(random, position, KEYED_BYTES + random.nextInt(150));
  }

  private static byte[] keyed(SplittableRandom random, long position, int bytes) {
    ByteBuffer record = ByteBuffer.allocate(bytes).put((byte) 'K');
    record.put((byte) random.nextInt(KEYS)).putLong(position + random.nextInt(6)).putInt(bytes);
    return record.array();
  }

  /** What of a record has a key, in its order. */
  static List<byte[]> keyedParts(byte[] record) {
    List<byte[]> parts = new ArrayList<>();
    if (record[0] == 'K') {
      parts.add(record);
    }
    for (int at = 1; record[0] == 'B' && at < record.length; at += KEYED_BYTES) {
      byte[] part = new byte[KEYED_BYTES];
      System.arraycopy(record, at, part, 0, KEYED_BYTES);
      parts.add(part);
    }
    return parts;
  }

  static int key(byte[] part) {
    return part[1];
  }

  static long order(byte[] part) {
    return ByteBuffer.wrap(part).getLong(2);
  }

  /** As {@link RecordKeys}. */
  static void sort(ByteBuffer record, RecordKeys.Kept kept) {
    byte[] bytes = new byte[record.remaining()];
    record.get(bytes);
    if (bytes[0] == 'U') {
      kept.untilTrimmed(ByteBuffer.wrap(bytes));
    }
    for (byte[] each : keyedParts(bytes)) {
      kept.latest(ByteBuffer.wrap(each, 1, 1), order(each), ByteBuffer.wrap(each));
    }
  }
}
