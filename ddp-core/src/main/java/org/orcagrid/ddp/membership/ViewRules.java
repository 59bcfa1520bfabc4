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

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.orcagrid.ddp.Quorum;

/**
 * Which view comes next, given who is there: a function. Whoever asks has made sure that a life
 * which is not given here any more has stopped to serve ({@link Membership}).
 *
 * <p>Then a node that was left out comes back in another life; and while nobody serves, those that
 * served last are the members: only they know together what had been promised.
 *
 * <p>A map that is not at every node is known only to its homes. So a view in which anybody serves
 * has so many who do that one of them is a home of each map ({@link Shares}). When fewer are left,
 * all lives end, and those that served last recover together.
 *
 * <p>What memory-only data hold is in the processes, not in their lives. It goes on while so many
 * places hold it that one of them is in every majority; otherwise it begins anew in the next view,
 * with nothing.
 */
public final class ViewRules {
  private ViewRules() {}

  /**
   * A life that is there.
   *
   * @param id its registration
   * @param process whose life it is
   * @param address where it is reached
   */
  public record Present(long id, long process, String address) {}

  /** The first view of a grid that begins with all places that there is room for. */
  public static Optional<GridView> first(long grid, List<Optional<Present>> present) {
    return first(grid, present, present.size());
  }

  /**
   * The first view: all nodes, all of which serve, as there is nothing to know yet.
   *
   * @param present for each place that there is room for, the life that counts as there
   * @param size with how many places the grid begins: the first ones
   */
  public static Optional<GridView> first(long grid, List<Optional<Present>> present, int size) {
    if (present.subList(0, size).contains(Optional.<Present>empty())) {
      return Optional.empty();
    }
    GridView nothing = GridView.nothing(grid, present.size());
    int parts = Quorum.all(size);
    return Optional.of(following(nothing, parts, lives(nothing, parts, present), parts, present));
  }

  /**
   * The view that follows, if there is a reason for one.
   *
   * @param present for each place the life that counts as there
   * @param caughtUp members that have caught up in {@code view}, as a mask
   */
  public static Optional<GridView> next(
      GridView view, List<Optional<Present>> present, int caughtUp) {
    int[] lives = goingOn(view, present);
    int serving = serving(view, lives, caughtUp);
    if (!view.shares().isTooFew(view.parts(), serving)) {
      return nextAnyhow(view, present, caughtUp);
    }
    boolean someServe = serving(view, lives, 0) != 0;
    return someServe ? Optional.empty() : recovery(view, present, caughtUp);
  }

  /** The same though too few may serve: for tests that it is missed. */
  static Optional<GridView> nextAnyhow(
      GridView view, List<Optional<Present>> present, int caughtUp) {
    int[] lives = goingOn(view, present);
    int serving = serving(view, lives, caughtUp);
    if (serving == 0) {
      return recovery(view, present, caughtUp);
    }
    return serving == view.serving() && isSame(view, lives)
        ? Optional.empty()
        : Optional.of(following(view, view.parts(), lives, serving, present));
  }

  /** The lives that are members next; at a place that is leaving, the one that was there. */
  private static int[] goingOn(GridView view, List<Optional<Present>> present) {
    int[] lives = lives(view, view.parts(), present);
    if (view.leaving() != null) {
      // Once its life is over, it has left: no other one comes in its place.
      int leaving = view.leaving().place();
      lives[leaving] = lives[leaving] == view.incarnation(leaving) ? lives[leaving] : 0;
    }
    return lives;
  }

  /** The lives of {@code view} that serve there or have caught up, and go on; as a mask. */
  private static int serving(GridView view, int[] lives, int caughtUp) {
    int serving = 0;
    for (int node = 0; node < lives.length && view.serving() != 0; node++) {
      boolean same = lives[node] > 0 && lives[node] == view.incarnation(node);
      boolean may = ((view.serving() | caughtUp) & Quorum.of(node)) != 0;
      serving |= same && may ? Quorum.of(node) : 0;
    }
    return serving;
  }

  /**
   * Whether nobody can go on: of those who serve in {@code view} or have caught up so few are there
   * that some map may have none of its homes among them. The lives of those who serve have to end.
   *
   * @param present for each place the life that counts as there
   * @param caughtUp members that have caught up in {@code view}, as a mask
   */
  public static boolean isStopped(GridView view, List<Optional<Present>> present, int caughtUp) {
    int[] lives = goingOn(view, present);
    return serving(view, lives, 0) != 0
        && view.shares().isTooFew(view.parts(), serving(view, lives, caughtUp));
  }

  /**
   * The view that follows as a new place takes its share of the maps: in which copies are given up,
   * or in which they are gone. Empty if nothing is due. To be asked for when no other view is due.
   *
   * @param gaveUp members that serve no map any more that they were to give up, as a mask
   */
  public static Optional<GridView> move(GridView view, int gaveUp) {
    Shares shares = view.shares();
    if (!shares.areMoving() || view.serving() == 0 || view.leaving() != null) {
      return Optional.empty();
    }
    if (shares.givenUpIn() == 0) {
      return view.serves(shares.newPlace())
          ? Optional.of(view.again(shares.givenUp(view.number() + 1)))
          : Optional.empty();
    }
    return (view.members() & ~gaveUp) == 0
        ? Optional.of(view.again(shares.settled()))
        : Optional.empty();
  }

