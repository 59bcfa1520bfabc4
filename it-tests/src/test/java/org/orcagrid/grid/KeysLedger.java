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
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Judges what clients of {@link KeysLoad} have written down, for each memory by itself. Additions
 * are each counted once, in an order that their times allow; an acquire sees no flag that was
 * released over before, and what was written before the release of the flag that it sees. A memory
 * ends only where too many of those who held it were lost, and answers nothing after the next one.
 */
final class KeysLedger {
  private final Map<String, Counter> counters = new TreeMap<>();
  private final Map<String, Flag> flags = new TreeMap<>();
  private final Map<Integer, Memory> memories = new TreeMap<>();
  private final TreeSet<Long> losses = new TreeSet<>();
  private final List<String> faults = new ArrayList<>();
  private int additions;
  private int acquires;

  /** A value that a client was told, by an operation of that time. */
  private record Told(long value, long began, long ended) {}

  private static final class Counter {
    private final List<Long> tries = new ArrayList<>();
    private final List<Told> added = new ArrayList<>();
    private final List<Told> counted = new ArrayList<>();
  }

  private static final class Flag {
    private final Map<Long, Long> tried = new HashMap<>();
    private final Map<Long, Long> released = new HashMap<>();
    private final List<Told> known = new ArrayList<>();
    private final List<Told> acquired = new ArrayList<>();
  }

  private static final class Memory {
    private long firstBegan = Long.MAX_VALUE;
    private long firstEnded = Long.MAX_VALUE;
    private long lastBegan = Long.MIN_VALUE;
    private final Set<String> added = new HashSet<>();
    private final Set<String> counted = new HashSet<>();
  }

  /** From then on fewer processes were left that held the memory than it needs to go on. */
  void addLoss(long time) {
    losses.add(time);
  }

  /** Takes a line. */
  void add(String[] words) {
    String key = words[4] + " " + words[2];
    long value = Long.parseLong(words[3]);
    long time = Long.parseLong(words[5]);
    switch (words[0]) {
      case "ADDS" -> counter(key).tries.add(time);
      case "ADDED" -> {
        additions++;
        memory(words).added.add(words[2]);
        counter(key).added.add(told(words));
      }
      case "COUNTED" -> {
        memory(words).counted.add(words[2]);
        counter(key).counted.add(told(words));
      }
      case "RELEASES" -> flag(key).tried.put(value, time);
      case "RELEASED" -> {
        memory(words);
        Told told = told(words);
        flag(key).released.put(value, told.ended());
        flag(key).known.add(told);
      }
      case "ACQUIRED" -> {
        acquires++;
        memory(words);
        flag(key).acquired.add(told(words));
      }
      case "SAW" -> {
        if (value < time) {
          faults.add("data are older than their flag: " + String.join(" ", words));
        }
      }
      default -> faults.add("what is this: " + String.join(" ", words));
    }
  }

  private Counter counter(String key) {
    return counters.computeIfAbsent(key, unused -> new Counter());
  }

  private Flag flag(String key) {
    return flags.computeIfAbsent(key, unused -> new Flag());
  }

  private static Told told(String[] words) {
    return new Told(Long.parseLong(words[3]), Long.parseLong(words[5]), Long.parseLong(words[6]));
  }

  /** The memory that a client was answered from. */
  private Memory memory(String[] words) {
    Memory memory = memories.computeIfAbsent(Integer.valueOf(words[4]), unused -> new Memory());
    memory.firstBegan = Math.min(memory.firstBegan, Long.parseLong(words[5]));
    memory.lastBegan = Math.max(memory.lastBegan, Long.parseLong(words[5]));
    memory.firstEnded = Math.min(memory.firstEnded, Long.parseLong(words[6]));
    return memory;
  }

  int additions() {
    return additions;
  }

  int acquires() {
    return acquires;
  }

  /** How many memories were answered from. */
  int memories() {
    return memories.size();
  }

  /** What was wrong, in words; empty if nothing was. */
  List<String> judge() {
    counters.forEach(this::judge);
    flags.forEach(this::judge);
    judgeMemories();
    return List.copyOf(faults);
  }

