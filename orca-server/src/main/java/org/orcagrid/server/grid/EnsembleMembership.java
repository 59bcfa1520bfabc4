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
package org.orcagrid.server.grid;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;
import org.orcagrid.ddp.node.Membership;
import org.orcagrid.ddp.node.Roster;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Membership by an ensemble of ORCA or ZooKeeper servers.
 *
 * <pre>
 * /orca-grid/NAME/members/ID   ephemeral; a node that has registered: its address, whether it serves
 * /orca-grid/NAME/view         the view of the moment; changed by its version only, and never removed: it is empty
 *                              between two lives of the grid
 * </pre>
 *
 * <p>The first view is made when as many nodes have registered as the grid has places. After that a
 * node that registers waits for a place whose node is not registered any more, and takes it by
 * making the next view; only while so many others serve that it can catch up. When no node that
 * serves was registered for a while, longer than one that lives needs to register again, what the
 * grid held is gone: the view is emptied, and the next nodes begin a new life of it.
 *
 * <p>A node whose session has expired registers again under the same id; it keeps its place unless
 * another one has taken it meanwhile.
 */
public final class EnsembleMembership implements Membership {
  private static final Logger LOG = LoggerFactory.getLogger(EnsembleMembership.class);
  private static final String ROOT = "/orca-grid";
  private static final int SESSION_TIMEOUT_MS = 6_000;
  private static final long CONNECT_SECONDS_MAX = 30;
  private static final long LOOK_SECONDS = 2;
  private static final long MARK_MILLIS = 100;
  private static final long GONE_NANOS = TimeUnit.MILLISECONDS.toNanos(3 * SESSION_TIMEOUT_MS);
  private static final String SERVES = " serves";
  private static final int GRID_BITS = 43;

  /** The version of a view that there has never been. */
  private static final int ABSENT = -2;

  private final String ensemble;
  private final String path;
  private final int size;
  private final long goneNanos;
  private final String id = UUID.randomUUID().toString();

  /** There may be something new. */
  private final Semaphore news = new Semaphore(0);

  private final Thread follower = new Thread(this::follow, "orca-grid-membership");
  private final Watcher watcher = event -> news.release();
  private volatile boolean closed;
  private volatile ZooKeeper client;
  private boolean registered;
  private boolean marked;

  /** Since when no node that serves was seen; 0 while there is one. */
  private long noneServesSince;

  /** The life of the grid that this is about. */
  private long noneServesIn;

  // Set by join, used by the follower.
  private GridPlaces.Member self;
  private Listener listener;
  private Roster known;

  /**
   * Membership in a grid.
   *
   * @param ensemble host:port of some of its servers, with commas between them
   * @param cluster the grid's name
   * @param size how many places it has
   */
  public EnsembleMembership(String ensemble, String cluster, int size) {
    this(ensemble, cluster, size, GONE_NANOS);
  }

  /** The same with another time after which a grid without a node that serves is given up. */
  EnsembleMembership(String ensemble, String cluster, int size, long goneNanos) {
    if (cluster.indexOf('/') >= 0) {
      throw new IllegalArgumentException("A grid's name has no slash: " + cluster);
    }
    this.ensemble = ensemble;
    this.path = ROOT + "/" + cluster;
    this.size = size;
    this.goneNanos = goneNanos;
    follower.setDaemon(true);
  }

  @Override
  public Roster join(String address, Listener told, Consumer<String> progress)
      throws IOException, InterruptedException {
    self = new GridPlaces.Member(id, address);
    listener = told;
    connect();
    String said = null;
    try {
      while (known == null) {
        String waitsFor = registerAndTakePlace();
        if (waitsFor != null && !waitsFor.equals(said)) {
          progress.accept(waitsFor);
          said = waitsFor;
        }
        if (known == null) {
          awaitNews();
        }
        if (closed) {
          throw new IOException("The membership was closed");
        }
      }
    } catch (KeeperException e) {
      close();
      throw new IOException("The ensemble at " + ensemble + " does not help: " + e.getMessage(), e);
    } catch (IOException | InterruptedException | RuntimeException e) {
      close();
      throw e;
    }
    follower.start();
    return known;
  }

  private String registerAndTakePlace() throws KeeperException, IOException, InterruptedException {
    try {
      keepRegistered();
      return tryToTakePlace();
    } catch (KeeperException.ConnectionLossException | KeeperException.SessionExpiredException e) {
      return "the ensemble at " + ensemble + " does not answer";
    }
  }

  // --- the ensemble ------------------------------------------------------------------------------

