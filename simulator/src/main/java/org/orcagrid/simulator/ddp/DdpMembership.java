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
import java.util.List;
import org.orcagrid.ddp.Quorum;
import org.orcagrid.ddp.replica.state.ReplicaView;
import org.orcagrid.simulator.Simulation;

/**
 * Agrees on views, as a service outside would: sees crashes and returns after a while, and tells
 * each node of each view in their order.
 */
final class DdpMembership {
  private static final long SEEN_NANOS_MAX = 400 * DdpSchedule.MICRO;

  private final DdpRun run;
  private final Simulation simulation;
  private ReplicaView view;

  /** The members that served last, when anybody did. */
  private int lastServing;

  private final long[] toldNanos;

  DdpMembership(DdpRun run, int nodes) {
    this.run = run;
    this.simulation = run.simulation();
    this.toldNanos = new long[nodes];
    List<Integer> first = new ArrayList<>();
    for (int node = 0; node < nodes; node++) {
      first.add(1);
    }
    view = new ReplicaView(1, first, Quorum.all(nodes));
    lastServing = view.serving();
  }

  ReplicaView view() {
    return view;
  }

  void start() {
    tell();
  }

  /** Whether somebody else served with the node, and has what was to be durable at all. */
  boolean canLose(DdpNode node) {
    return (lastServing & ~Quorum.of(node.number())) != 0;
  }

  /** Somebody has crashed or come back: seen some time later. */
  void look() {
    simulation.after(simulation.between(1, SEEN_NANOS_MAX), this::change);
  }

  void onCaughtUp(DdpNode node, int inView) {
    if (inView != view.number()) {
      return;
    }
    caughtUp |= Quorum.of(node.number());
    change();
  }

  /** Members of the present view that have caught up in it. */
  private int caughtUp;

  private void change() {
    if (view.serving() == 0) {
      recover();
      return;
    }
    List<Integer> lives = lives();
    int serving = 0;
    for (int node = 0; node < toldNanos.length; node++) {
      boolean same = lives.get(node) > 0 && lives.get(node).equals(view.incarnations().get(node));
      serving |= same && ((view.serving() | caughtUp) & Quorum.of(node)) != 0 ? Quorum.of(node) : 0;
    }
    if (serving == 0) {
      recover();
    } else if (serving != view.serving() || !lives.equals(view.incarnations())) {
      install(lives, serving);
    }
  }

  private List<Integer> lives() {
    List<Integer> lives = new ArrayList<>();
    for (int node = 0; node < toldNanos.length; node++) {
      lives.add(run.node(node).isUp() ? run.node(node).life() : 0);
    }
    return lives;
  }

  /**
   * Nobody serves. Only those who served last know together what was promised: they tell each
   * other, and none serves before all of them can; the others join them later.
   */
  private void recover() {
    List<Integer> lives = lives();
    for (int node = 0; node < toldNanos.length; node++) {
      if ((lastServing & Quorum.of(node)) == 0) {
        leaveOut(run.node(node));
        lives.set(node, 0);
      } else if (lives.get(node) == 0) {
        return;
      }
    }
    if (!lives.equals(view.incarnations())) {
      install(lives, 0);
    } else if (view.serving() == 0 && caughtUp == lastServing) {
      install(lives, lastServing);
      run.onRecoveredTogether();
      look();
    }
  }

  /** A node that is left out of a view comes back in another life. */
  private void leaveOut(DdpNode node) {
    boolean member = view.incarnations().get(node.number()) > 0;
    if (member && node.isUp() && node.life() == view.incarnations().get(node.number())) {
      node.crash();
      node.start();
    }
  }

  private void install(List<Integer> lives, int serving) {
    view = new ReplicaView(view.number() + 1, lives, serving);
    caughtUp = 0;
    if (serving != 0) {
      lastServing = serving;
    }
    tell();
  }

  private void tell() {
    ReplicaView now = view;
    for (int node = 0; node < toldNanos.length; node++) {
      if (now.incarnations().get(node) > 0) {
        DdpNode each = run.node(node);
        int life = now.incarnations().get(node);
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
