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
package org.orcagrid.mixed.track;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.orcagrid.mixed.plan.TransactionId;

/**
 * What a client has seen in a causal store, for those who read what it writes elsewhere (section
 * 4.5). One client's; one thread at a time.
 *
 * <p>Invariants:
 *
 * <ol>
 *   <li>a version that it reads has all that the client has seen of the object in any way;
 *   <li>what it writes comes, in its replica, behind all that it has seen.
 * </ol>
 */
public final class Tracker {
  private static final int FETCHED_MAX = 16;
  private static final int SETTLED_MAX = 64;

  private final String address;
  private final int trackedMax;
  private final Set<TrackRule> rules;

  /** Objects that it has seen, the oldest first; some, as they are bounded. */
  private final Map<Object, Version> tracked = new LinkedHashMap<>();

  /** What others have told, and its replica may lack. */
  private final List<Fetched> fetched = new ArrayList<>();

  /** What strong objects carried that it has read lately. */
  private final List<Tombstone> carriers = new ArrayList<>();

  /** Decided transactions that it has met, and whose parts its replica may not have. */
  private final Set<TransactionId> pending = new LinkedHashSet<>();

  /** Of those that it has met there, the clocks of their parts; the latest. */
  private final Map<TransactionId, VectorClock> settled = new LinkedHashMap<>();

  private VectorClock seen = VectorClock.NONE;
  private VectorClock everywhere = VectorClock.NONE;

  /** What somebody has told, until a replica has as much as this clock. */
  private record Fetched(VectorClock clock, Map<Object, Version> versions) {}

  /**
   * A client that has seen nothing.
   *
   * @param address where others ask it
   * @param trackedMax so many objects are told of at most; others wait for the rest
   */
  public Tracker(String address, int trackedMax) {
    this(address, trackedMax, TrackRule.all());
  }

  /** One with a rule missing, for tests. */
  public Tracker(String address, int trackedMax, Set<TrackRule> rules) {
    this.address = address;
    this.trackedMax = trackedMax;
    this.rules = rules;
  }

  // --- strong objects ----------------------------------------------------------------------------

  /**
   * What a strong write carries; null if all that it depends on is everywhere.
   *
   * @param present what the object carries, if the store changes its value by itself; null if the
   *     client gives it another one
   */
  public Tombstone onStrongWrite(Tombstone present) {
    boolean keeps = present != null && rules.contains(TrackRule.CHANGES_KEEP_THE_PAST);
    Tombstone mine = new Tombstone(seen.without(everywhere), address, carriedPending());
    Tombstone all = keeps ? mine.join(present) : mine;
    boolean isEverywhere = all.past().isIn(everywhere) && all.pending().isEmpty();
    return isEverywhere ? null : all;
  }

  private Set<TransactionId> carriedPending() {
    return rules.contains(TrackRule.PENDING_IS_CARRIED) ? pending : Set.of();
  }

  /** What its group has to have before it takes what is written behind that; null for nothing. */
  public Tombstone onCausalPart(Tombstone need) {
    boolean waits = rules.contains(TrackRule.CAUSAL_WRITES_WAIT);
    return waits && !(need.past().isIn(everywhere) && need.pending().isEmpty()) ? need : null;
  }

  /**
   * The client has read a strong object (OnStrongRead). It needs not wait here, as the paper has
   * it: what its replica lacks is waited for when a causal object is read or written.
   *
   * @param carried by the object, read together with it; null for none
   */
  public void onStrongRead(Tombstone carried) {
    if (carried == null || (carried.past().isIn(everywhere) && carried.pending().isEmpty())) {
      return;
    }
    if (rules.contains(TrackRule.CARRIED_IS_SEEN)) {
      seen = seen.join(carried.past());
      carried.pending().forEach(this::meet);
    }
    if (carriers.size() == FETCHED_MAX) {
      carriers.remove(0);
    }
    carriers.add(carried);
  }

  private void meet(TransactionId id) {
    VectorClock clock = settled.get(id);
    if (clock != null) {
      seen = seen.join(clock);
    } else {
      pending.add(id);
    }
  }

  // --- transactions with a part here -------------------------------------------------------------

  /** All that it has seen by now, and that whoever begins now has to see. */
  public Tombstone need() {
    return new Tombstone(seen, address, pending);
  }

  /** Those whose parts it has met here lately. */
  public Set<TransactionId> settled() {
    return Set.copyOf(settled.keySet());
  }

  /** The client's own transaction is decided, and has a part here. */
  public void onDecided(TransactionId id) {
    meet(id);
  }

  /** A transaction's part is in its replica, with this clock. */
  public void onMarker(TransactionId id, VectorClock clock) {
    pending.remove(id);
    seen = seen.join(clock);
    settled.put(id, clock);
    if (settled.size() > SETTLED_MAX) {
      settled.remove(settled.keySet().iterator().next());
    }
  }

  private void settle(Replica replica) {
    for (TransactionId each : List.copyOf(pending)) {
      VectorClock clock = replica.marker(each);
      if (clock != null) {
        onMarker(each, clock);
      }
    }
  }

  /** Whether a replica has all that the client has seen, and not only what was asked for. */
  public boolean isIn(Replica replica) {
    settle(replica);
    return seen.isIn(replica.clock())
        && (pending.isEmpty() || !rules.contains(TrackRule.PENDING_IS_WAITED_FOR));
  }

  // --- who is asked ------------------------------------------------------------------------------