  private void connect() throws IOException, InterruptedException {
    Semaphore connected = new Semaphore(0);
    registered = false;
    marked = false;
    Watcher session =
        event -> {
          if (event.getState() == Watcher.Event.KeeperState.SyncConnected) {
            connected.release();
          }
          onEvent(event);
        };
    client = new ZooKeeper(ensemble, SESSION_TIMEOUT_MS, session);
    if (!connected.tryAcquire(CONNECT_SECONDS_MAX, TimeUnit.SECONDS)) {
      client.close();
      throw new IOException(
          "No server of the ensemble at "
              + ensemble
              + " has answered in "
              + CONNECT_SECONDS_MAX
              + " s; look whether they run, and whether these are their clients' ports");
    }
  }

  private void onEvent(WatchedEvent event) {
    if (event.getState() == Watcher.Event.KeeperState.Disconnected) {
      LOG.warn("No connection to the ensemble at {}; the view stays as it is", ensemble);
    }
    news.release();
  }

  private void awaitNewsOrMark() throws InterruptedException {
    if (marked) {
      awaitNews();
    } else if (news.tryAcquire(MARK_MILLIS, TimeUnit.MILLISECONDS)) {
      news.drainPermits();
    }
  }

  private void awaitNews() throws InterruptedException {
    if (news.tryAcquire(LOOK_SECONDS, TimeUnit.SECONDS)) {
      news.drainPermits();
    }
  }

  /** Registers, unless that was done in this session; connects again if the last one has ended. */
  private void keepRegistered() throws KeeperException, IOException, InterruptedException {
    if (client.getState() == ZooKeeper.States.CLOSED) {
      LOG.warn("The session at the ensemble {} has expired; registering again", ensemble);
      connect();
    }
    if (registered) {
      return;
    }
    // Not behind what this node has seen in the session before.
    client.sync("/", (code, node, context) -> {}, null);
    for (String each : List.of(ROOT, path, path + "/members")) {
      createIfAbsent(each, new byte[0], CreateMode.PERSISTENT);
    }
    byte[] address = self.address().getBytes(StandardCharsets.UTF_8);
    createIfAbsent(path + "/members/" + id, address, CreateMode.EPHEMERAL);
    registered = true;
  }

  /** Tells those who want to join that they can catch up from this node. */
  private void markServing() throws KeeperException, InterruptedException {
    if (!marked && listener.isServing()) {
      byte[] text = (self.address() + SERVES).getBytes(StandardCharsets.UTF_8);
      client.setData(path + "/members/" + id, text, -1);
      marked = true;
    }
  }

  private boolean createIfAbsent(String node, byte[] data, CreateMode mode)
      throws KeeperException, InterruptedException {
    try {
      client.create(node, data, Ids.OPEN_ACL_UNSAFE, mode);
      return true;
    } catch (KeeperException.NodeExistsException e) {
      // That somebody was faster is as good.
      return false;
    }
  }

  /** The view, null if there is none or an empty one; a change of it will be news. */
  private GridPlaces read(Stat version) throws KeeperException, InterruptedException {
    try {
      byte[] text = client.getData(path + "/view", watcher, version);
      return text.length == 0 ? null : GridPlaces.parse(text);
    } catch (KeeperException.NoNodeException e) {
      client.exists(path + "/view", watcher);
      version.setVersion(ABSENT);
      return null;
    } catch (GridPlaces.MalformedException e) {
      throw new IllegalStateException(
          path
              + "/view in the ensemble at "
              + ensemble
              + " is not a grid's view: "
              + e.getMessage(),
          e);
    }
  }

  /**
   * A node that is registered.
   *
   * @param since tells who has registered first
   */
  private record Registered(GridPlaces.Member member, boolean serves, long since) {}

  /** Those who are registered, in the order in which they have. */
  private List<Registered> registered() throws KeeperException, InterruptedException {
    List<Registered> all = new ArrayList<>();
    for (String each : client.getChildren(path + "/members", watcher)) {
      Stat stat = new Stat();
      try {
        byte[] address = client.getData(path + "/members/" + each, false, stat);
        String text = new String(address, StandardCharsets.UTF_8);
        boolean serves = text.endsWith(SERVES);
        String at = serves ? text.substring(0, text.length() - SERVES.length()) : text;
        all.add(new Registered(new GridPlaces.Member(each, at), serves, stat.getCzxid()));
      } catch (KeeperException.NoNodeException e) {
        LOG.debug("{} has gone since the list was made", each);
      }
    }
    all.sort(Comparator.comparingLong(Registered::since));
    return all;
  }

  // --- a place -----------------------------------------------------------------------------------

  /** Takes a place if there is one; else says what is waited for. */
  private String tryToTakePlace() throws KeeperException, InterruptedException {
    Stat version = new Stat();
    GridPlaces places = read(version);
    List<Registered> all = registered();
    if (places == null) {
      return makeFirstView(all.stream().map(Registered::member).toList(), version);
    }
    if (places.placeOf(id) >= 0) {
      known = places.roster(places.placeOf(id));
      return null;
    }
    if (places.members().size() != size) {
      throw new IllegalStateException(
          "The grid "
              + path
              + " has "
              + places.members().size()
              + " places; start this node with as many and not with "
              + size);
    }
    return takePlace(places, all, version);
  }

