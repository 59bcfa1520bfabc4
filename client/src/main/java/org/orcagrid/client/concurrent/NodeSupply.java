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

import java.util.ArrayDeque;
import java.util.Deque;
import org.orcagrid.client.Codec;
import org.orcagrid.client.GridSession;

/**
 * Where a session gets the nodes of a structure from: first those that it has taken out itself,
 * then new ones. A node that was taken out belongs to whoever took it out. Others may still look at
 * it; their compare-and-set fails, since what pointed to it has another count by then. So nodes
 * need no grace period, and a structure has no more of them than it ever had items at once, and
 * those that sessions have left.
 */
final class NodeSupply {
  private static final int BITS_FOR_A_SESSION = 32;

  private final long base;
  private final Deque<Long> free = new ArrayDeque<>();
  private long made;

  NodeSupply(GridSession session, String structure) {
    long number =
        session.view(Part.CODEC, Codec.LONG).getAndAdd(new Part(structure, Part.IDS, 0), 1);
    this.base = (number + 1) << BITS_FOR_A_SESSION;
  }

  long take() {
    Long reused = free.poll();
    return reused != null ? reused : base | ++made;
  }

  void give(long node) {
    free.push(node);
  }
}
