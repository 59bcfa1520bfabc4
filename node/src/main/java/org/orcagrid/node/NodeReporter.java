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
package org.orcagrid.node;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.orcagrid.ddp.map.AgreedView;
import org.orcagrid.ddp.map.MapFigures;
import org.orcagrid.ddp.map.Views;
import org.orcagrid.ddp.map.WorkerFigures;
import org.orcagrid.ddp.membership.GridView;
import org.orcagrid.ddp.node.Node;
import org.orcagrid.transport.tcp.NodePort;

/**
 * Says what a node is at. Workers are asked, with one short task each, when somebody wants to know,
 * and count nothing for it otherwise. Safe for use by many threads.
 */
final class NodeReporter {
  private static final long WORKER_NANOS_MAX = TimeUnit.SECONDS.toNanos(1);

  /** Nobody who serves needs a lease longer than this. */
  private static final long LEASE_MILLIS_MAX = TimeUnit.DAYS.toMillis(1);

  private final NodeSettings settings;
  private final Views membership;
  private final Node node;
  private final NodePort port;
  private final CountedLinks links;
  private final SeenPlaces seen;
  private final long startedMillis = System.currentTimeMillis();

  /** What workers were asked last: one that stands still is not asked again. */
  private List<CompletableFuture<WorkerFigures>> asked = List.of();

  NodeReporter(
      NodeSettings settings,
      Views membership,
      Node node,
      NodePort port,
      GridMember.Watched watched) {
    this.settings = settings;
    this.membership = membership;
    this.node = node;
    this.port = port;
    this.links = watched.links();
    this.seen = watched.places();
  }

  /** The node's port. */
  NodePort port() {
    return port;
  }

  /** What it is at; waits a second for its workers. */
  NodeState state(int clients) throws InterruptedException {
    List<WorkerFigures> workers = workers();
    GridView view = membership.newest().map(AgreedView::nodes).orElse(null);
    if (view != null) {
      // A node that was left out is not told of the views that follow.
      seen.onView(view, System.currentTimeMillis());
    }
    return new NodeState(
        self(workers),
        view,
        seen.sinceMillis(),
        membership.peers(),
        node.keysFigures(),
        new NodeState.Counts(
            clients,
            links.peers(),
            links.lost(),
            links.badPackets(),
            port.refused(),
            node.droppedMessages(),
            node.maps().droppedFrames()),
        node.progress(),
        bounded(workers));
  }

  private List<WorkerFigures> workers() throws InterruptedException {
    List<CompletableFuture<WorkerFigures>> answers;
    synchronized (this) {
      if (asked.stream().allMatch(CompletableFuture::isDone)) {
        asked = node.maps().figures();
      }
      answers = asked;
    }
    long end = System.nanoTime() + WORKER_NANOS_MAX;
    List<WorkerFigures> told = new ArrayList<>();
    for (CompletableFuture<WorkerFigures> each : answers) {
      try {
        told.add(each.get(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS));
      } catch (TimeoutException e) {
        // It stands still: the state says how many workers have not told.
      } catch (ExecutionException e) {
        throw new IllegalStateException(e.getCause());
      }
    }
    return told;
  }

  private NodeState.Self self(List<WorkerFigures> workers) {
    AgreedView in = node.maps().view();
    Throwable failure = node.failure();
    boolean serves =
        failure == null && node.keysServe() && in != null && in.nodes().serves(node.maps().self());
    int maps = workers.stream().mapToInt(worker -> worker.maps().size()).sum();
    return new NodeState.Self(
        settings.home().grid(),
        node.maps().self(),
        settings.home().address().toString(),
        serves,
        in == null ? 0 : in.number(),
        leaseMillis(),
        startedMillis,
        settings.workers(),
        Math.max(0, maps - NodeState.MAPS_MAX),
        failure == null ? null : failure.toString());
  }

  private long leaseMillis() {
    long left = membership.servesUntilNanos() - System.nanoTime();
    long millis = TimeUnit.NANOSECONDS.toMillis(Math.max(0, left));
    return millis > LEASE_MILLIS_MAX ? NodeState.Self.ALONE : millis;
  }

  /** Without the maps that are too many, in the order of their numbers. */
  private static List<WorkerFigures> bounded(List<WorkerFigures> workers) {
    List<Integer> told =
        workers.stream()
            .flatMap(worker -> worker.maps().stream())
            .map(map -> map.map().id())
            .sorted()
            .limit(NodeState.MAPS_MAX)
            .toList();
    int last = told.isEmpty() ? 0 : told.get(told.size() - 1);
    return workers.stream()
        .map(
            worker ->
                new WorkerFigures(
                    worker.worker(),
                    worker.journal(),
                    worker.maps().stream()
                        .filter(map -> map.map().id() <= last)
                        .sorted(Comparator.comparingInt((MapFigures map) -> map.map().id()))
                        .toList()))
        .toList();
  }
}
