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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooDefs.Perms;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Stat;
import org.orcagrid.ddp.map.AgreedView;
import org.orcagrid.ddp.map.MapDefinition;
import org.orcagrid.ddp.map.ViewRecord;
import org.orcagrid.ddp.membership.MembershipText;
import org.orcagrid.ddp.membership.Registration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What an ensemble of ORCA or ZooKeeper servers holds of a grid.
 *
 * <pre>
 * /orca-grid/NAME/grid        the grid's number, how many places it began with and has, and its
 *                             lease in milliseconds
 * /orca-grid/NAME/places/N    whose place N is: the identity of a folder
 * /orca-grid/NAME/removed/N   that the grid is to lose place N, or has lost it ({@link Removals})
 * /orca-grid/NAME/gone/ID     the place that the folder of this identity had, and has no more
 * /orca-grid/NAME/hosted/N    of which server the node of place N is part ({@link HostedPlaces})
 * /orca-grid/NAME/nodes/N     ephemeral: what the life at place N says of itself
 * /orca-grid/NAME/left/N      the same of the last life that has left in good order
 * /orca-grid/NAME/views/V     view V, made once; the last ones are kept
 * /orca-grid/NAME/maps/M      the map of number M; made and removed together with a view
 * </pre>
 *
 * <p>A view counts once it was read, and not when it is made. So it is durable in time where the
 * ensemble makes data durable before it is read.
 */
final class GridRegistry implements AutoCloseable {
  private static final String ROOT = "/orca-grid";
  private static final String USER = "orca-grid:";
  private static final Logger LOG = LoggerFactory.getLogger(GridRegistry.class);
  private static final int VIEWS_KEPT = 64;
  private static final int ATTEMPTS_MAX = 10;

  private final EnsembleAddresses ensemble;
  private final String path;
  private final int sessionTimeoutMs;

  /** What members prove to the ensemble that they are by; null for nothing. */
  private final String credential;

  /** Of all that is the grid's. */
  private final List<ACL> acl;

  private final Watcher watcher;
  private final Set<String> ignored = ConcurrentHashMap.newKeySet();
  private final EnsembleClient connection;
  private final HostedPlaces hosted = new HostedPlaces(this);
  private final Removals removals = new Removals(this);

  /**
   * What a grid is, for as long as it is there.
   *
   * @param number tells it from all others, earlier ones of the same name too
   * @param begunWith how many places it had at first
   * @param places how many it has
   */
  record Grid(long number, int begunWith, int places, long leaseMillis) {
    byte[] toBytes() {
      String text = number + " " + begunWith + " " + places + " " + leaseMillis;
      return text.getBytes(StandardCharsets.UTF_8);
    }

    static Grid parse(byte[] bytes) {
      String[] words = new String(bytes, StandardCharsets.UTF_8).split(" ", -1);
      return new Grid(
          Long.parseLong(words[0]),
          Integer.parseInt(words[1]),
          Integer.parseInt(words[2]),
          Long.parseLong(words[3]));
    }

    private Grid withOneMore() {
      return new Grid(number, begunWith, places + 1, leaseMillis);
    }
  }

  /**
   * A registry that is not connected.
   *
   * @param credential which all members have, and whoever has it may write; null if all may
   * @param news is called when something may have changed, by a thread that must not wait
   */
  GridRegistry(
      EnsembleAddresses ensemble,
      String name,
      String credential,
      int sessionTimeoutMs,
      Runnable news) {
    if (name.isBlank() || name.indexOf('/') >= 0) {
      throw new IllegalArgumentException("A grid's name has no slash: '" + name + "'");
    }
    this.ensemble = ensemble;
    this.connection = new EnsembleClient(ensemble.toString(), this::open, news);
    this.path = ROOT + "/" + name;
    this.sessionTimeoutMs = sessionTimeoutMs;
    this.watcher = event -> news.run();
    this.credential = credential;
    this.acl =
        credential == null
            ? Ids.OPEN_ACL_UNSAFE
            // ZooKeeper's client asks whether null is in it, which List.of does not answer.
            : Arrays.asList(
                new ACL(Perms.ALL, Ids.AUTH_IDS), new ACL(Perms.READ, Ids.ANYONE_ID_UNSAFE));
  }

  @Override
  public String toString() {
    return path + " in the ensemble at " + ensemble;
  }

