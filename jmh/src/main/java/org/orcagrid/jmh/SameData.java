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
package org.orcagrid.jmh;

import java.util.SplittableRandom;

/** The data that every benchmark of a store uses: 100,000 keys of 8 bytes, values of 32. */
public final class SameData {
  /** How many keys there are. */
  public static final int KEYS = 100_000;

  /** Bytes of a value. */
  public static final int VALUE_BYTES = 32;

  private SameData() {}

  /** So many of the keys in random order; other objects each time, as a caller has them. */
  public static Long[] shuffledKeys(int count) {
    Long[] keys = new Long[count];
    for (int i = 0; i < count; i++) {
      keys[i] = key(i);
    }
    SplittableRandom random = new SplittableRandom(7);
    for (int i = count - 1; i > 0; i--) {
      int other = random.nextInt(i + 1);
      Long swapped = keys[i];
      keys[i] = keys[other];
      keys[other] = swapped;
    }
    return keys;
  }

  /** A key; far apart, so that none is a small number that a cache of boxes would share. */
  public static Long key(int number) {
    return (number + 1) * 1_000_003L;
  }

  /** A value: always the same for a key. */
  public static byte[] value(int number) {
    byte[] value = new byte[VALUE_BYTES];
    new java.util.Random(number).nextBytes(value);
    return value;
  }
}
