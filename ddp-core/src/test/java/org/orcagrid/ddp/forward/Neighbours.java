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

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import org.orcagrid.ddp.Quorum;
import org.orcagrid.ddp.map.AgreedView;
import org.orcagrid.ddp.map.MapDefinition;
import org.orcagrid.ddp.map.MapSession;
import org.orcagrid.ddp.map.MapWatcher;
import org.orcagrid.ddp.map.Maps;
import org.orcagrid.ddp.map.NotBegunException;
import org.orcagrid.ddp.map.NumberedMaps;
import org.orcagrid.ddp.map.SessionEndedException;
import org.orcagrid.ddp.membership.GridView;
import org.orcagrid.ddp.model.Ddp;
import org.orcagrid.ddp.replica.consistency.Operation;
import org.orcagrid.ddp.replica.state.ReplicaSettings.Conflicts;

/** Nodes that a test leads step by step, and the time between them. */
final class Neighbours implements Ways {
  private final List<Told> nodes = new ArrayList<>();
  private final List<Later> tasks = new ArrayList<>();
  long nanos;
  int viewNumber = 1;
  int members;
  int serving;
  MapDefinition map;

  private record Later(long at, Runnable task) {}

  Neighbours(int count, MapDefinition map) {
    this.map = map;
    for (int node = 0; node < count; node++) {
      nodes.add(new Told(node));
    }
    members = Quorum.all(count);
    serving = members;
  }

  Told node(int place) {
    return nodes.get(place);
  }

  /** The way to a node is lost, and there is another one to it. */
  void replace(int place) {
    Told old = nodes.get(place);
    old.sessions.forEach(each -> each.ended = true);
    nodes.set(place, new Told(place));
  }

  AgreedView view() {
    List<GridView.Place> places = new ArrayList<>();
    for (int node = 0; node < nodes.size(); node++) {
      boolean member = (members & Quorum.of(node)) != 0;
      boolean serves = (serving & Quorum.of(node)) != 0;
      places.add(
          new GridView.Place(
              1,
              node + 1,
              "node" + node,
              member,
              serves ? 1 : 0,
              new GridView.Memory(node + 1, 1, 0, true)));
    }
    GridView grid = new GridView(1, viewNumber, serving, 1, 0, places);
    return new AgreedView(grid, 2, map == null ? List.of() : List.of(map));
  }

  @Override
  public Maps to(int place, AgreedView view) {
    return nodes.get(place);
  }

  @Override
  public boolean isWorker() {
    return false;
  }

  @Override
  public void later(Runnable task, long inNanos) {
    tasks.add(new Later(nanos + inNanos, task));
  }

  /** Lets so much time pass. */
  void pass(long more) {
    long end = nanos + more;
    while (true) {
      Later next =
          tasks.stream()
              .min((a, b) -> Long.compare(a.at(), b.at()))
              .filter(each -> each.at() <= end)
              .orElse(null);
      if (next == null) {
        nanos = end;
        return;
      }
      tasks.remove(next);
      nanos = Math.max(nanos, next.at());
      next.task().run();
    }
  }

  /** A node that has maps or not, and answers or not. */
  static final class Told implements NumberedMaps {
    private final int place;
    final Map<Integer, MapDefinition> has = new HashMap<>();
    final List<ToldSession> sessions = new ArrayList<>();
    final List<MapWatcher> watchers = new ArrayList<>();
    boolean isSilent;
    boolean serves = true;
    int asked;

    Told(int place) {
      this.place = place;
    }

    void host(MapDefinition map) {
      has.put(map.id(), map);
    }

    /** What was done here, in its order. */
    List<String> done() {
      return sessions.stream().flatMap(each -> each.done.stream()).toList();
    }

    @Override
    public int self() {
      return place;
    }

    @Override
    public Throwable failure() {
      return null;
    }

    @Override
    public boolean isWorker() {
      return false;
    }

    @Override
    public MapDefinition define(
        String name, Ddp model, Conflicts conflicts, int copies, long nanosMax) {
      return new MapDefinition(1, name, model, conflicts, copies);
    }

    @Override
    public List<MapDefinition> definitions() {
      return List.copyOf(has.values());
    }

    @Override
    public void remove(String name, long nanosMax) {
      has.values().removeIf(each -> each.name().equals(name));
    }

    @Override
    public MapDefinition definition(int map) {
      return has.get(map);
    }

    @Override
    public MapSession openSession(MapDefinition map) {
      ToldSession session = new ToldSession(this, map);
      sessions.add(session);
      return session;
    }

    @Override
    public CompletableFuture<MapState> state(MapDefinition map) {
      asked++;
      if (isSilent) {
        return new CompletableFuture<>();
      }
      return has.containsKey(map.id())
          ? CompletableFuture.completedFuture(new MapState(serves, null))
          : CompletableFuture.failedFuture(new NotBegunException("it is not here"));
    }

    @Override
    public CompletableFuture<Void> watch(MapDefinition map, MapWatcher watcher) {
      watchers.add(watcher);
      return CompletableFuture.completedFuture(null);
    }

    @Override
    public void unwatch(MapDefinition map, MapWatcher watcher) {
      watchers.remove(watcher);
    }
  }

  /** A session that notes what is done, and whose node may lose its map. */
  static final class ToldSession implements MapSession {
    private final Told node;
    private final MapDefinition map;
    final List<String> done = Collections.synchronizedList(new ArrayList<>());
    final Queue<ToldSession> beside = new ArrayDeque<>();
    boolean ended;
    boolean closed;

    ToldSession(Told node, MapDefinition map) {
      this.node = node;
      this.map = map;
    }

    @Override
    public CompletableFuture<Operation> submit(Operation operation) {
      if (ended || !node.has.containsKey(map.id())) {
        ended = true;
        return CompletableFuture.failedFuture(new SessionEndedException("its map is gone"));
      }
      done.add(new String(operation.value(), StandardCharsets.UTF_8));
      return CompletableFuture.completedFuture(operation);
    }

    @Override
    public MapSession openBeside() {
      ToldSession other = new ToldSession(node, map);
      beside.add(other);
      node.sessions.add(other);
      return other;
    }

    @Override
    public boolean isEnded() {
      return ended;
    }

    @Override
    public void close() {
      closed = true;
    }
  }
}
