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
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.orcagrid.ddp.model.Consistency;
import org.orcagrid.ddp.model.Ddp;
import org.orcagrid.ddp.model.Persistency;
import org.orcagrid.ddp.model.Promise;
import org.orcagrid.ddp.replica.consistency.Operation;

/**
 * Judges a history: what no model may do, and which of the promises of Table 4 it would have kept.
 *
 * <p>Versions of a key are ordered by their clocks. What has happened before a read is what its
 * client has read and written before, wherever it was, and what had happened before the writes that
 * it has read.
 */
final class DdpJudge {
  private final Ddp model;

  /** What was asked, and the same with read-modify-writes as what they read and what they write. */
  private final List<DdpEvent> asked;

  private final List<DdpEvent> history;
  private final List<Recovery> recoveries;
  private List<BatchEvent> batches = List.of();
  private final int crashes;
  private final List<String> broken = new ArrayList<>();
  private final Map<Promise, String> missed = new EnumMap<>(Promise.class);

  /**
   * What was there when all nodes had come back.
   *
   * @param state the latest version of each key, or of its removal
   * @param versions how many keys have a version, be it a removal
   */
  record Recovery(long nanos, Map<Integer, Long> state, int versions) {
    /** Of keys that were never removed. */
    Recovery(long nanos, Map<Integer, Long> state) {
      this(nanos, state, (int) state.values().stream().filter(clock -> clock != 0).count());
    }
  }

  DdpJudge(Ddp model, List<DdpEvent> history, List<Recovery> recoveries, int crashes) {
    this.model = model;
    this.asked = history;
    this.history = history.stream().flatMap(event -> event.parts().stream()).toList();
    this.recoveries = recoveries;
    this.crashes = crashes;
  }

  /** With what clients know of their batches. */
  DdpJudge withBatches(List<BatchEvent> known) {
    batches = known;
    return this;
  }

  DdpVerdict judge(List<Map<Integer, Long>> states) {
    Map<Integer, Long> last = states.get(0);
    for (Map<Integer, Long> state : states) {
      if (!state.equals(last)) {
        broken.add("the nodes differ in the end: " + states);
      }
    }
    findCompletedUnits();
    survival(last, DdpEvent.NEVER);
    for (Recovery recovery : recoveries) {
      survival(recovery.state(), recovery.nanos());
    }
    servedOn(last);
    beginsWithNothing();
    staleness();
    monotonicForAll();
    causality();
    if (model.consistency() == Consistency.TRANSACTIONAL
        || model.persistency() == Persistency.SCOPE) {
      units(last);
    }
    aborted();
    if (model.consistency() == Consistency.TRANSACTIONAL && isNothingLost()) {
      serializability();
    }
    atomicity();
    List<Map<Integer, Long>> all = new ArrayList<>(states);
    recoveries.forEach(recovery -> all.add(recovery.state()));
    broken.addAll(new Batches(batches).judge(history, all));
    int ended = (int) asked.stream().filter(DdpEvent::isDone).count();
    int squashed = (int) asked.stream().filter(e -> e.status() == Operation.Status.ABORTED).count();
    return new DdpVerdict(broken, missed, ended, squashed);
  }

  private void atomicity() {
    // A write that completes before others have it may be lost with its node.
    boolean release = model.consistency() == Consistency.RELEASE;
    boolean early = (release || model.consistency() == Consistency.READ_ENFORCED) && crashes > 0;
    Atomicity atomicity =
        new Atomicity(
            asked,
            recoveries.stream().map(Recovery::nanos).toList(),
            event ->
                completedNanos(event) != DdpEvent.NEVER
                    && !(early && event.kind() == Operation.Kind.WRITE)
                    && !(early && release && event.kind() == Operation.Kind.READ));
    broken.addAll(atomicity.judge());
    if (model.consistency() == Consistency.LINEARIZABLE && isNothingLost()) {
      broken.addAll(Atomicity.linearizability(asked, model.consistency()));
    }
    if (release) {
      releases();
    }
  }

  private void releases() {
    Releases releases = new Releases(asked);
    if (isNothingLost()) {
      broken.addAll(releases.axioms());
      broken.addAll(Atomicity.linearizability(releases.ofSynchronizedKeys(), model.consistency()));
    }
    boolean completed = model.persistency().isBeforeVisible();
    if (completed || model.persistency().isBeforeRead()) {
      for (Recovery recovery : recoveries) {
        broken.addAll(releases.losses(recovery.state(), recovery.nanos(), completed));
      }
    }
  }

  private void miss(Promise property, String example) {
    missed.putIfAbsent(property, example);
  }

