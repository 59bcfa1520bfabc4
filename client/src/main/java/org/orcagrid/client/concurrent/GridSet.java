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
import org.orcagrid.client.GridSession;
import org.orcagrid.client.View;

/**
 * A sorted set that the sessions of a grid share: the list of Harris and Michael, with marked and
 * counted pointers (Kite, section 7.3). Add, remove and contains are linearizable and lock-free;
 * they walk along the list, so it is for sets of tens, not of millions.
 *
 * <p>A node is taken out in two steps: its own pointer is marked, which decides, and the pointer to
 * it is moved on by whoever comes by first; that session uses the node again.
 *
 * <p>One object belongs to one session and is used by one thread at a time; any number of sessions
 * may have one of the same name. All methods throw what {@link View} throws.
 *
 * @param <E> the type of items
 */
public final class GridSet<E extends Comparable<E>> {
  private final View<Part, Pointer> pointers;
  private final View<Part, E> items;
  private final NodeSupply supply;
  private final String name;
  private final Part head;

  // Where the last search has ended: the pointer that leads to the first item not before the one
  // looked for, what it was, and what follows.
  private Part before;
  private Pointer seen;
  private Pointer present;
  private Pointer after;

  /** A session's handle on the set of that name. */
  public GridSet(GridSession session, String name, Codec<E> items) {
    this.name = "set " + name;
    this.pointers = session.view(Part.CODEC, Pointer.CODEC);
    this.items = session.view(Part.CODEC, items);
    this.supply = new NodeSupply(session, this.name);
    this.head = new Part(this.name, Part.HEAD, 0);
  }

  private Part next(long node) {
    return new Part(name, Part.NEXT, node);
  }

  private Part item(long node) {
    return new Part(name, Part.ITEM, node);
  }

  /** Adds an item; false if it is there already. */
  public boolean add(E item) {
    long id = 0;
    while (true) {
      if (find(item)) {
        if (id != 0) {
          supply.give(id);
        }
        return false;
      }
      if (id == 0) {
        id = supply.take();
        items.set(item(id), item);
      }
      pointers.set(next(id), Pointer.of(pointers.get(next(id))).to(present.node()));
      if (pointers.weakCompareAndSet(before, seen, present.to(id))) {
        return true;
      }
    }
  }

  /** Removes an item; false if it is not there. */
  public boolean remove(E item) {
    while (true) {
      if (!find(item)) {
        return false;
      }
      long node = present.node();
      if (!pointers.weakCompareAndSet(next(node), after, after.mark())) {
        continue;
      }
      if (pointers.weakCompareAndSet(before, seen, present.to(after.node()))) {
        supply.give(node);
      } else {
        // Somebody has changed what leads to it; a search takes it out on its way.
        find(item);
      }
      return true;
    }
  }

  /** Whether an item is there. */
  public boolean contains(E item) {
    return find(item);
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

  /**
   * False if the list has changed underfoot, so that what was read may be of a node's next life.
   */
  private boolean collect(List<E> list) {
    Part leads = head;
    Pointer at = Pointer.of(pointers.getAcquire(leads));
    while (!at.isNone()) {
      Pointer following = Pointer.of(pointers.getAcquire(next(at.node())));
      E item = items.get(item(at.node()));
      if (at.marked() || !at.equals(Pointer.of(pointers.getAcquire(leads)))) {
        return false;
      }
      if (following.marked()) {
        // Taken out, but still in the way: a search clears it.
        find(item);
        return false;
      }
      list.add(item);
      leads = next(at.node());
      at = following;
    }
    return true;
  }

  private boolean find(E wanted) {
    while (true) {
      Boolean found = search(wanted);
      if (found != null) {
        return found;
      }
    }
  }

  /** Walks from the head; null if the list has changed underfoot. */
  private Boolean search(E wanted) {
    before = head;
    seen = pointers.getAcquire(before);
    present = Pointer.of(seen);
    while (!present.isNone()) {
      long node = present.node();
      Pointer following = Pointer.of(pointers.getAcquire(next(node)));
      E item = items.get(item(node));
      Pointer again = pointers.getAcquire(before);
      if (!present.equals(Pointer.of(again)) || present.marked()) {
        // What was read of the node may be of its next life.
        return null;
      }
      after = following;
      if (following.marked()) {
        if (!pointers.weakCompareAndSet(before, seen, present.to(following.node()))) {
          return null;
        }
        supply.give(node);
        present = present.to(following.node());
        seen = present;
      } else if (item.compareTo(wanted) >= 0) {
        return item.compareTo(wanted) == 0;
      } else {
        before = next(node);
        seen = following;
        present = following;
      }
    }
    return false;
  }
}
