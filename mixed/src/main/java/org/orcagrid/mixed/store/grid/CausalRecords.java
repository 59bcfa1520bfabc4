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
package org.orcagrid.mixed.store.grid;

import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.orcagrid.mixed.plan.StoredObject;
import org.orcagrid.mixed.plan.TransactionId;
import org.orcagrid.mixed.store.Encoding;
import org.orcagrid.mixed.store.Found;
import org.orcagrid.mixed.store.causal.Row;
import org.orcagrid.mixed.track.VectorClock;

/**
 * How a causal store on a map names its keys, and what their values are. Each key has the group
 * that writes it in its name, and no other group writes it.
 */
final class CausalRecords {
  /** Ids are kept in so many lists, so that none becomes long. */
  static final int SHARDS = 64;

  private static final long BUCKET_MILLIS = TimeUnit.SECONDS.toMillis(10);

  private final Encoding encoding;

  CausalRecords(Encoding encoding) {
    this.encoding = encoding;
  }

  /** What is remembered of transactions, and is forgotten by the times at which they began. */
  enum Memory {
    /** That a part was taken: the clock of that. */
    PART("m"),
    /** What was decided. */
    DECISION("d");

    private final String sign;

    Memory(String sign) {
      this.sign = sign;
    }

    String key(String group, TransactionId id) {
      return sign + "." + group + "." + id;
    }

    /** The list of the ids of some seconds. */
    String bucket(String group, long bucket, int shard) {
      return sign + "b." + group + "." + bucket + "." + shard;
    }

    String bucket(String group, TransactionId id) {
      return bucket(group, CausalRecords.bucket(id.millis()), shard(id));
    }

    /** The list of all buckets. */
    String buckets(String group) {
      return sign + "l." + group;
    }
  }

  static long bucket(long millis) {
    return Math.floorDiv(millis, BUCKET_MILLIS);
  }

  /** The last moment before a bucket. */
  static long before(long bucket) {
    return bucket * BUCKET_MILLIS - 1;
  }

  static int shard(TransactionId id) {
    // That of a text is the same in every process.
    return Math.floorMod(id.toString().hashCode(), SHARDS);
  }

  static String state(String group) {
    return "s." + group;
  }

  static String row(String group, StoredObject object) {
    return "r." + group + "." + Encoding.key(object);
  }

  static String intent(String group, TransactionId id) {
    return "i." + group + "." + id;
  }

  static String open(String group, int shard) {
    return "o." + group + "." + shard;
  }

  // --- values ------------------------------------------------------------------------------------

  /**
   * What a group has and remembers.
   *
   * @param clock what its node had when it wrote this, with its own count
   * @param parts up to when it takes parts for done
   * @param refused up to when it decides nothing
   * @param forgotten up to when it has forgotten decisions
   */
  record State(VectorClock clock, long parts, long refused, long forgotten) {
    static final State NEW =
        new State(VectorClock.NONE, Long.MIN_VALUE, Long.MIN_VALUE, Long.MIN_VALUE);

    State with(VectorClock later) {
      return new State(clock.join(later), parts, refused, forgotten);
    }

    /** The same with floors that are not lower. */
    State raised(long toParts, long toRefused, long toForgotten) {
      return new State(
          clock,
          Math.max(parts, toParts),
          Math.max(refused, toRefused),
          Math.max(forgotten, toForgotten));
    }
  }

  byte[] state(State state) {
    return encoding.value(
        List.of(state.clock().counts(), state.parts(), state.refused(), state.forgotten()));
  }

  State state(byte[] bytes) {
    if (bytes == null) {
      return State.NEW;
    }
    List<?> all = (List<?>) encoding.value(bytes);
    return new State(ofCounts(all.get(0)), (Long) all.get(1), (Long) all.get(2), (Long) all.get(3));
  }

  private static VectorClock ofCounts(Object counts) {
    Map<String, Long> all = new HashMap<>();
    ((Map<?, ?>) counts).forEach((group, count) -> all.put((String) group, (Long) count));
    return new VectorClock(all);
  }

  byte[] clock(VectorClock clock) {
    return encoding.value(clock.counts());
  }

  /** The clock with these bytes; null for null. */
  VectorClock clock(byte[] bytes) {
    return bytes == null ? null : ofCounts(encoding.value(bytes));
  }

  byte[] row(long sequence, VectorClock clock, Found found) {
    return encoding.value(
        Arrays.asList(sequence, clock.counts(), found.value(), encoding.context(found.context())));
  }

  Row row(String group, byte[] bytes) {
    List<?> all = (List<?>) encoding.value(bytes);
    return new Row(
        group,
        (Long) all.get(0),
        ofCounts(all.get(1)),
        all.get(2),
        encoding.context((byte[]) all.get(3)));
  }

  byte[] texts(Set<String> texts) {
    return texts.isEmpty() ? null : encoding.value(texts);
  }

  Set<String> texts(byte[] bytes) {
    Set<String> texts = new LinkedHashSet<>();
    if (bytes != null) {
      ((Set<?>) encoding.value(bytes)).forEach(each -> texts.add((String) each));
    }
    return texts;
  }

  byte[] text(String text) {
    return encoding.value(text);
  }

  /** The text with these bytes; null for null. */
  String text(byte[] bytes) {
    return (String) encoding.value(bytes);
  }

  Encoding encoding() {
    return encoding;
  }
}
