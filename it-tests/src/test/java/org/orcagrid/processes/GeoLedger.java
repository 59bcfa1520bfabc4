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
package org.orcagrid.processes;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.orcagrid.geo.Version;
import org.orcagrid.simulator.checker.SessionAccess;
import org.orcagrid.simulator.checker.SessionGuarantees;

/**
 * Judges what clients of a geo store were told, and what is there in the end:
 *
 * <ul>
 *   <li>sessions got what they asked for;
 *   <li>a value that was written is one version, and nobody sees what was refused;
 *   <li>a write that took effect is there, or one that wins;
 *   <li>conditions held where their writes were done: in a datacenter's own order.
 * </ul>
 */
final class GeoLedger {
  private final List<GeoOperation> operations;

  /** By value: the write that has it. */
  private final Map<String, GeoOperation> writes = new HashMap<>();

  /** By value: which version it is, for all of which that is known. */
  private final Map<String, Version> effects = new HashMap<>();

  /** By key: deletions that are known. */
  private final Map<String, Set<Version>> deletions = new HashMap<>();

  /** Keys with a deletion that may have been done. */
  private final Set<String> perhapsDeleted = new HashSet<>();

  private final List<String> violations = new ArrayList<>();

  /** What is there of a key. */
  record Found(Version version, String value) {}

  private GeoLedger(List<GeoOperation> operations) {
    this.operations = operations;
  }

  /**
   * What is wrong; empty if nothing is.
   *
   * @param operations of each session in its order
   * @param found by key, when all datacenters had the same
   */
  static List<String> judge(List<GeoOperation> operations, Map<String, Found> found) {
    GeoLedger ledger = new GeoLedger(operations);
    ledger.collect();
    ledger.judgeSessions(true).ifPresent(ledger.violations::add);
    found.forEach(ledger::judgeEnd);
    ledger.effects.forEach(ledger::judgeCondition);
    return ledger.violations;
  }

  /** What would be wrong if those who have asked for nothing had asked for all. */
  static Optional<String> judgeControls(List<GeoOperation> operations) {
    GeoLedger ledger = new GeoLedger(operations);
    ledger.collect();
    return ledger.judgeSessions(false);
  }

  private void wrong(String what) {
    violations.add(what);
  }

  // --- what is known -----------------------------------------------------------------------------

  private void collect() {
    for (GeoOperation each : operations) {
      if (each.isWrite() && !each.isDelete()) {
        writes.put(each.asked().value(), each);
      }
    }
    for (GeoOperation each : operations) {
      if (each.isDelete()) {
        if (each.isDone()) {
          deleted(each.key(), each.version());
        } else if (each.outcome() == GeoOperation.Outcome.UNKNOWN) {
          perhapsDeleted.add(each.key());
        }
      } else if (each.isDone() && each.isWrite()) {
        effect(each.asked().value(), each.version(), each);
      } else if (each.isDone()) {
        saw(each.key(), new Found(each.version(), each.value()), each);
      }
    }
  }

  private void deleted(String key, Version version) {
    deletions.computeIfAbsent(key, none -> new HashSet<>()).add(version);
  }

  private void saw(String key, Found found, Object who) {
    if (found.value() == null) {
      if (found.version().isThere()) {
        deleted(key, found.version());
      }
      return;
    }
    GeoOperation write = writes.get(found.value());
    if (write == null || !write.key().equals(key)) {
      wrong(who + " shows what nobody has written there");
      return;
    }
    boolean mayBe = write.isDone() || write.outcome() == GeoOperation.Outcome.UNKNOWN;
    if (!mayBe) {
      wrong(who + " shows what was refused: " + write);
    }
    effect(found.value(), found.version(), who);
  }

  private void effect(String value, Version version, Object who) {
    Version before = effects.putIfAbsent(value, version);
    if (before != null && !isSame(before, version)) {
      wrong(who + " shows a value as another version than " + before + ": it was done twice");
    }
  }

  private static boolean isSame(Version one, Version other) {
    return one.time() == other.time() && one.datacenter() == other.datacenter();
  }

  /** Whether a key may have been deleted by a version that wins over another one. */
  private boolean mayBeDeleted(String key, Version after) {
    return perhapsDeleted.contains(key)
        || deletions.getOrDefault(key, Set.of()).stream().anyMatch(each -> each.wins(after));
  }

  /**
   * Whether a key may have been deleted between two writes of a datacenter. A deletion of another
   * one may come before a write in the log there, and have a later time: the write got its time
   * before the deletion was applied, and loses.
   */
  private boolean mayBeDeleted(String key, Version after, Version before) {
    return perhapsDeleted.contains(key)
        || deletions.getOrDefault(key, Set.of()).stream()
            .anyMatch(
                each ->
                    each.wins(after)
                        && (each.datacenter() != before.datacenter() || before.wins(each)));
  }

  // --- the rules ---------------------------------------------------------------------------------

  private Optional<String> judgeSessions(boolean isHeld) {
    List<SessionAccess> accesses =
        operations.stream()
            .filter(each -> each.isDone() && each.asked().wish().isHeld() == isHeld)
            .map(GeoOperation::access)
            .toList();
    return SessionGuarantees.check(
        accesses, each -> mayBeDeleted(each.key(), new Version(each.time(), each.datacenter(), 0)));
  }

  private void judgeEnd(String key, Found found) {
    saw(key, found, "In the end " + key + " = " + found);
    for (GeoOperation each : operations) {
      if (!each.key().equals(key) || !each.isWrite()) {
        continue;
      }
      Version version = each.isDelete() ? each.version() : effects.get(each.asked().value());
      boolean isThere = each.isDelete() ? each.isDone() : version != null;
      if (!isThere) {
        continue;
      }
      boolean isForgotten =
          !found.version().isThere() && (each.isDelete() || mayBeDeleted(key, version));
      if (version.wins(found.version()) && !isForgotten) {
        wrong(each + " is lost: there is " + found);
      }
      String has = each.isDelete() ? null : each.asked().value();
      if (isSame(version, found.version()) && !Objects.equals(has, found.value())) {
        wrong(each + " is there with another value: " + found);
      }
    }
  }

  /** A datacenter's own writes of a key have times in the order in which they were done there. */
  private void judgeCondition(String value, Version version) {
    GeoOperation write = writes.get(value);
    if (write == null) {
      return;
    }
    boolean isAbsent = write.asked().kind() == GeoOperation.Kind.ABSENT;
    if (!isAbsent && write.asked().kind() != GeoOperation.Kind.REPLACE) {
      return;
    }
    for (Version each : deletions.getOrDefault(write.key(), Set.of())) {
      boolean isOwn = each.datacenter() == version.datacenter();
      if (!isAbsent && isOwn && each.wins(write.asked().expected()) && version.wins(each)) {
        wrong(write + ", " + version + " was done over the deletion " + each);
      }
    }
    for (Map.Entry<String, Version> each : effects.entrySet()) {
      GeoOperation other = writes.get(each.getKey());
      boolean isBefore =
          other != null
              && other.key().equals(write.key())
              && each.getValue().datacenter() == version.datacenter()
              && version.wins(each.getValue());
      if (!isBefore) {
        continue;
      }
      if (isAbsent && !mayBeDeleted(write.key(), each.getValue(), version)) {
        wrong(write + ", " + version + " was done though " + other + " was there");
      }
      if (!isAbsent && each.getValue().wins(write.asked().expected())) {
        wrong(write + ", " + version + " was done over " + other + ", " + each.getValue());
      }
    }
  }
}
