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
package org.orcagrid.simulator.checker;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Judges cross-client monotonic reads of a real store, from what its clients were told: as {@link
 * MonotonicReads}, but nobody says which writes a crash has taken.
 *
 * <p>An index has an epoch in its upper half. A read that shows index i exposes every write of the
 * same epoch up to i; of an earlier epoch it exposes nothing new, since a new epoch may begin
 * without the last writes of the one before. A later read of a key must show the last write of that
 * key that was exposed before it began, or a later one. So no write that was lost unread is ever
 * asked for, and none that was exposed is let go.
 *
 * <p>Safe for use by many threads.
 */
public final class ExposedStates {

  private static final int EPOCH_BITS = 32;

  private final Map<String, NavigableSet<Long>> writesOfKey = new HashMap<>();
  private final TreeMap<Long, Long> exposedOfEpoch = new TreeMap<>();
  private final List<String> violations = new ArrayList<>();
  private long reads;
  private long stale;

  /**
   * A read that has begun.
   *
   * @param key what is read
   * @param atLeast the index that it must show, or a later one; -1 for any
   */
  public record Read(String key, long atLeast) {}

  /** What is to be said of an answer. */
  public enum Verdict {
    /** No later write of the key is known. */
    LATEST,
    /** Older than the last write of the key, which nobody had been shown. */
    STALE,
    /** Older than what some client had been shown before: not monotonic. */
    WENT_BACK
  }

  /** A write of {@code key} was acknowledged with this index. */
  public synchronized void onWrite(String key, long index) {
    writesOfKey.computeIfAbsent(key, any -> new TreeSet<>()).add(index);
  }

  /** A client asks for {@code key} now. */
  public synchronized Read begin(String key) {
    return new Read(key, lastExposed(key));
  }

  /**
   * The client was told.
   *
   * @param index the index of the write that it was shown, or -1 for none
   * @param by which server, for the message
   */
  public synchronized Verdict end(Read read, long index, String by) {
    reads++;
    boolean allowed = index >= read.atLeast();
    if (!allowed) {
      violations.add(
          by
              + " showed write "
              + name(index)
              + " of "
              + read.key()
              + " after "
              + name(read.atLeast())
              + " had been exposed");
    }
    NavigableSet<Long> writes = writesOfKey.computeIfAbsent(read.key(), any -> new TreeSet<>());
    if (index >= 0) {
      // Of a write whose acknowledgement got lost nobody knew the index until now.
      writes.add(index);
      exposedOfEpoch.merge(index >>> EPOCH_BITS, index, Math::max);
    }
    if (!allowed) {
      return Verdict.WENT_BACK;
    }
    if (!writes.isEmpty() && index < writes.last()) {
      stale++;
      return Verdict.STALE;
    }
    return Verdict.LATEST;
  }

  /** What was wrong so far. */
  public synchronized List<String> violations() {
    return List.copyOf(violations);
  }

  /** How many reads have ended. */
  public synchronized long reads() {
    return reads;
  }

  /** How many of them were allowed but did not show the last write that was acknowledged. */
  public synchronized long stale() {
    return stale;
  }

  private long lastExposed(String key) {
    NavigableSet<Long> writes = writesOfKey.get(key);
    if (writes == null) {
      return -1;
    }
    for (Map.Entry<Long, Long> epoch : exposedOfEpoch.descendingMap().entrySet()) {
      Long last = writes.floor(epoch.getValue());
      if (last != null && last >>> EPOCH_BITS == epoch.getKey()) {
        return last;
      }
    }
    return -1;
  }

  private static String name(long index) {
    return index < 0 ? "none" : "0x" + Long.toHexString(index);
  }
}