  /**
   * Connects if there is no connection.
   *
   * @return whether there is a new session; what it sees may be older than what others have seen
   * @throws IOException if no server has answered for a while; to be called again then
   */
  boolean connect() throws IOException, InterruptedException {
    boolean isNew = connection.connect();
    ensemble.follow(client(), isNew);
    return isNew;
  }

  private ZooKeeper open(Watcher connections) throws IOException {
    ZooKeeper handle = new ZooKeeper(ensemble.next(), sessionTimeoutMs, connections);
    if (credential != null) {
      handle.addAuthInfo("digest", (USER + credential).getBytes(StandardCharsets.UTF_8));
    }
    return handle;
  }

  @Override
  public void close() throws InterruptedException {
    connection.close();
  }

  /** Places whose nodes are parts of servers. */
  HostedPlaces hosted() {
    return hosted;
  }

  /** Places that are to leave, or have left. */
  Removals removals() {
    return removals;
  }

  String path() {
    return path;
  }

  List<ACL> acl() {
    return acl;
  }

  Watcher watcher() {
    return watcher;
  }

  ZooKeeper client() {
    return connection.get();
  }

  /** What is read next is not older than what any session has seen before. */
  void sync() throws KeeperException, InterruptedException {
    CompletableFuture<Integer> answer = new CompletableFuture<>();
    client().sync(ROOT, (code, node, context) -> answer.complete(code), null);
    KeeperException.Code code = KeeperException.Code.get(answer.join());
    if (code != KeeperException.Code.OK && code != KeeperException.Code.NONODE) {
      throw KeeperException.create(code, path);
    }
  }

  // --- the grid and its places -------------------------------------------------------------------

  /** The grid; empty if there is none, or nothing is left of it but views. */
  Optional<Grid> find() throws KeeperException, InterruptedException {
    return readUnwatched(path + "/grid").map(Grid::parse);
  }

