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
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Op;
import org.orcagrid.ddp.Quorum;
import org.orcagrid.ddp.map.AgreedView;
import org.orcagrid.ddp.map.PlaceRemovedException;
import org.orcagrid.ddp.membership.GridView;
import org.orcagrid.ddp.membership.Registration;
import org.orcagrid.ddp.membership.ViewRules;

/**
 * The places that a grid is to lose, or has lost, as the ensemble has them. A place is marked
 * first; the nodes see the mark and make the views in which it leaves. Then it is free: a node that
 * is added may have it, with another folder. The folder that had it has no place any more, ever.
 */
final class Removals {
  private static final long LOOK_MILLIS = 100;

  private final GridRegistry registry;

  Removals(GridRegistry registry) {
    this.registry = registry;
  }

  private String node(int place) {
    return registry.path() + "/removed/" + place;
  }

  private String owner(int place) {
    return registry.path() + "/places/" + place;
  }

  private String gone(String identity) {
    return registry.path() + "/gone/" + identity;
  }

  // --- what nodes ask ----------------------------------------------------------------------------

  /** The places that are marked, as a mask; a change will be news. */
  int marked() throws KeeperException, InterruptedException {
    int marked = 0;
    for (String each : children()) {
      int place = GridRegistry.number(each);
      marked |= place >= 0 && place < Quorum.NODES_MAX ? Quorum.of(place) : 0;
    }
    return marked;
  }

  private List<String> children() throws KeeperException, InterruptedException {
    try {
      return registry.client().getChildren(registry.path() + "/removed", registry.watcher());
    } catch (KeeperException.NoNodeException e) {
      return List.of();
    }
  }

  boolean isRemoved(int place) throws KeeperException, InterruptedException {
    return registry.readUnwatched(node(place)).isPresent();
  }

  /**
   * Refuses a folder whose place the grid has lost.
   *
   * @param newest the newest view; null if there is none
   */
  void requireNotGone(String identity, AgreedView newest)
      throws KeeperException, IOException, InterruptedException {
    Optional<byte[]> of = registry.readUnwatched(gone(identity));
    if (of.isEmpty() || newest == null) {
      return;
    }
    int place = Integer.parseInt(new String(of.get(), StandardCharsets.UTF_8));
    boolean isItsOwn =
        registry
            .readUnwatched(owner(place))
            .filter(now -> new String(now, StandardCharsets.UTF_8).equals(identity))
            .isPresent();
    // Until it has left it may come back, as its place is waited for.
    if (!isItsOwn || !isPart(newest.nodes(), place)) {
      throw new PlaceRemovedException(removed(place));
    }
  }

  /** Ends a node that has left. */
  void requireNotLeft(int place, int marked, AgreedView newest) throws PlaceRemovedException {
    if (newest != null && (marked & Quorum.of(place)) != 0 && !isPart(newest.nodes(), place)) {
      throw new PlaceRemovedException(removed(place));
    }
  }

  /** What a node is told whose place is gone. */
  private String removed(int place) {
    return "Place "
        + place
        + " of "
        + registry
        + " was removed: this node does not belong to the grid any more. What is in its folder is"
        + " of before; to add a node here, start one on an empty folder with 'orca grid run --add'";
  }

  static boolean isPart(GridView view, int place) {
    return (view.parts() & Quorum.of(place)) != 0;
  }

  // --- adding ------------------------------------------------------------------------------------

  /** A place that the grid has lost, for another folder; empty if there is none. */
  OptionalInt takeFree(String identity, int places)
      throws KeeperException, IOException, InterruptedException {
    for (int place = 0; place < places; place++) {
      if (isRemoved(place) && settle(place) && take(place, identity)) {
        return OptionalInt.of(place);
      }
    }
    return OptionalInt.empty();
  }

  /** Gives a folder a place that is free; false if another one was faster. */
  private boolean take(int place, String identity) throws KeeperException, InterruptedException {
    byte[] own = identity.getBytes(StandardCharsets.UTF_8);
    List<Op> all = new ArrayList<>();
    all.add(Op.delete(node(place), -1));
    all.add(Op.create(owner(place), own, registry.acl(), CreateMode.PERSISTENT));
    try {
      registry.client().multi(all);
      return true;
    } catch (KeeperException.NoNodeException | KeeperException.NodeExistsException e) {
      return false;
    }
  }