  /** Whose past its replica lacks, and who can be asked for it; null if there is nobody. */
  public Tombstone missing(Replica replica) {
    settle(replica);
    VectorClock known = known(replica);
    carriers.removeIf(
        each -> each.past().isIn(known) && each.pending().stream().noneMatch(pending::contains));
    return carriers.isEmpty() ? null : carriers.get(carriers.size() - 1);
  }

  /** What the replica and those that were asked know together. */
  private VectorClock known(Replica replica) {
    VectorClock known = replica.clock();
    for (Fetched each : fetched) {
      known = known.join(each.clock());
    }
    return known;
  }

  /**
   * The writer of what was {@link #missing} has told what it knows. It is of no use if the writer
   * has not seen what was asked about.
   */
  public void onFetched(Tombstone carried, Tracked told, Replica replica) {
    boolean hasSeen =
        carried.past().isIn(told.seen())
            && told.settled().keySet().containsAll(stillPending(carried));
    if (fetched.size() >= FETCHED_MAX || (!hasSeen && rules.contains(TrackRule.TELLER_HAS_SEEN))) {
      return;
    }
    VectorClock clock = carried.past();
    for (TransactionId each : stillPending(carried)) {
      VectorClock part = told.settled().getOrDefault(each, VectorClock.NONE);
      clock = clock.join(part);
      onMarker(each, part);
    }
    for (Version each : told.versions().values()) {
      clock = clock.join(each.clock());
    }
    fetched.add(new Fetched(clock, told.versions()));
    forgetKnown(replica);
  }

  private List<TransactionId> stillPending(Tombstone carried) {
    return carried.pending().stream().filter(pending::contains).toList();
  }

  private void forgetKnown(Replica replica) {
    fetched.removeIf(each -> each.clock().isIn(replica.clock()));
  }

  // --- causal objects ----------------------------------------------------------------------------

  /**
   * What a reader of a causal object gets (OnCausalRead); null if it waits until its replica has
   * more.
   */
  public Version onCausalRead(Object key, Replica replica) {
    settle(replica);
    return onCausalRead(key, replica, need());
  }

  /**
   * The same for one of several that go on beside each other.
   *
   * @param need what it has to see: all that the client had seen when it began, and what it has
   *     read since
   */
  public Version onCausalRead(Object key, Replica replica, Tombstone need) {
    settle(replica);
    forgetKnown(replica);
    Version version = known(key, replica, need);
    if (version != null) {
      track(key, version);
    }
    return version;
  }

  /** All that the client knows of an object; null if it may have seen more in other ways. */
  private Version known(Object key, Replica replica, Tombstone need) {
    VectorClock known = known(replica);
    if (!need.past().isIn(known) && rules.contains(TrackRule.REPLICA_HAS_SEEN)) {
      return null;
    }
    if (rules.contains(TrackRule.PENDING_IS_WAITED_FOR)
        && !need.pending().stream().allMatch(each -> isThere(each, replica, known))) {
      return null;
    }
    Version version = replica.read(key);
    if (version == null) {
      version = new Version(null, VectorClock.NONE);
    }
    for (Fetched each : fetched) {
      Version told = each.versions().get(key);
      if (told != null) {
        version = newer(version, told, replica);
      } else if (rules.contains(TrackRule.UNFETCHED_WAITS)) {
        return null;
      }
    }
    return version;
  }

  private boolean isThere(TransactionId id, Replica replica, VectorClock known) {
    VectorClock clock = settled.get(id);
    return replica.marker(id) != null || (clock != null && clock.isIn(known));
  }

  private Version newer(Version version, Version told, Replica replica) {
    if (told.clock().isIn(version.clock())) {
      return version;
    }
    boolean isNewer =
        version.clock().isIn(told.clock()) || !rules.contains(TrackRule.CONCURRENT_IS_MERGED);
    return isNewer ? told : replica.merge(version, told);
  }

  /** Whether the client may write to its replica now, which has all that the client has seen. */
  public boolean mayWriteCausally(Replica replica) {
    return isIn(replica) || !rules.contains(TrackRule.CAUSAL_WRITES_WAIT);
  }

  /** It has written a causal object. */
  public void onCausalWrite(Object key, Version written) {
    track(key, written);
  }

  private void track(Object key, Version version) {
    if (version.clock().isIn(everywhere)) {
      return;
    }
    seen = seen.join(version.clock());
    tracked.remove(key);
    tracked.put(key, version);
    if (tracked.size() > trackedMax) {
      tracked.remove(tracked.keySet().iterator().next());
    }
  }

  // --- others ------------------------------------------------------------------------------------

  /** All replicas have this much (OnUpdateGlobalMin). */
  public void onEverywhere(VectorClock clock) {
    if (clock.isIn(everywhere)) {
      return;
    }
    everywhere = everywhere.join(clock);
    tracked.values().removeIf(each -> each.clock().isIn(everywhere));
  }

  /** Objects that it can tell of. */
  public Set<Object> trackedKeys() {
    return Set.copyOf(tracked.keySet());
  }

  /** What it tells who asks: nothing of versions that stand on other stores, too. */
  public Tracked told(Replica replica) {
    forgetKnown(replica);
    Map<Object, Version> versions = new HashMap<>();
    for (Map.Entry<Object, Version> each : tracked.entrySet()) {
      Version known =
          rules.contains(TrackRule.TOLD_AS_OF_NOW)
              ? known(each.getKey(), replica, need())
              : each.getValue();
      if (known != null && known.context().isEmpty()) {
        versions.put(each.getKey(), known);
      }
    }
    return new Tracked(seen, Map.copyOf(settled), versions);
  }
}
