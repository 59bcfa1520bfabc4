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

import java.io.IOException;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.orcagrid.ddp.model.Ddp;
import org.orcagrid.ddp.replica.Replica;
import org.orcagrid.ddp.replica.state.ReplicaSettings.Conflicts;
import org.orcagrid.ddp.store.DirectMemory;
import org.orcagrid.ddp.transfer.Budget;
import org.orcagrid.ddp.transfer.Progress;
import org.orcagrid.ddp.worker.Engine;
import org.orcagrid.ddp.worker.NodePart;
import org.orcagrid.ddp.worker.Packets;
import org.orcagrid.ddp.worker.Worker;
import org.orcagrid.ddp.worker.Workers;
import org.orcagrid.ddp.zone.ZoneDevice;

/**
 * A node of maps: its workers, the maps that there are in the view, and their sessions. Safe for
 * use by many threads.
 *
 * <p>A node that was left out, since it was cut off or stood still, begins another life by itself:
 * it reads its journals again, joins and catches up. What was under way then has an unknown
 * outcome, and sessions end.
 */
public final class HostedMaps implements NumberedMaps, AutoCloseable {
  private static final System.Logger LOG = System.getLogger(HostedMaps.class.getName());

  private final MapSizes sizes;
  private final Providers around;
  private final Workers workers;
  private final Budget budget;

  /** One for each worker. */
  private final List<MapsEngine> engines = new CopyOnWriteArrayList<>();

  private final MapOpener opener;

  /** All of its maps find out together that it has ended. */
  private final DirectMemory direct = new DirectMemory(HostedMaps::warnOfMemory);

  /** Does what the membership tells. */
  private final ControlThread control;

  // Of the control thread, and for others under the lock.

  private final Map<Integer, HostedMap> hosted = new HashMap<>();
  private final Watchers watchers = new Watchers();
  private AgreedView view;

  /** How many maps are here in the view. */
  private int toCatchUp;

  /** Maps that have caught up in the view. */
  private final Set<Integer> caughtUp = new HashSet<>();

  private boolean closed;

  /**
   * What a node's maps need beside its workers.
   *
   * @param membership agrees on views; closed with the node
   * @param media where the maps are durable
   * @param wall for the times of values, and of logs
   * @param zones that the other nodes may write into, null for none
   */
  public record Providers(Views membership, MapMedia media, WallClock wall, ZoneDevice zones) {}

  private HostedMaps(Workers workers, MapSizes sizes, Providers around, Budget budget) {
    this.budget = budget;
    this.workers = workers;
    this.sizes = sizes;
    this.around = around;
    this.opener = new MapOpener(sizes, around, watchers, this::caughtUp);
    this.control = new ControlThread(workers, this::isOver, this::fail);
  }

  /**
   * Hosts maps on workers that are still to be started, and that may host other parts of a node,
   * too. To be followed by {@link #join} when they run. Beats have links of their own if the
   * transport has such; if not, the first worker's.
   *
   * @param budget bounds what the maps tell other nodes that catch up
   * @throws IOException if the links of beats cannot be had
   */
  public static HostedMaps on(Workers workers, MapSizes sizes, Providers around, Budget budget)
      throws IOException {
    HostedMaps node = new HostedMaps(workers, sizes, around, budget);
    List<Worker> watched = workers.all();
    boolean beside =
        workers.hostBeside(
            (worker, packets) ->
                new BeatsEngine(worker, packets, sizes, around.membership(), watched));
    workers.host(node.new Part(beside));
    return node;
  }

  /**
   * Reads its workers' journals, and joins the grid then. The node serves once it is a member and
   * has caught up. It fails if the membership cannot be had.
   */
  public void join() {
    control.start();
    control.execute(this::begin);
  }

  private final class Part implements NodePart {
    private final boolean beatsAreBeside;

    Part(boolean beatsAreBeside) {
      this.beatsAreBeside = beatsAreBeside;
    }

    @Override
    public Engine engine(Worker worker, Packets packets) {
      MapsEngine engine =
          new MapsEngine(
              worker,
              packets,
              sizes,
              around.zones() == null ? List.of() : around.zones().zones(worker.number()),
              direct,
              around.membership(),
              budget,
              !beatsAreBeside && worker.number() == 0,
              HostedMaps.this::fail);
      engines.add(engine);
      return engine;
    }

