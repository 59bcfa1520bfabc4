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
import java.util.TreeMap;
import java.util.function.Predicate;
import org.orcagrid.ddp.model.Consistency;
import org.orcagrid.simulator.checker.Access;
import org.orcagrid.simulator.checker.KeyOperation;
import org.orcagrid.simulator.checker.Linearizability;

/**
 * Whether read-modify-writes are such: between the version that one has found and its own there is
 * no other, and no two follow the same one. What is lost when all crash may be found once more, so
 * this is asked of what began and ended between two recoveries.
 */
final class Atomicity {
  private final List<DdpEvent> history;
  private final List<Long> recoveries;
  private final Predicate<DdpEvent> counts;
  private final List<String> broken = new ArrayList<>();

  /**
   * A check.
   *
   * @param recoveries when all had come back, in order
   * @param counts whether it took effect when it was done: not what is of an aborted transaction,
   *     nor a write that may have been lost with its node alone
   */
  Atomicity(List<DdpEvent> history, List<Long> recoveries, Predicate<DdpEvent> counts) {
    this.history = history;
    this.recoveries = recoveries;
    this.counts = counts;
  }

  /** What was seen of a key between two recoveries. */
  private static final class Seen {
    private final Map<Long, DdpEvent> followers = new HashMap<>();
    private final TreeMap<Long, DdpEvent> versions = new TreeMap<>();
    private final List<DdpEvent> modified = new ArrayList<>();
  }

  private record Place(int key, long era) {}

  List<String> judge() {
    Map<Place, Seen> places = new HashMap<>();
    for (DdpEvent event : history) {
      long era = era(event.beganNanos());
      if (event.key() >= 0 && event.isDone() && era == era(event.endedNanos())) {
        add(event, places.computeIfAbsent(new Place(event.key(), era), place -> new Seen()));
      }
    }
    for (Seen seen : places.values()) {
      for (DdpEvent event : seen.modified) {
        DdpEvent between = between(event, seen);
        if (between != null) {
          broken.add("not atomic: " + between + " came into " + event);
        }
      }
    }
    return broken;
  }

  private long era(long nanos) {
    return recoveries.stream().filter(each -> each < nanos).count();
  }

  private void add(DdpEvent event, Seen seen) {
    if (!counts.test(event)) {
      return;
    }
    if (event.clock() != 0) {
      seen.versions.put(event.clock(), event);
    }
    if (event.kind().isReadModifyWrite() && event.clock() != 0) {
      seen.modified.add(event);
      DdpEvent other = seen.followers.put(event.values().base(), event);
      if (other != null) {
        broken.add("not atomic: " + event + " and " + other + " have found one version");
      }
    }
  }

  private static DdpEvent between(DdpEvent event, Seen seen) {
    Map.Entry<Long, DdpEvent> next = seen.versions.higherEntry(event.values().base());
    return next != null && next.getKey() < event.clock() ? next.getValue() : null;
  }

  /** Whether all operations of each key have an order, whatever versions the replicas tell of. */
  static List<String> linearizability(List<DdpEvent> history, Consistency consistency) {
    List<String> broken = new ArrayList<>();
    Map<Integer, List<KeyOperation>> byKey = new TreeMap<>();
    for (DdpEvent event : history) {
      if (event.key() >= 0) {
        byKey.computeIfAbsent(event.key(), key -> new ArrayList<>()).add(operation(event));
      }
    }
    byKey.forEach(
        (key, operations) -> {
          Linearizability.Verdict verdict = Linearizability.judge(operations, 10_000);
          if (verdict.answer() == Linearizability.Answer.NOT_LINEARIZABLE) {
            broken.add(consistency.id() + ", key " + key + ": " + verdict.explanation());
          }
        });
    return broken;
  }

  private static KeyOperation operation(DdpEvent event) {
    KeyOperation.Kind kind =
        switch (event.kind()) {
          case READ, ACQUIRE -> KeyOperation.Kind.READ;
          case WRITE, RELEASE -> KeyOperation.Kind.WRITE;
          case COMPARE_AND_SET -> KeyOperation.Kind.COMPARE_AND_EXCHANGE;
          case GET_AND_SET -> KeyOperation.Kind.GET_AND_SET;
          default -> throw new IllegalStateException("Not about a key: " + event);
        };
    DdpEvent.Values values = event.values();
    return new KeyOperation(
        event.client(),
        kind,
        event.beganNanos(),
        event.isDone() ? event.endedNanos() : Access.NEVER,
        values.argument(),
        values.expected(),
        values.found());
  }
}
