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
package org.orcagrid.membership.zookeeper;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;
import org.orcagrid.ddp.map.MapDefinition;
import org.orcagrid.ddp.map.MapView;
import org.orcagrid.ddp.map.ViewRecord;
import org.orcagrid.ddp.membership.MembershipText;
import org.orcagrid.ddp.membership.Registration;

/**
 * What an ensemble of ORCA or ZooKeeper servers holds of a grid.
 *
 * <pre>
 * /orca-grid/NAME/grid        the grid's number, how many places it has, and its lease in milliseconds
 * /orca-grid/NAME/places/N    whose place N is: the identity of a folder
 * /orca-grid/NAME/nodes/N     ephemeral: what the life at place N says of itself
 * /orca-grid/NAME/left/N      the same of the last life that has left in good order
 * /orca-grid/NAME/views/V     view V, made once; the last ones are kept
 * /orca-grid/NAME/maps/M      the map of number M; made and removed together with a view
 * </pre>
 *
 * <p>A view counts once it was read, and not when it is made. So it is durable in time where the
 * ensemble makes data durable before it is read.
 */
final class GridRegistry {
  private static final String ROOT = "/orca-grid";
  private static final int VIEWS_KEPT = 64;
  private static final int ATTEMPTS_MAX = 10;
  private static final long CONNECT_SECONDS_MAX = 30;

  private final String ensemble;
  private final String path;
  private final int sessionTimeoutMs;
  private final Runnable news;
  private final Watcher watcher = event -> news();
  private volatile ZooKeeper client;

  /**
   * What a grid is, for as long as it is there.
   *
   * @param number tells it from all others, earlier ones of the same name too
   */
  record Grid(long number, int size, long leaseMillis) {
    byte[] toBytes() {
      return (number + " " + size + " " + leaseMillis).getBytes(StandardCharsets.UTF_8);
    }

    static Grid parse(byte[] bytes) {
      String[] words = new String(bytes, StandardCharsets.UTF_8).split(" ", -1);
      return new Grid(
          Long.parseLong(words[0]), Integer.parseInt(words[1]), Long.parseLong(words[2]));
    }
  }

  /** {@code news} is called when something may have changed, by a thread that must not wait. */
  GridRegistry(String ensemble, String name, int sessionTimeoutMs, Runnable news) {
    if (name.isBlank() || name.indexOf('/') >= 0) {
      throw new IllegalArgumentException("A grid's name has no slash: '" + name + "'");
    }
    this.ensemble = ensemble;
    this.path = ROOT + "/" + name;
    this.sessionTimeoutMs = sessionTimeoutMs;
    this.news = news;
  }

  @Override
  public String toString() {
    return path + " in the ensemble at " + ensemble;
  }

  private void news() {
    news.run();
  }