  private boolean isWrite(DdpEvent event) {
    return event.kind() == Operation.Kind.WRITE;
  }

  /** When transactions and scopes were completed, by their numbers. */
  private final Map<Integer, Long> completedUnits = new HashMap<>();

  private void findCompletedUnits() {
    for (DdpEvent event : history) {
      if (event.isDone() && event.kind() == Operation.Kind.END) {
        completedUnits.put(event.transaction(), event.endedNanos());
      } else if (event.isDone() && event.kind() == Operation.Kind.PERSIST) {
        completedUnits.put(event.scope(), event.endedNanos());
      }
    }
  }

  /** When a write was completed as its client sees it: with its transaction if it is in one. */
  private long completedNanos(DdpEvent write) {
    if (!write.isDone()) {
      return DdpEvent.NEVER;
    }
    return write.transaction() < 0
        ? write.endedNanos()
        : completedUnits.getOrDefault(write.transaction(), DdpEvent.NEVER);
  }

  /** When a write was completed as far as its durability goes: with its scope if there are any. */
  private long durableNanos(DdpEvent write) {
    long completed = completedNanos(write);
    return model.persistency() == Persistency.SCOPE
        ? Math.max(completed, completedUnits.getOrDefault(write.scope(), DdpEvent.NEVER))
        : completed;
  }

  /** What was completed, or read, before a moment is in the state of that moment, or later ones. */
  private void survival(Map<Integer, Long> last, long nanos) {
    for (DdpEvent event : history) {
      boolean there = event.key() < 0 || last.get(event.key()) >= event.clock();
      if (event.clock() == 0 || event.endedNanos() >= nanos || there) {
        continue;
      }
      if (isWrite(event) && durableNanos(event) < nanos) {
        miss(Promise.COMPLETED_SURVIVES, event + " was completed, and is gone in " + last);
      }
      // What one node alone had shown is there again when that node is.
      boolean awaited = nanos != DdpEvent.NEVER && !isShownByAll();
      if (!isWrite(event) && event.isDone() && !isOwnWithin(event) && !awaited) {
        miss(Promise.READ_SURVIVES, event + " was read, and is gone in " + last);
      }
    }
  }

  /**
   * Since all have come back last there was always somebody who served: what waits for all nodes is
   * there, whatever the persistency.
   */
  private void servedOn(Map<Integer, Long> last) {
    long since = recoveries.stream().mapToLong(Recovery::nanos).max().orElse(0);
    boolean read = isShownByAll();
    boolean completed = read && model.consistency() != Consistency.READ_ENFORCED;
    for (DdpEvent event : history) {
      boolean there = event.key() < 0 || last.get(event.key()) >= event.clock();
      if (event.clock() == 0 || event.beganNanos() < since || there) {
        continue;
      }
      boolean isAwaited =
          isWrite(event)
              ? completed && completedNanos(event) != DdpEvent.NEVER
              : read && event.isDone() && !isOwnWithin(event);
      if (isAwaited) {
        broken.add("somebody has served on, and " + event + " is gone in " + last);
      }
    }
  }

  /** Where nothing is durable, nothing is there when nobody who served is left. */
  private void beginsWithNothing() {
    for (Recovery recovery : recoveries) {
      if (!model.persistency().isOnMedium() && recovery.versions() > 0) {
        broken.add("nothing is durable, and something was there: " + recovery);
      }
    }
  }

  /** Whether nobody is shown what one node alone may have. */
  private boolean isShownByAll() {
    return !model.consistency().isUpdating() && model.consistency() != Consistency.RELEASE;
  }

  /** Whether a transaction has read what it had written itself. */
  private boolean isOwnWithin(DdpEvent read) {
    return model.consistency() == Consistency.TRANSACTIONAL
        && history.stream()
            .anyMatch(
                event ->
                    isWrite(event)
                        && event.client() == read.client()
                        && event.clock() == read.clock());
  }

  private List<DdpEvent> reads() {
    return history.stream()
        .filter(event -> event.kind() == Operation.Kind.READ && event.isDone())
        .toList();
  }

  private void staleness() {
    for (DdpEvent write : history) {
      if (!isWrite(write)) {
        continue;
      }
      long completed = completedNanos(write);
      for (DdpEvent read : completed == DdpEvent.NEVER ? List.<DdpEvent>of() : reads()) {
        if (read.key() == write.key()
            && read.beganNanos() > completed
            && read.clock() < write.clock()) {
          miss(Promise.NON_STALE_READS, read + " after " + write);
          if (mustBeFresh() && model.consistency() != Consistency.READ_ENFORCED) {
            broken.add("not linearizable: " + read + " after " + write);
          }
        }
      }
    }
  }

