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
package org.orcagrid.ddp.replica.consistency;

import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.orcagrid.ddp.replica.state.Encoding;
import org.orcagrid.ddp.replica.state.Entry;
import org.orcagrid.ddp.replica.state.Key;
import org.orcagrid.ddp.replica.state.Write;

/**
 * Several keys that a node reads, compares and writes in one step: what an {@linkplain
 * Operation#batch operation} asks for, and what came of it. Causal consistency has batches.
 *
 * <p>If all expectations hold, all writes have one clock and become visible together at each node:
 * one update, one log record. If one does not hold, nothing is written. In both cases the caller is
 * told the versions that the node had before.
 *
 * <p>The expectations are about the node that executes the batch. Other nodes write without asking
 * it, and their versions are merged by their clocks.
 */
public final class Batch {
  /** The expectation of a key whose version does not matter. */
  public static final long ANY = -1;

  /** The expectation that the node has no value of a key. */
  public static final long NO_VALUE = 0;

  /** The place of a batch that any node may execute. */
  public static final int ANYWHERE = -1;

  private final int place;
  private final List<Part> parts;
  private final List<Key> keys;

  // What came of it.

  private int node = ANYWHERE;
  private boolean held;

  /**
   * What a batch does with a key.
   *
   * @param key the key, which no other part has
   * @param expected the clock of the version that the node is to have, {@link #NO_VALUE} or {@link
   *     #ANY}
   * @param writes whether it writes the key
   * @param value what it writes; null removes the key
   */
  @SuppressWarnings("ArrayRecordComponent") // Never compared and never changed.
  public record Part(Key key, long expected, boolean writes, byte[] value) {

    /** Refuses what no version can meet, and a value that is not written. */
    public Part {
      Objects.requireNonNull(key);
      if (expected < ANY) {
        throw new IllegalArgumentException(
            "A part expects a clock, no value (0) or anything (-1), not " + expected);
      }
      if (!writes && value != null) {
        throw new IllegalArgumentException("A part that does not write has no value");
      }
    }

    /** Reads a key. */
    public static Part read(Key key) {
      return new Part(key, ANY, false, null);
    }

    /** Expects a version, and leaves it. */
    public static Part expect(Key key, long clock) {
      return new Part(key, clock, false, null);
    }

    /** Writes a key without an expectation; null removes it. */
    public static Part write(Key key, byte[] value) {
      return new Part(key, ANY, true, value);
    }
  }

  /**
   * A batch.
   *
   * @param place the one node that may execute it, or {@link #ANYWHERE}
   * @throws IllegalArgumentException if two parts have the same key
   */
  public Batch(int place, List<Part> parts) {
    if (place < ANYWHERE) {
      throw new IllegalArgumentException("No node has the number " + place);
    }
    this.place = place;
    this.parts = List.copyOf(parts);
    this.keys = this.parts.stream().map(Part::key).toList();
    Set<Key> different = new HashSet<>();
    for (Key key : keys) {
      if (!different.add(key)) {
        throw new IllegalArgumentException("Two parts of a batch have the key " + key);
      }
    }
  }

  /** The one node that may execute it, or {@link #ANYWHERE}. */
  public int place() {
    return place;
  }

  /** What it does with each key. */
  public List<Part> parts() {
    return parts;
  }

  /** Their keys, in the same order. */
  List<Key> keys() {
    return keys;
  }

  /** Whether it may write. */
  public boolean mayWrite() {
    return parts.stream().anyMatch(Part::writes);
  }

  /** Whether it expects something. */
  boolean expects() {
    return parts.stream().anyMatch(part -> part.expected() != ANY);
  }

  /** The bytes of its keys, and of the values that it writes. */
  public long bytes() {
    return parts.stream().mapToLong(part -> Encoding.bytes(part.key(), part.value())).sum();
  }

  /** What it writes, as versions of one clock. */
  List<Write> writes(long clock) {
    return parts.stream()
        .filter(Part::writes)
        .map(part -> new Write(part.key(), clock, part.value()))
        .toList();
  }

  // --- what came of it ---------------------------------------------------------------------------

  /** A node has executed it, or has told so. */
  public void executed(int at, boolean expectationsHeld) {
    node = at;
    held = expectationsHeld;
  }

  /** The node that has executed it; {@link #ANYWHERE} before. */
  public int node() {
    return node;
  }

  /** Whether all expectations held at that node; false before. */
  public boolean held() {
    return held;
  }

  /** Whether entries, one for each part, have what is expected. */
  boolean isAsExpected(List<Entry> entries) {
    for (int i = 0; i < entries.size(); i++) {
      Entry entry = entries.get(i);
      long expected = parts.get(i).expected();
      // Nodes forget removals at any time, so a removal counts as no value.
      boolean hasNone = !entry.hasVersion() || entry.isRemoval();
      boolean holds = expected == NO_VALUE ? hasNone : entry.clock() == expected;
      if (expected != ANY && !holds) {
        return false;
      }
    }
    return true;
  }

  @Override
  public String toString() {
    return "batch of " + parts.stream().map(Part::key).toList();
  }
}
