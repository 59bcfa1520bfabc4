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
package org.orcagrid.simulator.kite;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.orcagrid.ddp.Quorum;
import org.orcagrid.ddp.kite.KiteView;
import org.orcagrid.ddp.membership.GridView;
import org.orcagrid.ddp.membership.ViewRules;

/**
 * The views of a run, as the shipped rules make them. Processes are lost and followed by others,
 * several at once; they are left out, and come back with what they hold; and where too many were
 * lost, memory begins anew. The grid loses places, and gets them again.
 */
final class ViewChanges {
  private static final long LEARN_NANOS_MAX = 2 * KiteSchedule.MILLI;
  private static final long AGREE_NANOS_MAX = KiteSchedule.MILLI / 2;
  private static final long AWAY_NANOS_MAX = 2 * KiteSchedule.MILLI;

  private final KiteRun run;
  private final List<Optional<ViewRules.Present>> present;
  private final List<GridView> views = new ArrayList<>();

  /** The process that was last at each place, which no view may know yet. */
  private final long[] latest;

  /** The places that are to leave the grid, or have left it, as a mask. */
  private int removals;

  private int removed;
  private long lives;
  private long processes;

  /** Begins with a view in which the first {@code size} nodes serve, which are all there are. */
  ViewChanges(KiteRun run, int nodes, int size) {
    this.run = run;
    this.latest = new long[nodes];
    this.present = new ArrayList<>(Collections.nCopies(nodes, Optional.empty()));
    for (int place = 0; place < size; place++) {
      comes(place, ++processes);
    }
    views.add(ViewRules.first(1, present, size).orElseThrow());
  }

  GridView last() {
    return views.get(views.size() - 1);
  }

  private void comes(int place, long process) {
    latest[place] = process;
    present.set(place, Optional.of(new ViewRules.Present(++lives, process, "node")));
  }

  // --- what happens ------------------------------------------------------------------------------

  /** Plans so many changes of any kind, each of a random set of nodes. */
  void plan(int changes, long withinNanos, SplittableRandom random) {
    for (int i = 0; i < changes; i++) {
      int places = 0;
      int count = 1 + random.nextInt(present.size());
      // A few at a time mostly, so that memory goes on; and now and then all.
      count = random.nextInt(4) == 0 ? count : Math.min(count, 1 + random.nextInt(2));
      while (Integer.bitCount(places) < count) {
        places |= Quorum.of(random.nextInt(present.size()));
      }
      int which = places;
      long at = random.nextLong(withinNanos);
      switch (random.nextInt(3)) {
        case 0 -> run.simulation().after(at, () -> leaveOut(which, random));
        default -> {
          boolean lost = random.nextInt(3) > 0;
          run.simulation().after(at, () -> follow(which, lost));
        }
      }
    }
    if (changes > 0) {
      agreeAgain();
    }
  }

  /** Plans that nodes come to the places that are left. */
  void planToAdd(long withinNanos, SplittableRandom random) {
    int size = last().places().size() - Integer.bitCount(last().parts());
    for (int i = 0; i < size; i++) {
      run.simulation().after(random.nextLong(withinNanos), this::comesToNextPlace);
    }
  }

  private void comesToNextPlace() {
    int place = 0;
    while (latest[place] != 0) {
      place++;
    }
    run.trace("a node comes to place " + place);
    comes(place, ++processes);
  }

  /** Plans that the grid loses so many places; some get a node again. */
  void planToRemove(int count, long withinNanos, SplittableRandom random) {
    int first = random.nextInt(present.size());
    for (int i = 0; i < count; i++) {
      int place = (first + i) % present.size();
      long at = random.nextLong(withinNanos);
      boolean isKilled = random.nextInt(3) == 0;
      run.simulation().after(at, () -> remove(place, isKilled));
      if (random.nextInt(2) == 0) {
        run.simulation().after(at + random.nextLong(withinNanos), () -> addAgain(place));
      }
    }
  }