  /** Whoever had a place has it no more, once it has left; whether it has. */
  private boolean settle(int place) throws KeeperException, IOException, InterruptedException {
    Optional<AgreedView> newest = registry.newest();
    if (newest.isEmpty() || isPart(newest.get().nodes(), place)) {
      return false;
    }
    try {
      registry.client().delete(owner(place), -1);
    } catch (KeeperException.NoNodeException e) {
      // It was done before.
      return true;
    }
    return true;
  }

  // --- removing ----------------------------------------------------------------------------------

  /**
   * Has the grid lose the place of the node at an address, and waits until it has.
   *
   * @throws IOException if it cannot, or has not in time
   */
  int remove(String address, long limitNanos, Consumer<String> says)
      throws KeeperException, IOException, InterruptedException {
    GridView view =
        registry
            .newest()
            .map(AgreedView::nodes)
            .orElseThrow(
                () -> new IOException("There is no grid " + registry + " to remove a node from"));
    int place = find(view, address);
    if (!isRemoved(place)) {
      Optional<String> refused = ViewRules.whyNotLeave(view, place);
      if (refused.isPresent()) {
        throw new IOException(
            "The node at "
                + address
                + " cannot be removed: "
                + refused.get()
                + ". A place leaves when all others serve");
      }
      registry.hosted().requireNone(place, address);
      mark(place);
    }
    await(place, address, limitNanos, says);
    settle(place);
    return place;
  }

  /** The place of the node at an address; of one that has left, unless another has the place. */
  private int find(GridView view, String address)
      throws KeeperException, IOException, InterruptedException {
    List<String> all = new ArrayList<>();
    int left = -1;
    for (int place = 0; place < view.nodes(); place++) {
      String at = view.places().get(place).address();
      if (isPart(view, place)) {
        all.add(at);
        if (at.equals(address)) {
          return place;
        }
      } else if (at.equals(address) && isRemoved(place)) {
        left = place;
      }
    }
    if (left >= 0) {
      return left;
    }
    throw new IOException(
        registry + " has no node at " + address + "; its nodes are at " + String.join(", ", all));
  }

  private void mark(int place) throws KeeperException, IOException, InterruptedException {
    String identity =
        registry
            .readUnwatched(owner(place))
            .map(owner -> new String(owner, StandardCharsets.UTF_8))
            .orElseThrow(() -> new IOException(owner(place) + " is gone: nobody has the place"));
    byte[] number = Integer.toString(place).getBytes(StandardCharsets.UTF_8);
    List<Op> all = new ArrayList<>();
    all.add(
        Op.create(
            node(place),
            identity.getBytes(StandardCharsets.UTF_8),
            registry.acl(),
            CreateMode.PERSISTENT));
    all.add(Op.create(gone(identity), number, registry.acl(), CreateMode.PERSISTENT));
    try {
      registry.client().multi(all);
    } catch (KeeperException.NodeExistsException e) {
      if (!isRemoved(place)) {
        throw e;
      }
    }
  }

  private void await(int place, String address, long limitNanos, Consumer<String> says)
      throws KeeperException, IOException, InterruptedException {
    long begun = System.nanoTime();
    String told = "";
    while (true) {
      GridView view = registry.newest().orElseThrow().nodes();
      if (!isPart(view, place)) {
        return;
      }
      String waits = waits(view, place, registry.registered(view.nodes()));
      if (!waits.equals(told)) {
        says.accept(waits);
        told = waits;
      }
      if (System.nanoTime() - begun >= limitNanos) {
        throw new IOException(
            "The node at "
                + address
                + " has not left in "
                + TimeUnit.NANOSECONDS.toSeconds(limitNanos)
                + " s: "
                + waits
                + ". It goes on leaving; the same command waits on");
      }
      TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
    }
  }

  /** What the place waits for. */
  private static String waits(GridView view, int place, List<Optional<Registration>> registered) {
    if (!view.isLeaving(place)) {
      return "place "
          + place
          + " is to leave after view "
          + view.number()
          + ViewRules.whyNotLeave(view, place).map(why -> ", and waits: " + why).orElse("");
    }
    int since = view.leaving().since();
    List<String> missing = new ArrayList<>();
    for (int left = view.staying(); left != 0; left &= left - 1) {
      int other = Integer.numberOfTrailingZeros(left);
      boolean has = registered.get(other).filter(each -> each.refreshed() == since).isPresent();
      if (!view.serves(other) || !has) {
        missing.add(other + " (" + view.places().get(other).address() + ")");
      }
    }
    return "place "
        + place
        + " leaves since view "
        + since
        + (missing.isEmpty()
            ? ", and all others have what it counted for"
            : ", and waits until these have what it counted for: " + String.join(", ", missing));
  }
}
