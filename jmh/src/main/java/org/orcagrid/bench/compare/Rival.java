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
package org.orcagrid.bench.compare;

import java.util.Locale;

/**
 * A line of the comparison: a product, and how it is used.
 *
 * <p>Guarantees are those of the product's documentation for these settings. Nothing here is
 * durable.
 */
public enum Rival {
  /** Kite, with the synchronization that its paper calls typical. */
  ORCA(
      Product.ORCA,
      "Orca Grid, 5 % synchronization",
      "5",
      "Release consistency (RCLin): relaxed reads and writes of a key in one order; 5 % of reads"
          + " are acquires and 5 % of writes releases, which are linearizable and order what is"
          + " around them. Holds while nodes fail or are cut off; a majority goes on.",
      Strength.RELEASE_CONSISTENT,
      0),
  /** Kite, all accesses synchronize. */
  ORCA_LINEARIZABLE(
      Product.ORCA,
      "Orca Grid, linearizable",
      "100",
      "Linearizable: all reads are acquires, all writes releases. Holds while nodes fail or are cut"
          + " off; a majority goes on.",
      Strength.LINEARIZABLE,
      0),
  /** Hazelcast, reads at a key's owner. */
  HAZELCAST(
      Product.HAZELCAST,
      "Hazelcast IMap",
      "owner",
      "Reads and writes at the key's owner, a write is acknowledged when both backups have it:"
          + " linearizable while no member fails or is cut off; what was acknowledged can be lost,"
          + " or differ, when one is.",
      Strength.LINEARIZABLE,
      10),
  /** Hazelcast, reads at the own copy. */
  HAZELCAST_BACKUP_READS(
      Product.HAZELCAST,
      "Hazelcast IMap, read-backup-data",
      "backup",
      "As before, but reads at the member's own copy: a write that has returned is seen by all, one"
          + " that is under way by some and not by others, back and forth.",
      Strength.COMPLETED_WRITES_SEEN,
      10),
  /** Infinispan, replicated before a write returns. */
  INFINISPAN_SYNC(
      Product.INFINISPAN,
      "Infinispan REPL_SYNC",
      "sync",
      "Reads at the node's own copy, a write returns when all nodes have it: a write that has"
          + " returned is seen by all, one that is under way by some and not by others. Can lose or"
          + " split what was written when nodes are cut off (default partition handling).",
      Strength.COMPLETED_WRITES_SEEN,
      10),
  /** Infinispan, replicated some time. */
  INFINISPAN_ASYNC(
      Product.INFINISPAN,
      "Infinispan REPL_ASYNC",
      "async",
      "Reads at the node's own copy, a write returns before other nodes have it, and is lost if the"
          + " node fails then: eventual.",
      Strength.EVENTUAL,
      10),
  /** Redis with replicas. */
  REDIS(
      Product.REDIS,
      "Redis, 2 replicas",
      "replicas",
      "Writes at the master, acknowledged before a replica has them, and lost if it fails then;"
          + " reads at the master or a replica, which may be behind: eventual.",
      Strength.EVENTUAL,
      3);

  /** What readers may rely on while nothing fails, in an order. */
  enum Strength {
    /** Values arrive some time. */
    EVENTUAL,
    /** In addition, synchronization orders what is around it. */
    RELEASE_CONSISTENT,
    /** A write that has returned is seen by all. */
    COMPLETED_WRITES_SEEN,
    /** As if there were one copy. */
    LINEARIZABLE
  }

  private final Product product;
  private final String title;
  private final String variant;
  private final String guarantee;
  private final Strength strength;
  private final double goal;

  Rival(
      Product product,
      String title,
      String variant,
      String guarantee,
      Strength strength,
      double goal) {
    this.product = product;
    this.title = title;
    this.variant = variant;
    this.guarantee = guarantee;
    this.strength = strength;
    this.goal = goal;
  }

  /** Whose processes run it. */
  public Product product() {
    return product;
  }

  /** Its name for people. */
  public String title() {
    return title;
  }

  /** Its name in files and on the command line. */
  public String id() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** How the product is used, in the words of its load target. */
  String variant() {
    return variant;
  }

  /** What its reads and writes guarantee. */
  String guarantee() {
    return guarantee;
  }

  /** How many times its operations Orca Grid is asked to make; 0 for Orca Grid itself. */
  double goal() {
    return goal;
  }

  boolean isOurs() {
    return product == Product.ORCA;
  }

  /** Whether readers of this may rely on all that readers of the other may. */
  boolean isAtLeastAsStrongAs(Rival other) {
    return strength.compareTo(other.strength) >= 0;
  }
}