  private String takePlace(GridPlaces places, List<Registered> all, Stat version)
      throws KeeperException, InterruptedException {
    Set<String> ids = new HashSet<>();
    Set<String> serving = new HashSet<>();
    for (Registered each : all) {
      ids.add(each.member().id());
      if (each.serves()) {
        serving.add(each.member().id());
      }
    }
    if (places.countOf(serving) == 0) {
      return beginAnew(places.grid(), version);
    }
    noneServesSince = 0;
    int place = places.freePlace(self.address(), ids);
    if (place < 0) {
      return "all " + size + " places are taken";
    }
    int needed = places.neededToCatchUp();
    if (places.countOf(serving) < needed) {
      return needed
          + " nodes that hold the data are needed to catch up with and there are "
          + places.countOf(serving)
          + "; if the others are lost for good, stop all nodes and begin anew";
    }
    GridPlaces next = places.with(place, self);
    if (change(next.toBytes(), version)) {
      LOG.info("View {} of the grid {}: {}", next.view().number(), path, next.members());
    }
    return null;
  }

  /**
   * Empties the view, if no node that serves was there for long. It stays where it is: the versions
   * of one that is removed and made again begin anew as well, and whoever has met the old one could
   * remove the new one for it.
   */
  private String beginAnew(long grid, Stat version) throws KeeperException, InterruptedException {
    long now = System.nanoTime();
    if (noneServesSince == 0 || noneServesIn != grid) {
      noneServesSince = now;
      noneServesIn = grid;
    }
    if (now - noneServesSince < goneNanos) {
      return "no node of the grid is there; looks for "
          + TimeUnit.NANOSECONDS.toSeconds(goneNanos)
          + " s whether one comes back";
    }
    noneServesSince = 0;
    if (change(new byte[0], version)) {
      LOG.warn("All nodes of the grid {} are gone, and what it held; it begins anew", path);
    }
    return null;
  }

  private String makeFirstView(List<GridPlaces.Member> registered, Stat version)
      throws KeeperException, InterruptedException {
    if (registered.size() < size) {
      return registered.size() + " of " + size + " nodes are there";
    }
    List<GridPlaces.Member> members = registered.subList(0, size);
    if (members.get(0).id().equals(id)) {
      long grid = new SecureRandom().nextLong() >>> (Long.SIZE - GRID_BITS);
      byte[] first = GridPlaces.first(grid, members).toBytes();
      boolean made =
          version.getVersion() == ABSENT
              ? createIfAbsent(path + "/view", first, CreateMode.PERSISTENT)
              : change(first, version);
      if (made) {
        LOG.info("The grid {} begins with {}", path, members);
      }
      news.release();
    }
    return null;
  }

  /** Puts this in place of the view with that version; false if somebody else has changed it. */
  private boolean change(byte[] next, Stat version) throws KeeperException, InterruptedException {
    news.release();
    try {
      client.setData(path + "/view", next, version.getVersion());
      return true;
    } catch (KeeperException.BadVersionException | KeeperException.NoNodeException e) {
      LOG.debug("Somebody else has changed the view first: {}", e.getMessage());
      return false;
    }
  }

  // --- later views -------------------------------------------------------------------------------

  private void follow() {
    while (!closed) {
      try {
        awaitNewsOrMark();
        keepRegistered();
        markServing();
        if (!look()) {
          return;
        }
      } catch (KeeperException | IOException e) {
        // Who cannot ask keeps the view that it has: those who go on without it do not count it.
        LOG.warn("The view of {} cannot be read: {}", path, e.getMessage());
      } catch (InterruptedException e) {
        // close() wants this thread to end.
        return;
      } catch (RuntimeException e) {
        listener.onPlaceLost("The membership has failed: " + e.getMessage());
        return;
      }
    }
  }

  /** Tells the node what is new; false if it has no place any more. */
  private boolean look() throws KeeperException, InterruptedException {
    GridPlaces places = read(new Stat());
    if (places == null || places.grid() != known.grid()) {
      listener.onPlaceLost("The grid has begun anew without this node");
      return false;
    }
    Roster next = places.roster(known.self());
    if (next.view().number() < known.view().number()) {
      // A server that lags; it will know.
      return true;
    }
    if (!Objects.equals(next, known)) {
      known = next;
      listener.onRoster(next);
    }
    if (places.placeOf(id) != known.self()) {
      listener.onPlaceLost(
          "Another node has taken this one's place, since it was taken for gone; start it again");
      return false;
    }
    return true;
  }

  @Override
  public void close() {
    closed = true;
    follower.interrupt();
    boolean interrupted = false;
    try {
      if (follower.isAlive() && Thread.currentThread() != follower) {
        follower.join();
      }
      if (client != null) {
        client.close();
      }
    } catch (InterruptedException e) {
      interrupted = true;
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
