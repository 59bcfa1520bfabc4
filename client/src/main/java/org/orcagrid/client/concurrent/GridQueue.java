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

import java.time.Duration;
import org.orcagrid.client.Codec;
import org.orcagrid.client.GridSession;
import org.orcagrid.client.View;
import org.orcagrid.client.map.GridMaps;
import org.orcagrid.ddp.model.Ddp;

/**
 * A first-in-first-out queue that a grid's programs share: Michael and Scott's (Kite, section 7.3).
 * Offer and poll are linearizable and lock-free.
 *
 * <p>There is always one node more than there are items: the head leads to one whose item is taken
 * already. A node is prepared and shown by the compare-and-set that links it, which releases;
 * whoever finds it with an acquire therefore finds the item. The tail is a hint, from which the
 * last node is found.
 *
 * <p>A queue of a model is kept in a map of its own, and any number of threads may use one object.
 * Its operations are as durable as that map's writes: with {@code linearizable/synchronous} every
 * acknowledged one survives that all nodes lose power. A session's queue is kept among its keys, in
 * memory; one object belongs to one session and is used by one thread at a time.
 *
 * <p>All methods throw what {@link org.orcagrid.client.map.GridMap} or {@link View} throws. When a
 * poll's outcome is unknown, the item may be gone or not; when an offer's is, it may be there or
 * not.
 *
 * @param <E> the type of items
 */
public final class GridQueue<E> implements AutoCloseable {
  private final Cells<Cell> cells;
  private final Items<E> items;
  private final NodeSupply supply;
  private final Part head;
  private final Part tail;

  /** Whether acknowledged operations survive that all nodes lose power. */
  private final boolean keepsAll;

  /** A session's handle on the queue of that name. */
  public GridQueue(GridSession session, String name, Codec<E> items) {
    this(ViewCells.of(session, Cell.CODEC), "queue " + name, items);
  }

  /**
   * A handle on the queue of that name, as {@link GridMaps#queue} makes it.
   *
   * @throws IllegalArgumentException if the model has no compare-and-set, saying which have
   */
  public GridQueue(GridMaps maps, String name, Codec<E> items, Ddp model) {
    this(MapCells.of(maps, "queue." + name, Cell.CODEC, model), "", items);
  }

  GridQueue(Cells<Cell> cells, String structure, Codec<E> items) {
    this.cells = cells;
    this.items = new Items<>(items);
    this.supply = new NodeSupply(cells, structure);
    this.head = Part.of(structure, Part.HEAD);
    this.tail = Part.of(structure, Part.TAIL);
    this.keepsAll = cells.keepsAll();
  }

  /** Puts an item at the end. */
  public void offer(E item) {
    if (item == null) {
      throw new NullPointerException("A queue holds no null");
    }
    Pointer node = supply.take();
    cells.prepare(supply.part(node), Cell.node(node, items.bytes(item)));
    while (true) {
      Cell hint = cells.getAcquire(tail);
      Pointer at = Cell.target(hint);
      Cell last = at.isNone() ? null : supply.find(at);
      if (last != null && !last.next().isNone() && supply.find(last.next()) != null) {
        cells.weakCompareAndSet(tail, hint, Cell.moved(hint, last.next()));
        continue;
      }
      if (last == null || !last.next().isNone()) {
        // The hint is of what was taken out, or leads to what is lost.
        End end = end();
        if (end == null) {
          continue;
        }
        at = end.at();
        last = end.node();
      }
      // Whatever has nothing behind it is in the queue: what was taken out has.
      if (cells.weakCompareAndSet(supply.part(at), last, last.to(node))) {
        cells.hint(tail, hint, Cell.moved(hint, node));
        return;
      }
    }
  }

