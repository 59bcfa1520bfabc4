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
package org.orcagrid.cad.cluster;

import org.orcagrid.cad.LeaseTimes;

/**
 * What kind of cluster a run has.
 *
 * @param nodes how many servers
 * @param times as the servers count them
 * @param rateMin the slowest clock's rate
 * @param rateMax the fastest clock's rate
 * @param faults how many faults happen, one after the other
 * @param awaitsMembers whether writes are acknowledged when all members have applied them
 * @param mutation what is broken
 */
record ClusterSettings(
    int nodes,
    int voters,
    LeaseTimes times,
    double rateMin,
    double rateMax,
    int faults,
    boolean awaitsMembers,
    Mutation mutation) {
  static final long MILLI = 1_000_000;

  /**
   * Heartbeats of 100 ms, mark-out after 200, removal after 1000, promises of 600, clocks that are
   * off by 10 %.
   */
  static ClusterSettings shipping(int nodes) {
    return new ClusterSettings(
        nodes,
        nodes,
        new LeaseTimes(100 * MILLI, 200 * MILLI, 1_000 * MILLI, 600 * MILLI),
        0.9,
        1.1,
        8,
        false,
        Mutation.NONE);
  }

  /** The same, of which only so many vote at first: the ensemble is reconfigured all the time. */
  ClusterSettings withVoters(int count) {
    return new ClusterSettings(
        nodes, count, times, rateMin, rateMax, faults, awaitsMembers, mutation);
  }

  /** The same; writes are acknowledged when all members have applied them. */
  ClusterSettings awaitingMembers() {
    return new ClusterSettings(nodes, voters, times, rateMin, rateMax, faults, true, mutation);
  }

  boolean reconfigures() {
    return voters < nodes;
  }

  ClusterSettings with(Mutation other) {
    return new ClusterSettings(
        nodes, voters, times, rateMin, rateMax, faults, awaitsMembers, other);
  }

  /** The same with clocks of which the fastest is so many times as fast as the slowest. */
  ClusterSettings withDrift(double times) {
    return new ClusterSettings(
        nodes,
        voters,
        this.times,
        1 / Math.sqrt(times),
        Math.sqrt(times),
        faults,
        awaitsMembers,
        mutation);
  }

  boolean broken(Mutation by) {
    return mutation == by;
  }
}
