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
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * Judges a whole history by the axioms of release consistency with linearizable synchronization
 * (RC<sub>Lin</sub>; Kite, sections 2.2 and 2.3). The versions that the accesses report are taken
 * as witness of the order of each key's writes; the checker proves that this order explains what
 * was seen, or finds what it does not explain:
 *
 * <ol>
 *   <li>every read returns what the write of its version has written, and no two writes have one
 *       version;
 *   <li>a read-modify-write follows the version that it has read immediately;
 *   <li>in a session the accesses to one key are in the order of versions (per-key sequential
 *       consistency);
 *   <li>what a session has done before a release, an acquire that reads from that release has
 *       before it: no later access of that session sees an older version of any key than the
 *       releasing session had written, and so on through chains of sessions;
 *   <li>releases, acquires and read-modify-writes of a key are linearizable, and since that is a
 *       property of each key by itself, all of them are.
 * </ol>
 *
 * <p>What a session has only <i>read</i>, relaxed or by an acquire, is not carried by its releases:
 * section 2.3 asks for the writes before a release, and that reads before it have returned. A
 * read-modify-write carries what it has acquired, and its own version.
 */
public final class ReleaseConsistency {
  private final List<Access> history;
  private final int keys;
  private final Map<Version, Version> forgotten = new HashMap<>();
  private final Map<Version, Access> writers = new HashMap<>();
  private final Map<Version, Long> values = new HashMap<>();
  private final IdentityHashMap<Access, Version[]> releasedViews = new IdentityHashMap<>();
  private final IdentityHashMap<Access, Version[]> snapshots = new IdentityHashMap<>();
  private final List<String> violations = new ArrayList<>();

  private record Version(int key, long clock, long rmw) implements Comparable<Version> {
    @Override
    public int compareTo(Version other) {
      int byClock = Long.compare(clock, other.clock);
      return byClock != 0 ? byClock : Long.compare(rmw, other.rmw);
    }

    boolean isNone() {
      return clock == 0 && rmw == 0;
    }
  }

  /**
   * All nodes have forgotten a key, which was removed. Versions after that have later clocks.
   *
   * @param clock of no version: a read of it finds no value, as the key's removal says
   * @param lastClock of that removal
   * @param lastRmw of that removal
   */
  public record Forgotten(int key, long clock, long lastClock, long lastRmw) {}

  private ReleaseConsistency(List<Access> history, List<Forgotten> all) {
    this.history = history;
    for (Forgotten each : all) {
      forgotten.put(
          new Version(each.key(), each.clock(), 0),
          new Version(each.key(), each.lastClock(), each.lastRmw()));
    }
    this.keys = 1 + history.stream().mapToInt(Access::key).max().orElse(0);
  }

  /** Returns what is wrong with a history; empty if nothing is. */
  public static List<String> violations(List<Access> history) {
    return violations(history, List.of());
  }

  /** The same of a history in which nodes have forgotten removed keys. */
  public static List<String> violations(List<Access> history, List<Forgotten> forgotten) {
    ReleaseConsistency checker = new ReleaseConsistency(history, forgotten);
    checker.findWriters();
    checker.findWritersWithoutEnd();
    checker.judgeValues();
    if (checker.violations.isEmpty()) {
      checker.judgeSessions();
      checker.judgeRealTime();
    }
    return checker.violations;
  }

  private void broken(String rule, Access access) {
    violations.add(rule + ": " + access);
  }

  private Version version(Access access) {
    return known(new Version(access.key(), access.clock(), access.rmw()));
  }

  /** What a version stands for. */
  private Version known(Version version) {
    Version known = version;
    for (Version last = forgotten.get(known); last != null; last = forgotten.get(known)) {
      known = last;
    }
    return known;
  }

  /** The version that a read-modify-write has read. */
  private Version base(Version made) {
    return known(new Version(made.key(), made.clock(), made.rmw() - 1));
  }

  /** The version that an access has read. */
  private Version readVersion(Access access) {
    return access.isReadModifyWrite() ? base(version(access)) : version(access);
  }

  private void findWriters() {
    for (Access access : history) {
      if (access.ended() && access.kind().reads) {
        values.put(readVersion(access), access.read());
      }
      if (access.ended() && access.kind().writes) {
        values.put(version(access), valueAfter(access));
      }
      if (access.ended() && access.kind().writes) {
        Access other = writers.put(version(access), access);
        if (other != null) {
          broken("two writes of one version, the other being " + other, access);
        }
      }
    }
  }

  /** What never ended may have taken effect: then others have read it. */
  private void findWritersWithoutEnd() {
    List<Access> open =
        history.stream().filter(access -> !access.ended() && access.kind().writes).toList();
    if (open.isEmpty()) {
      return;
    }
    List<Access> reads =
        history.stream()
            .filter(access -> access.ended() && access.kind().reads)
            .sorted(Comparator.comparing(this::readVersion))
            .toList();
    // First those whose sum tells which it was, then the others, of which any will do.
    findWritersWithoutEnd(open, reads, true);
    findWritersWithoutEnd(open, reads, false);
  }

  private void findWritersWithoutEnd(List<Access> open, List<Access> reads, boolean baseKnown) {
    for (Access read : reads) {
      Version version = readVersion(read);
      if (!version.isNone() && !writers.containsKey(version)) {
        open.stream()
            .filter(write -> !writers.containsValue(write))
            .filter(write -> explains(write, version, read.read(), baseKnown))
            .findFirst()
            .ifPresent(write -> writers.put(version, write));
      }
    }
  }