  /** Whether nothing that was visible can have been lost. */
  private boolean isNothingLost() {
    return recoveries.isEmpty() || model.persistency().isBeforeVisible();
  }

  /** Whether a stale read is wrong whatever is promised. */
  private boolean mustBeFresh() {
    return isNothingLost()
        && (model.consistency() == Consistency.LINEARIZABLE
            || model.consistency() == Consistency.READ_ENFORCED
            || model.consistency() == Consistency.TRANSACTIONAL);
  }

  private void monotonicForAll() {
    List<DdpEvent> reads = new ArrayList<>(reads());
    reads.sort(Comparator.comparingLong(DdpEvent::endedNanos));
    for (DdpEvent earlier : reads) {
      for (DdpEvent later : reads) {
        if (later.key() == earlier.key()
            && later.beganNanos() > earlier.endedNanos()
            && later.clock() < earlier.clock()
            && !isOwnWithin(earlier)) {
          miss(Promise.MONOTONIC_FOR_ALL, later + " after " + earlier);
          if (mustBeFresh()) {
            broken.add("not linearizable: " + later + " after " + earlier);
          }
        }
      }
    }
  }

  /** A version: clocks alone may be those of several keys. */
  private record Version(int key, long clock) {
    static Version of(DdpEvent event) {
      return new Version(event.key(), event.clock());
    }
  }

  /** What each client can know, followed from event to event in the order of their ends. */
  private void causality() {
    Map<Integer, Past> pasts = new HashMap<>();
    Map<Version, Past> ofWrite = new HashMap<>();
    List<DdpEvent> inOrder = new ArrayList<>(history);
    inOrder.sort(Comparator.comparingLong(DdpEvent::beganNanos));
    // A write's past is that of its client when it was asked for; reads come after it in time.
    TreeMap<Long, List<Runnable>> due = new TreeMap<>();
    for (DdpEvent event : inOrder) {
      due.computeIfAbsent(event.beganNanos() * 2 + 1, t -> new ArrayList<>())
          .add(() -> asked(event, pasts, ofWrite));
      if (event.isDone()) {
        due.computeIfAbsent(event.endedNanos() * 2, t -> new ArrayList<>())
            .add(() -> answered(event, pasts, ofWrite));
      }
    }
    due.values().forEach(actions -> actions.forEach(Runnable::run));
    if (mustBeCausal()) {
      moments(ofWrite);
    }
  }

  private boolean mustBeCausal() {
    return model.consistency() == Consistency.CAUSAL
        && (crashes == 0 || model.persistency() == Persistency.STRICT);
  }

  /** A read of all keys has with each version what has happened before that. */
  private void moments(Map<Version, Past> ofWrite) {
    Map<Integer, Map<Integer, Long>> moments = new TreeMap<>();
    for (DdpEvent read : reads()) {
      if (read.transaction() >= 0) {
        moments
            .computeIfAbsent(read.transaction(), unit -> new TreeMap<>())
            .put(read.key(), read.clock());
      }
    }
    for (Map<Integer, Long> moment : moments.values()) {
      moment.forEach(
          (key, clock) -> {
            Past past = ofWrite.getOrDefault(new Version(key, clock), new Past());
            past.all.forEach(
                (earlier, least) -> {
                  // A batch reads some keys, a scan all of them.
                  if (moment.getOrDefault(earlier, Long.MAX_VALUE) < least) {
                    broken.add("not causal: " + moment + " lacks " + earlier + "@" + least);
                  }
                });
          });
    }
  }

  private static final class Past {
    private final Map<Integer, Long> read = new HashMap<>();
    private final Map<Integer, Long> all = new HashMap<>();

    private void add(Past other) {
      other.read.forEach((key, clock) -> read.merge(key, clock, Math::max));
      other.all.forEach((key, clock) -> all.merge(key, clock, Math::max));
    }
  }

  private void asked(DdpEvent event, Map<Integer, Past> pasts, Map<Version, Past> ofWrite) {
    if (isWrite(event) && event.clock() != 0) {
      Past past = new Past();
      past.add(pasts.computeIfAbsent(event.client(), client -> new Past()));
      past.all.merge(event.key(), event.clock(), Math::max);
      ofWrite.put(Version.of(event), past);
    }
  }