  /**
   * The view that follows as the grid grows: of the same members, and of the first life at a place
   * that does not belong to the grid yet. Empty if there is none, or it may not be let in.
   *
   * <p>Every place has to serve, and so to hold what was acknowledged by a majority in this view or
   * before. Thus it holds what a majority of one place fewer has acknowledged, and majorities of
   * views that follow each other meet. To be asked for when no other view is due.
   */
  public static Optional<GridView> grow(GridView view, List<Optional<Present>> present) {
    return view.leaving() == null
            && view.serving() == view.parts()
            && !view.shares().areMoving()
            && isSame(view, lives(view, view.parts(), present))
        ? growAnyhow(view, present)
        : Optional.empty();
  }

  /** The same though some place may not serve, or has another life: for tests that it is missed. */
  static Optional<GridView> growAnyhow(GridView view, List<Optional<Present>> present) {
    for (int node = 0; node < view.nodes(); node++) {
      int parts = view.parts() | Quorum.of(node);
      int[] lives = lives(view, parts, present);
      // The life that has left may still be registered: it does not come again.
      if (parts != view.parts() && lives[node] > 0) {
        return Optional.of(following(view, parts, lives, view.serving(), present).sharedWith(node));
      }
    }
    return Optional.empty();
  }

  /**
   * Why a place may not leave a grid after this view; empty if it may. The others have to serve, so
   * that they hold together what a majority has acknowledged.
   */
  public static Optional<String> whyNotLeave(GridView view, int place) {
    if (place < 0 || place >= view.nodes() || (view.parts() & Quorum.of(place)) == 0) {
      return Optional.of("place " + place + " does not belong to the grid");
    }
    if (view.leaving() != null) {
      return Optional.of("place " + view.leaving().place() + " is leaving: one at a time does");
    }
    int others = view.parts() & ~Quorum.of(place);
    if (others == 0) {
      return Optional.of("place " + place + " is the last one of the grid");
    }
    int silent = others & ~view.serving();
    return silent == 0
        ? view.shares().whyNotLeave(view.parts(), place)
        : Optional.of("place " + Integer.numberOfTrailingZeros(silent) + " does not serve");
  }

  /**
   * The view that follows as a place begins to leave: of the same members, of which that one does
   * not count towards majorities any more. Empty if it may not leave. A majority of n places has
   * one node less without it, and meets each majority of n - 1. To be asked for when no other view
   * is due.
   */
  public static Optional<GridView> leave(GridView view, int place) {
    return whyNotLeave(view, place).isEmpty() ? Optional.of(view.leaving(place)) : Optional.empty();
  }

  /**
   * Whether what a majority has acknowledged before the view in which a place began to leave is at
   * all that stay: then the next place may leave, whose majorities need not meet those of before.
   *
   * @param refreshed the members that have caught up with that, as a mask
   */
  public static boolean isRefreshed(GridView view, int refreshed) {
    int staying = view.staying();
    return (view.serving() & staying) == staying && (refreshed & staying) == staying;
  }

  /**
   * The view that follows without the place that is leaving. Empty if that has a member, or the
   * others are not {@linkplain #isRefreshed refreshed}. To be asked for when no other view is due.
   */
  public static Optional<GridView> remove(GridView view, int refreshed) {
    return view.leaving() != null && isRefreshed(view, refreshed)
        ? removeAnyhow(view)
        : Optional.empty();
  }

  /** The same though some may not be refreshed: for tests that it is missed. */
  static Optional<GridView> removeAnyhow(GridView view) {
    return view.leaving() != null && !view.places().get(view.leaving().place()).member()
        ? Optional.of(view.without())
        : Optional.empty();
  }

  /**
   * The view that follows as a purge view: of the same members, which forget the removed keys that
   * all processes of {@code view} have marked. Empty if it may not be one.
   *
   * <p>Every place has to serve. A process that has no part in {@code view} has marked nothing, and
   * may come back with older values of keys that the others have forgotten. One that does not serve
   * may still lack them. To be asked for when no other view is due.
   */
  public static Optional<GridView> purge(GridView view) {
    return view.leaving() == null && view.serving() == view.parts()
        ? Optional.of(view.purged())
        : Optional.empty();
  }

  /** Only those who served last know together what was promised; the others join them later. */
  private static Optional<GridView> recovery(
      GridView view, List<Optional<Present>> present, int caughtUp) {
    int[] lives = lives(view, view.parts(), present);
    for (int node = 0; node < lives.length; node++) {
      if ((view.lastServing() & Quorum.of(node)) == 0) {
        lives[node] = 0;
      } else if (lives[node] == 0) {
        return Optional.empty();
      }
    }
    if (!isSame(view, lives)) {
      return Optional.of(following(view, view.parts(), lives, 0, present));
    }
    return view.serving() == 0 && caughtUp == view.lastServing()
        ? Optional.of(following(view, view.parts(), lives, view.lastServing(), present))
        : Optional.empty();
  }