  /** Takes the first item; null if the queue is empty. */
  public E poll() {
    while (true) {
      Cell first = first();
      Cell taken = find(first);
      if (taken == null) {
        continue;
      }
      if (taken.next().isNone()) {
        leadTailBack(first, taken);
        return null;
      }
      Cell next = supply.look(taken.next());
      if (next == null) {
        cutIfLost(first, taken);
        continue;
      }
      // Before it is taken: what cannot be read stays.
      E item = items.item(next.item());
      Cell moved = Cell.moved(first, taken.next());
      if (cells.weakCompareAndSet(head, first, moved)) {
        supply.give(first.next(), head, present -> present.count() >= moved.count());
        return item;
      }
    }
  }

  /**
   * Takes the first item, and waits for one if the queue is empty. It looks at the grid again and
   * again, up to a hundred times a second.
   *
   * @return null if there was none in this time
   */
  public E poll(Duration timeout) throws InterruptedException {
    Lookout lookout = new Lookout(timeout);
    while (true) {
      E item = poll();
      if (item != null || !lookout.pause()) {
        return item;
      }
    }
  }

  /** Whether there was nothing in it, a moment ago. */
  public boolean isEmpty() {
    while (true) {
      Cell taken = find(first());
      if (taken != null) {
        return taken.next().isNone();
      }
    }
  }

  // --- the head ----------------------------------------------------------------------------------

  /** The head; a queue that has none begins. */
  private Cell first() {
    while (true) {
      Cell first = cells.getAcquire(head);
      if (first != null) {
        return first;
      }
      begin(null);
    }
  }

  /** Begins a queue with a node of its own, unless another one has begun it. */
  private void begin(Cell lost) {
    Pointer node = supply.take();
    cells.prepare(supply.part(node), Cell.node(node, null));
    if (!cells.compareAndSet(head, lost, Cell.moved(lost, node))) {
      supply.give(node);
    }
  }

  /** The node that the head leads to; null if the head has moved on. */
  private Cell find(Cell first) {
    Cell node = supply.find(first.next());
    if (node == null && first.equals(cells.getAcquire(head))) {
      // It is there, but for a model that may lose what was written: what was behind it is lost.
      begin(first);
    }
    return node;
  }

  /** A node behind the head's is there while the head stays, or lost: the queue ends before it. */
  private void cutIfLost(Cell first, Cell taken) {
    if (supply.find(taken.next()) == null && first.equals(cells.getAcquire(head))) {
      cells.compareAndSet(supply.part(first.next()), taken, taken.to(Pointer.NONE));
    }
  }

  /**
   * The queue was empty. A tail at another node that has nothing behind it is of a part that was
   * cut off by a loss: offers would go on there, and nobody would find them.
   */
  private void leadTailBack(Cell first, Cell taken) {
    if (!keepsAll) {
      Cell hint = cells.getAcquire(tail);
      Pointer at = Cell.target(hint);
      Cell last = at.isNone() || at.equals(first.next()) ? null : supply.find(at);
      if (last != null
          && last.next().isNone()
          && first.equals(cells.getAcquire(head))
          && taken.equals(supply.find(first.next()))) {
        cells.compareAndSet(tail, hint, Cell.moved(hint, first.next()));
      }
    }
  }

  /** The last node. */
  private record End(Pointer at, Cell node) {}

  /**
   * Goes from the head to the end; null if the head has moved on meanwhile. Nodes from the head on
   * are there while the head stays, but for a model that may lose what was written: the queue is
   * made to end before the first that is lost.
   */
  private End end() {
    Cell first = first();
    Pointer at = first.next();
    Cell node = find(first);
    while (node != null && !node.next().isNone()) {
      Pointer next = node.next();
      Cell after = supply.find(next);
      if (after == null && first.equals(cells.getAcquire(head))) {
        cells.compareAndSet(supply.part(at), node, node.to(Pointer.NONE));
      }
      at = next;
      node = after;
    }
    return node == null ? null : new End(at, node);
  }

  /** Removes the nodes that this handle has taken out and kept for later. The queue stays. */
  @Override
  public void close() {
    supply.close();
  }
}
