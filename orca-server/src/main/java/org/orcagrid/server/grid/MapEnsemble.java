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
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;
import org.orcagrid.ddp.map.MapView;

/**
 * What an ensemble holds of a grid's maps.
 *
 * <pre>
 * /orca-grid/NAME/maps/grid        the grid's number, and how many places it has
 * /orca-grid/NAME/maps/places/N    whose place N is: the identity of a folder
 * /orca-grid/NAME/maps/nodes/N     ephemeral: the life of the node at place N that is registered
 * /orca-grid/NAME/maps/left/N      the last life at place N that has left in good order
 * /orca-grid/NAME/maps/views/V     view V, made once; the last ones are kept
 * </pre>
 */
final class MapEnsemble {
  private static final int VIEWS_KEPT = 64;
  private static final long CONNECT_SECONDS_MAX = 30;

  private final String ensemble;
  private final String path;
  private final int sessionTimeoutMs;
  private final Semaphore news;
  private volatile ZooKeeper client;

  /**
   * A life of a node that is registered.
   *
   * @param id its registration
   * @param address where it is reached
   * @param caughtUp the last view in which it has caught up
   */
  record Life(long id, String address, int caughtUp) {
    byte[] toBytes() {
      return (id + " " + address + " " + caughtUp).getBytes(StandardCharsets.UTF_8);
    }

    static Life parse(byte[] bytes) {
      String[] words = new String(bytes, StandardCharsets.UTF_8).split(" ", -1);
      return new Life(Long.parseLong(words[0]), words[1], Integer.parseInt(words[2]));
    }
  }

  /** {@code news} is released when something may have changed. */
  MapEnsemble(String ensemble, String cluster, int sessionTimeoutMs, Semaphore news) {
    if (cluster.isBlank() || cluster.indexOf('/') >= 0) {
      throw new IllegalArgumentException("A grid's name has no slash: '" + cluster + "'");
    }
    this.ensemble = ensemble;
    this.path = "/orca-grid/" + cluster + "/maps";
    this.sessionTimeoutMs = sessionTimeoutMs;
    this.news = news;
  }

  @Override
  public String toString() {
    return path + " in the ensemble at " + ensemble;
  }

