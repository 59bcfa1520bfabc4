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
package org.orcagrid.ddp.replica.state;

import java.util.ArrayList;
import java.util.List;
import org.orcagrid.ddp.Quorum;
import org.orcagrid.ddp.membership.GridView;

/**
 * Who the nodes are, agreed on outside: one view after the other, each node told in this order.
 *
 * <p>Whoever agrees on views makes sure that a node that is not in the next view has stopped to
 * serve before any node is told of that view, that a node which was left out comes back in another
 * life, and that a view in which nobody serves has all nodes as members that served in the last
 * view where somebody did: only they know together what had been promised.
 *
 * @param number from 1
 * @param incarnations for each node the life that is a member, 0 if none is
 * @param serving the members that have caught up; none while all of them recover
 * @param parts the nodes that belong to the grid, members or not
 */
public record ReplicaView(int number, List<Integer> incarnations, int serving, int parts) {
  /** Refuses what cannot be a view. */
  public ReplicaView {
    incarnations = List.copyOf(incarnations);
    int members = members(incarnations);
    for (int incarnation : incarnations) {
      if (incarnation < 0 || incarnation > Writer.INCARNATION_MAX) {
        throw new IllegalArgumentException(
            "A node has lives 1 to "
                + Writer.INCARNATION_MAX
                + ", not "
                + incarnation
                + "; a grid whose nodes have come back that often has to be started anew");
      }
    }
    if (number < 1 || (serving & ~members) != 0 || (members & ~parts) != 0) {
      throw new IllegalArgumentException(
          "View " + number + " of " + incarnations + " cannot be served by " + serving);
    }
  }

  /** A view of a grid to which all of its nodes belong. */
  public ReplicaView(int number, List<Integer> incarnations, int serving) {
    this(number, incarnations, serving, Quorum.all(incarnations.size()));
  }

  /** How the replicas of a map at every node see a view of the grid. */
  public static ReplicaView of(GridView view) {
    return of(view, view.parts());
  }

  /**
   * How the replicas of a map see a view of the grid.
   *
   * @param homes the places that have the map; others are not in the replicas' view
   */
  public static ReplicaView of(GridView view, int homes) {
    List<Integer> incarnations = new ArrayList<>();
    for (int node = 0; node < view.nodes(); node++) {
      incarnations.add((homes & Quorum.of(node)) != 0 ? view.incarnation(node) : 0);
    }
    return new ReplicaView(
        view.number(), incarnations, view.serving() & homes, view.parts() & homes);
  }

  private static int members(List<Integer> incarnations) {
    int members = 0;
    for (int node = 0; node < incarnations.size(); node++) {
      members |= incarnations.get(node) > 0 ? Quorum.of(node) : 0;
    }
    return members;
  }

  /** The nodes that are in it. */
  public int members() {
    return members(incarnations);
  }

  /** Whether a node is a member. */
  public boolean has(int node) {
    return incarnations.get(node) > 0;
  }

  /** Whether a node is a member that has caught up. */
  public boolean serves(int node) {
    return (serving & Quorum.of(node)) != 0;
  }

  /** Whether what a writer has begun may still be ended by itself. */
  public boolean hasWriter(long clock) {
    return incarnations.get(Writer.node(clock)) == Writer.incarnation(clock);
  }

  /**
   * Whether the view after this one says nothing new to replicas: all members serve, and go on in
   * the same lives. While one does not serve, each view counts: it says in which it has caught up.
   */
  public boolean goesOnIn(ReplicaView next) {
    return serving == members()
        && serving == next.serving
        && incarnations.equals(next.incarnations);
  }

  /** Who sends snapshots to those that do not serve yet; -1 if nobody serves. */
  public int snapshotSource() {
    return serving == 0 ? -1 : Integer.numberOfTrailingZeros(serving);
  }
}
