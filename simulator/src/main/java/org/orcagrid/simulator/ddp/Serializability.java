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
package org.orcagrid.simulator.ddp;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.orcagrid.ddp.replica.consistency.Operation;

/**
 * Whether transactions have an order: who wrote before whom, who read whose write, and who read
 * what another one has replaced later must not go round in a circle.
 */
final class Serializability {
  private Serializability() {}

  static boolean hasCycle(List<List<DdpEvent>> transactions) {
    List<List<Integer>> next = edges(transactions);
    int[] state = new int[transactions.size()];
    for (int each = 0; each < state.length; each++) {
      if (visits(each, next, state)) {
        return true;
      }
    }
    return false;
  }

  private static boolean visits(int at, List<List<Integer>> next, int[] state) {
    if (state[at] != 0) {
      return state[at] == 1;
    }
    state[at] = 1;
    for (int each : next.get(at)) {
      if (visits(each, next, state)) {
        return true;
      }
    }
    state[at] = 2;
    return false;
  }

  private static List<List<Integer>> edges(List<List<DdpEvent>> transactions) {
    List<List<Integer>> next = new ArrayList<>();
    Map<Integer, NavigableMap<Long, Integer>> writers = new HashMap<>();
    for (int each = 0; each < transactions.size(); each++) {
      next.add(new ArrayList<>());
      Map<Integer, Long> lastOf = new HashMap<>();
      for (DdpEvent event : transactions.get(each)) {
        if (event.kind() == Operation.Kind.WRITE) {
          lastOf.put(event.key(), event.clock());
        }
      }
      for (Map.Entry<Integer, Long> last : lastOf.entrySet()) {
        writers.computeIfAbsent(last.getKey(), k -> new TreeMap<>()).put(last.getValue(), each);
      }
    }
    for (NavigableMap<Long, Integer> of : writers.values()) {
      Integer before = null;
      for (Integer each : of.values()) {
        if (before != null) {
          next.get(before).add(each);
        }
        before = each;
      }
    }
    for (int each = 0; each < transactions.size(); each++) {
      for (DdpEvent event : transactions.get(each)) {
        if (event.kind() == Operation.Kind.READ && writers.containsKey(event.key())) {
          reads(event, each, writers.get(event.key()), next);
        }
      }
    }
    return next;
  }

  private static void reads(
      DdpEvent event, int reader, NavigableMap<Long, Integer> of, List<List<Integer>> next) {
    Integer writer = of.get(event.clock());
    if (writer != null && writer != reader) {
      next.get(writer).add(reader);
    }
    Map.Entry<Long, Integer> later = of.higherEntry(event.clock());
    if (later != null && later.getValue() != reader && (writer == null || writer != reader)) {
      next.get(reader).add(later.getValue());
    }
  }
}
