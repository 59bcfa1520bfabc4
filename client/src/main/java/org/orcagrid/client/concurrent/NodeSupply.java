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

import java.security.SecureRandom;
import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import org.orcagrid.client.GridException;

/**
 * Where a handle on a structure gets nodes from, and where those go that it has taken out: some are
 * used again, in another life, the rest is removed. Others may still look at such a node: they see
 * that it is not the one any more that they were led to, so nodes need no grace period.
 */
final class NodeSupply {
  private static final System.Logger LOG = System.getLogger(NodeSupply.class.getName());

  private final Cells<Cell> cells;
  private final String structure;

  /**
   * Random, so that no two handles have the same: a number that the grid has given could be given
   * again after a loss of power.
   */
  private final long handle = handleNumber();

  private final AtomicLong made = new AtomicLong();
  private final Deque<Pointer> free = new ConcurrentLinkedDeque<>();
  private final AtomicInteger kept = new AtomicInteger();

  NodeSupply(Cells<Cell> cells, String structure) {
    this.cells = cells;
    this.structure = structure;
  }

  private static long handleNumber() {
    SecureRandom random = new SecureRandom();
    long number = random.nextLong();
    while (number == 0) {
      number = random.nextLong();
    }
    return number;
  }

  Part part(Pointer node) {
    return new Part(structure, Part.NODE, node.handle(), node.number());
  }

  /** A node for an item. */
  Pointer take() {
    Pointer used = free.poll();
    if (used == null) {
      return new Pointer(handle, made.incrementAndGet(), 0);
    }
    kept.decrementAndGet();
    return used.again();
  }

  /** What a pointer leads to; null if it has been taken out meanwhile. */
  Cell find(Pointer node) {
    return in(node, cells.getAcquire(part(node)));
  }

  /** The same for a pointer that was acquired, and a node that changes no more. */
  Cell look(Pointer node) {
    return in(node, cells.get(part(node)));
  }

  private static Cell in(Pointer life, Cell cell) {
    return cell != null && cell.count() == life.life() ? cell : null;
  }

  /** Gives a node back that was never put in. */
  void give(Pointer node) {
    if (kept.incrementAndGet() <= cells.keptMax()) {
      free.push(node);
    } else {
      kept.decrementAndGet();
      cells.remove(part(node));
    }
  }

  /**
   * Gives a node back that this handle has just taken out, if that can no longer be lost. What has
   * been taken out is the caller's by now, so this never fails: a node that cannot be given back
   * stays behind unused.
   *
   * @param where what was written to take it out
   * @param written whether that has what was written, or what came after it
   */
  void give(Pointer node, Part where, Predicate<Cell> written) {
    try {
      if (cells.isKept(where, written)) {
        give(node);
      }
    } catch (GridException | IllegalStateException e) {
      LOG.log(
          System.Logger.Level.DEBUG,
          "Cannot remove an unused node: structure={0} reason={1}",
          structure,
          e);
    }
  }

  /** Removes all that is kept to be used again. */
  void close() {
    for (Pointer node = free.poll(); node != null; node = free.poll()) {
      kept.decrementAndGet();
      cells.remove(part(node));
    }
  }
}
