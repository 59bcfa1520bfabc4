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
package org.orcagrid.ddp.model;

import java.util.Arrays;
import java.util.stream.Collectors;

/** When a write becomes visible (DDP, section 2.1 and Table 2). */
public enum Consistency {
  /** Every read shows the last write that was completed, wherever it is made. */
  LINEARIZABLE(
      "linearizable",
      "everywhere, when it completes",
      "at all nodes when the write completes: a write waits for all nodes, a read for a write that"
          + " is under way"),
  /** A write completes at once; a read waits until all nodes have what it would show. */
  READ_ENFORCED(
      "read-enforced",
      "everywhere, before it is read",
      "at all nodes before it is read: a write waits for nobody, a read until all nodes have what"
          + " it shows"),
  /** Writes become visible together, at the end of their transaction, or never. */
  TRANSACTIONAL(
      "transactional",
      "everywhere, with its transaction",
      "at all nodes when its transaction ends, together with the other writes of the transaction;"
          + " never if that is aborted"),
  /** A write is visible at a node after all that happened before it. */
  CAUSAL(
      "causal",
      "at a node, after its history",
      "at the writer's node at once, at another one some time after everything that happened before"
          + " it: neither reads nor writes wait for other nodes"),
  /** A write is visible at a node some time. */
  EVENTUAL(
      "eventual",
      "at a node, some time",
      "at each node some time, in any order: neither reads nor writes wait for other nodes"),
  /** Kite: relaxed accesses as eventual ones, ordered by releases and acquires. */
  RELEASE(
      "release",
      "to whoever has acquired it",
      "at each node some time; what was written before a release is visible to whoever has acquired"
          + " it, releases, acquires and read-modify-writes are linearizable");

  private final String id;
  private final String visibilityPoint;
  private final String visibility;

  Consistency(String id, String visibilityPoint, String visibility) {
    this.id = id;
    this.visibilityPoint = visibilityPoint;
    this.visibility = visibility;
  }

  /** Its name in settings and commands. */
  public String id() {
    return id;
  }

  /** When a write is visible, in the few words of Table 2. */
  public String visibilityPoint() {
    return visibilityPoint;
  }

  /** When a write is visible, for people: the rest of a sentence. */
  public String visibility() {
    return visibility;
  }

  /** Whether a write goes to all nodes and is valid when all have said so (INV, ACK, VAL). */
  public boolean isInvalidating() {
    return this == LINEARIZABLE || this == READ_ENFORCED || this == RELEASE;
  }

  /**
   * Whether it has read-modify-writes: compare-and-set and get-and-set of a key, between whose read
   * and whose write no other write comes. They need that nodes agree on what a key has now, which
   * those do not that write without asking others.
   */
  public boolean isAtomic() {
    return !isUpdating();
  }

  /** The consistencies that have read-modify-writes, for people. */
  public static String atomic() {
    return Arrays.stream(values())
        .filter(Consistency::isAtomic)
        .map(Consistency::id)
        .collect(Collectors.joining(", "));
  }

  /** Whether a write is told to the other nodes and nobody answers (UPD). */
  public boolean isUpdating() {
    return this == CAUSAL || this == EVENTUAL;
  }
}
