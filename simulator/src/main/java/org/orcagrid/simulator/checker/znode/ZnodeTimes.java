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
package org.orcagrid.simulator.checker.znode;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.orcagrid.simulator.checker.MonotonicReads;

/**
 * Compares the order of transactions with real time: writes are linearizable, reads are monotonic
 * across clients, in a session nothing goes back, and linearizable reads miss nothing that was
 * acknowledged.
 */
final class ZnodeTimes {
  private final ZnodeHistory history;
  private final ZnodeTimelines timelines;
  private final List<String> violations = new ArrayList<>();

  private ZnodeTimes(ZnodeHistory history, ZnodeTimelines timelines) {
    this.history = history;
    this.timelines = timelines;
  }

  /** What went back. */
  static List<String> judge(ZnodeHistory history, ZnodeTimelines timelines) {
    ZnodeTimes times = new ZnodeTimes(history, timelines);
    times.judgeWrites();
    times.judgeReads(false);
    times.judgeReads(true);
    times.judgeSessions();
    times.judgeDeletions();
    return times.violations;
  }

  // ---- writes

  /**
   * A transaction comes behind all that was acknowledged or shown before it was asked. One that is
   * lost has no place; a leader that is deposed may acknowledge such.
   */
  private void judgeWrites() {
    TreeMap<Long, Long> known = new TreeMap<>();
    List<ZnodeTimelines.Shown> events = new ArrayList<>(timelines.shown());
    for (ZnodeCall call : history.calls()) {
      if (call.isTransaction() && timelines.permanent(call.zxid())) {
        events.add(new ZnodeTimelines.Shown(call.zxid(), call.endNanos()));
      }
    }
    events.sort(Comparator.comparingLong(ZnodeTimelines.Shown::nanos));
    long last = -1;
    for (ZnodeTimelines.Shown event : events) {
      last = Math.max(last, event.zxid());
      known.put(event.nanos(), last);
    }
    for (ZnodeCall call : history.calls()) {
      Map.Entry<Long, Long> before = known.lowerEntry(call.beginNanos());
      if (call.isTransaction()
          && timelines.permanent(call.zxid())
          && before != null
          && before.getValue() >= call.zxid()) {
        violations.add(
            "A transaction comes before %x, which was known when it was asked: %s"
                .formatted(before.getValue(), call));
      }
    }
  }

  // ---- reads

  /** What a read shows, in the order of the ends. */
  private record Event(long nanos, long zxid, ZnodeCall read) {}

  private void judgeReads(boolean linearizable) {
    MonotonicReads checker = new MonotonicReads();
    for (String path : timelines.paths()) {
      timelines.permanentOf(path).forEach(zxid -> checker.onWrite(path, zxid));
    }
    List<Event> events = new ArrayList<>();
    timelines.shown().forEach(each -> events.add(new Event(each.nanos(), each.zxid(), null)));
    for (ZnodeCall call : history.calls()) {
      boolean asked = call.promise() == ZnodeCall.Promise.LINEARIZABLE_READ;
      if (isRead(call) && (!linearizable || asked)) {
        events.add(new Event(call.endNanos(), -1, call));
      } else if (linearizable && call.wrote() && timelines.permanent(call.zxid())) {
        events.add(new Event(call.endNanos(), call.zxid(), null));
      }
    }
    events.sort(Comparator.comparingLong(Event::nanos));
    for (Event event : events) {
      if (event.read() == null) {
        checker.onShown(event.zxid(), event.nanos());
      } else {
        judgeRead(checker, event.read(), linearizable);
      }
    }
  }

  private static boolean isRead(ZnodeCall call) {
    return call.ended()
        && call.steps().stream().allMatch(step -> step.kind() == ZnodeStep.Kind.READ)
        && call.zxid() > 0;
  }

  private void judgeRead(MonotonicReads checker, ZnodeCall read, boolean linearizable) {
    for (ZnodeStep step : read.steps()) {
      long shown = timelines.lastOfAny(step.path(), read.zxid());
      // A change that is not permanent cannot be shown; what is older than it is.
      long permanent = timelines.permanent(shown) ? shown : -1;
      if (shown >= 0 && permanent < 0) {
        continue;
      }
      int before = checker.violations().size();
      checker.onRead(step.path(), permanent, read.beginNanos(), read.endNanos());
      List<String> all = checker.violations();
      for (String each : all.subList(before, all.size())) {
        violations.add((linearizable ? "Not linearizable: " : "") + each + ": " + read);
      }
    }
  }

  /** Who reads a node after somebody has found it gone does not find the same node again. */
  private void judgeDeletions() {
    Map<String, List<ZnodeCall>> byPath = new HashMap<>();
    for (ZnodeCall call : history.calls()) {
      if (isRead(call)) {
        call.steps()
            .forEach(
                step -> byPath.computeIfAbsent(step.path(), any -> new ArrayList<>()).add(call));
      }
    }
    byPath.forEach(this::judgeDeletions);
  }

  private void judgeDeletions(String path, List<ZnodeCall> reads) {
    TreeMap<Long, Long> goneByEnd = new TreeMap<>();
    reads.sort(Comparator.comparingLong(ZnodeCall::endNanos));
    long gone = -1;
    for (ZnodeCall read : reads) {
      if (read.steps().stream().anyMatch(step -> step.path().equals(path) && step.error() != 0)) {
        gone = Math.max(gone, read.zxid());
        goneByEnd.put(read.endNanos(), gone);
      }
    }
    for (ZnodeCall read : reads) {
      Map.Entry<Long, Long> before = goneByEnd.lowerEntry(read.beginNanos());
      for (ZnodeStep step : read.steps()) {
        if (before != null
            && step.path().equals(path)
            && step.stat() != null
            && step.stat().czxid() <= before.getValue()) {
          violations.add(
              "It was gone at %x, which somebody had seen before: %s"
                  .formatted(before.getValue(), read));
        }
      }
    }
  }

  // ---- sessions

  /** What one session is told, answers and events alike, never goes back. */
  private void judgeSessions() {
    Map<Integer, List<Event>> sessions = new HashMap<>();
    for (ZnodeCall call : history.calls()) {
      if (call.ended() && call.zxid() > 0) {
        sessions
            .computeIfAbsent(call.session(), any -> new ArrayList<>())
            .add(new Event(call.endNanos(), call.zxid(), call));
      }
    }
    for (ZnodeWatch watch : history.watches()) {
      if (watch.fired() && watch.eventZxid() > 0) {
        sessions
            .computeIfAbsent(watch.session(), any -> new ArrayList<>())
            .add(new Event(watch.eventNanos(), watch.eventZxid(), null));
      }
    }
    for (List<Event> events : sessions.values()) {
      // Of events and answers at one moment the order is not known.
      events.sort(Comparator.comparingLong(Event::nanos).thenComparingLong(Event::zxid));
      Event before = new Event(0, -1, null);
      for (Event event : events) {
        if (event.zxid() < before.zxid()) {
          violations.add("A session goes back from %s to %s".formatted(before, event));
        }
        before = event;
      }
    }
  }
}
