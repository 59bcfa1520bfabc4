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
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * Judges cross-client monotonic reads (section 4 of the ORCA paper): a read shows at least the
 * latest state that any read showed which had ended when it began, per key and across keys.
 *
 * <p>All writes have an order: the index that the store gave them. A read that shows the write of
 * index i shows the whole state up to i; so a later read of any key has to show the last write of
 * that key up to i, or a later one. A write may be lost if no state that contains it was shown.
 *
 * <p>Reads are told of when they end, in that order.
 */
public final class MonotonicReads {

  private final Map<String, NavigableMap<Long, Long>> writesOfKey = new HashMap<>();
  private final TreeMap<Long, Long> shownByEnd = new TreeMap<>();
  private final TreeMap<Long, Long> acknowledgedByEnd = new TreeMap<>();
  private final List<String> violations = new ArrayList<>();
  private long shown = -1;

  /**
   * The store has given this index to a write of {@code key}. Indexes are unique and never
   * negative.
   */
  public void onWrite(String key, long index) {
    writesOfKey.computeIfAbsent(key, k -> new TreeMap<>()).put(index, index);
  }

  /**
   * A write was acknowledged, and all before it: what is left of them is shown by whatever read
   * begins later, so that reads are linearizable. That it was acknowledged does not keep it from
   * being lost.
   *
   * @param endedNanos when, not before the last time that this was called
   */
  public void onAcknowledged(long index, long endedNanos) {
    Map.Entry<Long, Long> last = acknowledgedByEnd.lastEntry();
    acknowledgedByEnd.put(endedNanos, last == null ? index : Math.max(last.getValue(), index));
  }

  /** The store has lost a write: no state from now on contains it. */
  public void onLost(String key, long index) {
    NavigableMap<Long, Long> writes = writesOfKey.get(key);
    if (writes == null || writes.remove(index) == null) {
      return;
    }
    if (index <= shown) {
      violations.add(
          "Write "
              + name(index)
              + " of "
              + key
              + " is lost, but the state up to "
              + name(shown)
              + " had been shown");
    }
  }

  /**
   * A read has ended.
   *
   * @param index the index of the write of {@code key} that it showed, or -1 for none
   * @param beganNanos when it was asked
   * @param endedNanos when it was answered, not before the end of any read told of so far
   */
  public void onRead(String key, long index, long beganNanos, long endedNanos) {
    if (index >= 0 && !writesOfKey.getOrDefault(key, new TreeMap<>()).containsKey(index)) {
      violations.add("A read of " + key + " showed write " + name(index) + ", which is lost");
    }
    Map.Entry<Long, Long> before = shownByEnd.lowerEntry(beganNanos);
    if (before != null) {
      long state = before.getValue();
      long atLeast = lastWriteUpTo(key, state);
      if (index < atLeast) {
        violations.add(
            "A read of "
                + key
                + " from "
                + beganNanos
                + " to "
                + endedNanos
                + " showed write "
                + name(index)
                + ", but the state up to "
                + name(state)
                + ", with write "
                + name(atLeast)
                + " of the key, had been shown before");
      }
    }
    Map.Entry<Long, Long> acknowledged = acknowledgedByEnd.lowerEntry(beganNanos);
    if (acknowledged != null && index < lastWriteUpTo(key, acknowledged.getValue())) {
      violations.add(
          "A read of "
              + key
              + " from "
              + beganNanos
              + " showed write "
              + name(index)
              + ", but "
              + name(lastWriteUpTo(key, acknowledged.getValue()))
              + " had been acknowledged before");
    }
    if (index > shown) {
      shown = index;
    }
    shownByEnd.put(endedNanos, shown);
  }

  /**
   * A client was shown the state up to an index by other means than a read of a key: by a failed
   * write, an event, or an answer that promises it.
   *
   * @param endedNanos when, not before the end of any read told of so far
   */
  public void onShown(long index, long endedNanos) {
    shown = Math.max(shown, index);
    shownByEnd.put(endedNanos, shown);
  }

  /** What was found wrong so far, in the order of the reads. */
  public List<String> violations() {
    return List.copyOf(violations);
  }

  private long lastWriteUpTo(String key, long state) {
    NavigableMap<Long, Long> writes = writesOfKey.get(key);
    Long last = writes == null ? null : writes.floorKey(state);
    return last == null ? -1 : last;
  }

  private static String name(long index) {
    return index < 0 ? "none" : "0x" + Long.toHexString(index);
  }
}
