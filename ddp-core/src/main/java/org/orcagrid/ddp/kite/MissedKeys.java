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
 * A Bloom filter of the keys whose writes a node has missed. A slow-release carries one for the
 * nodes of its DM-set. {@link #has} is true for every key that was added, and for some others.
 *
 * <p>The paper names nodes only, and renders all keys of such a node out-of-epoch (section 4.2). A
 * busy machine that lets one time-out pass misses a few keys.
 *
 * <p>Not thread-safe.
 */
final class MissedKeys {
  /** The size of an encoded filter. A message carries it in the place of its key. */
  static final int BYTES = ReplicaStore.KEY_BYTES_MAX;

  private static final int BITS_LOG = 13;

  /** Above this share of set bits the filter counts as containing every key. */
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

  /** Whether a key with this hash was added, or may have been. */
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

  /** Adds the filter of a message, or every key if the message has no filter. */
  static void read(Message from, MissedKeys into) {
    if (from.keyLength() == BYTES) {
      into.addAll(from.buffer(), from.keyAt());
    } else {
      into.addEverything();
    }
  }

  /** Adds every key: nobody knows which ones were missed. */
  void addEverything() {
    Arrays.fill(words, -1);
  }

  void clear() {
    Arrays.fill(words, 0);
  }

  /** Whether so many bits are set that the filter counts as containing every key. */
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