  private void answered(DdpEvent event, Map<Integer, Past> pasts, Map<Version, Past> ofWrite) {
    Past past = pasts.computeIfAbsent(event.client(), client -> new Past());
    if (isWrite(event)) {
      past.all.merge(event.key(), event.clock(), Math::max);
      return;
    }
    if (event.kind() != Operation.Kind.READ || isOwnWithin(event)) {
      return;
    }
    if (event.clock() < past.read.getOrDefault(event.key(), 0L)) {
      miss(Promise.MONOTONIC_READS, event + " after " + past.read);
    }
    if (mustBeCausal() && event.clock() < past.all.getOrDefault(event.key(), 0L)) {
      broken.add("not causal: " + event + " after " + past.all);
    }
    past.read.merge(event.key(), event.clock(), Math::max);
    past.all.merge(event.key(), event.clock(), Math::max);
    if (ofWrite.containsKey(Version.of(event))) {
      past.add(ofWrite.get(Version.of(event)));
    }
  }

  // --- transactions and scopes -------------------------------------------------------------------

  private void units(Map<Integer, Long> last) {
    boolean scoped = model.persistency() == Persistency.SCOPE;
    for (Collection<DdpEvent> unit : scoped ? scopes() : transactions()) {
      for (Recovery recovery : recoveries) {
        if (unit.stream().allMatch(write -> write.beganNanos() < recovery.nanos())) {
          torn(unit, recovery.state(), "when all had come back");
        }
      }
      if (!scoped) {
        torn(unit, last, "in the end");
      }
    }
  }

  private Collection<Collection<DdpEvent>> transactions() {
    Map<Integer, Map<Integer, DdpEvent>> units = new TreeMap<>();
    for (DdpEvent event : history) {
      if (isWrite(event) && event.transaction() >= 0 && event.clock() != 0) {
        add(units, event.transaction(), event);
      }
    }
    return lastOfEach(units);
  }

  /** Without what transactions have written that were not completed: it is nowhere. */
  private Collection<Collection<DdpEvent>> scopes() {
    Map<Integer, Map<Integer, DdpEvent>> units = new TreeMap<>();
    for (DdpEvent event : history) {
      if (isWrite(event) && event.scope() >= 0 && completedNanos(event) != DdpEvent.NEVER) {
        add(units, event.scope(), event);
      }
    }
    return lastOfEach(units);
  }

  private static void add(Map<Integer, Map<Integer, DdpEvent>> units, int unit, DdpEvent write) {
    units
        .computeIfAbsent(unit, number -> new TreeMap<>())
        .merge(write.key(), write, (one, other) -> one.clock() > other.clock() ? one : other);
  }

  private static Collection<Collection<DdpEvent>> lastOfEach(
      Map<Integer, Map<Integer, DdpEvent>> units) {
    return units.values().stream().map(Map::values).toList();
  }

  private void torn(Collection<DdpEvent> unit, Map<Integer, Long> state, String when) {
    boolean there = unit.stream().anyMatch(write -> state.get(write.key()) == write.clock());
    boolean missing = unit.stream().anyMatch(write -> state.get(write.key()) < write.clock());
    if (there && missing) {
      broken.add("only a part is there " + when + ": " + unit + " in " + state);
    }
  }

  private void aborted() {
    Set<Integer> gone = new HashSet<>();
    for (DdpEvent event : history) {
      boolean gaveUp = event.kind() == Operation.Kind.ABORT && event.isDone();
      if (event.transaction() >= 0 && (gaveUp || event.status() == Operation.Status.ABORTED)) {
        gone.add(event.transaction());
      }
    }
    Set<Version> never = new HashSet<>();
    for (DdpEvent event : history) {
      boolean alone = event.transaction() < 0 && event.status() == Operation.Status.ABORTED;
      if (isWrite(event) && event.clock() != 0 && (alone || gone.contains(event.transaction()))) {
        never.add(Version.of(event));
      }
    }
    for (DdpEvent read : reads()) {
      if (never.contains(Version.of(read)) && !isOwnWithin(read)) {
        broken.add("an aborted transaction was read: " + read);
      }
    }
  }

  /** Transactions that were completed can be put into one order. */
  private void serializability() {
    Map<Integer, List<DdpEvent>> completed = new TreeMap<>();
    int single = -1;
    for (DdpEvent event : asked) {
      if (event.key() < 0 || !event.isDone()) {
        continue;
      }
      if (event.transaction() < 0 && event.kind().mayWrite()) {
        completed.put(--single, event.parts());
      } else if (completedUnits.containsKey(event.transaction())) {
        completed
            .computeIfAbsent(event.transaction(), t -> new ArrayList<>())
            .addAll(event.parts());
      }
    }
    List<List<DdpEvent>> all = List.copyOf(completed.values());
    if (Serializability.hasCycle(all)) {
      broken.add("the completed transactions have no order: " + all);
    }
  }
}
