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
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.orcagrid.ddp.replica.consistency.Operation;
import org.orcagrid.simulator.checker.Access;
import org.orcagrid.simulator.checker.ReleaseConsistency;

/** What releases and acquires have promised beyond other reads and writes. */
final class Releases {
  private final List<DdpEvent> history;

  /** A version of a key. */
  private record Version(int key, long clock) {}

  /** The place of a version as the checker wants it: the last write before, and how many since. */
  private record Place(long clock, long modified) {}

  private final Map<Version, DdpEvent> modified = new HashMap<>();

  Releases(List<DdpEvent> history) {
    this.history = history;
    for (DdpEvent event : history) {
      if (event.kind().isReadModifyWrite() && event.clock() != 0) {
        modified.put(new Version(event.key(), event.clock()), event);
      }
    }
  }

  /** What the axioms of Kite, section 2.3, do not explain. */
  List<String> axioms() {
    List<Access> accesses = new ArrayList<>();
    for (DdpEvent event : history) {
      if (event.key() >= 0) {
        accesses.add(access(event));
      }
    }
    return ReleaseConsistency.violations(accesses);
  }

  private Access access(DdpEvent event) {
    boolean writes = !event.isDone() || event.clock() != 0;
    Access.Kind kind =
        switch (event.kind()) {
          case READ -> Access.Kind.READ;
          case WRITE -> Access.Kind.WRITE;
          case ACQUIRE -> Access.Kind.ACQUIRE;
          case RELEASE -> Access.Kind.RELEASE;
          // One that has not written is an acquire of what it has found.
          default -> writes ? Access.Kind.SWAP : Access.Kind.ACQUIRE;
        };
    boolean failed = event.kind().isReadModifyWrite() && !writes;
    Place place = place(event.key(), failed ? event.values().base() : event.clock());
    return new Access(
        event.session(),
        kind,
        event.key(),
        event.beganNanos(),
        event.isDone() ? event.endedNanos() : Access.NEVER,
        event.values().argument(),
        event.values().found(),
        place.clock(),
        place.modified());
  }

  private Place place(int key, long clock) {
    long at = clock;
    long count = 0;
    DdpEvent event = modified.get(new Version(key, at));
    while (event != null) {
      count++;
      at = event.values().base();
      event = modified.get(new Version(key, at));
    }
    return new Place(at, count);
  }

  /** The operations on keys that nobody has written but by releases and read-modify-writes. */
  List<DdpEvent> ofSynchronizedKeys() {
    Set<Integer> relaxed = new HashSet<>();
    for (DdpEvent event : history) {
      if (event.kind() == Operation.Kind.WRITE) {
        relaxed.add(event.key());
      }
    }
    return history.stream()
        .filter(event -> event.kind().synchronizes() && !relaxed.contains(event.key()))
        .toList();
  }

  /**
   * What was written before a release and is gone at a moment.
   *
   * @param completed whether releases count that had completed by then; otherwise such as an
   *     acquire had shown
   */
  List<String> losses(Map<Integer, Long> state, long nanos, boolean completed) {
    Map<Integer, Long> released = completed ? completed(nanos) : acquired(nanos);
    List<String> broken = new ArrayList<>();
    for (DdpEvent event : history) {
      boolean before =
          event.kind().mayWrite()
              && event.isDone()
              && event.endedNanos() <= released.getOrDefault(event.session(), Long.MIN_VALUE);
      if (before && event.clock() != 0 && state.get(event.key()) < event.clock()) {
        broken.add(event + " was released, and is gone in " + state);
      }
    }
    return broken;
  }

  private static boolean releases(DdpEvent event) {
    return event.kind().synchronizes() && event.kind().mayWrite() && event.clock() != 0;
  }

  /** When the last release of each session had completed. */
  private Map<Integer, Long> completed(long nanos) {
    Map<Integer, Long> released = new HashMap<>();
    for (DdpEvent event : history) {
      if (releases(event) && event.isDone() && event.endedNanos() < nanos) {
        released.merge(event.session(), event.endedNanos(), Math::max);
      }
    }
    return released;
  }

  /** When the last release of each session had begun that was acquired. */
  private Map<Integer, Long> acquired(long nanos) {
    Map<Version, DdpEvent> releases = new HashMap<>();
    for (DdpEvent event : history) {
      if (releases(event)) {
        releases.put(new Version(event.key(), event.clock()), event);
      }
    }
    Map<Integer, Long> released = new HashMap<>();
    for (DdpEvent event : history) {
      if (event.kind().synchronizes() && event.isDone() && event.endedNanos() < nanos) {
        long found = event.kind() == Operation.Kind.ACQUIRE ? event.clock() : event.values().base();
        DdpEvent release = releases.get(new Version(event.key(), found));
        if (release != null && event.kind() != Operation.Kind.RELEASE) {
          released.merge(release.session(), release.beganNanos(), Math::max);
        }
      }
    }
    return released;
  }
}