  /**
   * Connects, or connects again if the last session has ended.
   *
   * @return whether there is a new session; what it sees is not older than what any other has seen
   */
  boolean connect() throws IOException, InterruptedException {
    if (client != null && client.getState() != ZooKeeper.States.CLOSED) {
      return false;
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
              news();
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
    sync();
    return true;
  }

  void close() throws InterruptedException {
    if (client != null) {
      client.close();
    }
  }

  /** What is read next is not older than what any session has seen before. */
  void sync() {
    client.sync("/", (code, node, context) -> {}, null);
  }

  // --- the grid and its places -------------------------------------------------------------------

  /**
   * The grid; made now if there is none.
   *
   * @throws IOException if it is another one than is wanted
   */
  Grid grid(int size, long leaseMillis) throws KeeperException, IOException, InterruptedException {
    createIfAbsent(ROOT, new byte[0], CreateMode.PERSISTENT);
    createIfAbsent(path, new byte[0], CreateMode.PERSISTENT);
    Grid wanted = new Grid(new SecureRandom().nextLong() >>> 1, size, leaseMillis);
    createIfAbsent(path + "/grid", wanted.toBytes(), CreateMode.PERSISTENT);
    for (String each : List.of("places", "nodes", "left", "views", "maps")) {
      createIfAbsent(path + "/" + each, new byte[0], CreateMode.PERSISTENT);
    }
    Grid there = Grid.parse(client.getData(path + "/grid", false, null));
    if (there.size() != size) {
      throw new IOException(
          "The grid of "
              + this
              + " has "
              + there.size()
              + " places; start this node with as many and not with "
              + size);
    }
    if (there.leaseMillis() != leaseMillis) {
      throw new IOException(
          "The grid of "
              + this
              + " has a lease of "
              + there.leaseMillis()
              + " ms; start this node with the same and not with "
              + leaseMillis
              + " ms");
    }
    return there;
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
      if (holder.isPresent() && Arrays.equals(own, holder.get())) {
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
   * Keeps what a life says of itself, in place of what was said at its place before. Whoever calls
   * this has made sure that an earlier process at the place has ended.
   */
  void report(int place, Registration own) throws KeeperException, InterruptedException {
    byte[] text = MembershipText.text(own).getBytes(StandardCharsets.UTF_8);
    if (own.leaving()) {
      String left = path + "/left/" + place;
      if (!createIfAbsent(left, text, CreateMode.PERSISTENT)) {
        client.setData(left, text, -1);
      }
      return;
    }
    String node = path + "/nodes/" + place;
    for (int attempt = 1; ; attempt++) {
      try {
        Stat stat = client.exists(node, false);
        if (stat == null) {
          client.create(node, text, Ids.OPEN_ACL_UNSAFE, CreateMode.EPHEMERAL);
        } else if (stat.getEphemeralOwner() == client.getSessionId()) {
          client.setData(node, text, stat.getVersion());
        } else {
          client.multi(
              List.of(
                  Op.delete(node, stat.getVersion()),
                  Op.create(node, text, Ids.OPEN_ACL_UNSAFE, CreateMode.EPHEMERAL)));
        }
        return;
      } catch (KeeperException.NodeExistsException
          | KeeperException.NoNodeException
          | KeeperException.BadVersionException e) {
        // The session of an earlier process has ended meanwhile, or an earlier attempt came
        // through.
        if (attempt == ATTEMPTS_MAX) {
          throw e;
        }
      }
    }
  }

  /** For each place what the last life there says of itself; a change will be news. */
  List<Optional<Registration>> registered(int size) throws KeeperException, InterruptedException {
    List<Optional<Registration>> registered =
        new ArrayList<>(Collections.nCopies(size, Optional.empty()));
    for (String folder : List.of("/left", "/nodes")) {
      for (String place : client.getChildren(path + folder, watcher)) {
        Optional<Registration> there =
            read(path + folder + "/" + place)
                .map(text -> new String(text, StandardCharsets.UTF_8))
                .map(MembershipText::registration);
        int at = Integer.parseInt(place);
        boolean isLeaving =
            there.isPresent()
                && registered.get(at).filter(left -> left.id() == there.get().id()).isPresent();
        if (there.isPresent() && !isLeaving) {
          registered.set(at, there);
        }
      }
    }
    return registered;
  }

  // --- views and maps ----------------------------------------------------------------------------

  /** The number of the last view, 0 if there is none; a next one will be news. */
  int lastView() throws KeeperException, InterruptedException {
    return client.getChildren(path + "/views", watcher).stream()
        .mapToInt(Integer::parseInt)
        .max()
        .orElse(0);
  }

  /** A view; empty if it is not kept any more. */
  Optional<ViewRecord> view(int number) throws KeeperException, InterruptedException {
    return read(path + "/views/" + number).map(ViewRecord::parse);
  }

  /** The last view with all maps; empty if there is none. */
  Optional<MapView> newest() throws KeeperException, InterruptedException {
    while (true) {
      int number = lastView();
      Optional<ViewRecord> last = number == 0 ? Optional.empty() : view(number);
      if (number == 0) {
        return Optional.empty();
      }
      List<MapDefinition> maps = new ArrayList<>();
      for (String map : client.getChildren(path + "/maps", false)) {
        map(map).ifPresent(maps::add);
      }
      maps.sort((one, other) -> Integer.compare(one.id(), other.id()));
      if (last.isPresent() && lastView() == number) {
        return Optional.of(new MapView(last.get().nodes(), last.get().nextMap(), maps));
      }
    }
  }

  private Optional<MapDefinition> map(String number) throws KeeperException, InterruptedException {
    return readUnwatched(path + "/maps/" + number)
        .map(text -> MapDefinition.parse(new String(text, StandardCharsets.UTF_8)));
  }

  /**
   * Makes a view, unless there is another one of its number.
   *
   * @return whether it is this one that there is; certain
   */
  boolean make(ViewRecord next) throws KeeperException, InterruptedException {
    String view = path + "/views/" + next.number();
    List<Op> all = new ArrayList<>();
    all.add(Op.create(view, next.toBytes(), Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT));
    for (MapDefinition map : next.added()) {
      byte[] text = map.toText().getBytes(StandardCharsets.UTF_8);
      all.add(
          Op.create(path + "/maps/" + map.id(), text, Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT));
    }
    next.removed().forEach(map -> all.add(Op.delete(path + "/maps/" + map, -1)));
    try {
      client.multi(all);
    } catch (KeeperException.NodeExistsException | KeeperException.NoNodeException e) {
      // It may be that an earlier attempt was not answered, and came through.
      Optional<byte[]> there = readUnwatched(view);
      return there.isPresent() && Arrays.equals(there.get(), next.toBytes());
    }
    if (next.number() > VIEWS_KEPT) {
      forget(next.number() - VIEWS_KEPT);
    }
    return true;
  }

  private void forget(int number) throws KeeperException, InterruptedException {
    Set<String> kept = new HashSet<>(client.getChildren(path + "/views", false));
    for (int old = number; kept.contains(Integer.toString(old)); old--) {
      try {
        client.delete(path + "/views/" + old, -1);
      } catch (KeeperException.NoNodeException e) {
        // Somebody else has made room.
        return;
      }
    }
  }

  // --- znodes ------------------------------------------------------------------------------------

  /** What is in a znode; a change of one that is there will be news. */
  private Optional<byte[]> read(String node) throws KeeperException, InterruptedException {
    try {
      return Optional.of(client.getData(node, watcher, null));
    } catch (KeeperException.NoNodeException e) {
      return Optional.empty();
    }
  }

  private Optional<byte[]> readUnwatched(String node) throws KeeperException, InterruptedException {
    try {
      return Optional.of(client.getData(node, false, null));
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
