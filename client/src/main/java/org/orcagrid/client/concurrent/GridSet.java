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
package org.orcagrid.client.concurrent;

import java.util.ArrayList;
import java.util.List;
import org.orcagrid.client.Codec;
import org.orcagrid.client.GridException;
import org.orcagrid.client.GridSession;
import org.orcagrid.client.View;
import org.orcagrid.client.map.GridMaps;
import org.orcagrid.ddp.model.Ddp;

/**
 * A sorted set that a grid's programs share: the list of Harris and Michael, with marked and
 * counted pointers (Kite, section 7.3). Add, remove and contains are linearizable and lock-free;
 * they walk along the list, so it is for sets of tens, not of millions.
 *
 * <p>Items are the same if {@code compareTo} says so. A node is taken out in two steps: it is
 * marked, which decides, and the pointer to it is moved on by whoever comes by first; that one uses
 * the node again or removes it.
 *
 * <p>A set of a model is kept in a map of its own, and any number of threads may use one object. A
 * session's set is kept among its keys; one object belongs to one session and is used by one thread
 * at a time. All methods throw what {@link org.orcagrid.client.map.GridMap} or {@link View} throws.
 *
 * @param <E> the type of items
 */
public final class GridSet<E extends Comparable<E>> implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(GridSet.class.getName());

  private final Cells<Cell> cells;
  private final Items<E> items;
  private final NodeSupply supply;
  private final Part head;

  /**
   * Where a search has ended.
   *
   * @param before the variable that leads to the first item that is not before the one looked for
   * @param seen what it had; null if the set was never used
   * @param at where it leads to; none at the end
   * @param found what is there; null at the end
   */
  private record Place(Part before, Cell seen, Pointer at, Cell found) {}

  /** A session's handle on the set of that name. */
  public GridSet(GridSession session, String name, Codec<E> items) {
    this(ViewCells.of(session, Cell.CODEC), "set " + name, items);
  }

  /**
   * A handle on the set of that name, as {@link GridMaps#set} makes it.
   *
   * @throws IllegalArgumentException if the model has no compare-and-set, saying which have
   */
  public GridSet(GridMaps maps, String name, Codec<E> items, Ddp model) {
    this(MapCells.of(maps, "set." + name, Cell.CODEC, model), "", items);
  }

  GridSet(Cells<Cell> cells, String structure, Codec<E> items) {
    this.cells = cells;
    this.items = new Items<>(items);
    this.supply = new NodeSupply(cells, structure);
    this.head = Part.of(structure, Part.HEAD);
  }

  private boolean has(Place place, E item) {
    return place.found() != null && item(place.found()).compareTo(item) == 0;
  }

  private E item(Cell node) {
    return items.item(node.item());
  }

  /** Adds an item; false if it is there already. */
  public boolean add(E item) {
    Pointer node = null;
    ItemBytes bytes = items.bytes(item);
    while (true) {
      Place place = find(item);
      if (has(place, item)) {
        if (node != null) {
          supply.give(node);
        }
        return false;
      }
      if (node == null) {
        node = supply.take();
      }
      cells.prepare(supply.part(node), Cell.node(node, bytes).to(place.at()));
      if (lead(place, node)) {
        return true;
      }
    }
  }

  /** Moves the pointer on in whose place a search has ended; false if it has changed. */
  private boolean lead(Place place, Pointer to) {
    return cells.weakCompareAndSet(place.before(), place.seen(), led(place.seen(), to));
  }

  private static Cell led(Cell seen, Pointer to) {
    return seen == null ? Cell.pointer(to) : seen.to(to);
  }

  /** Removes an item; false if it is not there. */
  public boolean remove(E item) {
    while (true) {
      Place place = find(item);
      if (!has(place, item)) {
        return false;
      }
      Cell node = place.found();
      if (cells.weakCompareAndSet(supply.part(place.at()), node, node.mark())) {
        clear(place, item);
        return true;
      }
    }
  }

  /** The item is removed by now: that its node is still in the way is no failure. */
  private void clear(Place place, E item) {
    try {
      if (!unlink(place)) {
        // Somebody has changed what leads to it; a search takes it out on its way.
        find(item);
      }
    } catch (GridException | IllegalStateException e) {
      LOG.log(System.Logger.Level.DEBUG, "Cannot unlink a marked node yet", e);
    }
  }

  /** Takes a marked node out; false if what leads to it has changed. */
  private boolean unlink(Place place) {
    Pointer after = place.found().next();
    if (!lead(place, after)) {
      return false;
    }
    supply.give(place.at(), place.before(), led(place.seen(), after)::equals);
    return true;
  }

  /** Whether an item is there. */
  public boolean contains(E item) {
    return has(find(item), item);
  }

  /**
   * The items in order, each of which was there at some moment while this ran, and among them all
   * that were there the whole time.
   */
  public List<E> toList() {
    List<E> list = new ArrayList<>();
    while (!collect(list)) {
      list.clear();
    }
    return list;
  }

  /** False if the list has changed underfoot. */
  private boolean collect(List<E> list) {
    Cell leads = cells.getAcquire(head);
    Part before = head;
    Pointer at = Cell.target(leads);
    while (!at.isNone()) {
      Cell node = supply.find(at);
      if (node == null) {
        cutIfLost(before, leads);
        return false;
      }
      if (node.marked()) {
        // Taken out, but still in the way: a search clears it.
        find(item(node));
        return false;
      }
      list.add(item(node));
      before = supply.part(at);
      leads = node;
      at = node.next();
    }
    return true;
  }

  private Place find(E wanted) {
    while (true) {
      Place place = search(wanted);
      if (place != null) {
        return place;
      }
    }
  }

  /** Walks from the head; null if the list has changed underfoot. */
  private Place search(E wanted) {
    Part before = head;
    Cell seen = cells.getAcquire(before);
    Pointer at = Cell.target(seen);
    while (!at.isNone()) {
      Cell node = supply.find(at);
      if (node == null) {
        cutIfLost(before, seen);
        return null;
      }
      if (node.marked()) {
        if (!unlink(new Place(before, seen, at, node))) {
          return null;
        }
        seen = seen.to(node.next());
        at = node.next();
      } else if (item(node).compareTo(wanted) >= 0) {
        return new Place(before, seen, at, node);
      } else {
        before = supply.part(at);
        seen = node;
        at = node.next();
      }
    }
    return new Place(before, seen, at, null);
  }

  /**
   * A node that is linked is there, but for a model that may lose what was written: the set ends
   * before it.
   */
  private void cutIfLost(Part before, Cell leads) {
    if (leads.equals(cells.getAcquire(before))) {
      cells.compareAndSet(before, leads, leads.to(Pointer.NONE));
    }
  }

  /** Removes the nodes that this handle has taken out and kept for later. The set stays. */
  @Override
  public void close() {
    supply.close();
  }
}
