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
package org.orcagrid.simulator.membership;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.orcagrid.ddp.Quorum;
import org.orcagrid.ddp.membership.GridView;
import org.orcagrid.ddp.membership.Registration;
import org.orcagrid.simulator.Simulation;

/**
 * Keeps views and registrations, as an ensemble does: every request takes a while, there and back.
 * While it is down, requests wait; those of one node wait while that node is cut off from it. A
 * registration goes with the session of its node, some time after that is gone.
 */
final class SimulatedRegistry {
  private final Simulation simulation;
  private final long delayNanosMax;
  private final long sessionNanos;
  private final Consumer<GridView> onMade;
  private final List<GridView> views = new ArrayList<>();
  private final List<Optional<Registration>> registered;
  private final long[] seenNanos;
  private final List<Waiting> watchers = new ArrayList<>();
  private final List<Waiting> waiting = new ArrayList<>();
  private boolean down;

  /** The places that are to leave the grid, or have left it. */
  private int removals;

  /** The nodes that do not reach it, as a mask. */
  private int cut;

  /** What is to be done for a node. */
  private record Waiting(int node, Runnable action) {}

  /**
   * A registry that holds nothing.
   *
   * @param onMade is told of each view in the moment in which it is kept
   */
  SimulatedRegistry(
      Simulation simulation,
      int nodes,
      long delayNanosMax,
      long sessionNanos,
      Consumer<GridView> onMade) {
    this.simulation = simulation;
    this.delayNanosMax = delayNanosMax;
    this.sessionNanos = sessionNanos;
    this.onMade = onMade;
    this.registered = new ArrayList<>(Collections.nCopies(nodes, Optional.empty()));
    this.seenNanos = new long[nodes];
  }

  GridView last() {
    return views.isEmpty() ? null : views.get(views.size() - 1);
  }

  int made() {
    return views.size();
  }

  /** Whether it answers. */
  void down(boolean isDown) {
    down = isDown;
    goOn();
  }

  /** Whether a node does not reach it, nor is told anything by it. */
  void cut(int node, boolean isCut) {
    cut = isCut ? cut | Quorum.of(node) : cut & ~Quorum.of(node);
    goOn();
  }

  /** All nodes reach it. */
  void heal() {
    cut = 0;
    down(false);
  }

  private boolean isReached(int node) {
    return !down && (cut & Quorum.of(node)) == 0;
  }

  private void goOn() {
    List<Waiting> all = List.copyOf(waiting);
    waiting.clear();
    for (Waiting each : all) {
      if (isReached(each.node())) {
        later(each.node(), each.action());
      } else {
        waiting.add(each);
      }
    }
  }

  void watch(int node, Runnable watcher) {
    watchers.add(new Waiting(node, watcher));
  }

  /** Sessions of nodes that are gone end. */
  void expire() {
    for (int node = 0; node < registered.size(); node++) {
      boolean isOver = simulation.nowNanos() - seenNanos[node] > sessionNanos;
      if (!down && isOver && registered.get(node).filter(each -> !each.leaving()).isPresent()) {
        registered.set(node, Optional.empty());
        changed();
      }
    }
  }

  private void changed() {
    watchers.forEach(each -> later(each.node(), each.action()));
  }

  private void later(int node, Runnable action) {
    simulation.after(
        simulation.between(1, delayNanosMax),
        () -> {
          if (isReached(node)) {
            action.run();
          } else {
            waiting.add(new Waiting(node, action));
          }
        });
  }

  /** What a node is told. */
  record Answer(List<GridView> views, List<Optional<Registration>> registered, int removals) {}

  void read(int node, int after, Consumer<Answer> then) {
    later(
        node,
        () -> {
          seenNanos[node] = simulation.nowNanos();
          List<GridView> newer =
              List.copyOf(views.subList(Math.min(after, views.size()), views.size()));
          Answer answer = new Answer(newer, List.copyOf(registered), removals);
          later(node, () -> then.accept(answer));
        });
  }

  void report(int node, Registration own, Runnable done) {
    later(
        node,
        () -> {
          seenNanos[node] = simulation.nowNanos();
          registered.set(node, Optional.of(own));
          changed();
          later(node, done);
        });
  }

  /** A life registers at once, of a process that is not simulated. */
  void register(int node, Registration life) {
    registered.set(node, Optional.of(life));
    changed();
  }

  void make(int node, GridView next, Consumer<Boolean> then) {
    later(
        node,
        () -> {
          boolean made = next.number() == views.size() + 1;
          if (made) {
            keep(next);
          }
          later(node, () -> then.accept(made));
        });
  }

  private void keep(GridView next) {
    views.add(next);
    onMade.accept(next);
    changed();
  }

  /** A place is to leave the grid, or may be added to it again. */
  void remove(int place, boolean isRemoved) {
    removals = isRemoved ? removals | Quorum.of(place) : removals & ~Quorum.of(place);
    changed();
  }

  int removals() {
    return removals;
  }

  /** A view of the same members, as each map that is defined makes one. */
  void again() {
    if (!views.isEmpty()) {
      keep(last().again());
    }
  }

  /** Maps are defined that have so many copies each. */
  void defineMaps(int copies) {
    keep(last().withCopiesMin(copies));
  }
}
