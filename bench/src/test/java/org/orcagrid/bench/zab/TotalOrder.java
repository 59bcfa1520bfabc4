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
package org.orcagrid.bench.zab;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * Judges a history in which every write has a place in one order: whether the places are 1, 2, 3
 * ..., each given once, and whether what each session reads and writes fits an order of all that
 * its own order is part of (sequential consistency).
 */
final class TotalOrder {
  private final NavigableMap<Long, Event> writes = new TreeMap<>();
  private final Map<Integer, NavigableMap<Long, Event>> writesOfKey = new HashMap<>();
  private final List<String> violations = new ArrayList<>();

  /**
   * What a session did, in its order.
   *
   * @param session which session
   * @param write whether it wrote
   * @param key which key
   * @param value what it wrote or read, 0 for nothing
   * @param zxid the place of what it wrote or read, 0 for nothing
   */
  record Event(int session, boolean write, int key, long value, long zxid) {}

  private TotalOrder() {}

  /** What is wrong with a history; empty if nothing is. */
  static List<String> violations(List<Event> history) {
    TotalOrder order = new TotalOrder();
    history.stream().filter(Event::write).forEach(order::place);
    order.checkPlaces();
    Map<Integer, Long> seen = new HashMap<>();
    for (Event event : history) {
      seen.merge(event.session(), order.check(event, seen), Math::max);
    }
    return order.violations;
  }

  private void place(Event write) {
    Event other = writes.put(write.zxid(), write);
    if (other != null) {
      violations.add("One place was given twice: " + other + ", " + write);
    }
    writesOfKey.computeIfAbsent(write.key(), key -> new TreeMap<>()).put(write.zxid(), write);
  }

  private void checkPlaces() {
    if (!writes.isEmpty() && (writes.firstKey() != 1 || writes.lastKey() != writes.size())) {
      violations.add(
          writes.size()
              + " writes have the places "
              + writes.firstKey()
              + " to "
              + writes.lastKey());
    }
  }

  /** Returns how much of the order the session has seen after it. */
  private long check(Event event, Map<Integer, Long> seen) {
    long before = seen.getOrDefault(event.session(), 0L);
    if (event.write()) {
      if (event.zxid() <= before) {
        violations.add(event + " comes before what its session has seen, " + before);
      }
      return event.zxid();
    }
    NavigableMap<Long, Event> ofKey = writesOfKey.getOrDefault(event.key(), new TreeMap<>());
    Event read = ofKey.get(event.zxid());
    if (event.zxid() != 0 && (read == null || read.value() != event.value())) {
      violations.add(event + " was not written there: " + read);
    }
    Long next = ofKey.higherKey(event.zxid());
    if (next != null && next <= before) {
      violations.add(event + " is older than what its session has seen, " + before);
    }
    return event.zxid();
  }
}