    @Override
    public void onFailed(Throwable reason) {
      endControl();
      LOG.log(System.Logger.Level.ERROR, "This node's maps have failed", reason);
    }

    @Override
    public void onEnded() {
      HostedMaps.this.onEnded();
    }
  }

  private static void warnOfMemory() {
    LOG.log(
        System.Logger.Level.WARNING,
        "Direct memory has ended. The maps of this node refuse new values, and keep those of other"
            + " nodes on the heap. Remove keys, or set -XX:MaxDirectMemorySize higher");
  }

  // --- the control thread ------------------------------------------------------------------------

  private synchronized boolean isOver() {
    return closed || workers.failure() != null;
  }

  private final class Life implements Views.Member {
    @Override
    public void onView(AgreedView next) {
      control.execute(() -> install(next));
    }

    @Override
    public void onLeft(String reason) {
      control.execute(() -> beginAgain(reason));
    }

    @Override
    public void onFailed(Throwable reason) {
      fail(reason);
    }
  }

  /**
   * A life begins. Others wait for a member that reads its logs, so it reads them first. What the
   * newest view says of maps may be old by then; the views that this life is in mend that.
   */
  private void begin() throws IOException, InterruptedException {
    Optional<AgreedView> newest = around.membership().newest();
    if (newest.isPresent() && !isOver()) {
      opener.read(newest.get(), engines);
      hostAll(newest.get());
    }
    if (!isOver()) {
      around.membership().join(new Life());
    }
  }

  private void install(AgreedView next) throws IOException, InterruptedException {
    Set<Integer> gone;
    synchronized (this) {
      if (isOver()) {
        return;
      }
      gone = new HashSet<>(hosted.keySet());
    }
    opener.read(next, engines);
    int hosts = 0;
    for (MapDefinition map : next.maps()) {
      if (next.isHostedBy(sizes.self(), map)) {
        gone.remove(map.id());
        hosts++;
      }
    }
    for (int map : gone) {
      MapsEngine.awaitDone(
          List.of(engine(map)), engine -> engine.remove(map, "it was removed, or is elsewhere"));
    }
    opener.retain(next);
    hostAll(next);
    synchronized (this) {
      view = next;
      toCatchUp = hosts;
      caughtUp.clear();
      hosted.keySet().removeAll(gone);
      notifyAll();
    }
    watchers.retain(
        next.maps().stream()
            .filter(map -> next.isHostedBy(sizes.self(), map))
            .map(MapDefinition::id)
            .collect(Collectors.toSet()));
    for (MapsEngine engine : engines) {
      engine.execute(() -> engine.onView(next));
    }
    if (hosts == 0) {
      around.membership().caughtUp(next.number());
    }
    int givenUpIn = next.nodes().shares().givenUpIn();
    if (givenUpIn > 0 && next.nodes().serving() != 0) {
      around.membership().gaveUp(givenUpIn);
    }
  }

  private MapsEngine engine(int map) {
    return engines.get(map % engines.size());
  }

  /** Opens the maps of a view that are not here yet. */
  private void hostAll(AgreedView of) throws IOException {
    for (MapDefinition map : of.maps()) {
      boolean isKnown;
      synchronized (this) {
        isKnown = hosted.containsKey(map.id());
      }
      if (!isKnown && of.isHostedBy(sizes.self(), map) && !isOver()) {
        host(map);
      }
    }
  }

  private void host(MapDefinition map) throws IOException {
    HostedMap opened = opener.open(map, engine(map.id()));
    opened.watchOn();
    synchronized (this) {
      hosted.put(map.id(), opened);
    }
    engine(map.id()).execute(() -> engine(map.id()).add(opened));
    if (!watchers.of(map.id()).isEmpty()) {
      engine(map.id()).execute(opened::watch);
    }
  }

  private void caughtUp(MapDefinition map, int inView) {
    control.execute(
        () -> {
          boolean all;
          synchronized (this) {
            if (view == null || view.number() != inView) {
              return;
            }
            caughtUp.add(map.id());
            all = caughtUp.size() == toCatchUp;
          }
          if (all) {
            around.membership().caughtUp(inView);
          }
        });
  }

