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

/**
 * Which node comes next, and how often this has changed: the count keeps a compare-and-set from
 * taking a node that has come back for one that never went (the ABA problem; Kite, section 7.3).
 *
 * @param node the node, 0 for none
 * @param count changes so far
 * @param marked whether the node that this belongs to has been taken out (Harris)
 */
record Pointer(long node, long count, boolean marked) {
  static final Codec<Pointer> CODEC =
      Codec.of(
          (pointer, out) ->
              out.putLong(pointer.node())
                  .putLong(pointer.count() << 1 | (pointer.marked() ? 1 : 0)),
          in -> {
            long node = in.getLong();
            long count = in.getLong();
            return new Pointer(node, count >>> 1, (count & 1) != 0);
          });

  private static final Pointer NONE = new Pointer(0, 0, false);

  static Pointer of(Pointer readOrNull) {
    return readOrNull == null ? NONE : readOrNull;
  }

  boolean isNone() {
    return node == 0;
  }

  /** What follows this when it is to point to {@code next}. */
  Pointer to(long next) {
    return new Pointer(next, count + 1, false);
  }

  /** What follows this when the node that it belongs to is taken out. */
  Pointer mark() {
    return new Pointer(node, count + 1, true);
  }
}
