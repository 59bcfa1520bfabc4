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
import org.orcagrid.client.map.GridMaps;
import org.orcagrid.ddp.model.Ddp;

/**
 * A stack that a grid's programs share: Treiber's, with counted pointers (Kite, section 7.3). Push
 * and pop are linearizable and lock-free.
 *
 * <p>A node is prepared and shown by the compare-and-set of the top, which releases; whoever reads
 * the top with an acquire therefore finds the node as it was pushed.
 *
 * <p>A stack of a model is kept in a map of its own, and any number of threads may use one object.
 * A session's stack is kept among its keys; one object belongs to one session and is used by one
 * thread at a time. All methods throw what {@link org.orcagrid.client.map.GridMap} or {@link View}
 * throws. When a pop's outcome is unknown, the item may be gone or not; when a push's is, it may be
 * there or not.
 *
 * @param <E> the type of items
 */
public final class GridStack<E> implements AutoCloseable {
  private final Cells<Cell> cells;
  private final Items<E> items;
  private final NodeSupply supply;
  private final Part top;

  /** A session's handle on the stack of that name. */
  public GridStack(GridSession session, String name, Codec<E> items) {
    this(ViewCells.of(session, Cell.CODEC), "stack " + name, items);
  }

  /**
   * A handle on the stack of that name, as {@link GridMaps#stack} makes it.
   *
   * @throws IllegalArgumentException if the model has no compare-and-set, saying which have
   */
  public GridStack(GridMaps maps, String name, Codec<E> items, Ddp model) {
    this(MapCells.of(maps, "stack." + name, Cell.CODEC, model), "", items);
  }

  GridStack(Cells<Cell> cells, String structure, Codec<E> items) {
    this.cells = cells;
    this.items = new Items<>(items);
    this.supply = new NodeSupply(cells, structure);
    this.top = Part.of(structure, Part.HEAD);
  }

  /** Puts an item on top. */
  public void push(E item) {
    if (item == null) {
      throw new NullPointerException("A stack holds no null");
    }
    Pointer node = supply.take();
    Cell cell = Cell.node(node, items.bytes(item));
    Cell seen = cells.get(top);
    while (true) {
      cells.prepare(supply.part(node), cell.to(Cell.target(seen)));
      if (cells.weakCompareAndSet(top, seen, Cell.moved(seen, node))) {
        return;
      }
      seen = cells.getAcquire(top);
    }
  }

  /** Takes the item on top; null if the stack is empty. */
  public E pop() {
    while (true) {
      Cell seen = cells.getAcquire(top);
      Pointer node = Cell.target(seen);
      if (node.isNone()) {
        return null;
      }
      Cell cell = supply.look(node);
      if (cell == null) {
        beginAnewIfLost(seen);
      } else {
        // Before it is taken: what cannot be read stays.
        E item = items.item(cell.item());
        Cell below = Cell.moved(seen, cell.next());
        if (cells.weakCompareAndSet(top, seen, below)) {
          supply.give(node, top, present -> present.count() >= below.count());
          return item;
        }
      }
    }
  }

  /**
   * A node that the top leads to is there, but for a model that may lose what was written. What was
   * below it cannot be found any more.
   */
  private void beginAnewIfLost(Cell seen) {
    if (seen.equals(cells.getAcquire(top))) {
      cells.compareAndSet(top, seen, Cell.moved(seen, Pointer.NONE));
    }
  }

  /** Whether there was nothing on it, a moment ago. */
  public boolean isEmpty() {
    return Cell.target(cells.getAcquire(top)).isNone();
  }

  /** Removes the nodes that this handle has taken out and kept for later. The stack stays. */
  @Override
  public void close() {
    supply.close();
  }
}
