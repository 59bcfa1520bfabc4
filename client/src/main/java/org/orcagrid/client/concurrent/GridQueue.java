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

import org.orcagrid.client.Codec;
import org.orcagrid.client.GridSession;
import org.orcagrid.client.View;

/**
 * A first-in-first-out queue that the sessions of a grid share: Michael and Scott's, with counted
 * pointers (Kite, section 7.3). Offer and poll are linearizable and lock-free.
 *
 * <p>There is always one node more than there are items: the head points to one whose item is taken
 * already. An item is written relaxed and shown by the compare-and-set that links its node, which
 * releases; whoever finds the node with an acquire therefore finds the item.
 *
 * <p>One object belongs to one session and is used by one thread at a time; any number of sessions
 * may have one of the same name. All methods throw what {@link View} throws. When a poll's outcome
 * is unknown, the item may be gone or not; when an offer's is, it may be there or not.
 *
 * @param <E> the type of items
 */
public final class GridQueue<E> {
  /** The node that a new queue begins with; those of sessions have higher numbers. */
  private static final long FIRST = 1;

  private final View<Part, Pointer> pointers;
  private final View<Part, E> items;
  private final NodeSupply supply;
  private final String name;
  private final Part head;
  private final Part tail;

  /** A session's handle on the queue of that name. */
  public GridQueue(GridSession session, String name, Codec<E> items) {
    this.name = "queue " + name;
    this.pointers = session.view(Part.CODEC, Pointer.CODEC);
    this.items = session.view(Part.CODEC, items);
    this.supply = new NodeSupply(session, this.name);
    this.head = new Part(this.name, Part.HEAD, 0);
    this.tail = new Part(this.name, Part.TAIL, 0);
    // The tail first: whoever sees a head sees a tail.
    pointers.compareAndSet(tail, null, new Pointer(FIRST, 1, false));
    pointers.compareAndSet(head, null, new Pointer(FIRST, 1, false));
  }

  private Part next(long node) {
    return new Part(name, Part.NEXT, node);
  }

  private Part item(long node) {
    return new Part(name, Part.ITEM, node);
  }

  /** Puts an item at the end. */
  public void offer(E item) {
    if (item == null) {
      throw new NullPointerException("A queue holds no null");
    }
    long id = supply.take();
    items.set(item(id), item);
    // The count goes on from the node's last use, so that a late compare-and-set fails.
    pointers.set(next(id), Pointer.of(pointers.get(next(id))).to(0));
    while (true) {
      Pointer last = pointers.getAcquire(tail);
      Pointer seen = pointers.getAcquire(next(last.node()));
      if (!last.equals(pointers.getAcquire(tail))) {
        continue;
      }
      Pointer after = Pointer.of(seen);
      if (!after.isNone()) {
        pointers.weakCompareAndSet(tail, last, last.to(after.node()));
      } else if (pointers.weakCompareAndSet(next(last.node()), seen, after.to(id))) {
        pointers.weakCompareAndSet(tail, last, last.to(id));
        return;
      }
    }
  }

  /** Takes the first item; null if the queue is empty. */
  public E poll() {
    while (true) {
      Pointer first = pointers.getAcquire(head);
      Pointer last = pointers.getAcquire(tail);
      Pointer after = Pointer.of(pointers.getAcquire(next(first.node())));
      if (!first.equals(pointers.getAcquire(head))) {
        continue;
      }
      if (first.node() != last.node()) {
        // Read before the head moves on: after that the node is somebody else's.
        E item = items.get(item(after.node()));
        if (pointers.weakCompareAndSet(head, first, first.to(after.node()))) {
          supply.give(first.node());
          return item;
        }
      } else if (after.isNone()) {
        return null;
      } else {
        pointers.weakCompareAndSet(tail, last, last.to(after.node()));
      }
    }
  }

  /** Whether there was nothing in it, a moment ago. */
  public boolean isEmpty() {
    while (true) {
      Pointer first = pointers.getAcquire(head);
      Pointer after = Pointer.of(pointers.getAcquire(next(first.node())));
      if (first.equals(pointers.getAcquire(head))) {
        return after.isNone();
      }
    }
  }
}
