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

import java.util.Set;
import org.orcagrid.geo.GeoRule;
import org.orcagrid.geo.PositionVector;
import org.orcagrid.geo.Positions;
import org.orcagrid.geo.message.GeoMessage;

/** What a replica has heard from the leaders of all datacenters. */
final class Datacenters {
  private final int self;
  private final int count;
  private final Set<GeoRule> rules;
  private final GeoMessage.Report[] latest;
  private final long[] heardNanos;

  // What a leader may take for known everywhere: first of a report that was heard, then of one
  // whose datacenter's earlier writes are all here.
  private final GeoMessage.Report[] awaited;
  private final PositionVector[] arrived;

  Datacenters(int self, int count, Set<GeoRule> rules, long nowNanos) {
    this.self = self;
    this.count = count;
    this.rules = rules;
    this.latest = new GeoMessage.Report[count];
    this.heardNanos = new long[count];
    this.awaited = new GeoMessage.Report[count];
    this.arrived = new PositionVector[count];
    for (int i = 0; i < count; i++) {
      heardNanos[i] = nowNanos;
      arrived[i] = PositionVector.NONE;
    }
  }

  void heard(int datacenter, GeoMessage.Report report, long nowNanos) {
    GeoMessage.Report before = latest[datacenter];
    heardNanos[datacenter] = nowNanos;
    if (before != null && report.term() < before.term()) {
      return;
    }
    latest[datacenter] = report;
    if (awaited[datacenter] == null) {
      awaited[datacenter] = report;
    }
  }

  /** Those that were not heard for so long: a bit for each. */
  int gone(long nowNanos, long silenceNanosMax) {
    int gone = 0;
    for (int i = 0; i < count; i++) {
      if (i != self && nowNanos - heardNanos[i] >= silenceNanosMax) {
        gone |= 1 << i;
      }
    }
    return gone;
  }

  /**
   * What all replicas of all datacenters have.
   *
   * @param gone datacenters that do not count any more: a bit for each
   */
  PositionVector everywhere(int gone) {
    PositionVector everywhere = null;
    for (int i = 0; i < count; i++) {
      GeoMessage.Report each = latest[i];
      if ((gone & (1 << i)) != 0) {
        continue;
      }
      if (each == null) {
        return PositionVector.NONE;
      }
      everywhere = everywhere == null ? each.low() : everywhere.min(each.low());
    }
    return everywhere == null ? PositionVector.NONE : everywhere;
  }

  /**
   * Which deletions nobody needs any more: those that all replicas of all datacenters have, if all
   * writes are here that a datacenter made before it had them.
   *
   * @param low what all replicas of this datacenter have
   * @param gone datacenters that do not count any more: a bit for each
   */
  PositionVector forgettable(PositionVector low, int gone) {
    PositionVector all = low;
    for (int i = 0; i < count; i++) {
      GeoMessage.Report report = awaited[i];
      boolean waits = rules.contains(GeoRule.DELETIONS_WAIT_FOR_EARLIER);
      if (i != self && report != null && (low.at(i) >= report.own() || !waits)) {
        arrived[i] = arrived[i].max(report.low());
        awaited[i] = report.equals(latest[i]) ? null : latest[i];
      }
      boolean counts = i != self && (gone & (1 << i)) == 0;
      all = counts ? all.min(arrived[i]) : all;
    }
    return all;
  }

  /** What is missing of a datacenter's writes here. */
  long missing(int datacenter, long stable) {
    GeoMessage.Report report = latest[datacenter];
    return report == null ? 0 : Positions.distance(stable, report.own());
  }
}