  /**
   * The grid; made now if there is none.
   *
   * @throws IOException if it is another one than is wanted
   */
  Grid grid(int size, long leaseMillis) throws KeeperException, IOException, InterruptedException {
    createIfAbsent(ROOT, new byte[0], CreateMode.PERSISTENT);
    createIfAbsent(path, new byte[0], CreateMode.PERSISTENT);
    Grid wanted = new Grid(new SecureRandom().nextLong() >>> 1, size, size, leaseMillis);
    createIfAbsent(path + "/grid", wanted.toBytes(), CreateMode.PERSISTENT);
    for (String each :
        List.of("places", "removed", "gone", "hosted", "nodes", "left", "views", "maps")) {
      createIfAbsent(path + "/" + each, new byte[0], CreateMode.PERSISTENT);
    }
    Grid there = Grid.parse(client().getData(path + "/grid", false, null));
    if (there.begunWith() != size) {
      throw new IOException(
          "The grid of "
              + this
              + " began with "
              + there.begunWith()
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
  int place(String identity, Grid grid) throws KeeperException, IOException, InterruptedException {
    OptionalInt place = placeOf(identity, grid);
    if (place.isPresent()) {
      return place.getAsInt();
    }
    throw new IOException(
        "All "
            + grid.places()
            + " places of "
            + this
            + " belong to other folders. Add this node with 'orca grid run --add'; or, if the"
            + " folder of one is lost for good, delete "
            + path
            + "/places/N, and what it alone had promised is lost");
  }

  /** The place of whoever has this identity; a free one if it has none; empty if none is left. */
  private OptionalInt placeOf(String identity, Grid grid)
      throws KeeperException, InterruptedException {
    byte[] own = identity.getBytes(StandardCharsets.UTF_8);
    for (int place = 0; place < grid.places(); place++) {
      Optional<byte[]> holder = read(path + "/places/" + place);
      if (holder.isPresent() && Arrays.equals(own, holder.get())) {
        return OptionalInt.of(place);
      }
    }
    for (int place = 0; place < grid.places(); place++) {
      // One that the grid has lost is given to a node that is added, and not to one that is lost.
      if (!removals.isRemoved(place)
          && createIfAbsent(path + "/places/" + place, own, CreateMode.PERSISTENT)) {
        return OptionalInt.of(place);
      }
    }
    return OptionalInt.empty();
  }

  /**
   * The place of whoever has this identity; a free one, or else one more, if it has none yet.
   *
   * @param placesMax how many places the grid may have
   * @throws IOException if there is no such grid, or it has as many places as it may
   */
  int add(String identity, int placesMax)
      throws KeeperException, IOException, InterruptedException {
    removals.requireNotGone(identity, newest().orElse(null));
    while (true) {
      Stat stat = new Stat();
      Grid grid;
      try {
        grid = Grid.parse(client().getData(path + "/grid", false, stat));
      } catch (KeeperException.NoNodeException e) {
        throw new IOException(
            "There is no grid " + this + " to add a node to; start its first nodes", e);
      }
      OptionalInt place = placeOf(identity, grid);
      if (place.isEmpty()) {
        place = removals.takeFree(identity, grid.places());
      }
      if (place.isPresent()) {
        return place.getAsInt();
      }
      if (grid.places() >= placesMax) {
        throw new IOException(
            this + " has " + grid.places() + " nodes; it may have no more, so none is added");
      }
      addOne(grid, stat.getVersion());
    }
  }

  private void addOne(Grid grid, int version) throws KeeperException, InterruptedException {
    try {
      client().setData(path + "/grid", grid.withOneMore().toBytes(), version);
    } catch (KeeperException.BadVersionException e) {
      LOG.debug("Another process has added the place: grid={}", this);
    }
  }

  // --- lives -------------------------------------------------------------------------------------

  /**
   * Keeps what a life says of itself, in place of what was said at its place before. Whoever calls
   * this has made sure that an earlier process at the place has ended.
   *
   * @param identity whose place it is
   * @throws IOException if the place is another folder's by now
   */
  void report(int place, String identity, Registration own)
      throws KeeperException, IOException, InterruptedException {
    byte[] text = MembershipText.text(own).getBytes(StandardCharsets.UTF_8);
    if (own.leaving()) {
      String left = path + "/left/" + place;
      if (!createIfAbsent(left, text, CreateMode.PERSISTENT)) {
        client().setData(left, text, -1);
      }
      return;
    }
    String node = path + "/nodes/" + place;
    for (int attempt = 1; ; attempt++) {
      try {
        Stat stat = client().exists(node, false);
        if (stat != null && stat.getEphemeralOwner() == client().getSessionId()) {
          client().setData(node, text, stat.getVersion());
        } else {
          List<Op> all = new ArrayList<>();
          all.add(Op.check(path + "/places/" + place, requireOwn(place, identity)));
          if (stat != null) {
            all.add(Op.delete(node, stat.getVersion()));
          }
          all.add(Op.create(node, text, acl, CreateMode.EPHEMERAL));
          client().multi(all);
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

  /** The version of the record that says whose a place is. */
  private int requireOwn(int place, String identity)
      throws KeeperException, IOException, InterruptedException {
    String node = path + "/places/" + place;
    try {
      Stat stat = new Stat();
      byte[] holder = client().getData(node, false, stat);
      if (Arrays.equals(holder, identity.getBytes(StandardCharsets.UTF_8))) {
        return stat.getVersion();
      }
    } catch (KeeperException.NoNodeException e) {
      throw new IOException(notOwn(node), e);
    }
    throw new IOException(notOwn(node));
  }

  private static String notOwn(String node) {
    return node
        + " says no more that this node's folder has the place: it was deleted, or another folder"
        + " has it. Start this node on an empty folder, or not at all";
  }

  /**
   * For each place that there may be, what the last life there says of itself; a change will be
   * news. What makes no sense counts as not said.
   */
  List<Optional<Registration>> registered(int size) throws KeeperException, InterruptedException {
    List<Optional<Registration>> registered =
        new ArrayList<>(Collections.nCopies(size, Optional.empty()));
    for (String folder : List.of("/left", "/nodes")) {
      for (String place : client().getChildren(path + folder, watcher)) {
        String node = path + folder + "/" + place;
        int at = number(place);
        if (at < 0 || at >= size) {
          ignore(node, "the grid has the places 0 to " + (size - 1));
          continue;
        }
        Optional<Registration> there = read(node).flatMap(text -> registration(node, text));
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

  private Optional<Registration> registration(String node, byte[] text) {
    try {
      return Optional.of(MembershipText.registration(new String(text, StandardCharsets.UTF_8)));
    } catch (IllegalArgumentException e) {
      ignore(node, e.getMessage());
      return Optional.empty();
    }
  }

  /** Says it once. */
  private void ignore(String node, String why) {
    if (ignored.add(node)) {
      LOG.warn("Ignored an entry that is not this grid's: entry={} reason={}", node, why);
    }
  }

  /** A number from 0; -1 if it is none. */
  static int number(String text) {
    return text.matches("[0-9]{1,9}") ? Integer.parseInt(text) : -1;
  }

  // --- views and maps ----------------------------------------------------------------------------

  /** The number of the last view, 0 if there is none; a next one will be news. */
  int lastView() throws KeeperException, InterruptedException {
    try {
      return client().getChildren(path + "/views", watcher).stream()
          .mapToInt(GridRegistry::number)
          .reduce(0, Math::max);
    } catch (KeeperException.NoNodeException e) {
      return 0;
    }
  }

  /**
   * A view; empty if it is not kept any more.
   *
   * @throws IOException if what is kept is no view
   */
  Optional<ViewRecord> view(int number) throws KeeperException, IOException, InterruptedException {
    String node = path + "/views/" + number;
    Optional<byte[]> text = read(node);
    try {
      return text.map(ViewRecord::parse);
    } catch (IllegalArgumentException e) {
      throw new IOException(node + " in the ensemble at " + ensemble + ": " + e.getMessage(), e);
    }
  }

  /**
   * The last view with all maps; empty if there is none.
   *
   * <p>Maps are listed while views go on: what the views after the first one add or remove is done
   * to the list again, whether it has it already or not.
   */
  Optional<AgreedView> newest() throws KeeperException, IOException, InterruptedException {
    for (int first = lastView(); first > 0; first = lastView()) {
      Map<Integer, MapDefinition> maps = new TreeMap<>();
      for (String map : client().getChildren(path + "/maps", false)) {
        map(map).ifPresent(each -> maps.put(each.id(), each));
      }
      int last = lastView();
      Optional<ViewRecord> view = view(first);
      for (int number = first + 1; number <= last && view.isPresent(); number++) {
        view = view(number);
        view.ifPresent(next -> next.added().forEach(each -> maps.put(each.id(), each)));
        view.ifPresent(next -> next.removed().forEach(maps::remove));
      }
      if (view.isPresent()) {
        return Optional.of(
            new AgreedView(view.get().nodes(), view.get().nextMap(), List.copyOf(maps.values())));
      }
    }
    return Optional.empty();
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
    if (next.number() > 1) {
      // Numbers of views that are forgotten are not free.
      all.add(Op.check(path + "/views/" + (next.number() - 1), -1));
    }
    all.add(Op.create(view, next.toBytes(), acl, CreateMode.PERSISTENT));
    for (MapDefinition map : next.added()) {
      byte[] text = map.toText().getBytes(StandardCharsets.UTF_8);
      all.add(Op.create(path + "/maps/" + map.id(), text, acl, CreateMode.PERSISTENT));
    }
    next.removed().forEach(map -> all.add(Op.delete(path + "/maps/" + map, -1)));
    try {
      client().multi(all);
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

  /** The earliest first, so that those that are kept follow each other. */
  private void forget(int number) throws KeeperException, InterruptedException {
    int[] old =
        client().getChildren(path + "/views", false).stream()
            .mapToInt(GridRegistry::number)
            .filter(each -> each >= 0 && each <= number)
            .sorted()
            .toArray();
    for (int each : old) {
      try {
        client().delete(path + "/views/" + each, -1);
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
      return Optional.of(client().getData(node, watcher, null));
    } catch (KeeperException.NoNodeException e) {
      return Optional.empty();
    }
  }

  Optional<byte[]> readUnwatched(String node) throws KeeperException, InterruptedException {
    try {
      return Optional.of(client().getData(node, false, null));
    } catch (KeeperException.NoNodeException e) {
      return Optional.empty();
    }
  }

  boolean createIfAbsent(String node, byte[] data, CreateMode mode)
      throws KeeperException, InterruptedException {
    // Whoever may not create it need not, where it is there.
    if (client().exists(node, false) != null) {
      return false;
    }
    try {
      // Grids of other secrets are below the same root.
      client().create(node, data, node.equals(ROOT) ? Ids.OPEN_ACL_UNSAFE : acl, mode);
      return true;
    } catch (KeeperException.NodeExistsException e) {
      return false;
    }
  }
}