  private void beginAgain(String reason) throws IOException, InterruptedException {
    LOG.log(System.Logger.Level.WARNING, "This node begins another life: {0}", reason);
    giveUpMaps("this node was left out: " + reason);
    begin();
  }

  /** Their journals are closed when this returns. */
  private void giveUpMaps(String reason) throws InterruptedException {
    synchronized (this) {
      hosted.clear();
      view = null;
      notifyAll();
    }
    MapsEngine.awaitDone(engines, engine -> engine.removeAll(reason, true));
    opener.end();
  }

  /** The node ends for this reason, which callers are told from now on; by any thread. */
  private void fail(Throwable reason) {
    if (!isOver()) {
      workers.fail(reason);
    }
  }

  /** Wakes the control thread and the callers that wait for it: all see that it is over. */
  private void endControl() {
    synchronized (this) {
      notifyAll();
    }
    control.wakeUp();
  }

  private void onEnded() {
    synchronized (this) {
      closed = true;
    }
    endControl();
    boolean interrupted = control.join();
    watchers.forgetAll();
    // Only now: as long as anything here could still be told, nobody goes on without this node.
    around.membership().close();
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  // --- users -------------------------------------------------------------------------------------

  @Override
  public int self() {
    return sizes.self();
  }

  @Override
  public Throwable failure() {
    return workers.failure();
  }

  /** The view that is installed here, null while there is none. */
  public synchronized AgreedView view() {
    return view;
  }

  /** The places that have a map in that view, as a mask; 0 if there is no such map in it. */
  public synchronized int homes(MapDefinition map) {
    return view == null || !view.maps().contains(map) ? 0 : view.homes(map);
  }

  @Override
  public boolean isWorker() {
    return engines.stream().anyMatch(MapsEngine::isMe);
  }

  /** Those that do the maps' work, one for each worker; none before they are started. */
  List<MapsEngine> engines() {
    return engines;
  }

  /** Frames that found no room; what they were part of is sent again. */
  public long droppedFrames() {
    return engines.stream().mapToLong(MapsEngine::droppedFrames).sum();
  }

  /** How far the maps that are here are with catching up. */
  public Progress progress() {
    List<HostedMap> maps;
    synchronized (this) {
      maps = List.copyOf(hosted.values());
    }
    return maps.stream().map(HostedMap::progress).reduce(Progress.NONE, Progress::plus);
  }

  /**
   * Asks each worker what it has at this moment. One that waits for its disk answers when it goes
   * on, and one that has ended has no maps.
   */
  public List<CompletableFuture<WorkerFigures>> figures() {
    return engines.stream()
        .map(
            engine -> {
              CompletableFuture<WorkerFigures> answer = new CompletableFuture<>();
              engine.execute(() -> answer.complete(engine.figures()));
              return answer;
            })
        .toList();
  }

  /** How many records this node has put into zones of its peers. */
  public long recordsInZones() {
    return engines.stream().mapToLong(MapsEngine::recordsInZones).sum();
  }

  @Override
  public MapDefinition define(
      String name, Ddp model, Conflicts conflicts, int copies, long nanosMax)
      throws IOException, InterruptedException {
    requireOpen();
    opener.requirePlace(name, model);
    MapDefinition map = around.membership().define(name, model, conflicts, copies);
    awaitKnown(map, nanosMax);
    return map;
  }

  @Override
  public void remove(String name, long nanosMax) throws IOException, InterruptedException {
    List<Integer> here;
    synchronized (this) {
      requireOpen();
      here =
          hosted.values().stream()
              .map(HostedMap::definition)
              .filter(map -> map.name().equals(name))
              .map(MapDefinition::id)
              .toList();
    }
    around.membership().remove(name);
    awaitGone(name, here, nanosMax);
  }

  private synchronized void awaitGone(String name, List<Integer> maps, long nanosMax)
      throws IOException, InterruptedException {
    long end = workers.clock().nanoTime() + nanosMax;
    while (maps.stream().anyMatch(hosted::containsKey)) {
      requireOpen();
      long left = end - workers.clock().nanoTime();
      if (left <= 0) {
        throw new IOException(
            "Map '" + name + "' is removed, but this node has not followed to that view yet");
      }
      TimeUnit.NANOSECONDS.timedWait(this, left);
    }
  }

  /** What a view has is hosted, where it is to be, before it is this node's. */
  private synchronized void awaitKnown(MapDefinition map, long nanosMax)
      throws IOException, InterruptedException {
    long end = workers.clock().nanoTime() + nanosMax;
    while (view == null || !view.maps().contains(map)) {
      requireOpen();
      long left = end - workers.clock().nanoTime();
      if (left <= 0) {
        throw new IOException(
            "This node does not know of "
                + map
                + " yet: "
                + (view == null ? "it is not a member" : "it is in view " + view.number()));
      }
      TimeUnit.NANOSECONDS.timedWait(this, left);
    }
  }

  private synchronized void requireOpen() {
    Throwable failure = workers.failure();
    if (failure != null) {
      throw new IllegalStateException("This node's maps have failed: " + failure, failure);
    }
    if (closed) {
      throw new IllegalStateException("The node was closed");
    }
  }

  @Override
  public MapSession openSession(MapDefinition map) {
    return new HostedSession(find(map), null);
  }

  private synchronized HostedMap find(MapDefinition map) {
    requireOpen();
    HostedMap found = hosted.get(map.id());
    if (found == null) {
      throw new IllegalStateException(
          "This node does not have "
              + map
              + ": it is at other nodes or was removed, or the node is joining again");
    }
    return found;
  }

  /**
   * Asks this node's copy of a map something, in the thread that does its work.
   *
   * @throws IllegalStateException if this node does not have the map at present
   */
  public <T> CompletableFuture<T> ask(MapDefinition map, Function<Replica, T> question) {
    return find(map).ask(question);
  }

  @Override
  public CompletableFuture<MapState> state(MapDefinition map) {
    return ask(map, replica -> new MapState(replica.isServing(), replica.recoveryReport()));
  }

  @Override
  public synchronized List<MapDefinition> definitions() {
    requireOpen();
    if (view == null) {
      throw new IllegalStateException("This node is in no view yet; ask again when it serves");
    }
    return view.maps().stream().sorted(Comparator.comparingInt(MapDefinition::id)).toList();
  }

  @Override
  public synchronized MapDefinition definition(int map) {
    HostedMap found = hosted.get(map);
    return found == null ? null : found.definition();
  }

  @Override
  public CompletableFuture<Void> watch(MapDefinition map, MapWatcher watcher) {
    synchronized (this) {
      requireOpen();
      if (view != null && !(view.maps().contains(map) && view.isHostedBy(sizes.self(), map))) {
        throw new IllegalStateException("This node does not have " + map + " any more");
      }
      watchers.add(map.id(), watcher);
    }
    watchersChanged(map);
    return CompletableFuture.completedFuture(null);
  }

  @Override
  public void unwatch(MapDefinition map, MapWatcher watcher) {
    watchers.remove(map.id(), watcher);
    watchersChanged(map);
  }

  private void watchersChanged(MapDefinition map) {
    HostedMap found;
    synchronized (this) {
      found = isOver() ? null : hosted.get(map.id());
    }
    if (found != null) {
      engine(map.id()).execute(found::watch);
    }
  }

  /** Waits until all maps serve here, as far as they are known; whether they do. */
  public boolean awaitServing(long nanosMax) throws InterruptedException {
    long end = workers.clock().nanoTime() + nanosMax;
    while (workers.clock().nanoTime() - end < 0) {
      List<HostedMap> maps;
      AgreedView now;
      synchronized (this) {
        requireOpen();
        now = view;
        maps = List.copyOf(hosted.values());
      }
      if (now != null && now.nodes().serves(sizes.self()) && ServingCheck.allServe(maps)) {
        return true;
      }
      synchronized (this) {
        // Views wake this; that a map has settled in one does not.
        TimeUnit.MILLISECONDS.timedWait(this, 10);
      }
    }
    return false;
  }

  /**
   * Leaves: the workers' journals are whole when this returns, and this node serves nobody. All
   * else that its workers host ends, too.
   */
  @Override
  public void close() {
    synchronized (this) {
      closed = true;
    }
    endControl();
    workers.close();
  }
}