  /** Connects, or connects again if the last session has ended. */
  void connect() throws IOException, InterruptedException {
    if (client != null && client.getState() != ZooKeeper.States.CLOSED) {
      return;
    }
    Semaphore connected = new Semaphore(0);
    client =
        new ZooKeeper(
            ensemble,
            sessionTimeoutMs,
            event -> {
              if (event.getState() == Watcher.Event.KeeperState.SyncConnected) {
                connected.release();
              }
              news.release();
            });
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

  void close() throws InterruptedException {
    if (client != null) {
      client.close();
    }
  }

  /** What a session sees next is not older than what any other has seen before. */
  void sync() {
    client.sync("/", (code, node, context) -> {}, null);
  }

  private Watcher watcher() {
    return event -> news.release();
  }

  // --- the grid and its places -------------------------------------------------------------------

  /**
   * The grid's number; made now if there is none.
   *
   * @throws IOException if the grid has another number of places
   */
  long grid(int size) throws KeeperException, IOException, InterruptedException {
    createIfAbsent("/orca-grid", new byte[0], CreateMode.PERSISTENT);
    createIfAbsent(path.substring(0, path.lastIndexOf('/')), new byte[0], CreateMode.PERSISTENT);
    createIfAbsent(path, new byte[0], CreateMode.PERSISTENT);
    String fresh = (new SecureRandom().nextLong() >>> 1) + " " + size;
    createIfAbsent(path + "/grid", fresh.getBytes(StandardCharsets.UTF_8), CreateMode.PERSISTENT);
    for (String each : List.of("places", "nodes", "left", "views")) {
      createIfAbsent(path + "/" + each, new byte[0], CreateMode.PERSISTENT);
    }
    byte[] there = client.getData(path + "/grid", false, null);
    String[] words = new String(there, StandardCharsets.UTF_8).split(" ", -1);
    if (Integer.parseInt(words[1]) != size) {
      throw new IOException(
          "The grid of "
              + this
              + " has "
              + words[1]
              + " places; start this node with as many and not with "
              + size);
    }
    return Long.parseLong(words[0]);
  }

  /**
   * The place of whoever has this identity; a free one if it has none yet.
   *
   * @throws IOException if there is none left
   */
  int place(String identity, int size) throws KeeperException, IOException, InterruptedException {
    byte[] own = identity.getBytes(StandardCharsets.UTF_8);
    for (int place = 0; place < size; place++) {
      Optional<byte[]> holder = read(path + "/places/" + place);
      if (holder.isPresent() && identity.equals(new String(holder.get(), StandardCharsets.UTF_8))) {
        return place;
      }
    }
    for (int place = 0; place < size; place++) {
      if (createIfAbsent(path + "/places/" + place, own, CreateMode.PERSISTENT)) {
        return place;
      }
    }
    throw new IOException(
        "All "
            + size
            + " places of "
            + this
            + " belong to other folders. If the folder of one is lost for good, delete "
            + path
            + "/places/N, and what it alone had promised is lost");
  }

  // --- lives -------------------------------------------------------------------------------------

  /**
   * Registers a life; false while another one is registered at the place. A life of this session
   * that is over goes at once: an answer may have been lost, and the session lives on.
   */
  boolean register(int place, Life life) throws KeeperException, InterruptedException {
    String node = path + "/nodes/" + place;
    if (createIfAbsent(node, life.toBytes(), CreateMode.EPHEMERAL)) {
      return true;
    }
    Stat stat = client.exists(node, false);
    if (stat != null && stat.getEphemeralOwner() == client.getSessionId()) {
      try {
        client.delete(node, stat.getVersion());
      } catch (KeeperException.NoNodeException e) {
        // An earlier attempt to delete it has come through after all.
        return createIfAbsent(node, life.toBytes(), CreateMode.EPHEMERAL);
      }
    }
    return createIfAbsent(node, life.toBytes(), CreateMode.EPHEMERAL);
  }

  /**
   * Says that a life is still there. When this returns, it was registered at some moment since it
   * was called.
   *
   * @param version as this has returned it last, 0 at first
   * @return the next version; empty if the life is not registered any more
   */
  Optional<Integer> renew(int place, Life life, int version)
      throws KeeperException, InterruptedException {
    try {
      Stat stat = client.setData(path + "/nodes/" + place, life.toBytes(), version);
      return Optional.of(stat.getVersion());
    } catch (KeeperException.NoNodeException | KeeperException.BadVersionException e) {
      return Optional.empty();
    }
  }

  /** Who is registered at a place; a change will be news. */
  Optional<Life> life(int place) throws KeeperException, InterruptedException {
    return read(path + "/nodes/" + place).map(Life::parse);
  }

  /** A life has left in good order: it serves nobody any more. */
  void leave(int place, long registration) throws KeeperException, InterruptedException {
    byte[] data = Long.toString(registration).getBytes(StandardCharsets.UTF_8);
    if (!createIfAbsent(path + "/left/" + place, data, CreateMode.PERSISTENT)) {
      client.setData(path + "/left/" + place, data, -1);
    }
  }

  boolean hasLeft(int place, long registration) throws KeeperException, InterruptedException {
    return read(path + "/left/" + place)
        .map(data -> new String(data, StandardCharsets.UTF_8))
        .filter(Long.toString(registration)::equals)
        .isPresent();
  }

  // --- views -------------------------------------------------------------------------------------

  /** The number of the last view, 0 if there is none; a next one will be news. */
  int lastView() throws KeeperException, InterruptedException {
    return client.getChildren(path + "/views", watcher()).stream()
        .mapToInt(Integer::parseInt)
        .max()
        .orElse(0);
  }

  /** A view; empty if it is not kept any more. */
  Optional<MapView> view(int number) throws KeeperException, InterruptedException {
    return read(viewPath(number)).map(MapView::parse);
  }

  /** Makes a view, unless there is one of its number. */
  boolean make(MapView next) throws KeeperException, InterruptedException {
    boolean made = createIfAbsent(viewPath(next.number()), next.toBytes(), CreateMode.PERSISTENT);
    if (made && next.number() > VIEWS_KEPT) {
      try {
        client.delete(viewPath(next.number() - VIEWS_KEPT), -1);
      } catch (KeeperException.NoNodeException e) {
        // Somebody else has made room.
        return true;
      }
    }
    return made;
  }

  private String viewPath(int number) {
    return path + "/views/" + number;
  }

  // --- nodes -------------------------------------------------------------------------------------

  private Optional<byte[]> read(String node) throws KeeperException, InterruptedException {
    try {
      return Optional.of(client.getData(node, watcher(), null));
    } catch (KeeperException.NoNodeException e) {
      return Optional.empty();
    }
  }

  private boolean createIfAbsent(String node, byte[] data, CreateMode mode)
      throws KeeperException, InterruptedException {
    try {
      client.create(node, data, Ids.OPEN_ACL_UNSAFE, mode);
      return true;
    } catch (KeeperException.NodeExistsException e) {
      return false;
    }
  }
}