  private static boolean isSame(GridView view, int[] lives) {
    for (int node = 0; node < lives.length; node++) {
      if (lives[node] != view.incarnation(node)) {
        return false;
      }
    }
    return true;
  }

  /** The lives that are members next, of which {@code parts} belong to the grid. */
  private static int[] lives(GridView view, int parts, List<Optional<Present>> present) {
    int[] lives = new int[view.nodes()];
    for (int node = 0; node < lives.length; node++) {
      GridView.Place place = view.places().get(node);
      Optional<Present> there = present.get(node);
      boolean isPart = (parts & Quorum.of(node)) != 0;
      if (!isPart || there.isEmpty() || there.get().id() < place.registration()) {
        // An earlier life than the view's may still be registered, or be so for whoever looks.
        lives[node] = 0;
      } else if (place.registration() == there.get().id()) {
        // One that was left out has to begin another life first.
        lives[node] = place.member() ? place.lives() : 0;
      } else {
        lives[node] = place.lives() + 1;
      }
    }
    return lives;
  }

  private static GridView following(
      GridView view, int parts, int[] lives, int serving, List<Optional<Present>> present) {
    int number = view.number() + 1;
    List<GridView.Memory> memory = memory(view, lives, serving, present);
    // What is acknowledged while a place leaves is at a majority of those that stay; and what was
    // before that, at one of all.
    int staying = view.leaving() == null ? parts : parts & ~Quorum.of(view.leaving().place());
    boolean memoryGoesOn =
        isHeld(memory, parts, lives, serving) && isHeld(memory, staying, lives, serving);
    List<GridView.Place> places = new ArrayList<>();
    for (int node = 0; node < lives.length; node++) {
      GridView.Place before = view.places().get(node);
      GridView.Memory own =
          memoryGoesOn || (parts & Quorum.of(node)) == 0
              ? memory.get(node)
              : new GridView.Memory(process(node, lives, present), number, 0, true);
      if (lives[node] == 0) {
        places.add(
            new GridView.Place(
                before.lives(), before.registration(), before.address(), false, 0, own));
      } else {
        boolean same = lives[node] == view.incarnation(node);
        boolean serves = (serving & Quorum.of(node)) != 0;
        int since = same && before.servesSince() > 0 ? before.servesSince() : number;
        Present there = present.get(node).orElseThrow();
        places.add(
            new GridView.Place(
                lives[node], there.id(), there.address(), true, serves ? since : 0, own));
      }
    }
    return new GridView(
        view.grid(),
        number,
        serving == 0 ? view.lastServing() : serving,
        memoryGoesOn ? view.memorySince() : number,
        view.purgedIn(),
        view.shares(),
        places,
        view.leaving());
  }

  private static boolean isHeld(List<GridView.Memory> memory, int parts, int[] lives, int serving) {
    return holders(memory, parts, lives, serving) >= GridView.holdersMin(Integer.bitCount(parts));
  }

  /** The process that is a member at a place; 0 if none is. */
  private static long process(int node, int[] lives, List<Optional<Present>> present) {
    return lives[node] == 0 ? 0 : present.get(node).orElseThrow().process();
  }

  /** What is known of each place's memory in the next view, if memory goes on. */
  private static List<GridView.Memory> memory(
      GridView view, int[] lives, int serving, List<Optional<Present>> present) {
    List<GridView.Memory> memory = new ArrayList<>();
    for (int node = 0; node < lives.length; node++) {
      GridView.Memory before = view.places().get(node).memory();
      long process = process(node, lives, present);
      boolean serves = (serving & Quorum.of(node)) != 0;
      if (process == 0 && view.isLeaving(node) && serving != 0) {
        memory.add(before.gone());
      } else if (process == 0) {
        memory.add(before);
      } else if (before.joined() == 0) {
        // It catches up from the others before it counts.
        memory.add(new GridView.Memory(process, view.number() + 1, before.generation(), false));
      } else if (before.process() == 0 || before.process() == process) {
        // The first one holds what the place has acknowledged before: nothing.
        boolean holds = before.holds() || (serves && before.process() == process);
        memory.add(new GridView.Memory(process, before.joined(), before.generation(), holds));
      } else {
        memory.add(
            new GridView.Memory(process, view.number() + 1, before.generation() + 1, serves));
      }
    }
    return memory;
  }

  /** How many places hold what is in memory, of those that can be asked for it. */
  private static int holders(List<GridView.Memory> memory, int parts, int[] lives, int serving) {
    // While nobody serves, nobody else is let in before all members have caught up.
    boolean onlyMembers = false;
    for (int node = 0; node < lives.length; node++) {
      onlyMembers |= serving == 0 && lives[node] > 0 && !memory.get(node).holds();
    }
    int holders = 0;
    for (int node = 0; node < lives.length; node++) {
      // A place that nobody has had need not be asked.
      boolean isThere = !onlyMembers || lives[node] > 0 || memory.get(node).process() == 0;
      boolean isPart = (parts & Quorum.of(node)) != 0;
      holders += isPart && isThere && memory.get(node).holds() ? 1 : 0;
    }
    return holders;
  }
}
