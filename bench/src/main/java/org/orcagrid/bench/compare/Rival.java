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

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * A line of the comparison: a product, and how it is used.
 *
 * <p>Guarantees are those of the product's documentation for these settings. What is durable is
 * compared with what is, and the rest with the rest.
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
      3),
  /** A map that is durable where and when it is visible. */
  CAUSAL_SYNCHRONOUS(
      Product.MAPS,
      "Orca Grid causal/synchronous",
      "causal/synchronous",
      "Reads at the node's own copy, never back in time, and nothing before what happened before"
          + " it. A node shows a version when its forced log has it: what was read survives any"
          + " crash. A write returns before that, and can be lost until it is read.",
      new Kept(Strength.CAUSAL, Durability.WHAT_WAS_READ),
      2),
  /** The same, but a write returns when all nodes have it durable. */
  CAUSAL_STRICT(
      Product.MAPS,
      "Orca Grid causal/strict",
      "causal/strict",
      "As before, but a write returns when the forced logs of all nodes have it: what was"
          + " acknowledged or read survives any crash.",
      new Kept(Strength.CAUSAL, Durability.ACKNOWLEDGED_AT_ALL),
      2),
  /** A map that behaves as one copy that is durable. */
  LINEARIZABLE_SYNCHRONOUS(
      Product.MAPS,
      "Orca Grid linearizable/synchronous",
      "linearizable/synchronous",
      "Linearizable, also while nodes fail; a write returns when the forced logs of all nodes have"
          + " it, and is read by nobody before: what was acknowledged or read survives any crash.",
      new Kept(Strength.LINEARIZABLE, Durability.ACKNOWLEDGED_AT_ALL),
      2),
  /** A map that is durable some time. */
  CAUSAL_EVENTUAL(
      Product.MAPS,
      "Orca Grid causal/eventual",
      "causal/eventual",
      "Visible as with causal/synchronous; the log is forced every 20 ms, and what is younger can"
          + " be lost by a crash.",
      new Kept(Strength.CAUSAL, Durability.SOME_TIME),
      2),
  /** A map that behaves as one copy, and is durable some time. */
  LINEARIZABLE_EVENTUAL(
      Product.MAPS,
      "Orca Grid linearizable/eventual",
      "linearizable/eventual",
      "Linearizable, also while nodes fail; a write returns when all nodes have it in memory. The"
          + " log is forced every 20 ms, and what is younger can be lost by a crash of all.",
      new Kept(Strength.LINEARIZABLE, Durability.SOME_TIME),
      2),
  /** The same in memory only. */
  LINEARIZABLE_NONE(
      Product.MAPS,
      "Orca Grid linearizable/none",
      "linearizable/none",
      "As before, and nothing is written to a log: all is gone when no node is left that serves.",
      new Kept(Strength.LINEARIZABLE, Durability.NONE),
      0),
  /** A map in memory only under release consistency. */
  RELEASE_NONE(
      Product.MAPS,
      "Orca Grid release/none",
      "release/none@5",
      "Release consistency: relaxed reads and writes; 5 % of reads are acquires and 5 % of writes"
          + " releases, by `ReleaseGridMap`. All members of a view hold what a release has before"
          + " it. Nothing is written to a log.",
      new Kept(Strength.RELEASE_CONSISTENT, Durability.NONE),
      0),
  /** The grid's keys, which are Kite's, at the same nodes and through the same client. */
  RELEASE_KEYS(
      Product.MAPS,
      "Orca Grid keys",
      "keys@5",
      "The same by a session of the grid, whose engine is Kite: a majority goes on"
          + " while nodes fail or are cut off.",
      new Kept(Strength.RELEASE_CONSISTENT, Durability.NONE),
      0),
  /** The same, all accesses synchronize. */
  KEYS_LINEARIZABLE(
      Product.MAPS,
      "Orca Grid keys, linearizable",
      "keys@100",
      "One session, whose operations go one after the other: all reads are acquires, all writes"
          + " releases.",
      new Kept(Strength.LINEARIZABLE, Durability.NONE),
      0),
  /** The same keys by a view for many threads. */
  SHARED_KEYS(
      Product.MAPS,
      "Orca Grid shared keys",
      "shared@5",
      "By `Grid.view`, for many threads: relaxed reads and writes; 5 % of reads are acquires and 5"
          + " % of writes releases, which have no order while they are under way together.",
      new Kept(Strength.RELEASE_CONSISTENT, Durability.NONE),
      0),
  /** The same, all accesses synchronize. */
  SHARED_KEYS_LINEARIZABLE(
      Product.MAPS,
      "Orca Grid shared keys, linearizable",
      "shared@100",
      "By `Grid.view`: all reads are acquires, all writes releases. Holds while nodes fail or are"
          + " cut off; a majority goes on.",
      new Kept(Strength.LINEARIZABLE, Durability.NONE),
      0),
  /** Hazelcast, write-through at a key's owner. */
  HAZELCAST_STORE(
      Product.HAZELCAST_STORE,
      "Hazelcast IMap, MapStore",
      "owner",
      "Open-source Hazelcast has no persistence of its own: this is a MapStore, write-through to a"
          + " file that is forced before a write returns, one force for all that store at the same"
          + " time. The key's owner alone stores; both backups have it in memory. Linearizable"
          + " while no member fails or is cut off. What was acknowledged is on one disk.",
      new Kept(Strength.LINEARIZABLE, Durability.ACKNOWLEDGED_AT_ONE),
      2),
  /** Infinispan, replicated and forced before a write returns. */
  INFINISPAN_SYNC_FORCED(
      Product.INFINISPAN_STORE,
      "Infinispan REPL_SYNC, forced",
      "sync-forced",
      "Soft-index file store with `sync-writes`: a write returns when all nodes have it and their"
          + " stores have forced it. Reads at the own copy: a write that has returned is seen by"
          + " all, one that is under way by some.",
      new Kept(Strength.COMPLETED_WRITES_SEEN, Durability.ACKNOWLEDGED_AT_ALL),
      2),
  /** Infinispan with the default of its store. */
  INFINISPAN_SYNC_WRITTEN(
      Product.INFINISPAN_STORE,
      "Infinispan REPL_SYNC, not forced",
      "sync-written",
      "Soft-index file store with its default: written to files, never forced by a write. A crash"
          + " of the process loses nothing, one of the machine what the kernel had not written.",
      new Kept(Strength.COMPLETED_WRITES_SEEN, Durability.SOME_TIME),
      2),
  /** Infinispan, replicated some time, but forced at the writer's node. */
  INFINISPAN_ASYNC_FORCED(
      Product.INFINISPAN_STORE,
      "Infinispan REPL_ASYNC, forced",
      "async-forced",
      "Soft-index file store with `sync-writes`: a write returns when its own node has forced it,"
          + " before others have it. Eventual.",
      new Kept(Strength.EVENTUAL, Durability.ACKNOWLEDGED_AT_ONE),
      2);

  /** What readers may rely on while nothing fails, in an order. */
  enum Strength {
    /** Values arrive some time. */
    EVENTUAL,
    /** In addition, what happened before a value has arrived before it. */
    CAUSAL,
    /** In addition, synchronization orders what is around it. */
    RELEASE_CONSISTENT,
    /** A write that has returned is seen by all. */
    COMPLETED_WRITES_SEEN,
    /** As if there were one copy. */
    LINEARIZABLE
  }

  /** What a crash of all machines leaves, in an order. */
  enum Durability {
    /** Nothing. */
    NONE,
    /** What is old enough. */
    SOME_TIME,
    /** In addition, what was read. */
    WHAT_WAS_READ,
    /** In addition, what was acknowledged, as long as the one disk that has it is there. */
    ACKNOWLEDGED_AT_ONE,
    /** The same, as long as one of all disks is there. */
    ACKNOWLEDGED_AT_ALL
  }

  /** What is kept while nothing fails, and what after that. */
  private record Kept(Strength strength, Durability durability) {}

  private final Product product;
  private final String title;
  private final String variant;
  private final String guarantee;
  private final Strength strength;
  private final Durability durability;
  private final double goal;

  Rival(
      Product product,
      String title,
      String variant,
      String guarantee,
      Strength strength,
      double goal) {
    this(product, title, variant, guarantee, new Kept(strength, Durability.NONE), goal);
  }

  Rival(Product product, String title, String variant, String guarantee, Kept kept, double goal) {
    this.product = product;
    this.title = title;
    this.variant = variant;
    this.guarantee = guarantee;
    this.strength = kept.strength;
    this.durability = kept.durability;
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
    return product == Product.ORCA || product == Product.MAPS;
  }

  /** Whether readers of this may rely on all that readers of the other may. */
  boolean isAtLeastAsStrongAs(Rival other) {
    return strength.compareTo(other.strength) >= 0;
  }

  /** Whether what is written is to survive. */
  public boolean isDurable() {
    return durability != Durability.NONE;
  }

  /** Whether what survives the other survives this. */
  boolean isAtLeastAsDurableAs(Rival other) {
    return durability.compareTo(other.durability) >= 0;
  }

  /**
   * Whether it is data of ours in memory only, used as maps are: it may stand beside what is
   * durable, too, to show what that costs.
   */
  boolean isMapInMemory() {
    return product == Product.MAPS && !isDurable();
  }

  /** Returns those that may take part: whose data is durable, or whose data is not. */
  public static List<Rival> all(boolean durable) {
    return Arrays.stream(values())
        .filter(rival -> rival.isDurable() == durable || rival.isMapInMemory())
        .toList();
  }

  /** Returns those that take part unless others are named. */
  public static List<Rival> usual(boolean durable) {
    return all(durable).stream().filter(rival -> !rival.isMapInMemory()).toList();
  }
}