  private void remove(int place, boolean isKilled) {
    if (!isPart(place)) {
      return;
    }
    run.trace("place " + place + " is to leave");
    removals |= Quorum.of(place);
    agree();
    // Not before the others know that it does not come back: else they may wait for what it holds.
    Optional<GridView> without = last().isLeaving(place) ? without(place) : Optional.empty();
    if (isKilled && without.isPresent()) {
      run.node(place).crash();
      present.set(place, Optional.empty());
      install(without.get());
    }
  }

  /** The view in which others go on without the life at a place; empty if they wait for it. */
  private Optional<GridView> without(int place) {
    List<Optional<ViewRules.Present>> others = new ArrayList<>(present);
    others.set(place, Optional.empty());
    return ViewRules.next(last(), others, caughtUp()).filter(view -> view.serving() != 0);
  }

  /** Another process has a place that has left the grid. */
  private void addAgain(int place) {
    if ((removals & Quorum.of(place)) != 0 && !isPart(place) && run.has(place)) {
      run.trace("place " + place + " is added again");
      removals &= ~Quorum.of(place);
      comes(place, ++processes);
      agree();
    }
  }

  private boolean isPart(int place) {
    return (last().parts() & Quorum.of(place)) != 0;
  }

  /** How many places the grid has lost. */
  int removed() {
    return removed;
  }

  /** Whether no place is to leave any more. */
  boolean areRemoved() {
    return (last().parts() & removals) == 0;
  }

  /** Other processes begin at these places, in one view; the old ones are lost, or go on. */
  void follow(int places, boolean lost) {
    for (int place = 0; place < present.size(); place++) {
      if ((places & last().parts() & Quorum.of(place)) != 0) {
        if (lost) {
          run.node(place).crash();
        }
        comes(place, ++processes);
      }
    }
    agree();
  }

  /** These nodes are left out, though they go on; each comes back in another life. */
  private void leaveOut(int places, SplittableRandom random) {
    for (int place = 0; place < present.size(); place++) {
      if ((places & last().parts() & Quorum.of(place)) != 0) {
        present.set(place, Optional.empty());
        int back = place;
        run.simulation()
            .after(
                1 + random.nextLong(AWAY_NANOS_MAX),
                () -> {
                  if (present.get(back).isEmpty()) {
                    run.trace("the process at " + back + " comes back");
                    comes(back, latest[back]);
                    agree();
                  }
                });
      }
    }
    agree();
  }

  // --- agreement ---------------------------------------------------------------------------------

  /** Looks from time to time for whether nodes have caught up, and may serve. */
  void agreeAgain() {
    agree();
    run.simulation().after(run.simulation().between(1, AGREE_NANOS_MAX), this::agreeAgain);
  }

  private void agree() {
    if (run.schedule().removesPercent() > 0) {
      leaveOutTheLost();
    }
    Optional<GridView> next = ViewRules.next(last(), present, caughtUp());
    next = next.or(this::lose).or(() -> ViewRules.grow(last(), mayCome()));
    SimulatedNode first = run.node(Integer.numberOfTrailingZeros(last().parts()));
    if (next.isPresent()) {
      install(next.get());
    } else if (first.kite().purgeWanted() == last().number()) {
      ViewRules.purge(last())
          .ifPresent(
              view -> {
                run.purged(view, first);
                install(view);
              });
    }
  }

  /** Those that are there, without those at places that have left. */
  private List<Optional<ViewRules.Present>> mayCome() {
    List<Optional<ViewRules.Present>> all = new ArrayList<>(present);
    for (int place = 0; place < all.size(); place++) {
      if ((removals & Quorum.of(place)) != 0 && !isPart(place)) {
        all.set(place, Optional.empty());
      }
    }
    return all;
  }

