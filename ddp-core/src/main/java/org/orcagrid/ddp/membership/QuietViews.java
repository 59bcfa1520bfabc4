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
import java.util.Set;

/**
 * The view that follows where no member comes or goes: the grid loses a place, grows by one, hands
 * over copies of maps, or forgets removed keys.
 */
final class QuietViews {
  private QuietViews() {}

  /**
   * The next view; empty if none is due.
   *
   * @param present for each place the life that counts as there
   * @param purgeOf the view that a purge view is to follow, 0 for none
   */
  static Optional<GridView> next(
      Set<MembershipRule> rules,
      GridView view,
      Registered registered,
      List<Optional<ViewRules.Present>> present,
      int purgeOf) {
    return lose(rules, view, registered)
        .or(() -> grow(rules, view, present))
        .or(() -> move(rules, view, registered))
        .or(() -> purge(rules, view, purgeOf));
  }

  /** Whether the others of a view go on without the place that is leaving, if one is. */
  static boolean goesOnWithout(Set<MembershipRule> rules, GridView view, Registered registered) {
    return view.leaving() != null
        && (!rules.contains(MembershipRule.REMOVAL_NEEDS_REFRESH)
            || ViewRules.isRefreshed(view, registered.refreshed(view)));
  }

  /** The view in which a place begins to leave, or the one without it. */
  private static Optional<GridView> lose(
      Set<MembershipRule> rules, GridView view, Registered registered) {
    if (view.leaving() != null) {
      return rules.contains(MembershipRule.REMOVAL_NEEDS_REFRESH)
          ? ViewRules.remove(view, registered.refreshed(view))
          : ViewRules.removeAnyhow(view);
    }
    for (int node = 0; node < view.nodes(); node++) {
      Optional<GridView> next =
          registered.isRemoved(node) ? ViewRules.leave(view, node) : Optional.empty();
      if (next.isPresent()) {
        return next;
      }
    }
    return Optional.empty();
  }

  /** The view in which one more place belongs to the grid, if a life has registered there. */
  private static Optional<GridView> grow(
      Set<MembershipRule> rules, GridView view, List<Optional<ViewRules.Present>> present) {
    return rules.contains(MembershipRule.GROWTH_NEEDS_ALL_SERVING)
        ? ViewRules.grow(view, present)
        : ViewRules.growAnyhow(view, present);
  }

  /** The view in which maps are divided in another way, if that is due. */
  private static Optional<GridView> move(
      Set<MembershipRule> rules, GridView view, Registered registered) {
    return ViewRules.move(
        view,
        rules.contains(MembershipRule.GIVEN_UP_BEFORE_GONE)
            ? registered.gaveUp(view)
            : view.members());
  }

  /** The purge view that this node was asked for, if it may be made. */
  private static Optional<GridView> purge(Set<MembershipRule> rules, GridView view, int purgeOf) {
    boolean isOfThisView =
        purgeOf == view.number() || !rules.contains(MembershipRule.PURGE_OF_NEWEST_VIEW);
    if (purgeOf == 0 || !isOfThisView) {
      return Optional.empty();
    }
    return rules.contains(MembershipRule.PURGE_NEEDS_ALL_SERVING)
        ? ViewRules.purge(view)
        : Optional.of(view.purged());
  }
}
