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

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Judges what the processes of {@link MapLoad} have written down: nothing that was acknowledged or
 * read is ever gone, whoever was killed; nothing is read that nobody has written, or that was
 * aborted; of a transaction both keys are seen or none. Of Kite's keys it has another judge.
 *
 * <p>Times are those of one machine's monotonic clock, which all of its processes share.
 */
final class MapLedger {
  private final Set<String> tried = new HashSet<>();
  private final Set<String> aborted = new HashSet<>();
  private final Map<String, List<Event>> events = new TreeMap<>();
  private final List<String> faults = new ArrayList<>();
  private final KeysLedger keys = new KeysLedger();
  private int acknowledged;
  private int reads;

  /** A version that was written or read, which was known from {@code ended} on. */
  private record Event(boolean isRead, long value, long clock, long began, long ended) {}

  /** Takes what a process has written down; a last line without an end was cut off by a kill. */
  void add(Path ledger) throws IOException {
    String text = Files.readString(ledger);
    text.substring(0, text.lastIndexOf('\n') + 1).lines().forEach(this::add);
  }

  /** Takes a line. */
  void add(String line) {
    String[] words = line.split(" ", -1);
    if (words.length > 1 && words[1].equals("KEYS")) {
      keys.add(words);
      return;
    }
    switch (words[0]) {
      case "START", "STOPPED", "WAITS" -> {}
      case "LOST" -> keys.addLoss(Long.parseLong(words[1]));
      case "TRIES" -> tried.add(words[1] + " " + words[2] + " " + words[3]);
      case "ABORTED" -> aborted.add(words[1] + " " + words[2] + " " + words[3]);
      case "WROTE" -> {
        acknowledged++;
        event(words, false);
      }
      case "READ" -> {
        reads++;
        event(words, true);
      }
      case "PAIR" -> {
        if (!words[3].equals(words[4])) {
          faults.add("a half transaction was read: " + line);
        }
      }
      default -> faults.add("what is this: " + line);
    }
  }

  private void event(String[] words, boolean isRead) {
    events
        .computeIfAbsent(words[1] + " " + words[2], key -> new ArrayList<>())
        .add(
            new Event(
                isRead,
                Long.parseLong(words[3]),
                Long.parseLong(words[4]),
                Long.parseLong(words[5]),
                Long.parseLong(words[6])));
  }

  int acknowledged() {
    return acknowledged;
  }

  int reads() {
    return reads;
  }

  /** Whether there is something to judge of each kind. */
  boolean isOfAll() {
    return acknowledged > 0 && reads > 0 && keys.additions() > 0 && keys.acquires() > 0;
  }

  /** What was said of Kite's keys. */
  KeysLedger keys() {
    return keys;
  }

  /** What was wrong, in words; empty if nothing was. */
  List<String> judge() {
    events.forEach(this::judge);
    faults.addAll(keys.judge());
    return List.copyOf(faults);
  }

  private void judge(String key, List<Event> all) {
    Map<Long, Long> valueOfClock = new HashMap<>();
    for (Event each : all) {
      Long other = valueOfClock.putIfAbsent(each.clock(), each.value());
      if (other != null && other != each.value()) {
        faults.add(key + " has two values of one version: " + each + " and " + other);
      }
      String what = key + " " + each.value();
      if (each.clock() != 0 && !tried.contains(what)) {
        faults.add(key + " has what nobody has written: " + each);
      }
      if (each.isRead() && aborted.contains(what)) {
        faults.add(key + " has what was aborted: " + each);
      }
    }
    notOlder(key, all);
  }

  /** A read shows nothing older than what was known when it began. */
  private void notOlder(String key, List<Event> all) {
    List<Event> byEnd = new ArrayList<>(all);
    byEnd.sort(Comparator.comparingLong(Event::ended));
    List<Event> byBegin = new ArrayList<>(all);
    byBegin.sort(Comparator.comparingLong(Event::began));
    Event known = null;
    int next = 0;
    for (Event each : byBegin) {
      while (next < byEnd.size() && byEnd.get(next).ended() < each.began()) {
        Event ended = byEnd.get(next++);
        known = known == null || ended.clock() > known.clock() ? ended : known;
      }
      boolean older = known != null && each.clock() < known.clock();
      if (older && each.isRead()) {
        faults.add(key + " is older than what was known: " + each + " after " + known);
      } else if (older) {
        faults.add(key + " was written behind what was known: " + each + " after " + known);
      }
    }
  }
}
