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
package org.orcagrid.ddp.forward;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.orcagrid.ddp.Quorum;
import org.orcagrid.ddp.map.AgreedView;
import org.orcagrid.ddp.map.MapDefinition;
import org.orcagrid.ddp.map.Maps;
import org.orcagrid.ddp.map.NotBegunException;

/**
 * The way of a node to a map that it does not have: to one of the homes, which has said that it has
 * the map. Looks for another one when that is lost, as long as {@link #SEARCH_NANOS}. All who need
 * the map meanwhile wait for one search. Safe for use by many threads.
 */
final class Route {
  /** So long homes are looked for until those who wait are told that there is none. */
  static final long SEARCH_NANOS = TimeUnit.SECONDS.toNanos(5);

  /** So long a home may take to say that it has the map, before the next one is asked. */
  static final long ANSWER_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** Between two looks at the newest view. */
  static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private final MapDefinition map;
  private final ForwardedMaps owner;
  private Found found;

  /** Null while nothing is looked for. */
  private CompletableFuture<Maps> searching;

  /** Whether the map was removed. */
  private volatile boolean over;

  /** A home that has the map, or this node, whose place is its own. */
  private record Found(int place, Maps maps) {}

  Route(MapDefinition map, ForwardedMaps owner) {
    this.map = map;
    this.owner = owner;
  }

  // --- what is known -----------------------------------------------------------------------------

  /** The maps of a home; null while one is looked for, which begins with this. */
  Maps now() {
    CompletableFuture<Maps> known = find();
    return known.isDone() && !known.isCompletedExceptionally() ? known.join() : null;
  }

  /** The same when a home has been found: {@link NotBegunException} if there was none in time. */
  CompletableFuture<Maps> find() {
    CompletableFuture<Maps> search;
    synchronized (this) {
      if (found != null && isUsable(found)) {
        return CompletableFuture.completedFuture(found.maps());
      }
      found = null;
      if (searching != null) {
        return searching;
      }
      search = new CompletableFuture<>();
      searching = search;
    }
    new Search(search).attempt();
    return search;
  }

  /** A session there has ended by itself: it is asked again before it is used again. */
  synchronized void lost(Maps where) {
    if (found != null && found.maps() == where) {
      found = null;
    }
  }

  /** The map was removed through this node, which does not use it any more. */
  void end() {
    over = true;
  }

  boolean isOver() {
    return over;
  }

  /** Why nothing is done there once it is over. */
  String gone() {
    return "There is no " + map + " any more";
  }

  private boolean isUsable(Found home) {
    if (over) {
      return false;
    }
    if (home.maps() == owner.here()) {
      return owner.here().definition(map.id()) != null;
    }
    AgreedView view = owner.view();
    return view != null
        && (candidates(view) & Quorum.of(home.place())) != 0
        && owner.ways().to(home.place(), view) == home.maps();
  }

  /** The other members that are homes of the map, as a mask. */
  private int candidates(AgreedView view) {
    return view.maps().contains(map)
        ? view.homes(map) & view.nodes().members() & ~Quorum.of(owner.self())
        : 0;
  }

  private void end(CompletableFuture<Maps> search, Found home) {
    synchronized (this) {
      searching = null;
      found = home;
    }
    search.complete(home.maps());
  }

  private void fail(CompletableFuture<Maps> search, String reason) {
    synchronized (this) {
      searching = null;
    }
    search.completeExceptionally(new NotBegunException(reason));
  }

  // --- a search ----------------------------------------------------------------------------------

  /** Asks one home after the other; one step at a time, each by another thread than the last. */
  private final class Search {
    private final CompletableFuture<Maps> answer;
    private final long endNanos = owner.clock().nanoTime() + SEARCH_NANOS;

    /** One that has the map and does not serve it: better than none. */
    private Found waits;

    private List<String> objections = List.of();

    Search(CompletableFuture<Maps> answer) {
      this.answer = answer;
    }

    void attempt() {
      AgreedView view = owner.view();
      if (owner.isClosed()) {
        fail(answer, "This node was closed");
      } else if (owner.here().definition(map.id()) != null) {
        end(answer, new Found(owner.self(), owner.here()));
      } else if (over || (view != null && !view.maps().contains(map))) {
        fail(answer, gone());
      } else {
        waits = null;
        objections = new ArrayList<>();
        ask(view, view == null ? List.of() : inTurn(view), 0);
      }
    }

    /** First those that serve; each node begins with another one, and each map. */
    private List<Integer> inTurn(AgreedView view) {
      List<Integer> homes = new ArrayList<>();
      int places = view.nodes().nodes();
      int first = (owner.self() + map.id()) % places;
      for (boolean serves : List.of(true, false)) {
        for (int i = 0; i < places; i++) {
          int place = (first + i) % places;
          boolean isHome = (candidates(view) & Quorum.of(place)) != 0;
          if (isHome && view.nodes().serves(place) == serves) {
            homes.add(place);
          }
        }
      }
      return homes;
    }

    // What comes of it is looked at here.
    @SuppressWarnings("FutureReturnValueIgnored")
    private void ask(AgreedView view, List<Integer> homes, int next) {
      if (next == homes.size()) {
        onAllAsked();
        return;
      }
      int place = homes.get(next);
      Maps maps = owner.ways().to(place, view);
      AtomicBoolean isOver = new AtomicBoolean();
      owner
          .ways()
          .later(
              () -> {
                if (isOver.compareAndSet(false, true)) {
                  objections.add("node " + place + " has not answered in time");
                  ask(view, homes, next + 1);
                }
              },
              ANSWER_NANOS);
      state(maps)
          .whenComplete(
              (state, reason) -> {
                if (!isOver.compareAndSet(false, true)) {
                  return;
                }
                if (reason == null && state.serves()) {
                  end(answer, new Found(place, maps));
                  return;
                }
                if (reason == null) {
                  waits = waits == null ? new Found(place, maps) : waits;
                } else {
                  objections.add("node " + place + ": " + ForwardedMaps.cause(reason).getMessage());
                }
                ask(view, homes, next + 1);
              });
    }

    private CompletableFuture<Maps.MapState> state(Maps maps) {
      try {
        return maps.state(map);
      } catch (IllegalStateException e) {
        return CompletableFuture.failedFuture(e);
      }
    }

    private void onAllAsked() {
      if (waits != null) {
        end(answer, waits);
      } else if (owner.clock().nanoTime() - endNanos >= 0) {
        fail(
            answer,
            "No node that has "
                + map
                + " can be reached: "
                + (objections.isEmpty() ? "none is a member" : String.join("; ", objections)));
      } else {
        owner.ways().later(this::attempt, PAUSE_NANOS);
      }
    }
  }
}