  /** The view in which a place begins to leave, or is left out for that, or is gone. */
  private Optional<GridView> lose() {
    GridView last = last();
    if (last.leaving() == null) {
      Optional<GridView> next = Optional.empty();
      for (int left = removals & last.parts(); left != 0 && next.isEmpty(); left &= left - 1) {
        next = ViewRules.leave(last, Integer.numberOfTrailingZeros(left));
      }
      return next;
    }
    int place = last.leaving().place();
    int refreshed = refreshed(last);
    if (!ViewRules.isRefreshed(last, refreshed)) {
      return Optional.empty();
    }
    if (last.places().get(place).member()) {
      Optional<GridView> without = without(place);
      if (without.isPresent()) {
        // Keys need no lease: it may serve on.
        if (run.simulation().chance(30)) {
          run.node(place).retire();
        }
        present.set(place, Optional.empty());
      }
      return without;
    }
    Optional<GridView> next = ViewRules.remove(last, refreshed);
    run.node(place).lose();
    removed += next.isPresent() ? 1 : 0;
    return next;
  }

  private int refreshed(GridView view) {
    int refreshed = 0;
    for (int left = view.staying(); left != 0; left &= left - 1) {
      int place = Integer.numberOfTrailingZeros(left);
      SimulatedNode node = run.node(place);
      boolean is =
          view.places().get(place).memory().process() == node.process()
              && node.kite().refreshed() == view.leaving().since();
      refreshed |= is ? Quorum.of(place) : 0;
    }
    return refreshed;
  }

  /** Keys that are marked wait for the next view, which has to come if a node is lost. */
  private void leaveOutTheLost() {
    for (int left = last().parts(); left != 0; left &= left - 1) {
      int place = Integer.numberOfTrailingZeros(left);
      SimulatedNode node = run.node(place);
      boolean lost =
          node.isLost()
              && present.get(place).filter(each -> each.process() == node.process()).isPresent();
      if (lost) {
        present.set(place, Optional.empty());
      }
    }
  }

  private int caughtUp() {
    int caughtUp = 0;
    for (int left = last().parts(); left != 0; left &= left - 1) {
      int place = Integer.numberOfTrailingZeros(left);
      SimulatedNode node = run.node(place);
      // A life that was left out keeps what it has, and is not asked before its next one.
      boolean has =
          last().places().get(place).member()
              && node.kite().view().number() == last().number()
              && !node.kite().isReplaced()
              && node.kite().isServing();
      caughtUp |= has ? Quorum.of(place) : 0;
    }
    return caughtUp;
  }

  private void install(GridView next) {
    views.add(next);
    run.trace("made: " + next);
    for (int left = next.parts(); left != 0; left &= left - 1) {
      int place = Integer.numberOfTrailingZeros(left);
      long process = next.places().get(place).memory().process();
      boolean isAdded = !run.has(place);
      SimulatedNode node = isAdded ? null : run.node(place);
      if (isAdded || (process != 0 && process != node.process())) {
        run.begin(place, process, KiteView.of(next));
      }
      if (isAdded) {
        continue;
      }
      run.simulation().after(run.simulation().between(0, LEARN_NANOS_MAX), () -> learn(node, next));
      if (!next.places().get(place).member()) {
        beginAgain(place);
      }
    }
  }

  /** A life that was left out is over; its process begins another one. */
  private void beginAgain(int place) {
    Optional<ViewRules.Present> leftOut = present.get(place);
    if (leftOut.isPresent()) {
      run.simulation()
          .after(
              run.simulation().between(1, AGREE_NANOS_MAX),
              () -> {
                if (present.get(place).equals(leftOut)) {
                  comes(place, leftOut.get().process());
                  agree();
                }
              });
    }
  }

  /** A process learns of a view. If memory has begun anew, it begins with nothing, too. */
  private void learn(SimulatedNode asItWas, GridView next) {
    asItWas.whenAwake(
        () -> {
          int place = asItWas.kite().settings().self();
          boolean isThere = run.node(place).process() == asItWas.process();
          SimulatedNode node = isThere ? run.node(place) : asItWas;
          node.kite().offer(KiteView.of(next));
          GridView known = views.get(node.kite().view().number() - 1);
          boolean isItsPlace = known.places().get(place).memory().process() == node.process();
          if (isThere && isItsPlace && node.kite().isReplaced() && isPart(place)) {
            run.begin(place, node.process(), KiteView.of(known));
          }
        });
  }
}
