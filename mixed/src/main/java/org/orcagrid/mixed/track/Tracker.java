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
import java.util.List;
import java.util.Map;
import java.util.Set;

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

  private final String address;
  private final int trackedMax;
  private final Set<TrackRule> rules;

  /** Objects that it has seen, the oldest first; some, as they are bounded. */
  private final Map<Object, Version> tracked = new LinkedHashMap<>();

  /** What others have told, and its replica may lack. */
  private final List<Fetched> fetched = new ArrayList<>();

  /** What strong objects carried that it has read lately. */
  private final List<Tombstone> carriers = new ArrayList<>();

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

  Tracker(String address, int trackedMax, Set<TrackRule> rules) {
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
    VectorClock past = keeps ? seen.join(present.past()) : seen;
    return past.isIn(everywhere) ? null : new Tombstone(past, address);
  }

  /**
   * The client has read a strong object (OnStrongRead). It needs not wait here, as the paper has
   * it: what its replica lacks is waited for when a causal object is read or written.
   *
   * @param carried by the object, read together with it; null for none
   */
  public void onStrongRead(Tombstone carried) {
    if (carried == null || carried.past().isIn(everywhere)) {
      return;
    }
    if (rules.contains(TrackRule.CARRIED_IS_SEEN)) {
      seen = seen.join(carried.past());
    }
    if (carriers.size() == FETCHED_MAX) {
      carriers.remove(0);
    }
    carriers.add(carried);
  }

  /** Whose past its replica lacks, and who can be asked for it; null if there is nobody. */
  public Tombstone missing(Replica replica) {
    VectorClock known = known(replica);
    carriers.removeIf(each -> each.past().isIn(known));
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
    boolean hasSeen = carried.past().isIn(told.seen());
    if (fetched.size() >= FETCHED_MAX || (!hasSeen && rules.contains(TrackRule.TELLER_HAS_SEEN))) {
      return;
    }
    VectorClock clock = carried.past();
    for (Version each : told.versions().values()) {
      clock = clock.join(each.clock());
    }
    fetched.add(new Fetched(clock, told.versions()));
    forgetKnown(replica);
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
    forgetKnown(replica);
    Version version = known(key, replica);
    if (version != null) {
      track(key, version);
    }
    return version;
  }

  /** All that the client knows of an object; null if it may have seen more in other ways. */
  private Version known(Object key, Replica replica) {
    if (!seen.isIn(known(replica)) && rules.contains(TrackRule.REPLICA_HAS_SEEN)) {
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
    return seen.isIn(replica.clock()) || !rules.contains(TrackRule.CAUSAL_WRITES_WAIT);
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
    everywhere = everywhere.join(clock);
    tracked.values().removeIf(each -> each.clock().isIn(everywhere));
  }

  /** What it tells who asks. */
  public Tracked told(Replica replica) {
    forgetKnown(replica);
    Map<Object, Version> versions = new HashMap<>();
    for (Map.Entry<Object, Version> each : tracked.entrySet()) {
      Version known =
          rules.contains(TrackRule.TOLD_AS_OF_NOW)
              ? known(each.getKey(), replica)
              : each.getValue();
      if (known != null) {
        versions.put(each.getKey(), known);
      }
    }
    return new Tracked(seen, versions);
  }
}
