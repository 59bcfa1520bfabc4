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
package org.orcagrid.crash;

import java.time.LocalTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Judges what clients saw: a key, whose values only grow, must never be seen with an older value
 * than any client had seen before, and what was acknowledged as durable must not be missing.
 *
 * <p>Safe for use by many threads.
 */
final class SeenState {

  private final Map<String, Long> seen = new TreeMap<>();
  private final Map<String, Long> durable = new TreeMap<>();
  private final Map<String, String> sightings = new TreeMap<>();
  private final List<String> violations = new ArrayList<>();

  /** The newest value that any client has seen; asked before a read begins. */
  synchronized long newest(String key) {
    return seen.getOrDefault(key, -1L);
  }

  /** A read that began when {@code before} was the newest value seen has returned {@code value}. */
  void onRead(String key, long before, long value) {
    onRead(key, before, value, "");
  }

  /** The same, with what else is known about the read, for the report. */
  synchronized void onRead(String key, long before, long value, String detail) {
    if (value > newest(key)) {
      sightings.put(key, value + " by " + who() + " " + detail);
    }
    if (value < before) {
      violations.add(
          key
              + " showed "
              + value
              + " to "
              + who()
              + " "
              + detail
              + " after a client had seen "
              + before
              + " (the newest was seen as "
              + sightings.get(key)
              + ")");
    }
    seen.merge(key, value, Math::max);
  }

  private static String who() {
    return Thread.currentThread().getName() + " at " + LocalTime.now(ZoneId.systemDefault());
  }

  /** A client has learned that the value is {@code value} or more. */
  synchronized void onLearned(String key, long value) {
    seen.merge(key, value, Math::max);
  }

  /**
   * A write was acknowledged by a way that promises durability. Nobody has read it yet: on another
   * server it may not show for a moment, but it must be there after the power cut.
   */
  synchronized void onDurable(String key, long value) {
    durable.merge(key, value, Math::max);
  }

  /** The servers are up again: from now on a read shows what was durable. */
  synchronized void settle() {
    durable.forEach((key, value) -> seen.merge(key, value, Math::max));
    durable.clear();
  }

  /** What was wrong since the last call. */
  synchronized List<String> takeViolations() {
    List<String> taken = List.copyOf(violations);
    violations.clear();
    return taken;
  }

  /** Starts over from what is there now, for the schedule after a loss. */
  synchronized void reset() {
    seen.clear();
    durable.clear();
    violations.clear();
  }
}
