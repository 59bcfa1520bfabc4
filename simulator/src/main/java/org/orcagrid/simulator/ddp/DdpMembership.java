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
package org.orcagrid.simulator.ddp;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.orcagrid.ddp.Quorum;
import org.orcagrid.ddp.membership.GridView;
import org.orcagrid.ddp.membership.ViewRules;
import org.orcagrid.ddp.replica.state.ReplicaView;
import org.orcagrid.simulator.Simulation;

/**
 * Agrees on views, as a service outside would, by the rules of the product: sees crashes and
 * returns after a while, and tells each node of each view in their order.
 */
final class DdpMembership {
  private static final long SEEN_NANOS_MAX = 400 * DdpSchedule.MICRO;

  private final DdpRun run;
  private final Simulation simulation;
  private final long[] toldNanos;

  /** For each node the lives that were members, by how many of its lives were. */
  private final List<Map<Integer, Integer>> lives = new ArrayList<>();

  private GridView grid;
  private ReplicaView view;

  /** Members of the present view that have caught up in it. */
  private int caughtUp;

  /** Begins with the first {@code size} nodes; the others are added when they come. */
  DdpMembership(DdpRun run, int nodes, int size) {
    this.run = run;
    this.simulation = run.simulation();
    this.toldNanos = new long[nodes];
    for (int node = 0; node < nodes; node++) {
      lives.add(new HashMap<>(Map.of(0, 0)));
    }
    Optional<ViewRules.Present> first = Optional.of(new ViewRules.Present(1, 1, "-"));
    keep(ViewRules.first(1, Collections.nCopies(nodes, first), size).orElseThrow());
  }

  private void keep(GridView next) {
    grid = next;
    view = ReplicaView.of(next);
    for (int node = 0; node < toldNanos.length; node++) {
      if (next.places().get(node).member()) {
        lives.get(node).put(next.incarnation(node), life(next, node));
      }
    }
  }

  private static int life(GridView view, int node) {
    return (int) view.places().get(node).registration();
  }

  ReplicaView view() {
    return view;
  }

  /** Which life of a node it is that views call so. */
  int life(int node, int incarnation) {
    return lives.get(node).get(incarnation);
  }

  void start() {
    tell();
  }

  /** Whether somebody else served with the node, and has what was to be durable at all. */
  boolean canLose(DdpNode node) {
    return (grid.lastServing() & ~Quorum.of(node.number())) != 0;
  }

  /** Somebody has crashed or come back: seen some time later. */
  void look() {
    simulation.after(simulation.between(1, SEEN_NANOS_MAX), this::change);
  }

  void onCaughtUp(DdpNode node, int inView) {
    if (inView == view.number()) {
      caughtUp |= Quorum.of(node.number());
      change();
    }
  }

  private void change() {
    List<Optional<ViewRules.Present>> present = new ArrayList<>();
    for (int node = 0; node < toldNanos.length; node++) {
      DdpNode each = run.node(node);
      present.add(
          each.isUp()
              ? Optional.of(new ViewRules.Present(each.life(), each.life(), "-"))
              : Optional.empty());
    }
    ViewRules.next(grid, present, caughtUp)
        .or(() -> ViewRules.grow(grid, present))
        .ifPresent(this::install);
  }

  /**
   * A view of the same members, as each map that is added makes one, and each purge of other data.
   * There is none while nobody serves.
   */
  void again() {
    if (grid.serving() != 0) {
      install(grid.again());
    }
  }

  private void install(GridView next) {
    GridView last = grid;
    for (int node = 0; node < toldNanos.length; node++) {
      if (last.places().get(node).member() && !next.places().get(node).member()) {
        leaveOut(run.node(node), life(last, node));
      }
    }
    keep(next);
    caughtUp = 0;
    tell();
    if (grid.serving() == grid.parts()) {
      // Somebody may have waited to be added.
      look();
    }
    if (last.serving() == 0 && next.serving() != 0) {
      run.onRecoveredTogether();
      look();
    }
  }

  /** A node that is left out of a view comes back in another life. */
  private static void leaveOut(DdpNode node, int life) {
    if (node.isUp() && node.life() == life) {
      node.crash();
      node.start();
    }
  }

  private void tell() {
    ReplicaView now = view;
    for (int node = 0; node < toldNanos.length; node++) {
      if (now.has(node)) {
        DdpNode each = run.node(node);
        int life = life(grid, node);
        toldNanos[node] =
            Math.max(
                toldNanos[node] + 1,
                simulation.nowNanos() + simulation.between(1, run.schedule().toldNanosMax()));
        simulation.after(
            toldNanos[node] - simulation.nowNanos(),
            () -> {
              if (each.isUp() && each.life() == life) {
                each.onView(now);
              }
            });
      }
    }
  }
}
