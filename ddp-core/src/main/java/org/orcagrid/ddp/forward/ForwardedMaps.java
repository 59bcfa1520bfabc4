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

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.orcagrid.ddp.map.AgreedView;
import org.orcagrid.ddp.map.MapDefinition;
import org.orcagrid.ddp.map.MapSession;
import org.orcagrid.ddp.map.MapWatcher;
import org.orcagrid.ddp.map.Maps;
import org.orcagrid.ddp.map.NotBegunException;
import org.orcagrid.ddp.map.NumberedMaps;
import org.orcagrid.ddp.map.Shown;
import org.orcagrid.ddp.model.Ddp;
import org.orcagrid.ddp.replica.state.ReplicaSettings.Conflicts;
import org.orcagrid.ddp.transport.Clock;

/**
 * All maps of a grid through one of its nodes: those that the node has are used there, all others
 * at one of their homes. Callers need not know which: what they get of a map that is forwarded is
 * what a client outside of the grid gets of its node. Safe for use by many threads.
 *
 * <p>A session stays at the home where it was opened. If that does not have the map any more, or
 * cannot be reached, the session ends as a client's does: what was under way has an unknown
 * outcome, what was not sent was not done, and the next session is at another home. A home is used
 * once it has said that it has the map, so views may differ for a while. Homes do not forward in
 * turn.
 *
 * <p>Maps at every node are never forwarded: a node that is left out does not have them meanwhile.
 */
public final class ForwardedMaps implements NumberedMaps, AutoCloseable {
  private final NumberedMaps here;
  private final Supplier<AgreedView> newest;
  private final Ways ways;
  private final Clock clock;
  private final Backlog backlog = new Backlog();

  /** By the numbers of their maps; no more than there are maps, but for one. */
  private final Map<Integer, Route> routes = new ConcurrentHashMap<>();

  /** Those who watch maps at their homes. */
  private final Map<MapWatcher, Watch> watching = new ConcurrentHashMap<>();

  private volatile boolean closed;

  /**
   * The maps of a grid.
   *
   * @param here those of the node itself
   * @param newest the newest view that the node knows, null while it knows none
   * @param ways to the other nodes; closed by their owner, after this
   */
  public ForwardedMaps(NumberedMaps here, Supplier<AgreedView> newest, Ways ways, Clock clock) {
    this.here = here;
    this.newest = newest;
    this.ways = ways;
    this.clock = clock;
  }

  // --- for routes --------------------------------------------------------------------------------

  /** The maps of the node itself. */
  public NumberedMaps here() {
    return here;
  }

  Ways ways() {
    return ways;
  }

  Clock clock() {
    return clock;
  }

  AgreedView view() {
    return newest.get();
  }

  boolean isClosed() {
    return closed;
  }

  /** What waits for homes to be found. */
  int waiting() {
    return backlog.operations();
  }

  static Throwable cause(Throwable reason) {
    return reason instanceof CompletionException && reason.getCause() != null
        ? reason.getCause()
        : reason;
  }

  private boolean isHere(MapDefinition map) {
    return map.copies() == 0 || here.definition(map.id()) != null;
  }

  private Route route(MapDefinition map) {
    AgreedView view = view();
    if (view != null && routes.size() > view.maps().size()) {
      routes
          .keySet()
          .retainAll(view.maps().stream().map(MapDefinition::id).collect(Collectors.toSet()));
    }
    return routes.computeIfAbsent(map.id(), id -> new Route(map, this));
  }

  // --- the node ----------------------------------------------------------------------------------

  @Override
  public int self() {
    return here.self();
  }

  @Override
  public boolean isElsewhere(MapDefinition map) {
    return map.copies() > 0;
  }

  /** {@inheritDoc} A node that was closed has ended for good, too. */
  @Override
  public Throwable failure() {
    Throwable failure = here.failure();
    return failure == null && closed ? closed() : failure;
  }

  private static IllegalStateException closed() {
    return new IllegalStateException("The node was closed");
  }

  private void requireOpen() {
    if (closed) {
      throw closed();
    }
  }

  @Override
  public boolean isWorker() {
    return here.isWorker() || ways.isWorker();
  }

