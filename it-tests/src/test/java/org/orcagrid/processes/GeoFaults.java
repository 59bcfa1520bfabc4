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
package org.orcagrid.processes;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * What happens to the nodes of a geo store in a round, as a seed says: one to three faults, which
 * may overlap. When it has happened all of them run, reach each other, and have right clocks.
 */
final class GeoFaults {
  private static final int FAULTS_MAX = 3;
  private static final int BEGIN_MILLIS_MAX = 800;

  /** An election takes up to two seconds, a duty one; after three a datacenter counts as lost. */
  private static final int LONG_MILLIS_MIN = 1_500;

  private static final int LONG_MILLIS_MAX = 5_000;
  private static final int AWAY_MILLIS_MAX = 2_500;

  /** Ten times what a datacenter's clock may be ahead. */
  private static final int AHEAD_MILLIS_MAX = 5_000;

  private static final int BEHIND_MILLIS_MAX = 3_600_000;

  private final GeoProcesses processes;
  private final GeoProcesses.Shape shape;
  private final SplittableRandom random;
  private final List<Event> events = new ArrayList<>();
  private final List<String> told = new ArrayList<>();

  /** Those that are killed or stand still at some time of the round. */
  private final Set<Integer> struck = new HashSet<>();

  private enum Kind {
    /** kill -9 of one node. */
    KILL,
    /** A datacenter loses its power, and what its nodes had not forced. */
    POWER_CUT,
    /** All datacenters do. */
    POWER_CUT_OF_ALL,
    /** SIGSTOP of a node. */
    STOP,
    /** SIGSTOP of all nodes of a datacenter. */
    STOP_DATACENTER,
    /** The clock of one node is wrong. */
    CLOCK,
    /** Those of all nodes of a datacenter. */
    CLOCKS,
    /** A datacenter and all others do not reach each other. */
    CUT_DATACENTER,
    /** Two datacenters do not, and both reach the third. */
    CUT_TWO,
    /** A node and all others of its datacenter do not. */
    CUT_NODE,
    /** What a node sends arrives nowhere, and it hears all others. */
    CUT_ONE_WAY;

    private boolean isCut() {
      return compareTo(CUT_DATACENTER) >= 0;
    }
  }

  private interface Action {
    void run() throws IOException, InterruptedException;
  }

  private record Event(long atMillis, Action action) {}

  /** Draws a round. */
  GeoFaults(GeoProcesses processes, SplittableRandom random) {
    this.processes = processes;
    this.shape = processes.shape();
    this.random = random;
    int count = 1 + random.nextInt(FAULTS_MAX);
    for (int i = 0; i < count; i++) {
      draw(Kind.values()[random.nextInt(Kind.values().length)]);
    }
    events.sort(Comparator.comparingLong(Event::atMillis));
  }

  /** What happens, for people. */
  @Override
  public String toString() {
    return String.join(", ", told);
  }

  private void draw(Kind kind) {
    // All is drawn, whether it can be done or not: a seed means the same on each machine.
    int node = random.nextInt(shape.nodes());
    int datacenter = shape.datacenter(node);
    long begin = random.nextInt(BEGIN_MILLIS_MAX);
    long away = begin + random.nextInt(AWAY_MILLIS_MAX);
    long late = begin + LONG_MILLIS_MIN + random.nextInt(LONG_MILLIS_MAX - LONG_MILLIS_MIN);
    boolean isForgetting = random.nextBoolean();
    long ahead =
        random.nextInt(3) == 0
            ? -random.nextInt(BEHIND_MILLIS_MAX)
            : random.nextInt(AHEAD_MILLIS_MAX);
    if (kind.isCut() && !processes.areCuttable()) {
      return;
    }
    List<Integer> all = shape.all();
    List<Integer> there = shape.of(datacenter);
    switch (kind) {
      case KILL -> kill(kind, List.of(node), begin, away, isForgetting);
      case POWER_CUT -> kill(kind, there, begin, away, true);
      case POWER_CUT_OF_ALL -> kill(kind, all, begin, away, true);
      case STOP -> stop(kind, List.of(node), begin, late);
      case STOP_DATACENTER -> stop(kind, there, begin, late);
      case CLOCK -> clock(kind, List.of(node), begin, ahead);
      case CLOCKS -> clock(kind, there, begin, ahead);
      case CUT_DATACENTER -> cut(kind, there, without(all, there), begin, late);
      case CUT_TWO ->
          cut(kind, there, shape.of((datacenter + 1) % shape.datacenters()), begin, late);
      case CUT_NODE -> cut(kind, List.of(node), without(there, List.of(node)), begin, late);
      case CUT_ONE_WAY -> {
        tell(kind, List.of(node), begin, late);
        without(all, List.of(node)).forEach(to -> cut(node, to, begin, late));
      }
    }
  }

  private static List<Integer> without(List<Integer> all, List<Integer> some) {
    return all.stream().filter(each -> !some.contains(each)).toList();
  }

  private void tell(Kind kind, List<Integer> nodes, long begin, long end) {
    told.add(kind + " of " + nodes + " from " + begin + " to " + end + " ms");
  }

  private void at(long millis, Action action) {
    events.add(new Event(millis, action));
  }

  /** Each node is killed or stands still once in a round. */
  private List<Integer> strike(List<Integer> nodes) {
    return nodes.stream().filter(struck::add).toList();
  }

  private void kill(Kind kind, List<Integer> nodes, long begin, long end, boolean isForgetting) {
    List<Integer> some = strike(nodes);
    if (some.isEmpty()) {
      return;
    }
    tell(kind, some, begin, end);
    at(begin, () -> processes.kill(some));
    at(
        end,
        () -> {
          for (int each : some) {
            // What the next loss of power finds is decided by how it is started.
            processes.start(
                each, isForgetting ? GeoTrialNode.Disk.FORGETS : GeoTrialNode.Disk.KEEPS);
          }
        });
  }

  private void stop(Kind kind, List<Integer> nodes, long begin, long end) {
    List<Integer> some = strike(nodes);
    if (some.isEmpty()) {
      return;
    }
    tell(kind, some, begin, end);
    for (int each : some) {
      at(begin, () -> processes.pause(each));
      at(end, () -> processes.resume(each));
    }
  }

  private void clock(Kind kind, List<Integer> nodes, long begin, long aheadMillis) {
    told.add(kind + " of " + nodes + " by " + aheadMillis + " ms from " + begin + " ms");
    for (int each : nodes) {
      at(begin, () -> processes.setClock(each, aheadMillis));
    }
  }

  private void cut(Kind kind, List<Integer> some, List<Integer> others, long begin, long end) {
    tell(kind, some, begin, end);
    for (int one : some) {
      for (int other : others) {
        cut(one, other, begin, end);
        cut(other, one, begin, end);
      }
    }
  }

  private void cut(int from, int to, long begin, long end) {
    at(begin, () -> processes.cut(from, to));
    at(end, () -> processes.mend(from, to));
  }

  /** Lets it happen. */
  void run() throws IOException, InterruptedException {
    long begin = System.nanoTime();
    for (Event each : events) {
      long at = begin + TimeUnit.MILLISECONDS.toNanos(each.atMillis());
      while (System.nanoTime() - at < 0) {
        LockSupport.parkNanos(at - System.nanoTime());
      }
      each.action().run();
    }
    for (int node : shape.all()) {
      processes.setClock(node, 0);
    }
  }
}