  private void judge(String key, Counter counter) {
    Set<Long> found = new HashSet<>();
    for (Told each : counter.added) {
      if (!found.add(each.value())) {
        faults.add(key + " was added to twice where it was found so: " + each);
      }
    }
    inOrder(key, counter.added);
    long[] tries = counter.tries.stream().mapToLong(Long::longValue).sorted().toArray();
    long[] ends = counter.added.stream().mapToLong(Told::ended).sorted().toArray();
    // An addition was tried itself, and has found what the others had added.
    counter.added.forEach(each -> within(key, each, ends, tries, 1));
    counter.counted.forEach(each -> within(key, each, ends, tries, 0));
  }

  private void within(String key, Told told, long[] ends, long[] tries, int own) {
    long atLeast = before(ends, told.began());
    long atMost = (long) before(tries, told.ended()) - own;
    if (told.value() < atLeast) {
      faults.add(key + " lacks some of " + atLeast + " acknowledged additions: " + told);
    }
    if (told.value() > atMost) {
      faults.add(key + " has more than the " + atMost + " additions that there were: " + told);
    }
  }

  /** How many of these times come before one. */
  private static int before(long[] sorted, long time) {
    int at = Arrays.binarySearch(sorted, time);
    int first = at < 0 ? -at - 1 : at;
    while (first > 0 && sorted[first - 1] == time) {
      first--;
    }
    return first;
  }

  /** What began after another's end has found more. */
  private void inOrder(String key, List<Told> added) {
    List<Told> byEnd = new ArrayList<>(added);
    byEnd.sort(Comparator.comparingLong(Told::ended));
    List<Told> byBegin = new ArrayList<>(added);
    byBegin.sort(Comparator.comparingLong(Told::began));
    Told most = null;
    int next = 0;
    for (Told each : byBegin) {
      while (next < byEnd.size() && byEnd.get(next).ended() < each.began()) {
        Told ended = byEnd.get(next++);
        most = most == null || ended.value() > most.value() ? ended : most;
      }
      if (most != null && each.value() < most.value()) {
        faults.add(key + " was added to in another order: " + each + " after " + most);
      }
    }
  }

  private void judge(String key, Flag flag) {
    List<Told> known = new ArrayList<>(flag.known);
    for (Told each : flag.acquired) {
      if (each.value() == 0) {
        continue;
      }
      if (flag.tried.containsKey(each.value())) {
        known.add(each);
      } else {
        faults.add(key + " has what nobody has released: " + each);
      }
    }
    known.sort(Comparator.comparingLong(Told::ended));
    List<Told> byBegin = new ArrayList<>(flag.acquired);
    byBegin.sort(Comparator.comparingLong(Told::began));
    Told latest = null;
    int next = 0;
    for (Told each : byBegin) {
      while (next < known.size() && known.get(next).ended() < each.began()) {
        Told ended = known.get(next++);
        latest = latest == null || tried(flag, ended) > tried(flag, latest) ? ended : latest;
      }
      if (latest == null) {
        continue;
      }
      // What may still have been under way then may come later.
      Long overSince = flag.released.get(each.value());
      boolean isOver = overSince != null && overSince < tried(flag, latest);
      if (each.value() == 0 || isOver) {
        faults.add(key + " was released over before: " + each + " after " + latest);
      }
    }
  }

  private static long tried(Flag flag, Told told) {
    return flag.tried.getOrDefault(told.value(), told.began());
  }

  private void judgeMemories() {
    Map.Entry<Integer, Memory> before = null;
    for (Map.Entry<Integer, Memory> each : memories.entrySet()) {
      if (before != null) {
        Memory old = before.getValue();
        String what = before.getKey() + " and that of " + each.getKey();
        if (losses.subSet(old.firstBegan, each.getValue().firstEnded).isEmpty()) {
          faults.add("between the memory of view " + what + " too few were lost");
        }
        if (old.lastBegan > each.getValue().firstEnded) {
          faults.add("both memories, of view " + what + ", have answered");
        }
      }
      before = each;
    }
    if (before != null) {
      Set<String> missing = new TreeSet<>(before.getValue().added);
      missing.removeAll(before.getValue().counted);
      if (!missing.isEmpty()) {
        faults.add("nobody has counted in the end: " + missing);
      }
    }
  }
}
