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
package org.orcagrid.simulator.kite;

import java.util.SplittableRandom;
import org.orcagrid.ddp.kite.KiteSettings;
import org.orcagrid.simulator.SimulatedDatagrams;

/**
 * What a seed decides before a run begins: how many nodes and sessions there are, what they do, and
 * what goes wrong.
 *
 * @param nodes replica nodes, 3 to 9
 * @param workers workers of each node
 * @param sessions sessions of each worker
 * @param operations operations of each session
 * @param keys keys, of which the first are for data
 * @param dataKeys keys that are only read and written relaxed
 * @param synchronizingPercent share of the operations that synchronize
 * @param mixed whether every kind of access is made to every key
 * @param removesPercent share of the writes that remove the key; stores are crowded then, so that
 *     removed keys are forgotten
 * @param network how bad the network is
 * @param faults how often nodes and links fail
 * @param times the time-outs
 */
record KiteSchedule(
    int nodes,
    int workers,
    int sessions,
    int operations,
    int keys,
    int dataKeys,
    int synchronizingPercent,
    boolean mixed,
    int removesPercent,
    SimulatedDatagrams.Conditions network,
    Faults faults,
    KiteSettings.Times times) {
  static final long MICRO = 1_000;
  static final long MILLI = 1_000_000;

  /**
   * How often nodes and links fail.
   *
   * @param pauses how many times a node sleeps
   * @param cuts how many times a link or a node is cut off
   * @param crashes how many nodes are lost: fewer than half
   * @param followed how many of those are followed by another one, which joins in a later view
   * @param badLinks how many links lose half of what is sent, in one direction
   * @param lengthNanosMax how long a fault lasts at most
   * @param fastestClock how many times as fast as the slowest a node's clock may run
   * @param full how many nodes have room for fewer keys than there are
   * @param changes how often nodes are followed by others, several at once, or left out for a while
   * @param added how many of the nodes are added while the grid is used
   * @param removed how many places the grid loses while it is used; some get a node again
   */
  record Faults(
      int pauses,
      int cuts,
      int crashes,
      int followed,
      int badLinks,
      long lengthNanosMax,
      double fastestClock,
      int full,
      int changes,
      int added,
      int removed) {}

  /** The same with fewer operations of each session, and fewer faults. */
  KiteSchedule smaller(int fewerOperations, Faults fewer) {
    return new KiteSchedule(
        nodes,
        workers,
        sessions,
        fewerOperations,
        keys,
        dataKeys,
        synchronizingPercent,
        mixed,
        removesPercent,
        network,
        fewer,
        times);
  }

  /**
   * The same, or one where some nodes have no room for all keys. Not if a node may be lost: a
   * majority that has room and is there is needed for anything to end.
   */
  KiteSchedule perhapsFull(SplittableRandom random) {
    boolean full = faults.crashes() == 0 && random.nextInt(4) == 0;
    return full ? withFull(1 + random.nextInt(nodes)) : this;
  }

  private KiteSchedule withFull(int nodesWithoutRoom) {
    return smaller(
        operations,
        new Faults(
            faults.pauses(),
            faults.cuts(),
            0,
            0,
            faults.badLinks(),
            faults.lengthNanosMax(),
            faults.fastestClock(),
            nodesWithoutRoom,
            0,
            0,
            0));
  }

  /** The same, or one where nobody is lost for good, but nodes come and go. */
  KiteSchedule perhapsChanging(SplittableRandom random) {
    boolean changing = faults.full() == 0 && random.nextInt(4) == 0;
    return changing ? withChanges(1 + random.nextInt(4)) : this;
  }

  /**
   * The same, or one where keys are removed and forgotten. The time-outs are short, so that a
   * removed key has soon rested.
   */
  KiteSchedule perhapsRemoving(SplittableRandom random) {
    return faults.full() == 0 && random.nextInt(3) == 0
        ? withRemovals(20 + random.nextInt(60))
        : this;
  }

  private KiteSchedule withRemovals(int percent) {
    return new KiteSchedule(
        nodes,
        workers,
        sessions,
        2 * operations,
        keys,
        dataKeys,
        synchronizingPercent,
        mixed,
        percent,
        network,
        faults,
        new KiteSettings.Times(
            times.releaseNanos(),
            Math.min(times.resendNanos(), 150 * MICRO),
            times.backoffNanos()));
  }

  private KiteSchedule withChanges(int changes) {
    return smaller(
        operations,
        new Faults(
            faults.pauses(),
            faults.cuts(),
            0,
            0,
            faults.badLinks(),
            faults.lengthNanosMax(),
            faults.fastestClock(),
            0,
            changes,
            0,
            0));
  }

  /** The same, or one that begins with fewer nodes: the others are added, one after the other. */
  KiteSchedule perhapsGrowing(SplittableRandom random) {
    boolean growing = faults.full() == 0 && random.nextInt(5) == 0;
    return growing ? withAdded(1 + random.nextInt(nodes - 1)) : this;
  }

  private KiteSchedule withAdded(int added) {
    // Whoever is lost for good is one of few: a node is added when all serve.
    return smaller(
        operations,
        new Faults(
            faults.pauses(),
            faults.cuts(),
            0,
            0,
            faults.badLinks(),
            faults.lengthNanosMax(),
            faults.fastestClock(),
            0,
            faults.changes(),
            added,
            0));
  }

  /** The same, or one in which the grid loses places, one after the other. */
  KiteSchedule perhapsShrinking(SplittableRandom random) {
    boolean shrinking = faults.full() == 0 && random.nextInt(5) == 0;
    return shrinking ? withRemoved(1 + random.nextInt(nodes - 1)) : this;
  }

  private KiteSchedule withRemoved(int removed) {
    // Nobody is lost for good: a place leaves when all others serve.
    return smaller(
        operations,
        new Faults(
            faults.pauses(),
            faults.cuts(),
            0,
            0,
            faults.badLinks(),
            faults.lengthNanosMax(),
            faults.fastestClock(),
            0,
            faults.changes(),
            faults.added(),
            removed));
  }

  static KiteSchedule of(SplittableRandom random, int nodesMax) {
    return random.nextInt(3) == 0 ? rough(random, nodesMax) : any(random, nodesMax);
  }

  /**
   * Few keys, much synchronization and time-outs that are hardly longer than a round trip: nodes
   * become delinquent all the time, and messages come so late that much happens between the two
   * halves of a round.
   */
  private static KiteSchedule rough(SplittableRandom random, int nodesMax) {
    int nodes = nodesMax < 5 || random.nextBoolean() ? 3 : 5;
    int dataKeys = 1 + random.nextInt(2);
    return new KiteSchedule(
        nodes,
        1,
        2,
        20 + random.nextInt(20),
        dataKeys + 1,
        dataKeys,
        40 + random.nextInt(20),
        false,
        0,
        new SimulatedDatagrams.Conditions(
            5 * MICRO, 15 * MICRO, 10 + random.nextInt(30), random.nextInt(10), 5),
        new Faults(0, 0, 1, random.nextInt(2), random.nextInt(nodes), 0, 1, 0, 0, 0, 0),
        new KiteSettings.Times(
            (40 + random.nextInt(60)) * MICRO,
            (150 + random.nextInt(300)) * MICRO,
            (20 + random.nextInt(40)) * MICRO));
  }

  private static KiteSchedule any(SplittableRandom random, int nodesMax) {
    int nodes = 3 + 2 * random.nextInt((nodesMax - 1) / 2);
    if (nodes < nodesMax && random.nextInt(8) == 0) {
      nodes++;
    }
    int dataKeys = 1 + random.nextInt(4);
    boolean calm = random.nextInt(4) == 0;
    boolean mixed = random.nextInt(3) == 0;
    return new KiteSchedule(
        nodes,
        1 + random.nextInt(2),
        1 + random.nextInt(3),
        6 + random.nextInt(20),
        dataKeys + 1 + random.nextInt(3),
        dataKeys,
        40,
        mixed,
        0,
        new SimulatedDatagrams.Conditions(
            5 * MICRO,
            (10 + random.nextInt(60)) * MICRO,
            random.nextInt(5) * 2,
            calm ? 0 : random.nextInt(4) * random.nextInt(8),
            random.nextInt(3) * 5),
        new Faults(
            calm ? 0 : random.nextInt(4),
            calm ? 0 : random.nextInt(4),
            random.nextInt(3) == 0 ? random.nextInt((nodes - 1) / 2 + 1) : 0,
            random.nextInt(4),
            0,
            (100 + random.nextInt(3000)) * MICRO,
            1 + random.nextDouble(),
            0,
            0,
            0,
            0),
        new KiteSettings.Times(
            (100 + random.nextInt(400)) * MICRO,
            (150 + random.nextInt(500)) * MICRO,
            (20 + random.nextInt(100)) * MICRO));
  }
}
