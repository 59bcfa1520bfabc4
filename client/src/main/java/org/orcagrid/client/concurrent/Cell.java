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
import org.orcagrid.client.Input;
import org.orcagrid.client.Output;

/**
 * What a variable of a structure has: a node, or a pointer of the structure itself.
 *
 * @param count of a node its life; of a pointer how often it has changed
 * @param next the node that follows
 * @param marked whether the node has been taken out (Harris)
 * @param item as bytes; null if there is none
 */
record Cell(long count, Pointer next, boolean marked, ItemBytes item) {
  static final Codec<Cell> CODEC = Codec.of(Cell::write, Cell::read);

  private static final byte MARKED = 1;
  private static final byte FULL = 2;

  /** A node with nothing behind it. */
  static Cell node(Pointer self, ItemBytes item) {
    return new Cell(self.life(), Pointer.NONE, false, item);
  }

  /** A pointer that is set for the first time. */
  static Cell pointer(Pointer to) {
    return new Cell(1, to, false, null);
  }

  /** Where a pointer that may never have been set leads to. */
  static Pointer target(Cell pointer) {
    return pointer == null ? Pointer.NONE : pointer.next();
  }

  /** A pointer that may never have been set, moved on. */
  static Cell moved(Cell pointer, Pointer to) {
    return pointer == null ? pointer(to) : new Cell(pointer.count + 1, to, false, null);
  }

  /** The same node with another one behind it. */
  Cell to(Pointer after) {
    return new Cell(count, after, false, item);
  }

  /** The same node, taken out. */
  Cell mark() {
    return new Cell(count, next, true, item);
  }

  private static void write(Cell cell, Output out) {
    int flags = (cell.marked ? MARKED : 0) | (cell.item == null ? 0 : FULL);
    out.putByte((byte) flags).putLong(cell.count);
    cell.next.write(out);
    if (cell.item != null) {
      out.putBytes(cell.item.bytes());
    }
  }

  private static Cell read(Input in) {
    byte flags = in.getByte();
    long count = in.getLong();
    Pointer next = Pointer.read(in);
    ItemBytes item = (flags & FULL) == 0 ? null : new ItemBytes(in.remainingBytes());
    return new Cell(count, next, (flags & MARKED) != 0, item);
  }
}
