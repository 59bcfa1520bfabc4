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
package org.orcagrid.ddp.kite;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.orcagrid.ddp.store.ReplicaStore;
import org.orcagrid.ddp.wire.Message;

/**
 * Keys that a node has missed writes of, as slow-releases name them: a filter (Bloom, CACM 1970),
 * which never denies a key that was added, and has some others, too. The paper names nodes alone,
 * and renders all keys of them out-of-epoch (section 4.2); what a busy machine has let pass once is
 * a few keys. Not for several threads at a time.
 */
final class MissedKeys {
  /** As a message has it, in the place of its key. */
  static final int BYTES = ReplicaStore.KEY_BYTES_MAX;

  private static final int BITS_LOG = 13;

  /** With more bits in a hundred it tells so few keys apart that it may as well have all. */
  private static final int DENSE_PERCENT = 40;

  private static final long FIRST_FACTOR = 0x9E37_79B9_7F4A_7C15L;
  private static final long SECOND_FACTOR = 0xC2B2_AE3D_27D4_EB4FL;

  private final long[] words = new long[BYTES / Long.BYTES];

  private static int first(long hash) {
    return (int) ((hash * FIRST_FACTOR) >>> (Long.SIZE - BITS_LOG));
  }

  private static int second(long hash) {
    return (int) (((hash ^ (hash >>> Integer.SIZE)) * SECOND_FACTOR) >>> (Long.SIZE - BITS_LOG));
  }

  /** Adds a key by its hash. */
  void add(long hash) {
    set(first(hash));
    set(second(hash));
  }

  private void set(int bit) {
    words[bit / Long.SIZE] |= 1L << bit;
  }

  /** Whether a key of this hash may be in it. */
  boolean has(long hash) {
    return isSet(first(hash)) && isSet(second(hash));
  }

  private boolean isSet(int bit) {
    return (words[bit / Long.SIZE] & 1L << bit) != 0;
  }

  void addAll(MissedKeys others) {
    for (int i = 0; i < words.length; i++) {
      words[i] |= others.words[i];
    }
  }

  /** Adds what {@link #put} has written. */
  void addAll(ByteBuffer from, int at) {
    for (int i = 0; i < words.length; i++) {
      words[i] |= from.getLong(at + i * Long.BYTES);
    }
  }

  /** Adds what a message names in the place of its key; everything if it names nothing. */
  static void read(Message from, MissedKeys into) {
    if (from.keyLength() == BYTES) {
      into.addAll(from.buffer(), from.keyAt());
    } else {
      into.addEverything();
    }
  }

  /** It is not known which keys: all of them. */
  void addEverything() {
    Arrays.fill(words, -1);
  }

  void clear() {
    Arrays.fill(words, 0);
  }

  /** Whether so much is in it that there are hardly keys that are not. */
  boolean isDense() {
    int bits = 0;
    for (long word : words) {
      bits += Long.bitCount(word);
    }
    return bits * 100 > DENSE_PERCENT << BITS_LOG;
  }

  void put(ByteBuffer into, int at) {
    for (int i = 0; i < words.length; i++) {
      into.putLong(at + i * Long.BYTES, words[i]);
    }
  }
}
