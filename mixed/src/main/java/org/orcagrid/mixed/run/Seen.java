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
package org.orcagrid.mixed.run;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.orcagrid.mixed.plan.StoredObject;
import org.orcagrid.mixed.plan.TransactionId;
import org.orcagrid.mixed.store.Found;
import org.orcagrid.mixed.store.Snapshot;
import org.orcagrid.mixed.store.Traits;
import org.orcagrid.mixed.track.Context;
import org.orcagrid.mixed.track.Replica;
import org.orcagrid.mixed.track.Tombstone;
import org.orcagrid.mixed.track.TrackRule;
import org.orcagrid.mixed.track.Tracked;
import org.orcagrid.mixed.track.Tracker;
import org.orcagrid.mixed.track.VectorClock;
import org.orcagrid.mixed.track.Version;

/**
 * All that a client has seen, in all stores. Its transactions share it: what one of them has seen,
 * the next ones go by. Any thread may call it.
 */
public final class Seen {
  private static final int TRACKED_MAX = 256;

  private final String address;
  private final Set<TrackRule> rules;
  private final boolean isTracking;
  private final Map<String, Tracker> trackers = new HashMap<>();

  /**
   * Nothing yet.
   *
   * @param address where other clients ask this one
   */
  public Seen(String address) {
    this(address, TrackRule.all(), true);
  }

  /** One with a rule missing, or that remembers nothing, for tests and comparisons. */
  public Seen(String address, Set<TrackRule> rules, boolean isTracking) {
    this.address = address;
    this.rules = rules;
    this.isTracking = isTracking;
  }

  private Tracker of(String store) {
    return trackers.computeIfAbsent(store, name -> new Tracker(address, TRACKED_MAX, rules));
  }

  /** What a snapshot shows, as a replica. */
  static Replica replica(Traits traits, Snapshot snapshot) {
    return new Replica() {
      @Override
      public VectorClock clock() {
        return snapshot.clock();
      }

      @Override
      public Version read(Object key) {
        Found found = snapshot.found().get((StoredObject) key);
        return found == null ? null : new Version(found.value(), found.clock(), found.context());
      }

      @Override
      public Version merge(Version one, Version other) {
        if (one.value() == null || other.value() == null) {
          return one.value() == null ? other : one;
        }
        return new Version(
            traits.merge().merge(one.value(), other.value()),
            one.clock().join(other.clock()),
            one.context().join(other.context()));
      }

      @Override
      public VectorClock marker(TransactionId id) {
        return snapshot.markers().get(id);
      }
    };
  }

  /** What a transaction that begins now has to see of a store. */
  synchronized Tombstone need(String store) {
    return isTracking ? of(store).need() : new Tombstone(VectorClock.NONE, address, Set.of());
  }

  /** Whether parts are waited for. */
  boolean waits() {
    return isTracking && rules.contains(TrackRule.PENDING_IS_WAITED_FOR);
  }

  /** Transactions whose parts are known to be in a store by now. */
  synchronized Set<TransactionId> settled(String store) {
    Tracker tracker = trackers.get(store);
    return tracker == null ? Set.of() : tracker.settled();
  }

  /** Something was read that carries this. */
  synchronized void onRead(String store, Context context) {
    if (isTracking) {
      context
          .tombstones()
          .forEach(
              (other, tombstone) -> {
                if (!other.equals(store)) {
                  of(other).onStrongRead(tombstone);
                }
              });
    }
  }

  /** A snapshot of a store without clocks has these. */
  synchronized void onMarkers(Traits traits, Snapshot snapshot) {
    if (isTracking) {
      snapshot.markers().forEach((id, clock) -> of(traits.name()).onMarker(id, clock));
    }
  }

  /** What a reader of causal objects gets; null if it waits. */
  synchronized Map<StoredObject, Object> values(Traits traits, Snapshot snapshot, Tombstone need) {
    Tracker tracker = of(traits.name());
    tracker.onEverywhere(snapshot.everywhere());
    Replica replica = replica(traits, snapshot);
    Map<StoredObject, Object> values = new HashMap<>();
    for (StoredObject each : snapshot.found().keySet()) {
      Version version = isTracking ? tracker.onCausalRead(each, replica, need) : replica.read(each);
      if (version == null) {
        return null;
      }
      values.put(each, version.value());
    }
    return values;
  }

  /** What others may be asked for, as the snapshot lacks it; null if there is nobody. */
  synchronized Tombstone missing(Traits traits, Snapshot snapshot) {
    return of(traits.name()).missing(replica(traits, snapshot));
  }

  /** Another client has told what was missing. */
  synchronized void onFetched(Traits traits, Tombstone missing, Tracked told, Snapshot snapshot) {
    of(traits.name()).onFetched(missing, told, replica(traits, snapshot));
  }

  /** Objects of a store that it can tell of. */
  synchronized Set<StoredObject> tracked(String store) {
    Set<StoredObject> objects = new HashSet<>();
    of(store).trackedKeys().forEach(each -> objects.add((StoredObject) each));
    return objects;
  }

  /** What it tells others of a store. */
  public synchronized Tracked told(String store, Replica replica) {
    return of(store).told(replica);
  }

  // --- writers -----------------------------------------------------------------------------------

  /** What is written to a store carries. */
  synchronized Map<String, Tombstone> onWrite(String store) {
    Map<String, Tombstone> carried = new HashMap<>();
    if (isTracking) {
      trackers.forEach(
          (other, tracker) -> {
            Tombstone tombstone = other.equals(store) ? null : tracker.onStrongWrite(null);
            if (tombstone != null) {
              carried.put(other, tombstone);
            }
          });
    }
    return carried;
  }

  /** What a group has to have first; null for nothing. */
  synchronized Tombstone onPart(String store, Tombstone need) {
    return isTracking ? of(store).onCausalPart(need) : null;
  }

  /** What a version carries beside, whose transaction has a part in another store. */
  Tombstone tombstone(TransactionId id) {
    return new Tombstone(VectorClock.NONE, address, Set.of(id));
  }

  /** The client's own transaction is decided, and a part follows. */
  synchronized void onDecided(String store, TransactionId id) {
    if (isTracking) {
      of(store).onDecided(id);
    }
  }

  /** A part of it is there. */
  synchronized void onTaken(String store, TransactionId id, VectorClock clock, Set<?> written) {
    if (isTracking) {
      Tracker tracker = of(store);
      tracker.onMarker(id, clock);
      written.forEach(each -> tracker.onCausalWrite(each, new Version(null, clock)));
    }
  }
}
