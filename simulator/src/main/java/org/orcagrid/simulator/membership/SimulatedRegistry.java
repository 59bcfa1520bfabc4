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
import org.orcagrid.ddp.membership.GridView;
import org.orcagrid.ddp.membership.Registration;
import org.orcagrid.simulator.Simulation;

/**
 * Keeps views and registrations, as an ensemble does: every request takes a while, there and back.
 * While it is down, requests wait. A registration goes with the session of its node, some time
 * after that is gone.
 */
final class SimulatedRegistry {
  private final Simulation simulation;
  private final long delayNanosMax;
  private final long sessionNanos;
  private final Consumer<GridView> onMade;
  private final List<GridView> views = new ArrayList<>();
  private final List<Optional<Registration>> registered;
  private final long[] seenNanos;
  private final List<Runnable> watchers = new ArrayList<>();
  private final List<Runnable> waiting = new ArrayList<>();
  private boolean down;

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
    if (!down) {
      List<Runnable> now = List.copyOf(waiting);
      waiting.clear();
      now.forEach(this::later);
    }
  }

  void watch(Runnable watcher) {
    watchers.add(watcher);
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
    watchers.forEach(this::later);
  }

  private void later(Runnable action) {
    simulation.after(
        simulation.between(1, delayNanosMax),
        () -> {
          if (down) {
            waiting.add(action);
          } else {
            action.run();
          }
        });
  }

  /** What a node is told. */
  record Answer(List<GridView> views, List<Optional<Registration>> registered) {}

  void read(int node, int after, Consumer<Answer> then) {
    later(
        () -> {
          seenNanos[node] = simulation.nowNanos();
          List<GridView> newer =
              List.copyOf(views.subList(Math.min(after, views.size()), views.size()));
          Answer answer = new Answer(newer, List.copyOf(registered));
          later(() -> then.accept(answer));
        });
  }

  void report(int node, Registration own, Runnable done) {
    later(
        () -> {
          seenNanos[node] = simulation.nowNanos();
          registered.set(node, Optional.of(own));
          changed();
          later(done);
        });
  }

  void make(GridView next, Consumer<Boolean> then) {
    later(
        () -> {
          boolean made = next.number() == views.size() + 1;
          if (made) {
            views.add(next);
            onMade.accept(next);
            changed();
          }
          later(() -> then.accept(made));
        });
  }
}
