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
import org.orcagrid.bench.compare.process.Manner;

/**
 * A line of the comparison: a product, and how it is used.
 *
 * <p>Guarantees are those of the product's documentation for these settings. What is durable is
 * compared with what is, and the rest with the rest.
 */
public enum Rival {
  /** The grid's keys, relaxed accesses only. */
  RELAXED_KEYS(
      Product.MAPS,
      "Orca Grid keys, relaxed",
      "keys@0",
      "By a session of each thread, relaxed accesses only: the versions of a key in one order, an"
          + " own write is read at once, one of others some time. A majority goes on while nodes"
          + " fail or are cut off.",
      Part.USUAL,
      new Kept(Strength.EVENTUAL, Durability.NONE)),
  /** The same, with the synchronization that Kite's paper calls typical. */
  RELEASE_KEYS(
      Product.MAPS,
      "Orca Grid keys, 5 % synchronization",
      "keys@5",
      "Release consistency (RCLin), by a session of each thread: relaxed reads and writes; 5 % of"
          + " reads are acquires and 5 % of writes releases, which are linearizable and order what"
          + " is around them. Holds while nodes fail or are cut off.",
      Part.USUAL,
      new Kept(Strength.RELEASE_CONSISTENT, Durability.NONE)),
  /** The same, all accesses synchronize. */
  KEYS_LINEARIZABLE(
      Product.MAPS,
      "Orca Grid keys, linearizable",
      "keys@100",
      "By a session of each thread, whose operations go one after the other: all reads are"
          + " acquires, all writes releases.",
      Part.USUAL,
      new Kept(Strength.LINEARIZABLE, Durability.NONE)),
  /** The grid's keys by a view for many threads, relaxed accesses only. */
  SHARED_RELAXED(
      Product.MAPS,
      "Orca Grid shared keys, relaxed",
      "shared@0",
      "By one `Grid.view` of all threads, relaxed accesses only.",
      Part.NAMED,
      new Kept(Strength.EVENTUAL, Durability.NONE)),
  /** The same with the typical synchronization. */
  SHARED_KEYS(
      Product.MAPS,
      "Orca Grid shared keys, 5 % synchronization",
      "shared@5",
      "By one `Grid.view` of all threads: relaxed reads and writes; 5 % of reads are acquires and"
          + " 5 % of writes releases, which have no order while they are under way together.",
      Part.NAMED,
      new Kept(Strength.RELEASE_CONSISTENT, Durability.NONE)),
  /** The same, all accesses synchronize. */
  SHARED_KEYS_LINEARIZABLE(
      Product.MAPS,
      "Orca Grid shared keys, linearizable",
      "shared@100",
      "By one `Grid.view` of all threads: all reads are acquires, all writes releases. Holds while"
          + " nodes fail or are cut off; a majority goes on.",
      Part.USUAL,
      new Kept(Strength.LINEARIZABLE, Durability.NONE)),
  /** A map in memory only that behaves as one copy. */
  LINEARIZABLE_NONE(
      Product.MAPS,
      "Orca Grid linearizable/none",
      "linearizable/none",
      "Linearizable, also while nodes fail; a write returns when all nodes have it in memory."
          + " Nothing is written to a log: all is gone when no node is left that serves.",
      Part.USUAL,
      new Kept(Strength.LINEARIZABLE, Durability.NONE)),
  /** A map in memory only that shows nothing before its cause. */
  CAUSAL_NONE(
      Product.MAPS,
      "Orca Grid causal/none",
      "causal/none",
      "Reads at the node's own copy, never back in time, and nothing before what happened before"
          + " it. A write returns when its node has it. Nothing is written to a log.",
      Part.USUAL,
      new Kept(Strength.CAUSAL, Durability.NONE)),
  /** A map in memory only under release consistency. */
  RELEASE_NONE(
      Product.MAPS,
      "Orca Grid release/none",
      "release/none@5",
      "Release consistency: relaxed reads and writes; 5 % of reads are acquires and 5 % of writes"
          + " releases, by `ReleaseGridMap`. All members of a view hold what a release has before"
          + " it. Nothing is written to a log.",
      Part.NAMED,
      new Kept(Strength.RELEASE_CONSISTENT, Durability.NONE)),
  /** Hazelcast, reads at a key's owner. */
  HAZELCAST(
      Product.HAZELCAST,
      "Hazelcast IMap",
      "owner",
      "Reads and writes at the key's owner, a write is acknowledged when both backups have it:"
          + " linearizable while no member fails or is cut off; what was acknowledged can be lost,"
          + " or differ, when one is.",
      Part.USUAL,
      new Kept(Strength.LINEARIZABLE, Durability.NONE)),
  /** Hazelcast, reads at the own copy. */
  HAZELCAST_BACKUP_READS(
      Product.HAZELCAST,
      "Hazelcast IMap, read-backup-data",
      "backup",
      "As before, but reads at the member's own copy: a write that has returned is seen by all, one"
          + " that is under way by some and not by others, back and forth.",
      Part.USUAL,
      new Kept(Strength.COMPLETED_WRITES_SEEN, Durability.NONE)),
  /** Infinispan, replicated before a write returns. */
  INFINISPAN_SYNC(
      Product.INFINISPAN,
      "Infinispan REPL_SYNC",
      "sync",
      "Reads at the node's own copy, a write returns when all nodes have it: a write that has"
          + " returned is seen by all, one that is under way by some and not by others. Can lose or"
          + " split what was written when nodes are cut off (default partition handling).",
      Part.USUAL,
      new Kept(Strength.COMPLETED_WRITES_SEEN, Durability.NONE)),
  /** Infinispan, distributed to as many owners as there are nodes, before a write returns. */
  INFINISPAN_DIST_SYNC(
      Product.INFINISPAN,
      "Infinispan DIST_SYNC, 3 owners",
      "dist-sync",
      "Writes by way of a key's first owner, and they return when all owners have it; reads at the"
          + " node's own copy: a write that has returned is seen by all, one that is under way by"
          + " some and not by others. Can lose or split what was written when nodes are cut off.",
      Part.USUAL,
      new Kept(Strength.COMPLETED_WRITES_SEEN, Durability.NONE)),
  /** Infinispan, replicated some time. */
  INFINISPAN_ASYNC(
      Product.INFINISPAN,
      "Infinispan REPL_ASYNC",
      "async",
      "Reads at the node's own copy, a write returns before other nodes have it, and is lost if the"
          + " node fails then: eventual.",
      Part.USUAL,
      new Kept(Strength.EVENTUAL, Durability.NONE)),
  /** Redis with replicas. */
  REDIS(
      Product.REDIS,
      "Redis, 2 replicas",
      "replicas",
      "Writes at the master, acknowledged before a replica has them, and lost if it fails then;"
          + " reads at the master or a replica, which may be behind: eventual.",
      Part.USUAL,
      new Kept(Strength.EVENTUAL, Durability.NONE)),
  /** Apache Ignite, replicated before a write returns. */
  IGNITE(
      Product.IGNITE,
      "Apache Ignite REPLICATED, FULL_SYNC",
      "replicated",
      "Atomic cache: writes by way of a key's primary, and they return when all nodes have it;"
          + " reads at the node's own copy: a write that has returned is seen by all, one that is"
          + " under way by some. Can lose what was written when nodes are cut off.",
      Part.USUAL,
      new Kept(Strength.COMPLETED_WRITES_SEEN, Durability.NONE)),
  /** No grid, but what a read of one cannot be faster than. */
  FLOOR_HASH_MAP(
      Product.MAPS,
      "Floor: a ConcurrentHashMap of the process",
      "hash-map",
      "No grid: each process has its own map, and nobody else sees it.",
      Part.FLOOR,
      new Kept(Strength.EVENTUAL, Durability.NONE)),
  /** An operation that does nothing, by the way that all go to a worker and back. */
  FLOOR_HAND_OVER(
      Product.MAPS,
      "Floor: an empty operation of a map's worker",
      "nothing",
      "No data: the caller's thread hands an operation that does nothing to the worker of a map,"
          + " which answers.",
      Part.FLOOR,
      new Kept(Strength.EVENTUAL, Durability.NONE)),
  /** The messages of a map whose reads are local, and the threads that they wake. */
  FLOOR_WRITE_ALL(
      Product.SOCKETS,
      "Floor: bare sockets, a write goes to both others",
      "write-all",
      "No grid: reads are of a map of the process. The caller sends a write to both others itself"
          + " and waits for their answers, which threads give that do nothing else.",
      Part.FLOOR,
      new Kept(Strength.EVENTUAL, Durability.NONE)),
  /** The messages of keys whose reads ask a majority, and the threads that they wake. */
  FLOOR_ASK_ONE(
      Product.SOCKETS,
      "Floor: bare sockets, a read asks one other",
      "ask-one",
      "No grid: the caller asks one other process before each read and each write, and then sends"
          + " the write to both.",
      Part.FLOOR,
      new Kept(Strength.EVENTUAL, Durability.NONE)),
  /** Kite in its workers' threads, with the synchronization that its paper calls typical. */
  FLOOR_WORKER(
      Product.WORKER,
      "Floor: keys in the worker's thread, 5 % synchronization",
      "5",
      "Release consistency (RCLin). No caller: the operations are made in the worker's own thread.",
      Part.FLOOR,
      new Kept(Strength.RELEASE_CONSISTENT, Durability.NONE)),
  /** The same, all accesses synchronize. */
  FLOOR_WORKER_LINEARIZABLE(
      Product.WORKER,
      "Floor: keys in the worker's thread, linearizable",
      "100",
      "All reads are acquires, all writes releases. No caller: the operations are made in the"
          + " worker's own thread.",
      Part.FLOOR,
      new Kept(Strength.LINEARIZABLE, Durability.NONE)),
  /** A map that is durable where and when it is visible. */
  CAUSAL_SYNCHRONOUS(
      Product.MAPS,
      "Orca Grid causal/synchronous",
      "causal/synchronous",
      "Reads at the node's own copy, never back in time, and nothing before what happened before"
          + " it. A node shows a version when its forced log has it: what was read survives any"
          + " crash. A write returns before that, and can be lost until it is read.",
      Part.USUAL,
      new Kept(Strength.CAUSAL, Durability.WHAT_WAS_READ)),
  /** The same, but a write returns when all nodes have it durable. */
  CAUSAL_STRICT(
      Product.MAPS,
      "Orca Grid causal/strict",
      "causal/strict",
      "As before, but a write returns when the forced logs of all nodes have it: what was"
          + " acknowledged or read survives any crash.",
      Part.USUAL,
      new Kept(Strength.CAUSAL, Durability.ACKNOWLEDGED_AT_ALL)),
  /** A map that behaves as one copy that is durable. */
  LINEARIZABLE_SYNCHRONOUS(
      Product.MAPS,
      "Orca Grid linearizable/synchronous",
      "linearizable/synchronous",
      "Linearizable, also while nodes fail; a write returns when the forced logs of all nodes have"
          + " it, and is read by nobody before: what was acknowledged or read survives any crash.",
      Part.USUAL,
      new Kept(Strength.LINEARIZABLE, Durability.ACKNOWLEDGED_AT_ALL)),
  /** A map that is durable some time. */
  CAUSAL_EVENTUAL(
      Product.MAPS,
      "Orca Grid causal/eventual",
      "causal/eventual",
      "Visible as with causal/synchronous; the log is forced every 20 ms, and what is younger can"
          + " be lost by a crash.",
      Part.USUAL,
      new Kept(Strength.CAUSAL, Durability.SOME_TIME)),
  /** A map that behaves as one copy, and is durable some time. */
  LINEARIZABLE_EVENTUAL(
      Product.MAPS,
      "Orca Grid linearizable/eventual",
      "linearizable/eventual",
      "Linearizable, also while nodes fail; a write returns when all nodes have it in memory. The"
          + " log is forced every 20 ms, and what is younger can be lost by a crash of all.",
      Part.USUAL,
      new Kept(Strength.LINEARIZABLE, Durability.SOME_TIME)),
  /** Hazelcast, write-through at a key's owner. */
  HAZELCAST_STORE(
      Product.HAZELCAST_STORE,
      "Hazelcast IMap, MapStore",
      "owner",
      "Open-source Hazelcast has no persistence of its own: this is a MapStore, write-through to a"
          + " file that is forced before a write returns, one force for all that store at the same"
          + " time. The key's owner alone stores; both backups have it in memory. Linearizable"
          + " while no member fails or is cut off. What was acknowledged is on one disk.",
      Part.USUAL,
      new Kept(Strength.LINEARIZABLE, Durability.ACKNOWLEDGED_AT_ONE)),
  /** Infinispan, replicated and forced before a write returns. */
  INFINISPAN_SYNC_FORCED(
      Product.INFINISPAN_STORE,
      "Infinispan REPL_SYNC, forced",
      "sync-forced",
      "Soft-index file store with `sync-writes`: a write returns when all nodes have it and their"
          + " stores have forced it. Reads at the own copy: a write that has returned is seen by"
          + " all, one that is under way by some.",
      Part.USUAL,
      new Kept(Strength.COMPLETED_WRITES_SEEN, Durability.ACKNOWLEDGED_AT_ALL)),
  /** Infinispan with the default of its store. */
  INFINISPAN_SYNC_WRITTEN(
      Product.INFINISPAN_STORE,
      "Infinispan REPL_SYNC, not forced",
      "sync-written",
      "Soft-index file store with its default: written to files, never forced by a write. A crash"
          + " of the process loses nothing, one of the machine what the kernel had not written.",
      Part.USUAL,
      new Kept(Strength.COMPLETED_WRITES_SEEN, Durability.SOME_TIME)),
  /** Infinispan, replicated some time, but forced at the writer's node. */
  INFINISPAN_ASYNC_FORCED(
      Product.INFINISPAN_STORE,
      "Infinispan REPL_ASYNC, forced",
      "async-forced",
      "Soft-index file store with `sync-writes`: a write returns when its own node has forced it,"
          + " before others have it. Eventual.",
      Part.USUAL,
      new Kept(Strength.EVENTUAL, Durability.ACKNOWLEDGED_AT_ONE)),
  /** etcd: Raft, forced at a majority before a write returns. */
  ETCD(
      Product.ETCD,
      "etcd",
      "etcd",
      "Linearizable, also while nodes fail; a write returns when the forced logs of a majority"
          + " have it: what was acknowledged or read survives any crash.",
      Part.USUAL,
      new Kept(Strength.LINEARIZABLE, Durability.ACKNOWLEDGED_AT_MAJORITY));

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
    /** The same, as long as most disks are there. */
    ACKNOWLEDGED_AT_MAJORITY,
    /** The same, as long as one of all disks is there. */
    ACKNOWLEDGED_AT_ALL
  }

  /** What is kept while nothing fails, and what after that. */
  private record Kept(Strength strength, Durability durability) {}

  /** When it takes part. */
  private enum Part {
    /** Unless others are named. */
    USUAL,
    /** When it is named. */
    NAMED,
    /** Beside those of its kind: it is no product, but says what is in the way of ours. */
    FLOOR
  }

  private final Product product;
  private final String title;
  private final String variant;
  private final String guarantee;
  private final Part part;
  private final Strength strength;
  private final Durability durability;

  Rival(Product product, String title, String variant, String guarantee, Part part, Kept kept) {
    this.product = product;
    this.title = title;
    this.variant = variant;
    this.guarantee = guarantee;
    this.part = part;
    this.strength = kept.strength;
    this.durability = kept.durability;
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

  /** Whether it is measured so: where there is no caller, none can wait. */
  boolean takesPart(Manner manner) {
    return switch (product) {
      case WORKER -> manner == Manner.PIPELINED;
      case SOCKETS -> manner == Manner.ONE_AT_A_TIME;
      default -> true;
    };
  }

  boolean isOurs() {
    return product == Product.MAPS && !isFloor();
  }

  boolean isFloor() {
    return part == Part.FLOOR;
  }

  boolean isOther() {
    return !isOurs() && !isFloor();
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
    return Arrays.stream(values())
        .filter(rival -> rival.isDurable() == durable && rival.part != Part.NAMED)
        .toList();
  }
}
