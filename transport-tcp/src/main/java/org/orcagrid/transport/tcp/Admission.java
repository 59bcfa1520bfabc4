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
package org.orcagrid.transport.tcp;

import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.Supplier;
import org.orcagrid.ddp.node.Roster;

/** Whether somebody whose settings are right may talk to this node, by who they are. */
@FunctionalInterface
interface Admission {
  /** A grid has fewer views than this has bits for: a place has 65,535 nodes at most. */
  int VIEW_BITS = 20;

  /** Lets everybody in. */
  Admission ANYONE = (node, incarnation) -> null;

  /** Why not; null if they may. */
  String objection(int node, long incarnation);

  /** The number by which a node of a roster is known, for {@link #objection}. */
  static long incarnation(Roster roster, int place) {
    return roster.grid() << VIEW_BITS | roster.view().joined().get(place);
  }

  /** Lets in whoever has a place in the roster of the moment. */
  static Admission ofRoster(Supplier<Roster> roster) {
    return (node, incarnation) -> {
      long expected = incarnation(roster.get(), node);
      if (incarnation == expected) {
        return null;
      }
      if (incarnation >>> VIEW_BITS != expected >>> VIEW_BITS) {
        return "node " + node + " is one of an earlier or later start of the grid";
      }
      return incarnation < expected
          ? "another node has taken the place of node " + node
          : "that node " + node + " has joined is not known here yet";
    };
  }

  /**
   * Lets each node in as what it was first. One that has begun anew has forgotten what it had
   * promised to others: to count it again would break what those rely on.
   */
  static Admission ofFirstIncarnations(int nodes) {
    AtomicLongArray known = new AtomicLongArray(nodes);
    return (node, incarnation) -> {
      long before = known.compareAndExchange(node, 0, incarnation);
      return before == 0 || before == incarnation
          ? null
          : "node "
              + node
              + " was started anew and has forgotten what it held, while other nodes still count on"
              + " it; stop all nodes of the grid and start them again";
    };
  }
}
