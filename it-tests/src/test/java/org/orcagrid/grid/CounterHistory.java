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
package org.orcagrid.grid;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Whether additions of one to counters can have had one order that each counter, each session and
 * each clock agree with. What an addition has found says its place in the order of its counter, so
 * that nothing has to be guessed; machines need not agree on the time.
 */
final class CounterHistory {
  /** By session: what each has done, in its order. */
  private final Map<String, List<Addition>> sessions = new TreeMap<>();

  /** How many additions to a counter may or may not have been made. */
  private final Map<String, Integer> unknown = new HashMap<>();

  /**
   * An addition.
   *
   * @param clock by which the times are; those of different ones have nothing to do with each other
   * @param found the counter's value before
   */
  record Addition(String clock, String counter, long found, long invoked, long returned) {}

  void add(String session, Addition addition) {
    sessions.computeIfAbsent(session, name -> new ArrayList<>()).add(addition);
  }

  /** An addition without an answer: it may be made at any time, or never. */
  void addUnknown(String counter) {
    unknown.merge(counter, 1, Integer::sum);
  }

  long additions() {
    return sessions.values().stream().mapToLong(List::size).sum();
  }

  /** What is wrong; nothing if the additions can have had one order. */
  List<String> judge() {
    List<String> faults = new ArrayList<>();
    Map<String, List<Long>> found = new TreeMap<>();
    for (List<Addition> session : sessions.values()) {
      for (Addition each : session) {
        found.computeIfAbsent(each.counter(), name -> new ArrayList<>()).add(each.found());
      }
    }
    found.forEach((counter, values) -> judgeValues(counter, values, faults));
    if (faults.isEmpty()) {
      judgeOrder(found, faults);
    }
    return faults;
  }

  /** Each addition finds what no other one finds, and what nobody has found was unknown. */
  private void judgeValues(String counter, List<Long> values, List<String> faults) {
    values.sort(Comparator.naturalOrder());
    Set<Long> seen = new HashSet<>();
    for (long value : values) {
      if (!seen.add(value)) {
        faults.add(counter + ": two additions have found " + value);
      }
    }
    long missing = values.get(values.size() - 1) + 1 - seen.size();
    int allowed = unknown.getOrDefault(counter, 0);
    if (values.get(0) < 0 || missing > allowed) {
      faults.add(
          counter + ": " + missing + " values were found by nobody, and " + allowed + " may be");
    }
  }

  /**
   * Takes one addition after the other, always one that nothing which is left must come before. In
   * a history that has an order it does not matter which.
   */
  private void judgeOrder(Map<String, List<Long>> found, List<String> faults) {
    List<List<Addition>> left = List.copyOf(sessions.values());
    int[] next = new int[left.size()];
    Map<String, Integer> ofCounter = new HashMap<>();
    long taken = 0;
    boolean progress = true;
    while (progress) {
      progress = false;
      Map<String, Long> firstReturn = new HashMap<>();
      for (int session = 0; session < next.length; session++) {
        if (next[session] < left.get(session).size()) {
          Addition head = left.get(session).get(next[session]);
          firstReturn.merge(head.clock(), head.returned(), Math::min);
        }
      }
      for (int session = 0; session < next.length; session++) {
        if (next[session] < left.get(session).size()) {
          Addition head = left.get(session).get(next[session]);
          int place = ofCounter.getOrDefault(head.counter(), 0);
          if (found.get(head.counter()).get(place) == head.found()
              && head.invoked() <= firstReturn.get(head.clock())) {
            ofCounter.put(head.counter(), place + 1);
            next[session]++;
            taken++;
            progress = true;
          }
        }
      }
    }
    if (taken < additions()) {
      faults.add(
          "After "
              + taken
              + " additions each that is left has to come after another one: "
              + heads(next));
    }
  }

  private List<String> heads(int[] next) {
    List<String> heads = new ArrayList<>();
    int session = 0;
    for (Map.Entry<String, List<Addition>> each : sessions.entrySet()) {
      if (next[session] < each.getValue().size()) {
        heads.add(each.getKey() + " " + each.getValue().get(next[session]));
      }
      session++;
    }
    return heads;
  }
}
