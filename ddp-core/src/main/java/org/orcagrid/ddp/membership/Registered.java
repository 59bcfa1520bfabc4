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
package org.orcagrid.ddp.membership;

import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.orcagrid.ddp.Quorum;

/**
 * What the lives that have registered say of themselves.
 *
 * @param places for each place the last life that has registered there
 * @param removals the places that are to leave the grid, or have left it, as a mask
 */
record Registered(List<Optional<Registration>> places, int removals) {
  Registered {
    places = List.copyOf(places);
  }

  private Optional<Registration> of(int node, long life) {
    return places.get(node).filter(each -> each.id() == life);
  }

  boolean has(int node, long life) {
    return of(node, life).isPresent();
  }

  /** Whether a life has said that it serves nobody any more. */
  boolean isLeaving(int node, long life) {
    return of(node, life).filter(Registration::leaving).isPresent();
  }

  /**
   * Whether a later life has begun at its place. A life is over then, unless its folder was copied:
   * so a node that has leases with it looks whether it is still there. What an earlier one has said
   * says nothing; it may be seen late.
   */
  boolean isFollowed(int node, long life) {
    return places.get(node).filter(each -> each.id() > life).isPresent();
  }

  /** The newest view that a life has installed, as far as it has said so. */
  int inView(int node, long life) {
    return of(node, life).map(Registration::inView).orElse(0);
  }

  /** What a life has said of itself when it was asked in this round, or later. */
  Optional<Registration> answer(int node, long life, long round) {
    return of(node, life).filter(each -> each.round() >= round);
  }

  /** The newest round of questions that anybody has answered. */
  long round() {
    long round = 0;
    for (Optional<Registration> each : places) {
      round = Math.max(round, each.map(Registration::round).orElse(0L));
    }
    return round;
  }

  /** The life that has registered at a place and is not leaving. */
  Optional<ViewRules.Present> present(int node) {
    return places
        .get(node)
        .filter(each -> !each.leaving())
        .map(each -> new ViewRules.Present(each.id(), each.process(), each.address()));
  }

  /** Whether a place is to leave the grid, or has left it. */
  boolean isRemoved(int node) {
    return (removals & Quorum.of(node)) != 0;
  }

  List<Optional<ViewRules.Present>> present() {
    List<Optional<ViewRules.Present>> present = new java.util.ArrayList<>();
    for (int node = 0; node < places.size(); node++) {
      present.add(present(node));
    }
    return present;
  }

  /** The members of a view that have caught up in it, as a mask. */
  int caughtUp(GridView view) {
    return which(view, each -> each.caughtUp() == view.number());
  }

  /** The members that are refreshed since a place of this view leaves, as a mask. */
  int refreshed(GridView view) {
    return which(view, each -> each.refreshed() == view.leaving().since());
  }

  /** The members of a view that have given up what they were to, as a mask. */
  int gaveUp(GridView view) {
    return which(view, each -> each.gaveUp() == view.shares().givenUpIn());
  }

  private int which(GridView view, Predicate<Registration> test) {
    int which = 0;
    for (int node = 0; node < places.size(); node++) {
      GridView.Place place = view.places().get(node);
      boolean has = place.member() && of(node, place.registration()).filter(test).isPresent();
      which |= has ? Quorum.of(node) : 0;
    }
    return which;
  }

  /**
   * Whether no life serves any more that serves in a view, as far as the registry tells. Whoever
   * asks has no leases with these lives, so it takes a life that is followed for over. That is
   * wrong where a folder was copied and the life before still runs.
   */
  boolean areAllOver(GridView view) {
    for (int node = 0; node < places.size(); node++) {
      long life = view.places().get(node).registration();
      if (view.serves(node) && !isLeaving(node, life) && !isFollowed(node, life)) {
        return false;
      }
    }
    return true;
  }
}