  private boolean explains(Access write, Version version, long value, boolean baseKnown) {
    if (write.key() != version.key()) {
      return false;
    }
    if (write.kind() != Access.Kind.ADD) {
      return write.written() == value;
    }
    if (version.rmw() == 0) {
      return false;
    }
    Version before = base(version);
    Long base = before.isNone() ? Long.valueOf(0) : values.get(before);
    // The base may be another one that never ended and that nobody has read.
    return base == null ? !baseKnown : base + write.written() == value;
  }

  private static long valueAfter(Access write) {
    if (write.kind() != Access.Kind.ADD) {
      return write.written();
    }
    return (write.read() == Access.ABSENT ? 0 : write.read()) + write.written();
  }

  private void judgeValues() {
    for (Access access : history) {
      if (!access.ended() || !access.kind().reads) {
        continue;
      }
      Version version = readVersion(access);
      if (access.isReadModifyWrite() && access.rmw() == 0) {
        broken("a read-modify-write that follows nothing", access);
        continue;
      }
      Access writer = writers.get(version);
      if (version.isNone()) {
        if (access.read() != Access.ABSENT) {
          broken("a value that nobody has written", access);
        }
      } else if (writer == null) {
        broken("a version that nobody has written", access);
      } else if (writer.ended() && valueAfter(writer) != access.read()) {
        broken("not what was written, which is " + writer, access);
      }
    }
  }

  // --- session order and barriers ----------------------------------------------------------------

  /** For each key the version that a session must not fall behind. */
  private static final class View {
    private final Version[] before;
    private final Version[] seen;

    View(int keys) {
      before = new Version[keys];
      seen = new Version[keys];
    }
  }

  private void judgeSessions() {
    Map<Integer, List<Access>> sessions = new HashMap<>();
    for (Access access : history) {
      sessions.computeIfAbsent(access.session(), s -> new ArrayList<>()).add(access);
    }
    // What an acquire learns was released before it ended, so the order of the ends will do; a
    // snapshot is taken when a release begins.
    record Event(long nanos, boolean begin, Access access) {}
    List<Event> events = new ArrayList<>();
    for (Access access : history) {
      events.add(new Event(access.beginNanos(), true, access));
      if (access.ended()) {
        events.add(new Event(access.endNanos(), false, access));
      }
    }
    // The sort is stable: of two events at one time of one session, the history's order stays.
    events.sort(Comparator.comparingLong(Event::nanos));
    Map<Integer, View> views = new HashMap<>();
    for (Event event : events) {
      View view = views.computeIfAbsent(event.access().session(), s -> new View(keys));
      if (!event.begin()) {
        onEnd(event.access(), view);
      } else if (event.access().kind().synchronizes && event.access().kind().writes) {
        snapshots.put(event.access(), view.before.clone());
      }
    }
  }

  private void onEnd(Access access, View view) {
    int key = access.key();
    Version version = version(access);
    if (access.kind().reads) {
      Version read = readVersion(access);
      if (isBehind(read, view.before[key])) {
        broken("older than " + view.before[key] + ", which was released to it", access);
      }
      if (isBehind(read, view.seen[key])) {
        broken("older than " + view.seen[key] + ", which its session had seen", access);
      }
      if (access.kind().synchronizes && !read.isNone()) {
        join(view.before, releasedView(writers.get(read)));
      }
    } else {
      if (!isAhead(version, view.before[key])) {
        broken("a write not after " + view.before[key] + ", which was released to it", access);
      }
      if (!isAhead(version, view.seen[key])) {
        broken("a write not after " + view.seen[key] + ", which its session had seen", access);
      }
    }
    view.seen[key] = max(view.seen[key], version);
    if (access.kind().writes) {
      view.before[key] = max(view.before[key], version);
    }
  }

  /** What an acquire that reads from this write has before it. */
  private Version[] releasedView(Access writer) {
    if (!writer.kind().synchronizes) {
      return new Version[keys];
    }
    Version[] known = releasedViews.get(writer);
    if (known != null) {
      return known;
    }
    Version[] snapshot = snapshots.get(writer);
    Version[] view = snapshot == null ? new Version[keys] : snapshot.clone();
    releasedViews.put(writer, view);
    if (writer.ended() && writer.isReadModifyWrite() && !readVersion(writer).isNone()) {
      join(view, releasedView(writers.get(readVersion(writer))));
    }
    return view;
  }

  private static void join(Version[] into, Version[] from) {
    for (int key = 0; key < into.length; key++) {
      into[key] = max(into[key], from[key]);
    }
  }

  private static Version max(Version one, Version other) {
    return one == null || (other != null && other.compareTo(one) > 0) ? other : one;
  }

  private static boolean isBehind(Version version, Version bound) {
    return bound != null && version.compareTo(bound) < 0;
  }

  private static boolean isAhead(Version version, Version bound) {
    return bound == null || version.compareTo(bound) > 0;
  }

  // --- real time ---------------------------------------------------------------------------------

  private void judgeRealTime() {
    Access[] ended =
        history.stream()
            .filter(access -> access.kind().synchronizes && access.ended())
            .sorted(Comparator.comparingLong(Access::endNanos))
            .toArray(Access[]::new);
    Access[] begun = ended.clone();
    Arrays.sort(begun, Comparator.comparingLong(Access::beginNanos));
    Version[] latest = new Version[keys];
    int next = 0;
    for (Access access : begun) {
      for (; next < ended.length && ended[next].endNanos() < access.beginNanos(); next++) {
        Access before = ended[next];
        latest[before.key()] = max(latest[before.key()], version(before));
      }
      Version bound = latest[access.key()];
      boolean fine =
          access.kind().reads
              ? !isBehind(readVersion(access), bound)
              : isAhead(version(access), bound);
      if (!fine) {
        broken("not linearizable: " + bound + " was there before it began", access);
      }
    }
  }
}
