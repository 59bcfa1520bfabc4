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
package org.orcagrid.ddp.node;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.orcagrid.ddp.kite.KiteSettings;
import org.orcagrid.ddp.map.AgreedView;
import org.orcagrid.ddp.map.ForwardingViews;
import org.orcagrid.ddp.map.HostedMaps;
import org.orcagrid.ddp.map.MapSizes;
import org.orcagrid.ddp.map.Views;
import org.orcagrid.ddp.membership.GridView;
import org.orcagrid.ddp.store.ReplicaStore;
import org.orcagrid.ddp.transfer.Budget;
import org.orcagrid.ddp.transfer.Progress;
import org.orcagrid.ddp.worker.Workers;

/**
 * A node of a grid: Kite's keys and any number of maps, on the same workers, over the same links,
 * in the same views. Safe for use by many threads.
 *
 * <p>It serves once it has caught up with all of it. So a node whose keys wait for a process that
 * does not come back does not serve its maps either; those that served go on.
 */
public final class Node implements SessionHost {
  private static final long LOOK_MILLIS = 5;

  private final HostedMaps maps;
  private final Keys keys;
  private final int valueBytesMax;
  private final Workers workers;

  /**
   * How large a node is; the same at all nodes but for their places.
   *
   * @param maps of the part that has maps
   * @param kite of the part that has keys; of as many nodes and workers, and the same place
   * @param limits of the keys
   * @param catchUpBytesPerSecond what it tells nodes that catch up at most, 0 for no bound
   */
  public record Sizes(
      MapSizes maps, KiteSettings kite, ReplicaStore.Limits limits, long catchUpBytesPerSecond) {
    /** Refuses parts that do not belong to one node. */
    public Sizes {
      if (maps.nodes() != kite.nodes()
          || maps.self() != kite.self()
          || maps.workers() != kite.workers()) {
        throw new IllegalArgumentException(maps + " and " + kite + " are not of one node");
      }
    }
  }

  private Node(Workers workers, Sizes sizes, HostedMaps.Providers providers) throws IOException {
    this.workers = workers;
    Shared shared = new Shared(providers.membership());
    this.keys = new Keys(null, shared);
    this.valueBytesMax = sizes.limits().valueBytesMax();
    shared.keys = keys;
    Budget budget = Budget.of(sizes.catchUpBytesPerSecond());
    shared.views = new KeyViews(sizes.kite(), sizes.limits(), budget, keys);
    workers.host(keys);
    this.maps =
        HostedMaps.on(
            workers,
            sizes.maps(),
            new HostedMaps.Providers(
                shared, providers.media(), providers.wall(), providers.zones()),
            budget);
  }

  /**
   * Starts a node, and joins the grid. It serves once it is a member and has caught up.
   *
   * @throws IOException if the transport cannot be had; it and the membership are closed then
   */
  public static Node start(
      Sizes sizes, HostedMaps.Providers providers, Workers.Environment environment)
      throws IOException, InterruptedException {
    Workers workers;
    try {
      workers = Workers.open(sizes.maps().nodes(), sizes.maps().workers(), environment);
    } catch (IOException | RuntimeException e) {
      providers.membership().close();
      throw e;
    }
    Node node;
    try {
      node = new Node(workers, sizes, providers);
    } catch (IOException | RuntimeException e) {
      workers.close();
      providers.membership().close();
      throw e;
    }
    try {
      workers.start();
      node.maps.join();
      return node;
    } catch (RuntimeException e) {
      node.close();
      throw e;
    }
  }

  /** Its maps. */
  public HostedMaps maps() {
    return maps;
  }

  @Override
  public int valueBytesMax() {
    return valueBytesMax;
  }

  /** What has ended the node, null if nothing has. */
  public Throwable failure() {
    return workers.failure();
  }

  @Override
  public LocalSession openSession(int depth) {
    return keys.openSession(depth);
  }

  @Override
  public long slowReleases() {
    return keys.slowReleases();
  }

  @Override
  public int epoch() {
    return keys.epoch();
  }

  @Override
  public long droppedMessages() {
    return keys.droppedMessages();
  }

  @Override
  public Progress progress() {
    return keys.progress().plus(maps.progress());
  }

  /** What it has of Kite's keys at this moment; cheap, any thread. */
  public KeysFigures keysFigures() {
    return keys.figures();
  }

  /** Whether Kite's keys are served here. */
  public boolean keysServe() {
    return keys.isServing();
  }

  /** Waits until all of the node serves, as far as maps are known; whether it does. */
  public boolean awaitServing(long nanosMax) throws InterruptedException {
    long end = workers.clock().nanoTime() + nanosMax;
    if (!maps.awaitServing(nanosMax)) {
      return false;
    }
    while (!keys.isServing()) {
      if (workers.clock().nanoTime() - end > 0) {
        return false;
      }
      TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
    }
    return true;
  }

  /** Leaves in good order: the maps' media are whole when this returns. */
  @Override
  public void close() {
    maps.close();
  }

  /** The membership of both parts: a view is the keys' first, and both have to catch up. */
  private static final class Shared extends ForwardingViews implements Keys.Listener {
    private Keys keys;
    private KeyViews views;

    /** The view in which the maps have caught up and the keys have not; 0 for none. */
    private int waiting;

    Shared(Views agreed) {
      super(agreed);
    }

    /** A node that is left out keeps its keys: it is the process that counts. */
    @Override
    protected void beforeView(AgreedView view) {
      views.onView(view.nodes());
      GridView.Leaving leaving = view.nodes().leaving();
      if (leaving != null && keys.refreshed() == leaving.since()) {
        // Another life of this process is told, too.
        refreshed(leaving.since());
      }
    }

    @Override
    public void onPurgeWanted(int inView) {
      wantPurge(inView);
    }

    @Override
    public void onRefreshed(int since) {
      refreshed(since);
    }

    @Override
    public void caughtUp(int view) {
      synchronized (this) {
        if (!keys.isServing()) {
          waiting = view;
          return;
        }
      }
      super.caughtUp(view);
    }

    @Override
    public void onServing() {
      int view;
      synchronized (this) {
        view = waiting;
        waiting = 0;
      }
      if (view != 0) {
        super.caughtUp(view);
      }
    }
  }
}
