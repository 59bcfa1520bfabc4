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
package org.orcagrid.geo.partition;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.orcagrid.geo.GeoRule;
import org.orcagrid.geo.PositionVector;
import org.orcagrid.geo.clock.HybridClock;
import org.orcagrid.geo.message.GeoMessage;

/** What a leader knows of the replicas of its group. */
final class Followers {
  /** A follower that was not heard for so long gets no duty. */
  private static final long SILENCE_NANOS_MAX = 1_000_000_000L;

  private final int self;
  private final int datacenter;
  private final List<Integer> members;
  private final Set<GeoRule> rules;
  private final GeoMessage.Standing[] standings;
  private final long[] heardNanos;

  /** The term in which they were heard. */
  private long term;

  /** All replicas of a datacenter's group; {@code self} is the leader. */
  Followers(int self, int datacenter, List<Integer> members, Set<GeoRule> rules) {
    this.self = self;
    this.datacenter = datacenter;
    this.members = members;
    this.rules = rules;
    this.standings = new GeoMessage.Standing[members.size()];
    this.heardNanos = new long[members.size()];
  }

  void heard(int from, GeoMessage.Standing standing, long nowNanos) {
    int at = members.indexOf(from);
    if (at >= 0) {
      standings[at] = standing;
      heardNanos[at] = nowNanos;
    }
  }

  /** What was heard in another term is of no use. */
  void lead(long inTerm) {
    if (inTerm != term) {
      term = inTerm;
      Arrays.fill(standings, null);
    }
  }

  /** What all have applied: nothing while one was not heard. */
  PositionVector low(PositionVector own) {
    PositionVector low = own;
    for (int i = 0; i < standings.length; i++) {
      if (members.get(i) != self) {
        low = standings[i] == null ? PositionVector.NONE : low.min(standings[i].stable());
      }
    }
    return low;
  }

  private boolean isHeard(int at, long nowNanos) {
    return standings[at] != null && nowNanos - heardNanos[at] < SILENCE_NANOS_MAX;
  }

  /** Who is to forward: a follower that was heard lately, or else the leader. */
  int forwarder(long nowNanos) {
    for (int i = 0; i < standings.length; i++) {
      boolean may = isHeard(i, nowNanos) || !rules.contains(GeoRule.DUTY_IS_TAKEN_OVER);
      if (members.get(i) != self && may) {
        return members.get(i);
      }
    }
    return self;
  }

  /**
   * The latest time that the clocks of a majority have passed for good. A later leader is elected
   * by one of these, and does not begin before.
   */
  long passedByMajority(long ownPastMillis) {
    long[] past = new long[standings.length];
    for (int i = 0; i < past.length; i++) {
      GeoMessage.Standing standing = standings[i];
      past[i] =
          members.get(i) == self ? ownPastMillis : standing == null ? 0 : standing.wallMillis();
    }
    Arrays.sort(past);
    boolean byMajority = rules.contains(GeoRule.SAFE_TIME_BY_MAJORITY);
    return byMajority ? past[(past.length - 1) / 2] : past[past.length - 1];
  }

  /** Whether this leader's clock is too far ahead of all others that were heard lately. */
  boolean isFast(Moment now) {
    long latest = 0;
    for (int i = 0; i < standings.length; i++) {
      if (members.get(i) != self && isHeard(i, now.nanos())) {
        long since = (now.nanos() - heardNanos[i]) / 1_000_000;
        latest = Math.max(latest, standings[i].wallMillis() + since);
      }
    }
    return latest > 0 && now.pastMillis() > latest + HybridClock.AHEAD_MILLIS_MAX;
  }

  /**
   * Whether a follower was heard lately, is not behind, and its clock is not ahead of this
   * leader's.
   *
   * @param own how far the group's writes were applied here a little while ago
   */
  boolean mayLead(int node, long own, Moment now) {
    int at = members.indexOf(node);
    return at >= 0
        && isHeard(at, now.nanos())
        && standings[at].stable().at(datacenter) >= own
        && standings[at].wallMillis() <= now.wallMillis() + HybridClock.AHEAD_MILLIS_MAX;
  }

  /** To whom this leader hands over. */
  int heir(long nowNanos) {
    for (int i = 0; i < standings.length; i++) {
      if (members.get(i) != self && isHeard(i, nowNanos)) {
        return members.get(i);
      }
    }
    return self;
  }
}
