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
package org.orcagrid.ddp.map;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.orcagrid.ddp.Quorum;
import org.orcagrid.ddp.replica.state.ReplicaView;

/**
 * Which view comes next, given who is there. A function: whoever agrees on views asks it, and keeps
 * what it says before anybody is told.
 *
 * <p>What {@link ReplicaView} asks for holds by these rules if a node has stopped to serve before
 * its registration is given here as gone: a node that was left out has another registration when it
 * comes back, and with it another life; and while nobody serves, those that served last are the
 * members.
 */
public final class ViewRules {
  private ViewRules() {}

  /**
   * A node that is there.
   *
   * @param id drawn by each life of a node, not 0
   * @param address where it is reached
   */
  public record Registration(long id, String address) {}

  /** The first view: all nodes, all of which serve, as there is nothing to know yet. */
  public static Optional<MapView> first(long grid, List<Optional<Registration>> present) {
    if (!present.stream().allMatch(Optional::isPresent)) {
      return Optional.empty();
    }
    MapView nothing = MapView.nothing(grid, present.size());
    int all = Quorum.all(present.size());
    List<Integer> lives = lives(nothing, present);
    return Optional.of(
        new MapView(
            grid,
            new ReplicaView(1, lives, all),
            all,
            places(nothing, lives, present),
            nothing.nextMap(),
            List.of()));
  }

  /**
   * The view that follows, if there is a reason for one.
   *
   * @param present for each place the node that is registered for it
   * @param caughtUp members that have caught up in {@code view}
   */
  public static Optional<MapView> next(
      MapView view, List<Optional<Registration>> present, int caughtUp) {
    if (view.replicas().serving() == 0) {
      return recovery(view, present, caughtUp);
    }
    List<Integer> lives = lives(view, present);
    int serving = 0;
    for (int node = 0; node < lives.size(); node++) {
      boolean same = lives.get(node) > 0 && lives.get(node).equals(incarnation(view, node));
      boolean may = ((view.replicas().serving() | caughtUp) & Quorum.of(node)) != 0;
      serving |= same && may ? Quorum.of(node) : 0;
    }
    if (serving == 0) {
      return recovery(view, present, caughtUp);
    }
    return serving == view.replicas().serving() && lives.equals(view.replicas().incarnations())
        ? Optional.empty()
        : Optional.of(following(view, lives, serving, present));
  }

  /** Only those who served last know together what was promised; the others join them later. */
  private static Optional<MapView> recovery(
      MapView view, List<Optional<Registration>> present, int caughtUp) {
    List<Integer> lives = lives(view, present);
    for (int node = 0; node < lives.size(); node++) {
      if ((view.lastServing() & Quorum.of(node)) == 0) {
        lives.set(node, 0);
      } else if (lives.get(node) == 0) {
        return Optional.empty();
      }
    }
    if (!lives.equals(view.replicas().incarnations())) {
      return Optional.of(following(view, lives, 0, present));
    }
    return view.replicas().serving() == 0 && caughtUp == view.lastServing()
        ? Optional.of(following(view, lives, view.lastServing(), present))
        : Optional.empty();
  }

  private static MapView following(
      MapView view, List<Integer> lives, int serving, List<Optional<Registration>> present) {
    return new MapView(
        view.grid(),
        new ReplicaView(view.number() + 1, lives, serving),
        serving == 0 ? view.lastServing() : serving,
        places(view, lives, present),
        view.nextMap(),
        view.maps());
  }

  private static int incarnation(MapView view, int node) {
    return view.replicas().incarnations().get(node);
  }

  private static List<Integer> lives(MapView view, List<Optional<Registration>> present) {
    List<Integer> lives = new ArrayList<>();
    for (int node = 0; node < view.nodes(); node++) {
      Optional<Registration> there = present.get(node);
      if (there.isEmpty()) {
        lives.add(0);
      } else if (view.has(node, there.get().id())) {
        lives.add(incarnation(view, node));
      } else if (view.places().get(node).registration() == there.get().id()) {
        // It was left out, and has not begun another life yet.
        lives.add(0);
      } else {
        lives.add(view.places().get(node).lives() + 1);
      }
    }
    return lives;
  }

  private static List<MapView.Place> places(
      MapView view, List<Integer> lives, List<Optional<Registration>> present) {
    List<MapView.Place> places = new ArrayList<>();
    for (int node = 0; node < view.nodes(); node++) {
      MapView.Place before = view.places().get(node);
      places.add(
          lives.get(node) == 0
              ? before
              : new MapView.Place(
                  Math.max(before.lives(), lives.get(node)),
                  present.get(node).orElseThrow().id(),
                  present.get(node).orElseThrow().address()));
    }
    return places;
  }
}
