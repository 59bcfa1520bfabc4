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
 * @param item null if there is none
 */
record Cell<E>(long count, Pointer next, boolean marked, E item) {
  private static final byte MARKED = 1;
  private static final byte FULL = 2;

  /** A node with nothing behind it. */
  static <E> Cell<E> node(Pointer self, E item) {
    return new Cell<>(self.life(), Pointer.NONE, false, item);
  }

  /** A pointer that is set for the first time. */
  static <E> Cell<E> pointer(Pointer to) {
    return new Cell<>(1, to, false, null);
  }

  /** The same node with another one behind it. */
  Cell<E> to(Pointer after) {
    return new Cell<>(count, after, false, item);
  }

  /** The same node, taken out. */
  Cell<E> mark() {
    return new Cell<>(count, next, true, item);
  }

  /** The same pointer, moved on. */
  Cell<E> moved(Pointer to) {
    return new Cell<>(count + 1, to, false, null);
  }

  static <E> Codec<Cell<E>> codec(Codec<E> items) {
    return Codec.of((cell, out) -> cell.write(items, out), in -> read(items, in));
  }

  private void write(Codec<E> items, Output out) {
    out.putByte((byte) ((marked ? MARKED : 0) | (item == null ? 0 : FULL))).putLong(count);
    next.write(out);
    if (item != null) {
      items.write(item, out);
    }
  }

  private static <E> Cell<E> read(Codec<E> items, Input in) {
    byte flags = in.getByte();
    long count = in.getLong();
    Pointer next = Pointer.read(in);
    return new Cell<>(
        count, next, (flags & MARKED) != 0, (flags & FULL) != 0 ? items.read(in) : null);
  }
}