  /** Waits until the map can be used through this node, also if it is elsewhere. */
  @Override
  public MapDefinition define(
      String name, Ddp model, Conflicts conflicts, int copies, long nanosMax)
      throws IOException, InterruptedException {
    long end = clock.nanoTime() + nanosMax;
    MapDefinition map = here.define(name, model, conflicts, copies, nanosMax);
    while (!isHere(map)) {
      try {
        route(map).find().get(Math.max(0, end - clock.nanoTime()), TimeUnit.NANOSECONDS);
        break;
      } catch (TimeoutException e) {
        throw new IOException("No node that has " + map + " has answered in time", e);
      } catch (ExecutionException e) {
        if (here.failure() != null || closed || clock.nanoTime() - end >= 0) {
          throw new IOException(e.getCause().getMessage(), e);
        }
      }
    }
    return map;
  }

  @Override
  public List<MapDefinition> definitions() {
    return here.definitions();
  }

  /**
   * {@inheritDoc}
   *
   * <p>Nothing is forwarded to a home of the map any more, though that may have it for a while.
   */
  @Override
  public void remove(String name, long nanosMax) throws IOException, InterruptedException {
    AgreedView before = view();
    here.remove(name, nanosMax);
    if (before != null) {
      before.maps().stream()
          .filter(map -> map.name().equals(name) && map.copies() > 0)
          .forEach(map -> route(map).end());
    }
  }

  @Override
  public MapDefinition definition(int map) {
    MapDefinition own = here.definition(map);
    AgreedView view = own == null ? view() : null;
    if (view == null) {
      return own;
    }
    return view.maps().stream()
        .filter(each -> each.id() == map && each.copies() > 0)
        .findFirst()
        .orElse(null);
  }

  // --- maps --------------------------------------------------------------------------------------

  /** {@inheritDoc} Never waits: operations wait while a home is looked for. */
  @Override
  public MapSession openSession(MapDefinition map) {
    if (isHere(map)) {
      return here.openSession(map);
    }
    requireOpen();
    Route route = route(map);
    Maps home = route.now();
    PendingSession.Opening opening = at -> new RoutedSession(at.openSession(map), at, route);
    return home == null ? PendingSession.on(route, opening, backlog) : opening.at(home);
  }

  @Override
  public MapSession openSessionNow(MapDefinition map) {
    if (!isHere(map) && !closed && route(map).now() == null) {
      throw new NotBegunException("A node that has " + map + " is looked for");
    }
    return openSession(map);
  }

  @Override
  public CompletableFuture<MapState> state(MapDefinition map) {
    if (isHere(map)) {
      return here.state(map);
    }
    requireOpen();
    return route(map).find().thenCompose(home -> home.state(map));
  }

  /** A watcher of a map that is elsewhere, registered at one of its homes. */
  private final class Watch implements MapWatcher {
    private final MapDefinition map;
    private final MapWatcher watcher;
    private final CompletableFuture<Maps> home;

    Watch(MapDefinition map, MapWatcher watcher) {
      this.map = map;
      this.watcher = watcher;
      this.home = route(map).find();
    }

    CompletableFuture<Void> begin() {
      return home.thenCompose(at -> isOver() ? ended() : at.watch(map, this))
          .whenComplete(
              (done, reason) -> {
                if (reason != null) {
                  watching.remove(watcher, this);
                } else if (isOver()) {
                  end();
                }
              });
    }

    private CompletableFuture<Void> ended() {
      return CompletableFuture.completedFuture(null);
    }

    private boolean isOver() {
      return watching.get(watcher) != this;
    }

    /** Whether it has begun or not: one that has not looks before it begins. */
    // A home that was not found tells nothing.
    @SuppressWarnings("FutureReturnValueIgnored")
    void end() {
      home.thenAccept(at -> at.unwatch(map, this));
    }

    @Override
    public void onShown(Shown change) {
      watcher.onShown(change);
    }

    @Override
    public void onEnded() {
      if (watching.remove(watcher, this)) {
        watcher.onEnded();
      }
    }
  }

  /**
   * {@inheritDoc}
   *
   * <p>Of a map elsewhere what becomes visible at one of its homes is told. When that has it no
   * more, or cannot be reached, the watcher is told of its end.
   */
  @Override
  public CompletableFuture<Void> watch(MapDefinition map, MapWatcher watcher) {
    if (isHere(map)) {
      return here.watch(map, watcher);
    }
    requireOpen();
    Watch watch = new Watch(map, watcher);
    watching.put(watcher, watch);
    return watch.begin();
  }

  @Override
  public void unwatch(MapDefinition map, MapWatcher watcher) {
    Watch watch = watching.remove(watcher);
    if (watch == null) {
      here.unwatch(map, watcher);
    } else {
      watch.end();
    }
  }

  /** Nothing is forwarded any more, and searches end. The node is closed by its owner. */
  @Override
  public void close() {
    closed = true;
    watching.values().forEach(Watch::onEnded);
  }
}
